// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Ours and the peer, measured in one run.
 *
 * @param pair the benchmark
 * @param ours what ours took
 * @param peer what the peer took
 */
record Measurement(BenchmarkPair pair, Score ours, Score peer) {
    /** Measures, each side in Java machines of its own. */
    static Measurement take(BenchmarkPair pair) throws RunnerException {
        return of(pair, Harness.measure(pair.type(), pair.values(), pair.effort(), ""));
    }

    /** Runs both sides once on a small problem, only to check that they run and agree. */
    static Measurement smoke(BenchmarkPair pair) throws RunnerException {
        return of(pair, Harness.runOnce(pair.type(), pair.small().values()));
    }

    private static Measurement of(BenchmarkPair pair, Map<String, Score> scores) {
        return new Measurement(pair, scores.get("ours"), scores.get("peer"));
    }

    /** Returns the peer's time divided by ours. */
    double ratio() {
        return peer.micros() / ours.micros();
    }

    /** Returns the entry of this benchmark in the JSON list. Numbers that cannot be told are null. */
    Map<String, Object> json() {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", pair.name());
        entry.put("unit", "us/op");
        entry.put("ours", Score.rounded(ours.micros()));
        entry.put("oursError", Score.rounded(ours.error()));
        entry.put("oursN", ours.samples());
        entry.put("peer", pair.peer());
        entry.put("peerScore", Score.rounded(peer.micros()));
        entry.put("peerError", Score.rounded(peer.error()));
        entry.put("peerN", peer.samples());
        entry.put("ratio", Score.rounded(ratio()));
        entry.put("forks", pair.effort().machines());
        entry.put("seeds", pair.effort().seeds());
        entry.put("oursBytesPerOp", Math.round(ours.bytes()));
        entry.put("peerBytesPerOp", Math.round(peer.bytes()));
        return entry;
    }
}
