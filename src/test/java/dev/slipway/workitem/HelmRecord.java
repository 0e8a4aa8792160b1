package dev.slipway.workitem;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Helm's record of a release as it stands in a Secret. */
final class HelmRecord {

    private static final ObjectMapper JSON = new ObjectMapper();

    private HelmRecord() {}

    /** The same record with another description. */
    static String saying(String data, String description) {
        try {
            byte[] stored = Base64.getDecoder().decode(Base64.getDecoder().decode(data));
            ObjectNode record;
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored))) {
                record = (ObjectNode) JSON.readTree(in);
            }
            record.withObject("/info").put("description", description);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                JSON.writeValue(out, record);
            }
            return Base64.getEncoder().encodeToString(Base64.getEncoder().encode(packed.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
