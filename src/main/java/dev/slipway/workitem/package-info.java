/** Work items: what is installed on workload clusters, as their flows' phases see it. */
@NullMarked
package dev.slipway.workitem;

import org.jspecify.annotations.NullMarked;
