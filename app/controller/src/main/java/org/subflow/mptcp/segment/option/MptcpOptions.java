// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The MPTCP options of one segment and what was wrong with the others. Immutable. */
public final class MptcpOptions {
    /** No MPTCP option, nothing wrong. */
    public static final MptcpOptions NONE = new MptcpOptions(List.of(), List.of());

    private static final Set<Subtype> SHOW_WORKING = Sets.immutableEnumSet(
            Subtype.DSS, Subtype.ADD_ADDR, Subtype.REMOVE_ADDR, Subtype.MP_PRIO);

    /** The well-formed options in the order of the segment. */
    public final List<MptcpOption> options;
    /** Why other options were not used, in no particular order; empty if all is well. */
    public final List<MalformedReason> malformed;

    private MptcpOptions(List<MptcpOption> options, List<MalformedReason> malformed) {
        this.options = List.copyOf(options);
        this.malformed = List.copyOf(malformed);
    }

    /** Returns what was read, less the options that contradict each other. */
    static MptcpOptions of(List<MptcpOption> read, List<MalformedReason> reasons) {
        if (read.isEmpty() && reasons.isEmpty()) {
            return NONE;
        }
        List<MptcpOption> options = new ArrayList<>(read);
        List<MalformedReason> malformed = new ArrayList<>(reasons);
        dropDuplicates(options, malformed);
        dropConflicts(options, malformed);
        return new MptcpOptions(options, malformed);
    }

    private static void dropDuplicates(List<MptcpOption> options, List<MalformedReason> malformed) {
        EnumSet<Subtype> seen = EnumSet.noneOf(Subtype.class);
        EnumSet<Subtype> twice = EnumSet.noneOf(Subtype.class);
        for (MptcpOption option : options) {
            // Private and unassigned ones say nothing that we act on, and may well come in several.
            Subtype subtype = option.subtype();
            if (subtype != Subtype.MP_EXPERIMENTAL && subtype != Subtype.UNKNOWN && !seen.add(subtype)) {
                twice.add(subtype);
            }
        }
        for (Iterator<MptcpOption> all = options.iterator(); all.hasNext();) {
            if (twice.contains(all.next().subtype())) {
                all.remove();
            }
        }
        twice.forEach(subtype -> malformed.add(MalformedReason.DUPLICATE_SUBTYPE));
    }

    private static void dropConflicts(List<MptcpOption> options, List<MalformedReason> malformed) {
        boolean capable = options.stream().anyMatch(MpCapable.class::isInstance);
        boolean join = options.stream().anyMatch(MpJoin.class::isInstance);
        if (capable && join) {
            options.removeIf(option -> option instanceof MpCapable || option instanceof MpJoin);
            malformed.add(MalformedReason.CONFLICTING_SUBTYPES);
        }
    }

    /** Returns whether there is no well-formed MPTCP option. */
    public boolean isEmpty() {
        return options.isEmpty();
    }

    /**
     * Returns the option of the given class.
     *
     * @param type an option class, as {@code MpCapable.class} or {@code MpJoin.Syn.class}
     * @param <T>  that class
     * @return the only option of the class; empty if there is none
     */
    public <T extends MptcpOption> Optional<T> get(Class<T> type) {
        for (MptcpOption option : options) {
            if (type.isInstance(option)) {
                return Optional.of(type.cast(option));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether an option is there that a host sends only on a working MPTCP subflow: anything well-formed but
     * MP_CAPABLE, MP_JOIN, MP_FAIL (which announces fallback), private and unassigned ones.
     */
    public boolean showsWorkingSubflow() {
        return options.stream().map(MptcpOption::subtype).anyMatch(SHOW_WORKING::contains);
    }

    @Override
    public String toString() {
        return malformed.isEmpty() ? options.toString() : options + " malformed " + malformed;
    }
}
