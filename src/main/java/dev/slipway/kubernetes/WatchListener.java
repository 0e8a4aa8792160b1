package dev.slipway.kubernetes;

/** Hears what one watch hears, on the watch's thread. */
interface WatchListener {

    /** Something about that cluster changed. */
    void changed(String namespace, String cluster);

    /** An object arrived, whatever changed in it. */
    void seen(KubeObject object);

    /** An object went. */
    void gone(SeenObjects.Seen object);
}
