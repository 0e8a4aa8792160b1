package dev.slipway.api;

import dev.slipway.audit.AuditAction;
import dev.slipway.audit.AuditEntry;
import dev.slipway.audit.AuditRecord;
import dev.slipway.storage.Sliced;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One deed.
 *
 * @param id its own id
 * @param at when
 * @param by who
 * @param via by what way
 * @param address from where
 * @param action what was done
 * @param what more closely
 * @param object what it was about, in words
 * @param namespace the object's namespace
 * @param name the object's name
 * @param phase the phase's name
 * @param flow the flow's id
 * @param reason why
 * @param result what became of it
 * @param message more about the result
 */
@Schema(name = "AuditEntry", description = "Who did what, when, by what way, and what became of it")
record AuditInfo(
        @Schema(example = "4711") String id,
        Instant at,
        @Schema(example = "ada", description = "A user, or slipway") String by,
        @Schema(
                        example = "session",
                        description = "session, oidc, basic or kubernetes: how the user signed in; webapps: Cockpit,"
                                + " Tasklist or Admin; engine-rest; annotation: kubectl annotate; slipway: by itself")
                String via,
        @Schema(example = "192.0.2.7", description = "Absent if it did not come over HTTP") @Nullable String address,
        @Schema(example = "DECIDE") AuditAction action,
        @Schema(example = "RETRY", description = "With START, END and DELETE the flow's kind, with DECIDE the choice")
                @Nullable
                String what,
        @Schema(example = "Cluster demo/c1", description = "What it was about; absent for sign-ins") @Nullable
                String object,
        @Schema(example = "demo") @Nullable String namespace,
        @Schema(example = "c1") @Nullable String name,
        @Schema(example = "EnsureCertificates") @Nullable String phase,
        @Schema(example = "f4e1c1d2-0c1e-11f1-9c3a-0242ac120002") @Nullable String flow,
        @Schema(example = "The CA was replaced") @Nullable String reason,
        @Schema(
                        example = "RECORDED",
                        description = "OK; RECORDED: a decision that holds unless a later entry says REFUSED or"
                                + " OVERTAKEN; REFUSED; OVERTAKEN: it came too late")
                String result,
        @Nullable String message) {

    /**
     * A page of the audit trail.
     *
     * @param items the latest first
     * @param total how many there are
     * @param offset how many were left out
     * @param limit how many at most
     */
    @Schema(name = "AuditTrail")
    record Page(
            @Schema(description = "The latest first") List<AuditInfo> items,
            @Schema(description = "How many there are; 10000 means so many or more") long total,
            int offset,
            int limit) {

        static Page of(Sliced<AuditRecord> read, Paging paging) {
            return new Page(
                    read.items().stream().map(AuditInfo::of).toList(),
                    read.total(),
                    paging.slice().offset(),
                    paging.slice().limit());
        }
    }

    private static AuditInfo of(AuditRecord deed) {
        AuditEntry entry = deed.entry();
        AuditEntry.Subject subject = entry.subject();
        return new AuditInfo(
                deed.id(),
                deed.at(),
                entry.by(),
                deed.via(),
                deed.address(),
                entry.action(),
                entry.what(),
                subject == null ? null : subject.kind() + " " + subject.namespace() + "/" + subject.name(),
                subject == null ? null : subject.namespace(),
                subject == null ? null : subject.name(),
                subject == null ? null : subject.phase(),
                subject == null ? null : subject.flow(),
                entry.reason(),
                entry.result(),
                entry.message());
    }
}
