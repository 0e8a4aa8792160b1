package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of addresses: what is one, and which overlap. */
class CidrTest {

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/8", "0.0.0.0/0", "192.168.1.1/32", "::/0", "fd00:1::/48", "fd00::1.2.3.4/112"})
    void readsRangesOfBothFamilies(String text) {
        assertThat(Cidr.parse(text)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "10.0.0.0",
                "10.0.0.0/33",
                "10.0.0/8",
                "10.0.0.256/8",
                "010.0.0.0/8",
                "10.0.0.0/08",
                "10.0.0.0/-1",
                "10.0.0.0/8/8",
                "fd00::/129",
                "fd00:::/48",
                "fe80::1%eth0/64",
                "::ffff:10.0.0.0/104",
                "localhost/8"
            })
    void refusesWhatIsNone(String text) {
        assertThat(Cidr.parse(text)).isEmpty();
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "10.0.0.0/8, 10.96.0.0/12, true",
        "10.96.0.0/12, 10.0.0.0/8, true",
        "10.96.0.0/12, 10.112.0.0/12, false",
        "192.168.0.0/16, 192.168.0.0/16, true",
        "192.168.0.0/24, 192.168.1.0/24, false",
        "10.0.0.7/8, 10.1.0.0/16, true",
        "fd00::/48, fd00:0:0:1::/64, true",
        "fd00::/48, fd00:0:1::/48, false",
        "0.0.0.0/0, fd00::/8, false",
        "0.0.0.0/0, 1.2.3.4/32, true"
    })
    void findsOverlaps(String one, String other, boolean overlap) {
        assertThat(Cidr.parse(one).orElseThrow().overlaps(Cidr.parse(other).orElseThrow()))
                .isEqualTo(overlap);
    }
}
