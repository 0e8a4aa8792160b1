package dev.slipway.helm;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Turns what Helm says into classified failures. Its texts are all that there is: Helm has no codes. */
final class HelmErrors {

    private static final int LONGEST = 600;
    private static final Pattern CHART_ABSENT = Pattern.compile(
            "(?i)no chart name found|no chart version found|not found in .* repository|matching .* not found"
                    + "|chart .* not found|could not locate a version matching|: not found$|manifest unknown|name unknown");

    /** In this order: the first that fits is the most telling. Those of the repository come before the cluster's. */
    private static final List<Rule> REPOSITORY = List.of(
            new Rule(
                    ErrorClass.TRUST,
                    "RepositoryCaUnknown",
                    "x509: certificate signed by unknown authority",
                    "Put the CA that signed the repository's certificate into the work item's CA bundle."),
            new Rule(
                    ErrorClass.TRUST,
                    "RepositoryCertificateRejected",
                    "x509: |tls: failed to verify",
                    "Renew the repository's certificate, or use a host name that it holds."),
            new Rule(
                    ErrorClass.INVALID,
                    "RepositoryCaInvalid",
                    "can't create TLS config|unable to (load|append) CA" + "|failed to append certificates",
                    "Correct the CA bundle: it must be PEM of certificates."),
            new Rule(
                    ErrorClass.AUTH,
                    "RepositoryUnauthorized",
                    "\\b401\\b|unauthorized|authentication required" + "|basic credential not found",
                    "Supply valid credentials of the repository."),
            new Rule(
                    ErrorClass.AUTH,
                    "RepositoryForbidden",
                    "\\b403\\b|forbidden|denied",
                    "Grant the repository's user the right to read the chart."),
            new Rule(ErrorClass.INVALID, "ChartAbsent", CHART_ABSENT.pattern(), "Correct the chart's name or version."),
            new Rule(
                    ErrorClass.INVALID,
                    "RepositoryInvalid",
                    "\\b404\\b|error unmarshaling|error converting YAML"
                            + "|no API version specified|server gave HTTP response to HTTPS",
                    "Correct the URL: an index.yaml must be there."),
            new Rule(
                    ErrorClass.TRANSIENT,
                    "RepositoryUnreachable",
                    "connection refused|no such host|timeout|deadline exceeded|connection reset|EOF|no route"
                            + "|\\b5\\d\\d\\b|\\b429\\b",
                    "Check that the repository runs and that its address can be reached."));

    private static final List<Rule> RELEASE = List.of(
            new Rule(
                    ErrorClass.ADMISSION,
                    "AdmissionDenied",
                    "admission webhook .* denied|ValidatingAdmissionPolicy",
                    "Change the chart's values as the message says, or the webhook or policy."),
            new Rule(
                    ErrorClass.ADMISSION,
                    "AdmissionUnreachable",
                    "failed calling webhook",
                    "Repair or remove the webhook that the message names."),
            new Rule(
                    ErrorClass.ADMISSION,
                    "QuotaExceeded",
                    "exceeded quota",
                    "Raise the quota, or free what it counts."),
            new Rule(
                    ErrorClass.INVALID,
                    "ValuesInvalid",
                    "values don't meet the specifications of the schema",
                    "Correct the values that the message names."),
            new Rule(
                    ErrorClass.INVALID,
                    "ImmutableField",
                    "field is immutable|updates to .* are forbidden",
                    "Keep the field's value, or delete the object that the message names."),
            new Rule(
                    ErrorClass.IDENTITY,
                    "ObjectTaken",
                    "cannot be imported into the current release",
                    "Remove the object, or install the release under the name that owns it."),
            new Rule(
                    ErrorClass.CONTENTION,
                    "ReleaseBusy",
                    "another operation .* is in progress|already exists",
                    "Nothing: the release is looked at again."),
            new Rule(
                    ErrorClass.INVALID,
                    "KindAbsent",
                    "no matches for kind|resource mapping not found",
                    "Install the CRD of that kind first."),
            new Rule(
                    ErrorClass.AUTH,
                    "Unauthorized",
                    "Unauthorized|asked for the client to provide credentials",
                    "Supply valid credentials of the cluster."),
            new Rule(ErrorClass.AUTH, "Forbidden", "is forbidden", "Grant the right that the message names."),
            new Rule(
                    ErrorClass.TRUST,
                    "CaUnknown",
                    "x509: |tls: failed to verify",
                    "If it is the right server, put its CA into the kubeconfig."),
            new Rule(
                    ErrorClass.INVALID,
                    "Invalid",
                    " is invalid: |error validating|cannot be handled as a"
                            + "|in the expected preferred version|failed to create typed patch",
                    "Correct the values, or the chart: the message names object and field."),
            new Rule(
                    ErrorClass.INVALID,
                    "ChartInvalid",
                    "template: |parse error|execution error at|YAML parse error"
                            + "|missing in charts/|chart requires kubeVersion|not installable|error converting YAML",
                    "Correct the values, or use another version of the chart."),
            new Rule(
                    ErrorClass.TRANSIENT,
                    "ApiUnreachable",
                    "cluster unreachable|connection refused|no such host|timeout|deadline exceeded|connection reset|EOF",
                    "Check that the API server runs and that its address can be reached."),
            new Rule(
                    ErrorClass.TRANSIENT,
                    "HookFailed",
                    "failed (pre|post)-|timed out waiting",
                    "Look at the Job of the hook that the message names."));

