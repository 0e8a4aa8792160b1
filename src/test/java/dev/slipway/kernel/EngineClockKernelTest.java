package dev.slipway.kernel;

/** The kernel's cases, driven by boundary timers. */
class EngineClockKernelTest extends PhaseKernelCases {

    EngineClockKernelTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }
}
