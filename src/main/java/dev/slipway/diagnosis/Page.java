package dev.slipway.diagnosis;

import dev.slipway.phase.ClusterRef;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** A diagnosis as people read it. */
public final class Page {

    private static final int LONGEST_LINE_OF_BRIEF = 320;

    private Page() {}

    /** The whole of it, as plain text. */
    public static String text(Diagnosis diagnosis) {
        StringBuilder page = new StringBuilder(headline(diagnosis)).append('\n');
        Signature signature = diagnosis.signature();
        if (signature != null) {
            page.append("Known pattern: ").append(signature.name()).append('\n');
            page.append("  ").append(signature.advice()).append('\n');
        }
        int step = Integer.MIN_VALUE;
        for (Finding finding : diagnosis.findings()) {
            if (finding.step() != step) {
                step = finding.step();
                page.append('\n')
                        .append(step)
                        .append(". ")
                        .append(finding.title())
                        .append('\n');
            }
            page.append(String.format(Locale.ROOT, "   %-8s ", finding.verdict()));
            page.append(line(finding)).append('\n');
            finding.details()
                    .forEach(detail ->
                            page.append("            - ").append(detail).append('\n'));
        }
        return page.toString();
    }

    /** The whole of it, as Markdown. */
    public static String markdown(Diagnosis diagnosis) {
        StringBuilder page =
                new StringBuilder("# ").append(escaped(headline(diagnosis))).append('\n');
        Signature signature = diagnosis.signature();
        if (signature != null) {
            page.append("\nKnown pattern: **").append(signature.name()).append("**. ");
            page.append(signature.advice()).append('\n');
        }
        int step = Integer.MIN_VALUE;
        for (Finding finding : diagnosis.findings()) {
            if (finding.step() != step) {
                step = finding.step();
                page.append("\n## ")
                        .append(step)
                        .append(". ")
                        .append(finding.title())
                        .append("\n\n");
            }
            page.append("* **").append(finding.verdict()).append("** ").append(escaped(line(finding)));
            page.append('\n');
            finding.details()
                    .forEach(detail ->
                            page.append("  * ").append(escaped(detail)).append('\n'));
        }
        return page.toString();
    }

    /**
     * What is not well, in few words; the rest is counted.
     *
     * @param longest the most characters that the text may have
     */
    static String brief(Diagnosis diagnosis, int longest) {
        StringBuilder text = new StringBuilder(headline(diagnosis));
        Signature signature = diagnosis.signature();
        if (signature != null) {
            text.append("\nKnown pattern: ")
                    .append(signature.name())
                    .append(". ")
                    .append(signature.advice());
        }
        List<Finding> wrong = diagnosis.findings().stream()
                .filter(finding -> finding.verdict() != Verdict.OK)
                .toList();
        int fine = diagnosis.findings().size() - wrong.size();
        String end = "\n" + fine + " other findings are OK. All of it, taken anew: GET " + path(diagnosis.cluster());
        String cut = "\n… and more.";
        int room = longest - end.length() - cut.length();
        for (Finding finding : wrong) {
            String line = "\n" + finding.verdict() + " " + finding.step() + " " + line(finding);
            line = line.length() <= LONGEST_LINE_OF_BRIEF ? line : line.substring(0, LONGEST_LINE_OF_BRIEF) + "…";
            if (text.length() + line.length() > room) {
                text.append(cut);
                break;
            }
            text.append(line);
        }
        return text.append(end).toString();
    }

    /** Where a diagnosis of that cluster is taken. */
    static String path(ClusterRef cluster) {
        return "/api/v1/clusters/" + cluster.display() + "/diagnosis";
    }

    private static String headline(Diagnosis diagnosis) {
        return "Diagnosis of " + diagnosis.cluster().display() + ", taken "
                + diagnosis.takenAt().truncatedTo(ChronoUnit.SECONDS) + ": " + diagnosis.verdict();
    }

    private static String line(Finding finding) {
        return finding.object() + ": " + finding.sentence();
    }

    /** Foreign words stay words: no links, no HTML, no emphasis. */
    private static String escaped(String text) {
        return text.replaceAll("([\\\\`*_\\[\\]<>|~#&])", "\\\\$1");
    }
}
