package dev.slipway.engine;

import dev.slipway.kernel.DiagramBeans;
import dev.slipway.phase.Phase;
import java.util.List;
import java.util.Set;
import org.camunda.bpm.engine.impl.cfg.AbstractProcessEnginePlugin;
import org.camunda.bpm.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.stereotype.Component;

/** Puts the {@link DiagramGate} before every deployment: at start, by REST and from Modeler. */
@Component
final class DiagramGatePlugin extends AbstractProcessEnginePlugin {

    private final ListableBeanFactory beans;

    DiagramGatePlugin(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void preInit(ProcessEngineConfigurationImpl configuration) {
        // Names only: the phases themselves may need the engine's neighbours, which are not made yet.
        Set<String> phases = Set.of(beans.getBeanNamesForType(Phase.class, false, false));
        configuration.setCustomPreDeployers(List.of(new DiagramGate(phases, DiagramBeans.SUPPORT)));
    }
}
