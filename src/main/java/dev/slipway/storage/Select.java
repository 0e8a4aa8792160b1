package dev.slipway.storage;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads a part of a table's rows, filtered and in order.
 *
 * <p>Rows are counted up to {@link #COUNTED} only: counting a million of them would take longer than reading a page.
 */
public final class Select {

    /** As far as rows are counted. */
    public static final int COUNTED = 10_000;

    private final String table;
    private final StringBuilder where = new StringBuilder();
    private final Map<String, Object> params = new LinkedHashMap<>();

    private Select(String table) {
        this.table = table;
    }

    /** All rows of a table. */
    public static Select from(String table) {
        return new Select(table);
    }

    /** Only rows with that value; null for any. */
    public Select is(String column, @Nullable Object value) {
        return value == null ? this : add(column, "=", value);
    }

    /** Only rows of that time or later; null for any. */
    public Select since(String column, @Nullable Instant time) {
        return time == null ? this : add(column, ">=", time.atOffset(ZoneOffset.UTC));
    }

    /** Only rows before that time; null for any. */
    public Select before(String column, @Nullable Instant time) {
        return time == null ? this : add(column, "<", time.atOffset(ZoneOffset.UTC));
    }

    /** Only rows for which a constant condition holds. */
    public Select when(String condition) {
        where.append(where.isEmpty() ? " where " : " and ").append(condition);
        return this;
    }

    private Select add(String column, String comparison, Object value) {
        String param = "p" + params.size();
        params.put(param, value);
        return when(column + " " + comparison + " :" + param);
    }

    /**
     * Reads.
     *
     * @param order columns to sort by, for example {@code started_at desc, id}
     */
    public <T> Sliced<T> read(JdbcClient jdbc, String order, Slice slice, RowMapper<T> mapper) {
        var items = jdbc.sql("select * from " + table + where + " order by " + order + " offset " + slice.offset()
                        + " rows fetch first " + slice.limit() + " rows only")
                .params(params)
                .query(mapper)
                .list();
        boolean last = items.size() < slice.limit() && (!items.isEmpty() || slice.offset() == 0);
        return new Sliced<>(items, last ? slice.offset() + (long) items.size() : count(jdbc));
    }

    private long count(JdbcClient jdbc) {
        return jdbc.sql("select count(*) from (select 1 as one from " + table + where + " fetch first " + COUNTED
                        + " rows only) counted")
                .params(params)
                .query(Long.class)
                .single();
    }
}
