package dev.slipway;

import java.util.TimeZone;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts Slipway. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class Slipway {

    /** Runs the application in UTC: the engine stores dates without a zone. */
    public static void main(String[] args) {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        SpringApplication.run(Slipway.class, args);
    }
}
