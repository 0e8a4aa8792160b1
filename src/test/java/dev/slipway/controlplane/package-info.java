/** A real etcd, kube-apiserver and kube-controller-manager for tests and the sandbox. */
@NullMarked
package dev.slipway.controlplane;

import org.jspecify.annotations.NullMarked;
