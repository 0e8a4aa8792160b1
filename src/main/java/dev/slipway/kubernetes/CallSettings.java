package dev.slipway.kubernetes;

import java.time.Duration;

/**
 * Limits of calls to one API server.
 *
 * @param call deadline of a whole call
 * @param connect deadline of connecting, TLS included
 * @param idleConnections how many idle connections are kept
 * @param keepIdle how long an idle connection is kept
 * @param pageSize objects per page of a list
 */
record CallSettings(Duration call, Duration connect, int idleConnections, Duration keepIdle, int pageSize) {

    static final CallSettings DEFAULTS =
            new CallSettings(Duration.ofSeconds(10), Duration.ofSeconds(5), 16, Duration.ofMinutes(5), 500);

    CallSettings withCall(Duration deadline) {
        return new CallSettings(deadline, connect, idleConnections, keepIdle, pageSize);
    }

    CallSettings withConnect(Duration deadline) {
        return new CallSettings(call, deadline, idleConnections, keepIdle, pageSize);
    }

    CallSettings withIdle(int connections, Duration keep) {
        return new CallSettings(call, connect, connections, keep, pageSize);
    }

    CallSettings withPageSize(int size) {
        return new CallSettings(call, connect, idleConnections, keepIdle, size);
    }
}
