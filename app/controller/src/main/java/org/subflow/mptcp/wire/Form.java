// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The form in which one kind of record is stored. A record has a number in front that names its form; {@code StoredMap} writes
 * and checks it. Whoever changes what is written takes a new number, and may keep the reading of older ones.
 *
 * @param <K> the kind of key
 * @param <V> the kind of record
 */
public interface Form<K, V> {
    /** Returns the number of the form that {@link #write} makes, 1 to 127. */
    byte number();

    /** Returns the text by which a key is stored. */
    String text(K key);

    /**
     * Reads a key.
     *
     * @param text what {@link #text} made of it; not null
     * @return the key
     * @throws IllegalArgumentException if the text is of no key
     */
    K key(String text);

    /**
     * Writes a record.
     *
     * @param value the record; not null
     * @param to    takes the fields
     */
    void write(V value, RecordWriter to);

    /**
     * Reads a record of this form.
     *
     * @param key  the key to which it belongs; not null
     * @param from the bytes behind the number
     * @return the record
     * @throws IllegalArgumentException if a value is not possible
     * @throws BufferUnderflowException if there are too few bytes
     */
    V read(K key, ByteBuffer from);

    /**
     * Reads a record of an older form.
     *
     * @param number the number of that form
     * @param key    the key to which it belongs; not null
     * @param from   the bytes behind the number
     * @return the record
     * @throws IllegalArgumentException if this release does not read that form, or a value is not possible
     * @throws BufferUnderflowException if there are too few bytes
     */
    default V readOlder(byte number, K key, ByteBuffer from) {
        throw new IllegalArgumentException("form " + number + " is not known");
    }
}
