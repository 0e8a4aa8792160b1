package dev.slipway.kernel;

import javax.sql.DataSource;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Tests that share one kernel on one engine; each begins without flows, scripts and moved clocks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OneKernel {

    private final KernelProperties.ClockMode clock;
    KernelHarness kernel;

    OneKernel(KernelProperties.ClockMode clock) {
        this.clock = clock;
    }

    DataSource database() {
        return KernelHarness.memory();
    }

    @BeforeAll
    void start() {
        ClockUtil.reset();
        kernel = KernelHarness.start(database(), "node-1", clock);
    }

    @AfterEach
    void clear() {
        kernel.clear();
    }

    @AfterAll
    void stop() {
        kernel.close();
    }
}
