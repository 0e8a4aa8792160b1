/** Certificates, key pairs and kubeconfigs, by Cluster API's conventions. */
@NullMarked
package dev.slipway.pki;

import org.jspecify.annotations.NullMarked;
