// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.subflow.mptcp.farm.Connection.Flow;
import org.subflow.mptcp.farm.Fabric.End;

/** One failure of a link: which directions of subflows went over it, and when the rules led each of them to its receiver again. */
final class Repair {
    /** After so long without a rule the controller has nothing more to do. */
    private static final double QUIET_MILLIS = 1500;

    private final Farm farm;
    private final Loop loop;
    private final End link;
    private final int all;
    private final List<Flow> broken = new ArrayList<>();
    private final List<Long> repaired = new ArrayList<>();
    private final Consumer<Repair> done;
    private final long deadline;
    private final BiConsumer<FarmSwitch, Rule> listener = this::added;
    private long begun;
    private long flowMods;
    private long lastFlowMod;
    private boolean looking;

    private Repair(Farm farm, Loop loop, End link, List<Flow> broken, int all, double mostMillis, Consumer<Repair> done) {
        this.farm = farm;
        this.loop = loop;
        this.link = link;
        this.all = all;
        this.broken.addAll(broken);
        this.done = done;
        this.deadline = System.nanoTime() + (long) (mostMillis * 1e6);
    }

    /**
     * Takes the link down over which most directions of subflows go.
     *
     * @param mostMillis after how long it is over even if some still have no way
     * @param done       is told when the controller sends no more rules
     * @return false if no subflow goes over any link
     */
    static boolean begin(Farm farm, Loop loop, Traffic traffic, double mostMillis, Consumer<Repair> done) {
        Map<End, List<Flow>> over = new HashMap<>();
        int[] all = new int[1];
        traffic.forEachFlow(flow -> {
            Farm.Way way = farm.way(flow);
            if (way.outcome() == Farm.Outcome.ARRIVES) {
                all[0]++;
                way.out().subList(0, way.out().size() - 1).forEach(
                        end -> over.computeIfAbsent(canonical(farm, end), unused -> new ArrayList<>()).add(flow));
            }
        });
        End most = over.entrySet().stream().max(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.size(), b.size())))
                .map(Map.Entry::getKey).orElse(null);
        if (most == null) {
            return false;
        }
        Repair repair = new Repair(farm, loop, most, over.get(most), all[0], mostMillis, done);
        farm.addListener(repair.listener);
        repair.begun = System.nanoTime();
        farm.setLink(most, false);
        repair.watch();
        return true;
    }

    private static End canonical(Farm farm, End end) {
        End other = farm.fabric().across(end.node(), end.port());
        return other.node() < end.node() ? other : end;
    }

    private void added(FarmSwitch sw, Rule rule) {
        if (rule.isToController() || rule.place().table() == 0) {
            return;
        }
        flowMods++;
        lastFlowMod = System.nanoTime();
        if (!looking) {
            looking = true;
            // Once for all that has come in one go.
            loop.execute(this::look);
        }
    }

    private void look() {
        looking = false;
        long now = System.nanoTime();
        for (Iterator<Flow> each = broken.iterator(); each.hasNext();) {
            if (farm.way(each.next()).outcome() == Farm.Outcome.ARRIVES) {
                each.remove();
                repaired.add(now - begun);
            }
        }
    }

    private void watch() {
        long now = System.nanoTime();
        long quietSince = Math.max(begun, lastFlowMod);
        if (now >= deadline || broken.isEmpty() && now - quietSince > QUIET_MILLIS * 1e6) {
            farm.removeListener(listener);
            done.accept(this);
        } else {
            loop.after(QUIET_MILLIS / 30, this::watch);
        }
    }

    /** Puts the link back. */
    void restore() {
        farm.setLink(link, true);
    }

    /** {@return what came of it, by name} */
    Map<String, Object> figures() {
        End other = farm.fabric().across(link.node(), link.port());
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("link", "s" + link.node() + "-s" + other.node());
        figures.put("directions", all);
        figures.put("affected", broken.size() + repaired.size());
        figures.put("repaired", repaired.size());
        figures.putAll(Quantiles.of(repaired));
        figures.put("flowMods", flowMods);
        figures.put("lastFlowModMillis", lastFlowMod == 0 ? null : (lastFlowMod - begun) / 1e6);
        return figures;
    }
}
