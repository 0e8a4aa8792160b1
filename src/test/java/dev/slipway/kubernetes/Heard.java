package dev.slipway.kubernetes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down everything that watches tell. */
final class Heard implements ClusterWakeup, WorkloadClusterEvents, WatchListener {

    final List<String> wakes = new CopyOnWriteArrayList<>();
    final List<KubeObject> seen = new CopyOnWriteArrayList<>();
    final List<String> gone = new CopyOnWriteArrayList<>();

    @Override
    public void wake(String namespace, String name) {
        wakes.add(name);
    }

    @Override
    public void changed(String namespace, String cluster) {
        wakes.add(cluster);
    }

    @Override
    public void seen(KubeObject object) {
        seen.add(object);
    }

    @Override
    public void gone(String namespace, String name, String uid) {
        gone.add(name + "@" + uid);
    }

    @Override
    public void gone(SeenObjects.Seen object) {
        gone.add(object.name() + "@" + object.uid());
    }
}
