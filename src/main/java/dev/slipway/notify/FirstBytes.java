package dev.slipway.notify;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Reads the beginning of an answer and drops the rest: nobody knows how long it is. */
final class FirstBytes implements BodySubscriber<String> {

    private final CompletableFuture<String> text = new CompletableFuture<>();
    private final ByteBuffer first;
    private @Nullable Subscription subscription;

    FirstBytes(int count) {
        first = ByteBuffer.allocate(count);
    }

    @Override
    public CompletionStage<String> getBody() {
        return text;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        subscription.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            int wanted = Math.min(part.remaining(), first.remaining());
            first.put(part.slice().limit(wanted));
        }
        Subscription source = subscription;
        if (source == null) {
            return;
        }
        if (first.hasRemaining()) {
            source.request(1);
        } else {
            source.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(Throwable failure) {
        // The status has been read: that counts.
        onComplete();
    }

    @Override
    public void onComplete() {
        text.complete(new String(first.array(), 0, first.position(), StandardCharsets.UTF_8));
    }
}
