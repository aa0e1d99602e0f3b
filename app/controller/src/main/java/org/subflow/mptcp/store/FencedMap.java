// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ForwardingMap;
import com.google.common.collect.Maps;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.Versioned;

/**
 * A map of ONOS that only the node that decides may change: a former leader of a cluster must not overwrite what the next one
 * stores. A write may take as long as its time-out, 15 s, and the mandate may lapse meanwhile. So each record of a cluster has the
 * term in which it was written, and a write replaces the version that it has seen, of no later term. What a later leader has
 * removed stays so. A record that the next leader has not written is not protected.
 *
 * <p>The term is a 1 and 64 bits before the record, which begins with 0. A single node writes none (term 0).
 */
final class FencedMap extends ForwardingMap<ImmutableByteSequence, ImmutableByteSequence> {
    private static final byte MARK = 1;
    private static final int HEAD = 1 + Long.BYTES;

    private final ConsistentMap<ImmutableByteSequence, ImmutableByteSequence> map;
    private final Map<ImmutableByteSequence, ImmutableByteSequence> records;
    private final LongSupplier mayWrite;
    /** The keys that this node has read or written, and not removed. */
    private final Set<ImmutableByteSequence> known = ConcurrentHashMap.newKeySet();

    /** Makes it; {@code mayWrite} gives the term in which this node writes, and throws an exception if it may not. */
    FencedMap(ConsistentMap<ImmutableByteSequence, ImmutableByteSequence> map, LongSupplier mayWrite) {
        this.map = checkNotNull(map, "map");
        this.mayWrite = checkNotNull(mayWrite, "mayWrite");
        this.records = Maps.transformValues(map.asJavaMap(), FencedMap::record);
    }

    @Override
    protected Map<ImmutableByteSequence, ImmutableByteSequence> delegate() {
        return records;
    }

    @Override
    public void forEach(BiConsumer<? super ImmutableByteSequence, ? super ImmutableByteSequence> action) {
        records.forEach((key, value) -> {
            known.add(key);
            action.accept(key, value);
        });
    }

    @Override
    public ImmutableByteSequence put(ImmutableByteSequence key, ImmutableByteSequence value) {
        if (mayWrite.getAsLong() == 0) {
            return map.asJavaMap().put(key, value);
        }
        Versioned<ImmutableByteSequence> before;
        boolean isStored;
        do {
            long term = mayWrite.getAsLong();
            before = seen(key, term);
            if (before == null && known.contains(key)) {
                throw new IllegalStateException("a later leader has removed an entry that this node would store in term " + term);
            }
            ImmutableByteSequence signed = signed(term, value);
            isStored = before == null ? map.putIfAbsent(key, signed) == null : map.replace(key, before.version(), signed);
        } while (!isStored);
        known.add(key);
        return before == null ? null : record(before.value());
    }

    @Override
    public ImmutableByteSequence remove(Object key) {
        ImmutableByteSequence of = (ImmutableByteSequence) key;
        // First: it may be removed although ONOS does not answer.
        known.remove(of);
        if (mayWrite.getAsLong() == 0) {
            return map.asJavaMap().remove(of);
        }
        Versioned<ImmutableByteSequence> before = seen(of, mayWrite.getAsLong());
        while (before != null && !map.remove(of, before.version())) {
            before = seen(of, mayWrite.getAsLong());
        }
        return before == null ? null : record(before.value());
    }

    @Override
    public void clear() {
        long unused = mayWrite.getAsLong();
        records.clear();
    }

    /** Returns an entry, null if there is none; throws if a later leader wrote it. */
    private Versioned<ImmutableByteSequence> seen(ImmutableByteSequence key, long term) {
        Versioned<ImmutableByteSequence> found = map.get(key);
        if (found != null && termOf(found.value()) > term) {
            throw new IllegalStateException("a leader of term " + termOf(found.value()) + " has written what this node would change");
        }
        return found;
    }

    private static ImmutableByteSequence signed(long term, ImmutableByteSequence record) {
        byte[] bytes = record.asArray();
        return ImmutableByteSequence.copyFrom(ByteBuffer.allocate(HEAD + bytes.length).put(MARK).putLong(term).put(bytes).array());
    }

    private static long termOf(ImmutableByteSequence value) {
        return isSigned(value) ? ByteBuffer.wrap(value.asArray()).getLong(1) : 0;
    }

    private static ImmutableByteSequence record(ImmutableByteSequence value) {
        if (!isSigned(value)) {
            return value;
        }
        byte[] bytes = value.asArray();
        return ImmutableByteSequence.copyFrom(ByteBuffer.wrap(bytes, HEAD, bytes.length - HEAD).slice());
    }

    private static boolean isSigned(ImmutableByteSequence value) {
        return value.size() > HEAD && value.asArray()[0] == MARK;
    }
}
