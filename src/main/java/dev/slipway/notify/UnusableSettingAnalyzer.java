package dev.slipway.notify;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells at start which setting to correct instead of a stack trace. */
final class UnusableSettingAnalyzer extends AbstractFailureAnalyzer<UnusableSettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusableSettingException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
    }
}