    private HelmErrors() {}

    private record Rule(ErrorClass errorClass, String code, Pattern pattern, String remedy) {

        Rule(ErrorClass errorClass, String code, String pattern, String remedy) {
            this(errorClass, code, Pattern.compile(pattern), remedy);
        }
    }

    /** Whether an error says that the repository has no such chart or version. */
    static boolean chartAbsent(String error) {
        return CHART_ABSENT.matcher(error).find();
    }

    static Failure classify(HelmCall call, HelmAnswer answer) {
        String sentence = "Could not " + call.sentence() + ": ";
        if (answer.error().isEmpty()) {
            return new Failure(
                    ErrorClass.TRANSIENT,
                    "HelmDied",
                    sentence + "Helm's process ended without an answer. It was killed, or it took too long.",
                    List.of("Check memory and temporary space of Slipway's Pod; look for hooks that do not end."),
                    null,
                    null);
        }
        String said = said(call, answer);
        for (Rule rule : rules(answer)) {
            if (rule.pattern().matcher(answer.error()).find()) {
                String more = rule.code().equals("ChartAbsent") ? offered(answer) : "";
                return new Failure(
                        rule.errorClass(), rule.code(), sentence + said + more, List.of(rule.remedy()), null, null);
            }
        }
        return new Failure(
                ErrorClass.TRANSIENT,
                "HelmFailed",
                sentence + said,
                List.of("Read what Helm says; try the chart with the helm command."),
                null,
                null);
    }

    /** Helm loads the chart in the same call that installs it: then only the text tells which of the two failed. */
    private static List<Rule> rules(HelmAnswer answer) {
        boolean loading = answer.stage().equals("repository")
                || chartAbsent(answer.error())
                || answer.error().toLowerCase(Locale.ROOT).contains("failed to fetch");
        return loading ? REPOSITORY : RELEASE;
    }

    private static String offered(HelmAnswer answer) {
        if (!answer.versions().isEmpty()) {
            return " It has the versions " + String.join(", ", answer.versions()) + ".";
        }
        return answer.charts().isEmpty() ? "" : " It has the charts " + String.join(", ", answer.charts()) + ".";
    }

    /** Helm's words in one line, without what is secret. */
    private static String said(HelmCall call, HelmAnswer answer) {
        String text = answer.error();
        for (String secret : call.secrets()) {
            text = text.replace(secret, "(hidden)");
        }
        text = text.strip().replaceAll("\\s+", " ");
        return (text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text) + (text.endsWith(".") ? "" : ".");
    }
}
