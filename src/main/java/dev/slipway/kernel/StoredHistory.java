package dev.slipway.kernel;

import dev.slipway.kernel.Statistics.FlowCount;
import dev.slipway.kernel.Statistics.PhaseCount;
import dev.slipway.kernel.Statistics.RetryCount;
import dev.slipway.storage.Select;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what happened from the kernel's tables. */
final class StoredHistory implements FlowHistory {

    private static final Duration DAYS_FROM = Duration.ofDays(3);
    private static final String SECONDS = "(extract(epoch from left_at) - extract(epoch from entered_at))";
    private static final String DONE = "case when state = 'DONE' then " + SECONDS + " end";

    private final JdbcClient jdbc;
    private final Flows flows;
    private final FlowStore flowStore;
    private final PhaseRunStore runs;
    private final PhaseCatalog catalog;
    private final Clock clock;

    StoredHistory(JdbcClient jdbc, Flows flows, FlowService.Stores stores, PhaseCatalog catalog) {
        this.jdbc = jdbc;
        this.flows = flows;
        this.flowStore = stores.flows();
        this.runs = stores.runs();
        this.catalog = catalog;
        this.clock = stores.clock();
    }

    @Override
    public Sliced<FlowView> flows(FlowQuestion question, Slice slice) {
        FlowState state = question.state();
        Sliced<String> ids = Select.from("slipway_flow")
                .when("instance_id is not null")
                .is("kind", question.kind())
                .is("state", state == null ? null : state.name())
                .is("namespace", question.namespace())
                .is("name", question.name())
                .since("started_at", question.since())
                .read(jdbc, "started_at desc, id", slice, (row, number) -> row.getString("instance_id"));
        Map<String, FlowView> views =
                flows.views(ids.items()).stream().collect(Collectors.toMap(FlowView::id, Function.identity()));
        return new Sliced<>(
                ids.items().stream()
                        .flatMap(id -> Optional.ofNullable(views.get(id)).stream())
                        .toList(),
                ids.total());
    }

    @Override
    public Optional<List<RunView>> runs(String flowId) {
        return flowStore
                .find(flowId)
                .map(flow -> runs.ofFlow(flowId).stream().map(this::view).toList());
    }

    private RunView view(PhaseRun run) {
        Progress progress = run.progress();
        Progress.Note error = progress.error();
        return new RunView(
                run.phase(),
                title(run.definitionId(), run.elementId()).orElse(run.phase()),
                run.elementId(),
                run.id(),
                progress.state(),
                run.enteredAt(),
                run.leftAt(),
                progress.attempt(),
                progress.counters().failures(),
                progress.reason(),
                progress.message(),
                error == null ? null : error.code());
    }

    private Optional<String> title(String definitionId, String elementId) {
        return catalog.phases(definitionId).stream()
                .filter(phase -> phase.elementId().equals(elementId))
                .map(PhaseDefinition::title)
                .findFirst();
    }

    @Override
    public Sliced<Escalation> escalations(EscalationQuestion question, Slice slice) {
        Select select = Select.from("slipway_escalation")
                .is("namespace", question.namespace())
                .is("name", question.name())
                .is("phase", question.phase())
                .since("opened_at", question.since());
        if (question.open() != null) {
            select.when(question.open() ? "open_key is not null" : "open_key is null");
        }
        return select.read(jdbc, "opened_at desc, id", slice, EscalationStore::map);
    }

    @Override
    public Statistics statistics(Instant since, @Nullable String kind) {
        List<RetryCount> hours = retries(since, kind);
        boolean days = Duration.between(since, clock.instant()).compareTo(DAYS_FROM) > 0;
        return new Statistics(
                since,
                flowCounts(since, kind),
                phaseCounts(since, kind, hours),
                days ? byDay(hours) : hours,
                days ? Duration.ofDays(1) : Duration.ofHours(1));
    }

    private List<FlowCount> flowCounts(Instant since, @Nullable String kind) {
        return query(
                "select kind, state, result, count(*) as amount from slipway_flow where instance_id is not null and"
                        + " started_at >= :since" + (kind == null ? "" : " and kind = :kind")
                        + " group by kind, state, result order by kind, state, result",
                since,
                kind,
                (row, number) -> new FlowCount(
                        row.getString("kind"),
                        FlowState.valueOf(row.getString("state")),
                        row.getString("result"),
                        row.getLong("amount")));
    }

