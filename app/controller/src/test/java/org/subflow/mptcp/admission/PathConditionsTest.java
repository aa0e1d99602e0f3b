// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Settings about delays and shared risk, on the diamond whose ways over 2, 3 and 4 take 2, 4 and 100 ms. */
class PathConditionsTest {
    private final Stage stage = new Stage();

    @BeforeEach
    void delays() {
        double[] millis = {1, 2, 50};
        for (int middle = 2; middle <= 4; middle++) {
            Set<String> groups = middle == 3 ? Set.of() : Set.of("duct");
            for (Link link : Nets.bothWays(new int[][] {{1, middle}, {middle, 5}})) {
                stage.attributes.put(link, Nets.capacity(Nets.CAPACITY).with(millis[middle - 2], groups));
            }
        }
    }

    @Test
    void byDefaultAFarWayIsLeftOut() {
        assertEquals(Set.of(2, 3), middlesOf(Settings.DEFAULTS));
    }

    @Test
    void withoutConditionsAllWaysAreTaken() {
        assertEquals(Set.of(2, 3, 4), middlesOf(Settings.DEFAULTS.with(Settings.MAX_DELAY_SPREAD_MILLIS, 0)));
    }

    @Test
    void noSubflowTakesAWayThatIsTooLongAlsoAfterALoss() {
        assertEquals(Set.of(2, 3), middlesOf(Settings.DEFAULTS.with(Settings.MAX_DELAY_MILLIS, 10)));
        stage.cut(1, 2);
        stage.changes.networkChanged(stage.millis);
        assertEquals(Set.of(3), middles());
    }

    @Test
    void noTwoSubflowsDifferByMoreThanTheSpread() {
        assertEquals(Set.of(2, 3), middlesOf(Settings.DEFAULTS.with(Settings.MAX_DELAY_SPREAD_MILLIS, 10)));
    }

    @Test
    void ifNoWayIsShortEnoughTheShortestIsTaken() {
        assertEquals(Set.of(2), middlesOf(Settings.DEFAULTS.with(Settings.MAX_DELAY_MILLIS, 1)));
    }

    @Test
    void noTwoSubflowsHaveARiskInCommonIfThatIsAsked() {
        Set<Integer> middles = middlesOf(Settings.DEFAULTS.with(Settings.DISJOINT, "srlg"));
        assertTrue(middles.contains(3) && middles.size() == 2, middles.toString());
    }

    @Test
    void aStrategyWithoutTheChoiceKeepsItsOwn() {
        Settings settings = Settings.DEFAULTS.with(Settings.STRATEGY, "link-disjoint").with(Settings.DISJOINT, "srlg")
                .with(Settings.MAX_DELAY_SPREAD_MILLIS, 0);
        assertEquals(Set.of(2, 3, 4), middlesOf(settings));
    }

    private Set<Integer> middlesOf(Settings settings) {
        stage.settings = settings;
        stage.open();
        stage.join(1);
        stage.join(2);
        stage.installed();
        return middles();
    }

    private Set<Integer> middles() {
        List<Integer> middles = stage.connection().subflows().stream().map(subflow -> Stage.number(Stage.middle(subflow)))
                .collect(Collectors.toList());
        assertEquals(3, middles.size());
        return Set.copyOf(middles);
    }
}
