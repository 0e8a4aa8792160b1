package dev.slipway.cluster;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A range of IP addresses, read as strictly as the API server does.
 *
 * @param text as written
 * @param address the address before the slash
 * @param prefix how many leading bits are fixed
 */
record Cidr(String text, InetAddress address, int prefix) {

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    // Only these characters, and a colon: the platform then parses it as a literal and never asks DNS.
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /** Reads a range like {@code 10.96.0.0/12} or {@code fd00::/48}; empty if it is none. */
    static Optional<Cidr> parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("0|[1-9]\\d{0,2}")) {
            return Optional.empty();
        }
        int prefix = Integer.parseInt(text.substring(slash + 1));
        return address(text.substring(0, slash))
                .filter(address -> prefix <= address.getAddress().length * 8)
                .map(address -> new Cidr(text, address, prefix));
    }

    /** Whether the text is an IPv4 or IPv6 address, without brackets or a zone. */
    static boolean isAddress(String text) {
        return address(text).isPresent();
    }

    boolean ipv6() {
        return address instanceof Inet6Address;
    }

    /** Whether the two have an address in common; ranges of different families never have. */
    boolean overlaps(Cidr other) {
        if (ipv6() != other.ipv6()) {
            return false;
        }
        byte[] mine = address.getAddress();
        byte[] theirs = other.address.getAddress();
        int common = Math.min(prefix, other.prefix);
        for (int bit = 0; bit < common; bit++) {
            int mask = 0x80 >> (bit % 8);
            if ((mine[bit / 8] & mask) != (theirs[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    private static Optional<InetAddress> address(String text) {
        boolean v4 = IPV4.matcher(text).matches();
        if (!v4 && !IPV6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            InetAddress address = InetAddress.getByName(text);
            // An IPv4-mapped IPv6 address comes back as IPv4: Kubernetes refuses those.
            boolean sameFamily = v4 ? address instanceof Inet4Address : address instanceof Inet6Address;
            return sameFamily ? Optional.of(address) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
