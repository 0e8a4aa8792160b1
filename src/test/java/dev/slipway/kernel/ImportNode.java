package dev.slipway.kernel;

import static org.awaitility.Awaitility.await;

import dev.slipway.imports.ImportLab;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A node that imports the cluster of a lab with the phases of the application; the platform's controller is played. */
final class ImportNode implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofMillis(200);

    final KernelHarness kernel;
    private final Supplier<ImportLab> current;
    private final AtomicInteger atWork = new AtomicInteger();

    private ImportNode(DataSource database, Supplier<ImportLab> current, Map<String, Phase> instead) {
        this.current = current;
        ScriptedPhases phases = new ScriptedPhases();
        for (String bean : KernelHarness.IMPORT_BEANS) {
            Phase phase = instead.getOrDefault(bean, context -> run(bean, context));
            phases.script(bean, context -> {
                atWork.incrementAndGet();
                try {
                    return phase.run(context);
                } finally {
                    atWork.decrementAndGet();
                }
            });
        }
        kernel = KernelHarness.start(database, "node-1", KernelProperties.ClockMode.ENGINE, phases);
    }

    static ImportNode start(DataSource database, Supplier<ImportLab> current) {
        return start(database, current, Map.of());
    }

    /** With other phases instead of some, by the names of their beans. */
    static ImportNode start(DataSource database, Supplier<ImportLab> current, Map<String, Phase> instead) {
        return new ImportNode(database, current, instead);
    }

    /** How many phases run at this moment. */
    int atWork() {
        return atWork.get();
    }

    FlowView begin() {
        return begin(Map.of());
    }

    FlowView begin(Map<String, String> facts) {
        return kernel.flows().start("import", current.get().ref(), "test", null, facts);
    }

    FlowView awaitEnd(FlowView flow) {
        until("the import ends", () -> find(flow).endedAt() != null);
        return find(flow);
    }

    /** Waits until the phase has run, with that reason. */
    void awaitReason(FlowView flow, String phase, String reason) {
        until(
                phase + " says " + reason,
                () -> reason.equals(kernel.phase(flow, phase).reason()));
    }

    /** Decides about the phase that waits. */
    Decision decide(FlowView flow, String phase, Choice choice, String argument) {
        return kernel.desk()
                .decide(
                        kernel.phase(flow, phase).run(),
                        Decision.Wish.of(choice, "a test").about(argument),
                        "alice");
    }

    FlowView find(FlowView flow) {
        return kernel.flows().find(flow.id()).orElseThrow();
    }

    /** Waits, while time passes quickly; but not while a phase runs: for it, the time that it has would pass as quickly. */
    void until(String what, BooleanSupplier condition) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (atWork() == 0) {
                kernel.move(STEP);
            }
            return false;
        });
    }

    private Outcome run(String bean, PhaseContext context) {
        ImportLab lab = current.get();
        if (bean.equals("ensurePlatformRunning")) {
            lab.management().merge(lab.recordPath() + "/status", "{\"status\": {\"phase\": \"Running\"}}");
        }
        return lab.phase(bean).run(context);
    }

    @Override
    public void close() {
        kernel.close();
    }
}
