package dev.slipway.kernel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One phase as its diagram draws it.
 *
 * @param elementId the sub-process
 * @param taskId the service task inside
 * @param name the phase, for example {@code EnsureCertificates}
 * @param bean the delegate's bean, for example {@code ensureCertificates}
 * @param title what operators read
 * @param requeueAfter the requeue timer's duration
 * @param stuckTimerId the stuck timer, or null if the phase never counts as stuck
 */
record PhaseDefinition(
        String elementId,
        String taskId,
        String name,
        String bean,
        String title,
        Duration requeueAfter,
        @Nullable String stuckTimerId) {}
