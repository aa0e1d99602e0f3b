// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * The allocation heuristic of S-MPTCP: water flows from full containers to a new one until their levels agree.
 *
 * <p>Y. Liu et al., "Improve MPTCP with SDN: From the perspective of resource pooling", section 3.2, Algorithms 2 to 4.
 * Connections arrive in the order of the problem. Each arrival
 * <ol>
 * <li>gets what its routes have left (Algorithm 2, on the <em>judgement</em> graph);
 * <li>if that is below 0.9 of the average, as much more as brings it to the average, split over its subflows in
 * proportion to
 * what the connections joint with each have above the average (Algorithm 4, on the <em>calculation</em> graph, where only
 * connections processed in this arrival count);
 * <li>then those that share an arc with it are processed in the same way, and those that share one with these, breadth
 * first (Algorithm 3).
 * </ol>
 * It keeps every arc within its capacity but has no step that fills up what is left: not always maximal, not exact. It
 * compares with the average of all that are joint, so where capacities differ much, the first to be processed on a
 * narrow arc, being below that average, takes all of it and those after it can go empty.
 *
 * <p>Reading where the paper is silent or contradicts itself:
 * <ul>
 * <li>Algorithm 2 as published never enters its loop (flag = 0), counts {@code min(rb − Σ, 0)} as overload, and looks for
 * overload on the arcs of the last subflow only; here it enters once and goes on while any arc of the connection has
 * too much
 * and a subflow can still give.
 * <li>A connection that is processed again finds what it has itself in the judgement graph as free, and starts from
 * its maximum there.
 * <li>"Joint with a subflow" includes indirectly joint, as section 3.2 names them: without these, Fig. 1 is not
 * evened out.
 * <li>Algorithm 4 adds up {@code sumet} over passes and divides what is left while handing it out; here each pass
 * starts from 0
 * and divides what was left when it began. It ends when {@code sumet} is 0; the threshold, not published, is 10 passes.
 * <li>Processing is repeated until A·et ≤ b, at most 100 times; then what is above a capacity is scaled down.
 * <li>Weights divide the levels that are compared; caps bound what Algorithm 2 finds. The paper has neither.
 * </ul>
 *
 * <p>O(n · size of A) per connection processed, and every arrival may process all n connections joint with it: meant for
 * comparison, seconds for a thousand connections at once.
 */
public final class SmptcpAllocator implements Allocator {
    /** The name by which users choose it. */
    public static final String NAME = "smptcp";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Allocation allocate(SharingProblem problem) {
        Rows rows = Rows.of(problem);
        WaterFlow flow = new WaterFlow(rows);
        for (int c = 0; c < rows.connections(); c++) {
            flow.arrive(c);
        }
        double[] rates = flow.rates();
        rows.fit(rates);
        return Allocation.uncertified(NAME, problem, rows.toBitsPerSecond(rates));
    }
}
