package dev.slipway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.platform.commons.support.AnnotationSupport;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;

/** Writes the table of cases in docs/testing.md: which test proves which, read from the tags of the tests. */
final class TestingPage {

    private static final String BEGIN = "<!-- cases: begin -->\n";
    private static final String END = "<!-- cases: end -->\n";
    private static final String HEAD =
            """
            | case | what must come out | proven by | open until |
            | --- | --- | --- | --- |
            """;

    /**
     * A case.
     *
     * @param id its tag
     * @param outcome what must come out
     * @param open which later flow brings the rest of it; empty if nothing is open
     */
    private record Case(String id, String outcome, String open) {}

    private static final List<Case> CASES = List.of(
            new Case(
                    "S1",
                    "What was just written is not readable yet: each key pair is made once, no failure is published, and"
                            + " a conflict of two writers is never told as the cause",
                    ""),
            new Case(
                    "S2",
                    "The status says something else than the flow has written, and no watch tells anything: the flow"
                            + " follows its token and its timers, and never ends by falling through",
                    ""),
            new Case("T01", "Caches lag: certificates are made once, the authority stays", ""),
            new Case("T02", "An authority that is not visible yet is adopted; no secret is ever deleted", ""),
            new Case("T03", "Two workers at once make one authority; the loser adopts it", ""),
            new Case("T04", "What is replaced or deleted is decided on the live state: a newer secret stays", ""),
            new Case("T06", "What a cache does not know is asked for once, live, and not made", ""),
            new Case("T07", "A status that is read again changes nothing: Deleting is not lost", ""),
            new Case(
                    "T08",
                    "An unknown status value: looked at again in time, an operator is asked once it is stuck",
                    ""),
            new Case("T09", "50 foreign writes between read and write: all are kept, nobody is asked", ""),
            new Case("T11", "The own finalizer is not readable yet: nothing is made twice", ""),
            new Case("T12", "A finalizer goes by a patch of that one, though the object was changed meanwhile", ""),
            new Case("T15", "Killed between two writes of an import, anywhere: one credential in the end", ""),
            new Case(
                    "T16",
                    "Eight credentials, one accepted: that one is adopted, the others are written down and collected, or"
                            + " listed to the operator; no machine is touched",
                    ""),
            new Case(
                    "T17",
                    "No credential outlives its cluster, by either label or its own field; those of others stay",
                    ""),
            new Case("T18", "The credential stays however often the phases that need it fail", ""),
            new Case("T20", "A hundred runs make one account and one token; the account is written once", ""),
            new Case(
                    "T21",
                    "A client certificate that ends soon is a warning; one that has ended stops the import in one attempt",
                    ""),
            new Case("T22", "A replaced kubeconfig is used from the next call on", ""),
            new Case(
                    "T24",
                    "Another authority answers: both fingerprints are told; an accepted one is trusted from then on",
                    ""),
            new Case(
                    "T25", "An authority that has expired: told with its date, in one attempt; deletion completes", ""),
            new Case(
                    "T27",
                    "A supplied kubeconfig is used once it is proven, the old one until then; the record's credential works all"
                            + " the time",
                    ""),
            new Case("T28", "When a token ends is unknown, which is no error; programs are never run", ""),
            new Case("T30", "Expired, wrong name, unknown authority: three codes, each with the certificate", ""),
            new Case(
                    "T31",
                    "An import that failed starts again by itself; a broken invariant sends it back to what repairs it; a reset"
                            + " by decision leaves only the proven credential, and the import holds again afterwards",
                    ""),
            new Case("T32", "The label of imported clusters counts by its key, whatever its value", ""),
            new Case("T33", "Nodes and restarts: an import is started once, and resumes in its phase", ""),
            new Case(
                    "T34",
                    "Provisioned, but the API refuses: import waits and says at which address, no credential is made",
                    ""),
            new Case("T35", "Each wait tells what is awaited, what was seen, what failed, when it looks again", ""),
            new Case(
                    "T36",
                    "Imports that never get an answer hold up no other: all that live are imported while the dead ones wait, and"
                            + " say at which address and until when",
                    ""),
            new Case(
                    "T38",
                    "The same cluster under a second name is refused naming the first; a deletion leaves what is of another"
                            + " registration",
                    ""),
            new Case("T39", "Another cluster under the same name is refused, the record stays as it is", ""),
            new Case("T40", "The same cluster under the same name again: success, nothing is written", ""),
            new Case(
                    "T41",
                    "A rebuilt cluster takes the place of the old one only if an operator names its identity; no credential holds"
                            + " the old one's token then",
                    ""),
            new Case("T43", "A mark that a forgotten registration left: refused, removed by decision only", ""),
            new Case("T44", "Detached, then imported again at once: succeeds in one flow, nothing is there twice", ""),
            new Case("T45", "A kind that nobody serves counts as gone only if an operator types the name", ""),
            new Case("T46", "All phases with state, attempts, times, next action; retry of a failed init", ""),
            new Case("T47", "Killed, or the answer lost, between create and record: found by its name, made once", ""),
            new Case("T49", "All machines are gone: just the import's finalizer goes, and the Cluster with it", ""),
            new Case("T50", "One machine of the infrastructure is left: the finalizer stays, the machine is named", ""),
            new Case(
                    "T51",
                    "The workload cluster does not answer: after a while an operator may go on without it; the receipt lists what"
                            + " stays there",
                    ""),
            new Case("T52", "A policy denies the release of an object: refused with its name, nothing is lost", ""),
            new Case("T54", "A webhook without a service: named, with a remedy, after three tries", ""),
            new Case("T55", "One delete, of the Cluster; never of a machine or its infrastructure", ""),
            new Case("T56", "No kubeconfig: the cleanup is impossible, and the deletion goes on after a while", ""),
            new Case("T58", "What was refused runs again once the cause is gone", ""),
            new Case(
                    "T59",
                    "The infrastructure does not move: an operator is asked, nothing is given up or forgotten; by force only"
                            + " finalizers go, and the receipt lists what may still run",
                    ""),
            new Case(
                    "T60",
                    "What is gone already counts as done; a node that dies leaves no finalizer without an owner",
                    ""),
            new Case(
                    "T61",
                    "A paused cluster is unpaused, or an operator is asked; the receipt says by what it was",
                    ""),
            new Case(
                    "T63",
                    "Deletion is requested during init: it ends before its next check, nothing more is written",
                    ""),
            new Case("T65", "A namespace with workloads of others stays; what Slipway made in it goes", ""),
            new Case(
                    "T67",
                    "Refused credentials: three calls, then none until an operator acts, over restarts too",
                    "import"),
            new Case(
                    "T68",
                    "The Cluster is gone: an import ends and writes nothing, also not to one that took the name; a deletion does"
                            + " the rest and has its receipt",
                    ""),
            new Case("T70", "Names of more than 60 characters are refused with the limit and its reason", ""),
            new Case("T71", "Names that are no labels are refused; dotted host names are warned of", ""),
            new Case("T73", "An IPv6 address is never a label value", "import"),
            new Case(
                    "T75",
                    "A name that a cluster of another namespace has in the platform is refused naming that",
                    ""));

