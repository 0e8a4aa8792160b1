package dev.slipway.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.faults.Rule.Frequency;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Says how often a fault strikes and, last, which: {@code on(verb("create")).times(1).loseAnswer()}. */
public final class Script {

    private final Predicate<ApiCall> pattern;
    private final Frequency frequency;
    private final Random random;
    private final Past past;
    private final Consumer<Rule> register;

    Script(Predicate<ApiCall> pattern, Frequency frequency, Random random, Past past, Consumer<Rule> register) {
        this.pattern = pattern;
        this.frequency = frequency;
        this.random = random;
        this.past = past;
        this.register = register;
    }

    /** Only the first so many times; without it, until the faults are cleared. */
    public Script times(int most) {
        return with(new Frequency(most, frequency.every(), frequency.chance()));
    }

    /** Only each n-th matching call. */
    public Script every(int nth) {
        return with(new Frequency(frequency.most(), nth, frequency.chance()));
    }

    /** Only with that probability, drawn from the injector's seed. */
    public Script chance(double probability) {
        return with(new Frequency(frequency.most(), frequency.every(), probability));
    }

    /** Each event of a watch comes late, by up to that long; their order stays. */
    public Rule delayEvents(Duration most) {
        return watch(FaultKind.WATCH_DELAYED, draws -> WatchFaults.late(most, draws));
    }

    /** Two neighbouring events of a watch change places, now and then; one that has no follower comes 1 s late. */
    public Rule reorderEvents() {
        return watch(FaultKind.WATCH_REORDERED, WatchFaults::reordered);
    }

    /** The connection of a watch is reset after that long. */
    public Rule cutWatch(Duration after) {
        return watch(FaultKind.WATCH_DROPPED, draws -> WatchFaults.cut(after));
    }

    /** After that long a watch is half-open: it stays open, and nothing comes any more. */
    public Rule silence(Duration after) {
        return watch(FaultKind.WATCH_SILENT, draws -> WatchFaults.silent(after));
    }

    /** After that long a watch says that its place expired (410) and ends. */
    public Rule expireWatch(Duration after) {
        return watch(FaultKind.WATCH_EXPIRED, draws -> WatchFaults.expired(after));
    }

    /** Answers 410 Expired; nothing is carried out. */
    public Rule gone() {
        return add(FaultKind.GONE, pattern, draws -> AnswerFaults.status(410, "Expired", "too old resource version"));
    }

    /** Answers 409 Conflict; nothing is carried out. */
    public Rule conflict() {
        return add(
                FaultKind.CONFLICT,
                pattern,
                draws -> AnswerFaults.status(
                        409,
                        "Conflict",
                        "Operation cannot be fulfilled: the object has been modified; please apply your changes to"
                                + " the latest version and try again"));
    }

    /** Answers 429 and asks to come back after that long, in whole seconds; nothing is carried out. */
    public Rule overload(Duration retryAfter) {
        return add(FaultKind.OVERLOAD, pattern, draws -> AnswerFaults.overload(retryAfter));
    }

    /** Answers 500, 502, 503 or 504 as an API server does; nothing is carried out. */
    public Rule serverError(int code) {
        return add(
                FaultKind.SERVER_ERROR,
                pattern,
                draws -> AnswerFaults.status(code, "InternalError", "etcdserver: request timed out"));
    }

    /** Answers 502, 503 or 504 with the HTML page of a load balancer; nothing is carried out. */
    public Rule proxyError(int code) {
        return add(FaultKind.PROXY_ERROR, pattern, draws -> AnswerFaults.html(code));
    }

    /** The call is carried out; the head of the answer comes that much later. */
    public Rule slowHead(Duration delay) {
        return add(FaultKind.SLOW_HEAD, pattern, draws -> AnswerFaults.slowHead(delay));
    }

    /** The call is carried out; the answer's body dribbles for about that long. Not for watches. */
    public Rule slowBody(Duration time) {
        return add(FaultKind.SLOW_BODY, pattern.and(call -> !call.isWatch()), draws -> AnswerFaults.slowBody(time));
    }

    /** The call is carried out; then the connection is reset, without an answer. */
    public Rule loseAnswer() {
        return add(FaultKind.ANSWER_LOST, pattern, draws -> AnswerFaults.lost());
    }

    /** The connection is reset; nothing is carried out. */
    public Rule reset() {
        return add(FaultKind.RESET, pattern, draws -> AnswerFaults.reset());
    }

    /** Answers 401 Unauthorized; nothing is carried out. */
    public Rule unauthorized() {
        return add(FaultKind.UNAUTHORIZED, pattern, draws -> AnswerFaults.status(401, "Unauthorized", "Unauthorized"));
    }

    /** Somebody else acts first: the call reaches the server only after that. */
    public Rule overtakenBy(Runnable other) {
        return add(FaultKind.OVERTAKEN, pattern, draws -> AnswerFaults.overtaken(other));
    }

    /** Changes the JSON of successful answers; of a watch, each event. */
    public Rule rewrite(UnaryOperator<ObjectNode> change) {
        return add(FaultKind.REWRITTEN, pattern, draws -> new RewriteFault(change));
    }

    /** Answers GET and LIST as a cache does that lags by that much: with a state that really was. */
    public Rule stale(Duration age) {
        past.remember();
        Predicate<ApiCall> reads = call -> Past.canTell(call);
        return add(FaultKind.STALE, pattern.and(reads), draws -> new StaleFault(past, age));
    }

    private Rule watch(FaultKind kind, Function<Random, Fault> fault) {
        return add(kind, pattern.and(ApiCall::isWatch), fault);
    }

    private Rule add(FaultKind kind, Predicate<ApiCall> calls, Function<Random, Fault> fault) {
        Rule rule = new Rule(kind, calls, frequency, random, fault);
        register.accept(rule);
        return rule;
    }

    private Script with(Frequency changed) {
        return new Script(pattern, changed, random, past, register);
    }
}
