package dev.slipway.delegates;

import dev.slipway.imports.ImportReset;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Takes back what an import has written, so that it can begin anew; an operator decides that.
 *
 * <ul>
 *   <li>first the label goes, then the platform's record if Slipway made it, then all credentials but the one that the
 *       workload cluster accepts
 *   <li>if none is accepted, or the workload cluster does not answer, no credential goes
 *   <li>machines, objects of Cluster API and the account {@code sentry} are never touched
 *   <li>the fact {@code resetDone} is the decision that was carried out
 * </ul>
 */
@Component
public class ResetImport implements Phase {

    private final ImportReset reset;

    public ResetImport(ImportReset reset) {
        this.reset = reset;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return reset.run(context);
    }
}
