package dev.slipway.api;

import dev.slipway.storage.Select;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * Which page of a list is wanted.
 *
 * @param offset how many to leave out
 * @param limit how many at most
 */
record Paging(
        @Parameter(description = "How many to leave out, from the beginning", example = "0")
                @Schema(defaultValue = "0", minimum = "0", maximum = "10000")
                @Min(0)
                @Max(LAST)
                @Nullable
                Integer offset,
        @Parameter(description = "How many at most", example = "100")
                @Schema(defaultValue = "100", minimum = "1", maximum = "1000")
                @Min(1)
                @Max(MOST)
                @Nullable
                Integer limit) {

    static final int USUAL = 100;
    static final int MOST = 1000;
    static final int LAST = Select.COUNTED;

    /** The same as the database takes it. */
    Slice slice() {
        return new Slice(offset == null ? 0 : offset, limit == null ? USUAL : limit);
    }

    /** The headers of a page: {@code Link} with where the next, the one before and the first are. */
    ResponseEntity.BodyBuilder answer(Sliced<?> page) {
        return answer(page.total());
    }

    /** The same for a list that is so long. */
    ResponseEntity.BodyBuilder answer(long total) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        Slice now = slice();
        List<String> links = new ArrayList<>();
        long end = (long) now.offset() + now.limit();
        if (end < total && end <= LAST) {
            links.add(link((int) end, "next"));
        }
        if (now.offset() > 0) {
            links.add(link(Math.max(0, now.offset() - now.limit()), "prev"));
            links.add(link(0, "first"));
        }
        if (!links.isEmpty()) {
            answer.header(HttpHeaders.LINK, String.join(", ", links));
        }
        return answer;
    }

    private String link(int to, String relation) {
        String uri = ServletUriComponentsBuilder.fromCurrentRequest()
                .scheme(null)
                .host(null)
                .port(null)
                .replaceQueryParam("offset", to)
                .replaceQueryParam("limit", slice().limit())
                .build()
                .toUriString();
        return "<" + uri + ">; rel=\"" + relation + "\"";
    }
}
