/** The WorkloadCluster resource, its rules, and the views of Cluster API objects. */
@NullMarked
package dev.slipway.cluster;

import org.jspecify.annotations.NullMarked;
