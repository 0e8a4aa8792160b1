/** What is common to the phases of the import: which cluster, with which access, under which rules. Runs inside of phases. */
@NullMarked
package dev.slipway.imports;

import org.jspecify.annotations.NullMarked;
