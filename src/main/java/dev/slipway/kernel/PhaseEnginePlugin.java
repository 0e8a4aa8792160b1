package dev.slipway.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.camunda.bpm.engine.impl.bpmn.parser.BpmnParseListener;
import org.camunda.bpm.engine.impl.cfg.AbstractProcessEnginePlugin;
import org.camunda.bpm.engine.impl.cfg.ProcessEngineConfigurationImpl;
import org.camunda.bpm.engine.impl.el.JuelExpressionManager;
import org.camunda.bpm.engine.impl.history.HistoryLevel;

/** Teaches the engine the phase pattern: behavior, history level, and a stable lock owner. */
final class PhaseEnginePlugin extends AbstractProcessEnginePlugin {

    private final BpmnParseListener parseListener;
    private final Map<Object, Object> beans;
    private final String node;

    /**
     * Makes the plugin.
     *
     * @param beans all that expressions in diagrams can reach: plain JUEL would reach any class otherwise
     */
    PhaseEnginePlugin(BpmnParseListener parseListener, Map<Object, Object> beans, String node) {
        this.parseListener = parseListener;
        this.beans = beans;
        this.node = node;
    }

    @Override
    public void preInit(ProcessEngineConfigurationImpl configuration) {
        List<BpmnParseListener> listeners = configuration.getCustomPreBPMNParseListeners() == null
                ? new ArrayList<>()
                : new ArrayList<>(configuration.getCustomPreBPMNParseListeners());
        listeners.add(parseListener);
        configuration.setCustomPreBPMNParseListeners(listeners);
        List<HistoryLevel> levels = configuration.getCustomHistoryLevels() == null
                ? new ArrayList<>()
                : new ArrayList<>(configuration.getCustomHistoryLevels());
        levels.add(new PhaseHistoryLevel());
        configuration.setCustomHistoryLevels(levels);
        configuration.setHistory(PhaseHistoryLevel.NAME);
        configuration.setBeans(beans);
        // Spring has made one that reaches every bean of the application, before plugins are asked.
        configuration.setExpressionManager(new JuelExpressionManager(beans));
    }

    @Override
    public void postInit(ProcessEngineConfigurationImpl configuration) {
        if (configuration.getJobExecutor() != null) {
            configuration.getJobExecutor().setLockOwner(node);
        }
    }
}
