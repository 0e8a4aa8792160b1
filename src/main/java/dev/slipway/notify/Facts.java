package dev.slipway.notify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.slipway.kernel.Escalation;
import java.util.Optional;

/** Escalations and messages as JSON; a version of Slipway reads what another one of them wrote. */
final class Facts {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Facts() {}

    static String write(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An escalation could not be written as JSON", e);
        }
    }

    /** Empty if it is not the JSON of an escalation. */
    static Optional<Escalation> read(String json) {
        try {
            return Optional.of(JSON.readValue(json, Escalation.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
