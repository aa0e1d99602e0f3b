// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.Serializer;

/**
 * Hands ONOS's maps the bytes as they are. ONOS's own serializer writes Java objects field by field, and a class that has
 * changed since makes the whole map unreadable. Stateless.
 */
final class RawSerializer implements Serializer {
    @Override
    public <T> byte[] encode(T bytes) {
        return ((ImmutableByteSequence) bytes).asArray();
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the maps that use it have nothing else
    public <T> T decode(byte[] bytes) {
        return (T) ImmutableByteSequence.copyFrom(bytes);
    }

    @Override
    public <T> T copy(T bytes) {
        return bytes;
    }
}
