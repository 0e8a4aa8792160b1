/** Slipway: the life of Kubernetes workload clusters as BPMN processes. */
@NullMarked
package dev.slipway;

import org.jspecify.annotations.NullMarked;
