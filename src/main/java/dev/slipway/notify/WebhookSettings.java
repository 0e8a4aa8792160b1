package dev.slipway.notify;

import dev.slipway.notify.WebhookProperties.Format;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The webhook's settings once they were found usable.
 *
 * @param target where to POST
 * @param format what to POST
 * @param tokenFile a file with a bearer token; null for none
 * @param timeout deadline of one delivery
 * @param tls whom to trust; null for those whom the JVM trusts
 * @param publicUrl the base of links, without a slash at the end; null for no links
 */
record WebhookSettings(
        URI target,
        Format format,
        @Nullable Path tokenFile,
        Duration timeout,
        @Nullable SSLContext tls,
        @Nullable String publicUrl) {

    private static final String ALERTS = "/api/v2/alerts";

    /**
     * Checks the settings.
     *
     * @throws UnusableSettingException naming the first one that cannot be used
     */
    static WebhookSettings of(WebhookProperties properties) {
        URI url = httpAddress("url", properties.url());
        Path token = given(properties.bearerTokenFile());
        if (token != null && !Files.isReadable(token)) {
            throw unreadable("bearer-token-file", token);
        }
        Path authorities = given(properties.caFile());
        return new WebhookSettings(
                properties.format() == Format.ALERTMANAGER ? alerts(url) : url,
                properties.format(),
                token,
                properties.timeout(),
                authorities == null ? null : trusting(authorities),
                properties.publicUrl().isBlank() ? null : base(properties.publicUrl()));
    }

    /** Scheme, host and port alone: all of the address that may be shown. */
    String origin() {
        return target.getScheme() + "://" + target.getRawAuthority();
    }

    private static URI httpAddress(String property, String text) {
        URI address;
        try {
            address = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new UnusableSettingException(property, "is not a URL", "Write it as https://HOST/PATH.");
        }
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new UnusableSettingException(
                    property, "begins neither with http:// nor with https://", "Write it as https://HOST/PATH.");
        }
        if (address.getHost() == null) {
            throw new UnusableSettingException(property, "names no host", "Write it as https://HOST/PATH.");
        }
        if (address.getRawUserInfo() != null) {
            throw new UnusableSettingException(
                    property,
                    "holds a user or a password",
                    "Take it out, and put a token into a file that " + WebhookProperties.PREFIX
                            + ".bearer-token-file names.");
        }
        return address;
    }

    private static URI alerts(URI url) {
        String path = url.getRawPath().replaceFirst("/+$", "");
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        return URI.create(
                url.getScheme() + "://" + url.getRawAuthority() + path + (path.endsWith(ALERTS) ? "" : ALERTS) + query);
    }

    private static String base(String publicUrl) {
        return httpAddress("public-url", publicUrl).toString().replaceFirst("/+$", "");
    }

    /** A variable of the environment that is set to nothing arrives as an empty path. */
    private static @Nullable Path given(@Nullable Path path) {
        return path == null || path.toString().isEmpty() ? null : path;
    }

    private static SSLContext trusting(Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            Collection<? extends Certificate> authorities =
                    CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (authorities.isEmpty()) {
                throw noCertificates(file);
            }
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate authority : authorities) {
                trusted.setCertificateEntry("authority-" + trusted.size(), authority);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw unreadable("ca-file", file);
        } catch (GeneralSecurityException e) {
            throw noCertificates(file);
        }
    }

    private static UnusableSettingException unreadable(String property, Path file) {
        return new UnusableSettingException(
                property,
                "names " + file + ", which cannot be read",
                "Check that the file is there, and that the user whom Slipway runs as may read it.");
    }

    private static UnusableSettingException noCertificates(Path file) {
        return new UnusableSettingException(
                "ca-file",
                "names " + file + ", which holds no certificates that can be read",
                "Put the authorities' certificates there as PEM, -----BEGIN CERTIFICATE----- and so on.");
    }
}
