package dev.slipway.deletion;

import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.receipt.Fate;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Deletes the platform's record of a cluster. */
@Component
public class RecordRemoval {

    private final PlatformApi platforms;
    private final DeletionSubjects subjects;
    private final DeletionReceipt receipt;
    private final Standstill standstill;

    public RecordRemoval(
            PlatformApi platforms, DeletionSubjects subjects, DeletionReceipt receipt, Standstill standstill) {
        this.platforms = platforms;
        this.subjects = subjects;
        this.receipt = receipt;
        this.standstill = standstill;
    }

    /** Deletes it if it is this cluster's; done once it is gone, by a live read. */
    public Outcome remove(PhaseContext context) {
        Optional<Platform> platform = platforms.open();
        if (platform.isEmpty()) {
            return Outcome.done("there is no platform that could have a record");
        }
        String name = context.cluster().name();
        Optional<PlatformCluster> record = platform.get().cluster(name);
        if (record.isPresent() && !isOurs(context, record.get())) {
            receipt.note(context, record.get().display(), Fate.KEPT, "it is that of another registration");
            return Outcome.done("the " + record.get().display() + " is that of another registration: it stays");
        }
        if (record.filter(found -> !found.deleting()).isPresent()) {
            receipt.found(context, record.get().display());
            platform.get().delete(record.get());
            record = platform.get().cluster(name);
        }
        if (record.isPresent()) {
            return standstill.judge(
                    context,
                    "WaitingForPlatformClusterGone",
                    new Remaining(List.of(record.get().object())));
        }
        standstill.over(context);
        receipt.gone(context, "platform Cluster " + name);
        return Outcome.done("the platform has no record of " + name);
    }

    /** Takes off what holds it; one that stays even so is written down. */
    public Outcome force(PhaseContext context) {
        String name = context.cluster().name();
        String what = "platform Cluster " + name;
        try {
            Optional<Platform> platform = platforms.open();
            platform.flatMap(found -> found.cluster(name))
                    .filter(found -> isOurs(context, found))
                    .ifPresent(found -> {
                        platform.get().delete(found);
                        platform.get().force(found);
                    });
            boolean left = platform.flatMap(found -> found.cluster(name)).isPresent();
            receipt.note(
                    context,
                    what,
                    left ? Fate.LEFT : Fate.RELEASED,
                    "by force: what the platform keeps for it may still be there");
        } catch (Failure e) {
            receipt.note(context, what, Fate.LEFT, "by force, though it could not be released: " + e.message());
        }
        return Outcome.done("by force: the " + what + " does not hold the deletion any more");
    }

    private boolean isOurs(PhaseContext context, PlatformCluster record) {
        DeletionSubject subject = subjects.read(context);
        return PlatformClaims.isRecorded(context, record)
                || (!subject.nameTaken() && PlatformClaims.isOf(subject, record));
    }
}
