package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;

/**
 * That there is a flow, without its phases.
 *
 * @param id the process instance id
 * @param kind the flow, for example {@code init}
 * @param cluster whose flow it is
 * @param state how it stands
 * @param ended whether it has ended: then nothing about it changes any more
 * @param startedAt when it started
 */
public record FlowHead(String id, String kind, ClusterRef cluster, FlowState state, boolean ended, Instant startedAt) {}
