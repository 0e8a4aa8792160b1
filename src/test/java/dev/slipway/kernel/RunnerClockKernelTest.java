package dev.slipway.kernel;

/** The kernel's cases, driven by the runner's clock. */
class RunnerClockKernelTest extends PhaseKernelCases {

    RunnerClockKernelTest() {
        super(KernelProperties.ClockMode.RUNNER);
    }
}
