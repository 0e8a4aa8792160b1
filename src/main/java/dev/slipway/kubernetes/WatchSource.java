package dev.slipway.kubernetes;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;

/**
 * What all watches of one API server share.
 *
 * @param rest builds the requests and lists
 * @param http holds the open watches: their silence has another limit than an answer
 * @param discovery finds how kinds are served
 * @param settings pace and limits
 */
record WatchSource(RestClient rest, OkHttpClient http, Discovery discovery, KubernetesProperties.Watch settings) {

    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final double SHORTEST = 0.8;

    static WatchSource of(RestClient rest, Discovery discovery, KubernetesProperties.Watch settings) {
        return of(rest, discovery, settings, GRACE);
    }

    static WatchSource of(RestClient rest, Discovery discovery, KubernetesProperties.Watch settings, Duration grace) {
        OkHttpClient http = rest.http()
                .newBuilder()
                .connectionPool(new ConnectionPool(0, 1, TimeUnit.MILLISECONDS))
                .socketFactory(new KeepAliveSockets())
                .callTimeout(Duration.ZERO)
                // The server ends each watch in time: a longer silence means that nobody is there any more.
                .readTimeout(settings.timeout().plus(grace))
                .build();
        return new WatchSource(rest, http, discovery, settings);
    }

    /** How long the server shall keep a watch open: not all of them end at once. */
    long timeoutSeconds() {
        double share = ThreadLocalRandom.current().nextDouble(SHORTEST, 1);
        return Math.max(1, Math.round(settings.timeout().toSeconds() * share));
    }
}
