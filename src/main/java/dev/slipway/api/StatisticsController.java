package dev.slipway.api;

import dev.slipway.kernel.FlowHistory;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** How long phases take and how often they fail. */
@RestController
@RequestMapping(path = "/api/v1/statistics", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Statistics", description = "How long phases take, and how often they fail")
class StatisticsController {

    private static final Duration USUAL = Duration.ofDays(30);
    private static final Duration YOUNG = Duration.ofSeconds(15);
    private static final int KEPT = 16;

    private final FlowHistory history;
    private final Clock clock;
    private final Map<Question, Answer> answers = new LinkedHashMap<>();

    StatisticsController(FlowHistory history, Clock clock) {
        this.history = history;
        this.clock = clock;
    }

    private record Question(Duration back, @Nullable String kind) {}

    private record Answer(Freshness freshness, StatisticsInfo statistics) {}

    @Operation(
            operationId = "getStatistics",
            summary = "Show statistics",
            description =
                    "How many flows ended how, how long each phase took, and failed runs over time. Counted by the"
                            + " database at most four times a minute, more seldom if that is expensive, whoever asks.")
    @ApiResponse(responseCode = "200", description = "The statistics")
    @GetMapping
    StatisticsInfo show(
            @Parameter(
                            description = "How far to look back, an ISO 8601 duration up to P400D",
                            example = "P30D",
                            schema =
                                    @Schema(
                                            type = "string",
                                            pattern = "^P([1-9]\\d?|[1-3]\\d\\d|400)D$|^PT[1-9]\\d?\\d?\\d?H$"))
                    @RequestParam(required = false)
                    @Nullable
                    String since,
            @Parameter(description = "Only flows of this kind", example = "init")
                    @RequestParam(required = false)
                    @Nullable
                    String kind) {
        return counted(new Question(Params.back("since", since, USUAL), Params.text(kind)));
    }

    /** One at a time: it reads all runs of that time. */
    private synchronized StatisticsInfo counted(Question question) {
        Instant now = clock.instant();
        answers.values().removeIf(answer -> !answer.freshness().holds(now));
        Answer known = answers.get(question);
        if (known != null) {
            return known.statistics();
        }
        long started = System.nanoTime();
        StatisticsInfo fresh = StatisticsInfo.of(history.statistics(now.minus(question.back()), question.kind()));
        if (answers.size() < KEPT) {
            // However large the tables are.
            Duration holds = Freshness.tenfold(Duration.ofNanos(System.nanoTime() - started), YOUNG);
            answers.put(question, new Answer(Freshness.lasting(holds, now), fresh));
        }
        return fresh;
    }
}
