package dev.slipway.kubernetes;

import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads that the API server answers from its store, never from a cache.
 *
 * <p>The only reader that phases may use. GET without {@code resourceVersion}, LIST without it and through all pages.
 */
public interface LiveReader {

    /**
     * Reads one object.
     *
     * @param namespace empty for cluster-scoped kinds
     * @return empty only if the object is absent while its kind is served
     * @throws Failure {@code KindAbsent} (class INVALID) when the kind is not served; otherwise by the answer's class
     */
    Optional<KubeObject> get(ResourceType type, String namespace, String name);

    /**
     * Reads all objects, following {@code continue} to the end.
     *
     * @param namespace empty for all namespaces or cluster-scoped kinds
     * @param labels exact label values to select by; empty for all
     * @throws Failure as {@link #get}; 403 is AUTH, never an empty list
     */
    List<KubeObject> list(ResourceType type, String namespace, Map<String, String> labels);

    /**
     * Reads the end of a container's log, for people: never to decide by.
     *
     * @param lines how many lines at most; of very long ones only the first 256 KiB
     * @return the lines, oldest first; none if the container has not started
     * @throws Failure as {@link #get}
     */
    List<String> log(String namespace, String pod, String container, int lines);

    /**
     * Finds how a kind is served now, in the server's preferred version of its group.
     *
     * @return empty if the group or the kind is not served
     */
    Optional<ResourceType> find(String group, String kind);

    /**
     * Finds all kinds of a group that can be listed, each in the version that {@link #find} gives. Asks the server.
     *
     * @return none if the group is not served
     * @throws Failure by the answer's class
     */
    List<ResourceType> kinds(String group);

    /**
     * Finds whether objects of a kind have a sub-resource of their own, for example {@code status}. Asks the server.
     *
     * @throws Failure by the answer's class; a kind that is not served has none
     */
    boolean hasSubresource(ResourceType type, String name);
}
