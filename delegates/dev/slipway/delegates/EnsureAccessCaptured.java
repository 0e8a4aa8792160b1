package dev.slipway.delegates;

import dev.slipway.deletion.AccessCapture;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Writes down what later phases need, so that they need nothing of objects that may vanish.
 *
 * <ul>
 *   <li>facts hold the Cluster's UID, origin and references, the recorded identity, and the name of the kubeconfig's secret
 *   <li>the receipt lists what is there
 *   <li>the secret with the kubeconfig has a finalizer, until the last phase that may need it
 * </ul>
 */
@Component
public class EnsureAccessCaptured implements Phase {

    private final DeletionSubjects subjects;
    private final AccessCapture capture;

    public EnsureAccessCaptured(DeletionSubjects subjects, AccessCapture capture) {
        this.subjects = subjects;
        this.capture = capture;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return capture.capture(context, subjects.read(context));
    }
}
