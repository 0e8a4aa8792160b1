package dev.slipway.delegates;

import dev.slipway.deletion.CredentialRemoval;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Deletes what could still open the cluster, after the last phase that may need it.
 *
 * <ul>
 *   <li>no ClusterCredential names the cluster, by either label or its own field; those that another cluster uses stay
 *   <li>with the cluster go the secrets that controllers made for it; those of users stay and are listed
 *   <li>nothing of another cluster in the namespace is touched, nor of another one that has taken the name
 * </ul>
 */
@Component
public class EnsureCredentialsGone implements Phase {

    private final DeletionSubjects subjects;
    private final CredentialRemoval removal;

    public EnsureCredentialsGone(DeletionSubjects subjects, CredentialRemoval removal) {
        this.subjects = subjects;
        this.removal = removal;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return removal.remove(context, subjects.read(context));
    }
}