    /** A phase of a flow. */
    private record Key(String kind, String phase) {}

    private List<PhaseCount> phaseCounts(Instant since, @Nullable String kind, List<RetryCount> failed) {
        Map<Key, Long> failures = failed.stream()
                .collect(Collectors.groupingBy(
                        retry -> new Key(retry.kind(), retry.phase()), Collectors.summingLong(RetryCount::count)));
        Map<Key, Long> stuck = new LinkedHashMap<>();
        query(
                "select kind, phase, count(*) as amount from slipway_escalation where opened_at >= :since"
                        + (kind == null ? "" : " and kind = :kind") + " group by kind, phase",
                since,
                kind,
                (row, number) ->
                        stuck.put(new Key(row.getString("kind"), row.getString("phase")), row.getLong("amount")));
        return query(
                "select flow, phase, element_id, max(definition_id) as definition, sum(attempt) as attempts,"
                        + " count(" + DONE + ") as amount, max(" + DONE + ") as longest,"
                        + " percentile_cont(0.5) within group (order by " + DONE + ") as p50,"
                        + " percentile_cont(0.95) within group (order by " + DONE + ") as p95,"
                        + " count(case when left_at is null then 1 end) as running"
                        + " from slipway_phase_run where (entered_at >= :since or left_at is null)"
                        + (kind == null ? "" : " and flow = :process")
                        + " group by flow, phase, element_id order by flow, min(entered_at)",
                since,
                kind,
                (row, number) -> count(row, failures, stuck));
    }

    private PhaseCount count(ResultSet row, Map<Key, Long> failures, Map<Key, Long> stuck) throws SQLException {
        Key key = new Key(FlowKinds.kindOf(row.getString("flow")), row.getString("phase"));
        String element = row.getString("element_id");
        return new PhaseCount(
                key.kind(),
                key.phase(),
                title(row.getString("definition"), element).orElse(key.phase()),
                element,
                row.getLong("amount"),
                seconds(row, "p50"),
                seconds(row, "p95"),
                seconds(row, "longest"),
                row.getLong("attempts"),
                failures.getOrDefault(key, 0L),
                stuck.getOrDefault(key, 0L),
                row.getLong("running"));
    }

    private static @Nullable Double seconds(ResultSet row, String column) throws SQLException {
        double value = row.getDouble(column);
        return row.wasNull() ? null : Math.round(value * 1000) / 1000.0;
    }

    private List<RetryCount> retries(Instant since, @Nullable String kind) {
        return query(
                "select bucket_at, phase, kind, code, sum(amount) as amount from slipway_retry where bucket_at >= :since"
                        + (kind == null ? "" : " and kind = :kind")
                        + " group by bucket_at, phase, kind, code order by bucket_at, kind, phase, code",
                since.truncatedTo(ChronoUnit.HOURS),
                kind,
                (row, number) -> new RetryCount(
                        row.getObject("bucket_at", OffsetDateTime.class).toInstant(),
                        row.getString("phase"),
                        row.getString("kind"),
                        row.getString("code"),
                        row.getLong("amount")));
    }

    private static List<RetryCount> byDay(List<RetryCount> hours) {
        Map<RetryCount, Long> days = new LinkedHashMap<>();
        for (RetryCount hour : hours) {
            RetryCount day =
                    new RetryCount(hour.from().truncatedTo(ChronoUnit.DAYS), hour.phase(), hour.kind(), hour.code(), 0);
            days.merge(day, hour.count(), Long::sum);
        }
        List<RetryCount> counted = new ArrayList<>();
        days.forEach(
                (day, count) -> counted.add(new RetryCount(day.from(), day.phase(), day.kind(), day.code(), count)));
        return counted;
    }

    private <T> List<T> query(String sql, Instant since, @Nullable String kind, RowMapper<T> mapper) {
        JdbcClient.StatementSpec statement = jdbc.sql(sql).param("since", PhaseRunStore.at(since));
        if (kind != null) {
            statement = sql.contains(":process")
                    ? statement.param("process", FlowKinds.processKey(kind))
                    : statement.param("kind", kind);
        }
        return statement.query(mapper).list();
    }
}
