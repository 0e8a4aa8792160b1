package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.api.EventStream.Interest;
import dev.slipway.api.EventStream.Terms;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** One stream and a reader that reads, or does not. */
class EventStreamTest {

    private final Reader reader = new Reader();
    private final AtomicInteger closed = new AtomicInteger();
    private final EventStream stream = stream();

    @Test
    void sendsNothingBeforeItIsOpenAndThenAllInOrder() {
        // given
        stream.send("1", "hello", "{}");
        assertThat(reader.text()).isEmpty();

        // when
        stream.open();
        stream.onWritePossible();
        stream.comment("alive");

        // then
        assertThat(reader.text()).isEqualTo("id: 1\nevent: hello\ndata: {}\n\n: alive\n\n");
    }

    @Test
    void keepsWhatASlowReaderDoesNotTakeAtOnce() {
        // given
        stream.open();
        reader.ready = false;
        stream.send("1", "clusters", "{\"a\":1}");
        assertThat(reader.text()).isEmpty();

        // when
        reader.ready = true;
        stream.onWritePossible();

        // then
        assertThat(reader.text()).contains("{\"a\":1}");
        assertThat(closed).hasValue(0);
    }

    @Test
    void tellsAReaderThatIsFarBehindToReadEverythingAgain() {
        // given
        stream.open();
        reader.ready = false;
        String large = "x".repeat(100_000);
        for (int i = 0; i < 6; i++) {
            stream.send("" + i, "clusters", large);
        }

        // when
        reader.ready = true;
        stream.onWritePossible();

        // then
        assertThat(reader.text()).startsWith("event: reset\n").doesNotContain(large);
        assertThat(closed).hasValue(0);
    }

    @Test
    void cutsOffAReaderThatDoesNotReadAtAll() {
        // given
        stream.open();
        reader.ready = false;
        String large = "x".repeat(100_000);

        // when
        for (int i = 0; i < 12; i++) {
            stream.send("" + i, "clusters", large);
        }

        // then
        assertThat(closed).hasValue(1);
    }

    @Test
    void endsOnceWhenTheConnectionIsGone() {
        // given
        stream.open();
        reader.broken = true;

        // when
        stream.send("1", "clusters", "{}");
        stream.send("2", "clusters", "{}");
        stream.close();

        // then
        assertThat(closed).hasValue(1);
    }

    private EventStream stream() {
        MockHttpServletResponse response = new MockHttpServletResponse() {
            @Override
            public ServletOutputStream getOutputStream() {
                return reader;
            }
        };
        try {
            return new EventStream(
                    new MockAsyncContext(new MockHttpServletRequest(), response),
                    new Interest("ada", null, null),
                    new Terms(Instant.MAX, () -> true),
                    gone -> closed.incrementAndGet());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The connection: takes what is written while it is ready. */
    private static final class Reader extends ServletOutputStream {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private boolean ready = true;
        private boolean broken;

        String text() {
            return taken.toString(StandardCharsets.UTF_8);
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            // The test says when writing is possible.
        }

        @Override
        public void write(int one) throws IOException {
            if (broken) {
                throw new IOException("Broken pipe");
            }
            taken.write(one);
        }
    }
}
