package dev.slipway.storage;

import java.util.List;
import java.util.function.Function;

/**
 * A part of a list.
 *
 * @param items the part
 * @param total how long the whole list is; {@link Select#COUNTED} means so many or more
 */
public record Sliced<T>(List<T> items, long total) {

    public Sliced {
        items = List.copyOf(items);
    }

    /** A part of a list that is in memory. */
    public static <T> Sliced<T> of(List<T> all, Slice slice) {
        int from = Math.min(slice.offset(), all.size());
        int to = Math.min(all.size(), from + slice.limit());
        return new Sliced<>(all.subList(from, to), all.size());
    }

    /** The same part, each item turned into another. */
    public <R> Sliced<R> map(Function<? super T, ? extends R> mapper) {
        return new Sliced<R>(items.stream().<R>map(mapper).toList(), total);
    }
}
