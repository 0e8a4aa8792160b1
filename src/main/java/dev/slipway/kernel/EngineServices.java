package dev.slipway.kernel;

import org.camunda.bpm.engine.ManagementService;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.RepositoryService;
import org.camunda.bpm.engine.RuntimeService;
import org.camunda.bpm.engine.TaskService;
import org.camunda.bpm.engine.impl.cfg.ProcessEngineConfigurationImpl;

/** The engine's services that the kernel uses. */
record EngineServices(
        RuntimeService runtime,
        ManagementService management,
        TaskService tasks,
        RepositoryService repository,
        ProcessEngineConfigurationImpl configuration) {

    static EngineServices of(ProcessEngine engine) {
        return new EngineServices(
                engine.getRuntimeService(),
                engine.getManagementService(),
                engine.getTaskService(),
                engine.getRepositoryService(),
                (ProcessEngineConfigurationImpl) engine.getProcessEngineConfiguration());
    }

    /** Tells the job executor that a job may be due, once the current transaction is committed. */
    void hintAfterCommit() {
        AfterCommit.run(() -> {
            if (configuration.getJobExecutor() != null) {
                configuration.getJobExecutor().jobWasAdded();
            }
        });
    }
}