    private TestingPage() {}

    /** The page with the table of now. */
    static String render(String page) {
        return page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + table() + page.substring(page.indexOf(END));
    }

    private static String table() {
        Map<String, SortedSet<String>> proofs = proofs();
        String rows = CASES.stream()
                .map(entry -> "| %s | %s | %s | %s |\n"
                        .formatted(
                                entry.id(),
                                entry.outcome(),
                                proofs.getOrDefault(entry.id(), new TreeSet<>()).stream()
                                        .map(TestingPage::link)
                                        .collect(Collectors.joining(", ")),
                                entry.open()))
                .collect(Collectors.joining());
        return HEAD + rows;
    }

    /** The cases that no test carries, and the tags that are no case. */
    static List<String> loose() {
        List<String> loose = new ArrayList<>();
        Map<String, SortedSet<String>> proofs = proofs();
        List<String> known = CASES.stream().map(Case::id).toList();
        known.stream().filter(id -> !proofs.containsKey(id)).forEach(loose::add);
        proofs.keySet().stream().filter(id -> !known.contains(id)).forEach(loose::add);
        return loose;
    }

    /** Classes of tests by tag. */
    private static Map<String, SortedSet<String>> proofs() {
        Map<String, SortedSet<String>> proofs = new TreeMap<>();
        for (Class<?> type : classes()) {
            Stream<AnnotatedElement> elements =
                    Stream.concat(Stream.of(type), Stream.<Method>of(type.getDeclaredMethods()));
            elements.flatMap(element -> AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream())
                    .forEach(tag -> proofs.computeIfAbsent(tag.value(), id -> new TreeSet<>())
                            .add(type.getName()));
        }
        return proofs;
    }

    private static List<Class<?>> classes() {
        List<Class<?>> classes = new ArrayList<>();
        try {
            SimpleMetadataReaderFactory readers = new SimpleMetadataReaderFactory();
            for (Resource resource :
                    new PathMatchingResourcePatternResolver().getResources("classpath*:dev/slipway/**/*.class")) {
                String name =
                        readers.getMetadataReader(resource).getClassMetadata().getClassName();
                if (name.matches(".*(Test|IT|Cases)")) {
                    classes.add(Class.forName(name, false, TestingPage.class.getClassLoader()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return classes;
    }

    private static String link(String type) {
        return "[%s](../src/test/java/%s.java)"
                .formatted(type.substring(type.lastIndexOf('.') + 1), type.replace('.', '/'));
    }
}
