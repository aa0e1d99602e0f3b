// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BandwidthCapacity;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.store.service.StorageException;
import org.subflow.mptcp.api.CapacitySource;
import org.subflow.mptcp.api.LinkAttributes;

/** Whatever the network configuration says, a capacity is a number of bit/s. */
class LinkCapacitiesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private String configured;
    private String ofLink;
    private boolean isStorageThere = true;
    private int questions;
    private long nanos;
    private Port port = new DefaultPort(null, Nets.port(1, 2).port(), true, Port.Type.COPPER, 100);
    private final StatedLinks links = new StatedLinks(new NetworkConfigServiceAdapter() {
        @Override
        public <S, C extends Config<S>> Set<S> getSubjects(Class<S> subjectClass, Class<C> configClass) {
            ask();
            Object subject = configClass == BandwidthCapacity.class && configured != null ? Nets.link(1, 2).src()
                    : configClass == BasicLinkConfig.class && ofLink != null ? LinkKey.linkKey(Nets.link(1, 2)) : null;
            return subject == null ? Set.of() : Set.of(subjectClass.cast(subject));
        }

        @Override
        public <S, C extends Config<S>> C getConfig(S subject, Class<C> configClass) {
            ask();
            String text = configClass == BasicLinkConfig.class ? ofLink : configured;
            return text == null ? null : configClass.cast(configClass == BasicLinkConfig.class
                    ? config(new BasicLinkConfig((LinkKey) subject), (LinkKey) subject, text)
                    : config(new BandwidthCapacity(), (ConnectPoint) subject, text));
        }
    }, new LinkCapacities(new DeviceServiceAdapter() {
        @Override
        public Port getPort(ConnectPoint point) {
            return port;
        }
    }), () -> nanos);

    private void ask() {
        questions++;
        if (!isStorageThere) {
            throw new StorageException.Unavailable();
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 10e6", "2.5, 2.5e6", "0, 0", "-5, 0", "-0.1, 0", "1e400, 0", "'\"NaN\"', 0", "'\"ten\"', 0", "null, 0",
            "'{}', 0"})
    void whatIsNoCapacityIsNone(String mbps, double bps) {
        configured = "{\"capacityMbps\": " + mbps + "}";
        assertStated(bps, CapacitySource.BANDWIDTH_CAPACITY);
    }

    @Test
    void anEmptyConfigurationIsNone() {
        configured = "{}";
        assertStated(0, CapacitySource.BANDWIDTH_CAPACITY);
    }

    @Test
    void withoutConfigurationThePortsSpeedCounts() {
        assertStated(100e6, CapacitySource.PORT_SPEED);
        port = null;
        assertStated(0, CapacitySource.UNKNOWN);
    }

    @Test
    void aBundleShownAsOnePortIsOneLinkOfTheSpeedThatThisHasAndLessWhenAMemberIsLost() {
        port = bundle(40_000);
        assertStated(40e9, CapacitySource.PORT_SPEED);
        port = bundle(30_000);
        assertStated(30e9, CapacitySource.PORT_SPEED);
        configured = "{\"capacityMbps\": 40000}";
        assertStated(40e9, CapacitySource.BANDWIDTH_CAPACITY, "where the port's speed is that of one member");
    }

    private static Port bundle(long mbps) {
        return new DefaultPort(null, Nets.port(1, 2).port(), true, Port.Type.FIBER, mbps,
                               DefaultAnnotations.builder().set("lag", "bundle1").build());
    }

    @Test
    void aPortOfSpeedZeroSaysNothing() {
        port = new DefaultPort(null, Nets.port(1, 2).port(), true, Port.Type.COPPER, 0);
        assertStated(0, CapacitySource.UNKNOWN);
        ofLink = "{\"bandwidth\": 500}";
        assertStated(500e6, CapacitySource.BASIC_BANDWIDTH);
    }

    @Test
    void theConfigurationOfTheLinkCountsBeforeThePortsSpeedAndAfterThatOfThePort() {
        ofLink = "{\"bandwidth\": 50}";
        assertStated(50e6, CapacitySource.BASIC_BANDWIDTH);
        ofLink = "{\"bandwidth\": 500}";
        assertStated(500e6, CapacitySource.BASIC_BANDWIDTH, "more than the port's speed is as stated");
        configured = "{\"capacityMbps\": 20}";
        assertStated(20e6, CapacitySource.BANDWIDTH_CAPACITY);
        configured = null;
        ofLink = "{\"metric\": 3}";
        assertStated(100e6, CapacitySource.PORT_SPEED, "it says nothing of bandwidth");
    }

    @ParameterizedTest
    @CsvSource({"10, 10e6", "2.5, 2.5e6", "0, 0", "-5, 0", "1e400, 0", "'\"NaN\"', 0", "'\"ten\"', 0", "null, 0"})
    void whatIsNoBandwidthOfALinkIsNone(String mbps, double bps) {
        ofLink = "{\"bandwidth\": " + mbps + "}";
        assertStated(bps, CapacitySource.BASIC_BANDWIDTH);
    }

    @Test
    void linksWithoutConfigurationAreNotAskedFor() {
        configured = "{\"capacityMbps\": 10}";
        assertStated(10e6, CapacitySource.BANDWIDTH_CAPACITY);
        int ofOne = questions;
        questions = 0;
        Function<Link, LinkAttributes> stated = links.read();
        for (int n = 2; n <= 100; n++) {
            assertEquals(n == 2 ? 10e6 : 100e6, stated.apply(Nets.link(1, n)).capacity());
        }
        assertEquals(ofOne, questions, "ONOS asks its storage nodes for each that has none");
    }

    @Test
    void withoutStorageNodesItStaysAsItWas() {
        configured = "{\"capacityMbps\": 10}";
        assertStated(10e6, CapacitySource.BANDWIDTH_CAPACITY);
        isStorageThere = false;
        questions = 0;
        assertStated(10e6, CapacitySource.BANDWIDTH_CAPACITY);
        assertStated(10e6, CapacitySource.BANDWIDTH_CAPACITY);
        assertEquals(1, questions, "each may take 15 s");
        assertThrows(StorageException.class, () -> links.read().apply(Nets.link(2, 5)));

        isStorageThere = true;
        configured = "{\"capacityMbps\": 20}";
        links.changed();
        assertStated(20e6, CapacitySource.BANDWIDTH_CAPACITY);
    }

    @Test
    void storageNodesThatGoWhileLinksAreReadLeaveWhatWas() {
        configured = "{\"capacityMbps\": 10}";
        assertStated(10e6, CapacitySource.BANDWIDTH_CAPACITY);
        Function<Link, LinkAttributes> stated = links.read();
        isStorageThere = false;
        assertEquals(10e6, stated.apply(Nets.link(1, 2)).capacity());
        nanos = 6_000_000_000L;
        isStorageThere = true;
        configured = "{\"capacityMbps\": 20}";
        assertStated(20e6, CapacitySource.BANDWIDTH_CAPACITY);
    }

    private void assertStated(double bps, CapacitySource source, String... why) {
        LinkAttributes stated = links.read().apply(Nets.link(1, 2));
        assertEquals(bps, stated.capacity(), String.join("", why));
        assertEquals(source, stated.source(), String.join("", why));
    }

    private static <S, C extends Config<S>> C config(C config, S subject, String text) {
        try {
            config.init(subject, "key", JSON.readTree(text), JSON, changed -> { });
            return config;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
