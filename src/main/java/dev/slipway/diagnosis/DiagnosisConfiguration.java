package dev.slipway.diagnosis;

import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.DiagnosisSource;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.LiveReader;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the diagnosis together: every bean that is a {@link Step} takes part. */
@Configuration(proxyBeanMethods = false)
class DiagnosisConfiguration {

    /** The kernel, which has the flows, asks for diagnoses itself. */
    @Bean
    FlowsStep flowsStep(ObjectProvider<Flows> flows, ObjectProvider<Decisions> decisions) {
        return new FlowsStep(flows::getObject, decisions::getObject);
    }

    @Bean(destroyMethod = "close")
    Diagnoses diagnoses(List<Step> steps, Clock clock) {
        return new Diagnoses(steps, Diagnoses.Limits.STANDARD, clock);
    }

    @Bean
    DiagnosisSource diagnosisSource(Diagnoses diagnoses, LiveReader reader) {
        return new ItemTaskDiagnosis(new TaskDiagnosis(diagnoses, TaskDiagnosis.PATIENCE), reader);
    }
}
