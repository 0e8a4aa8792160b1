package dev.slipway.helm.worker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Named texts on their way to Helm's process and back: a count, then names and texts, each after its length. */
public final class Frames {

    private static final int MOST_TEXTS = 1000;
    private static final int LONGEST_TEXT = 64 * 1024 * 1024;

    private Frames() {}

    /** Writes them and flushes. */
    public static void write(OutputStream to, Map<String, String> texts) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        out.writeInt(texts.size());
        for (Map.Entry<String, String> text : texts.entrySet()) {
            write(out, text.getKey());
            write(out, text.getValue());
        }
        out.flush();
    }

    /** Reads what {@link #write} wrote. */
    public static Map<String, String> read(InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        int count = limited(in.readInt(), MOST_TEXTS);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = text(in);
            texts.put(name, text(in));
        }
        return texts;
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = limited(in.readInt(), LONGEST_TEXT);
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The text ends early");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int limited(int number, int most) throws IOException {
        if (number < 0 || number > most) {
            throw new IOException("Not a count: " + number);
        }
        return number;
    }
}
