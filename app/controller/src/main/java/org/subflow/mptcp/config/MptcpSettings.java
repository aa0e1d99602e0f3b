// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import static org.subflow.mptcp.config.OsgiPropertyConstants.AGENT_SUBFLOWS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.AGENT_SUBFLOWS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.ALLOCATOR;
import static org.subflow.mptcp.config.OsgiPropertyConstants.ALLOCATOR_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.ANNOUNCE_SECONDS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.ANNOUNCE_SECONDS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.BACKGROUND_PLAN;
import static org.subflow.mptcp.config.OsgiPropertyConstants.BACKGROUND_PLAN_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.DISJOINT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.DISJOINT_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.IDLE_SECONDS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.IDLE_SECONDS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.JOIN_POLICY;
import static org.subflow.mptcp.config.OsgiPropertyConstants.JOIN_POLICY_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MANAGE_AFTER_BYTES;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MANAGE_AFTER_BYTES_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MANAGE_AFTER_MILLIS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MANAGE_AFTER_MILLIS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MAX_DELAY_MILLIS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MAX_DELAY_MILLIS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MAX_DELAY_SPREAD_MILLIS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MAX_DELAY_SPREAD_MILLIS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MOST_CONNECTIONS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MOST_CONNECTIONS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MOST_CONNECTIONS_PER_HOST;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MOST_CONNECTIONS_PER_HOST_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MOST_SUBFLOWS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.MOST_SUBFLOWS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.PATH_LABELS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.PATH_LABELS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.PLAIN_IDLE_SECONDS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.PLAIN_IDLE_SECONDS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.REOPTIMISE_PERCENT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.REOPTIMISE_PERCENT_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.RETENTION_SECONDS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.RETENTION_SECONDS_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.STRATEGY;
import static org.subflow.mptcp.config.OsgiPropertyConstants.STRATEGY_DEFAULT;
import static org.subflow.mptcp.config.OsgiPropertyConstants.SUBFLOWS;
import static org.subflow.mptcp.config.OsgiPropertyConstants.SUBFLOWS_DEFAULT;

import java.util.Dictionary;
import java.util.List;
import java.util.Set;
import org.onlab.util.Tools;
import org.onosproject.app.ApplicationService;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ComponentConfigStore;
import org.onosproject.cfg.ConfigProperty;
import org.onosproject.core.CoreService;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.policy.AgentSubflows;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.store.Uninstallation;
import org.subflow.mptcp.wiring.ConnectionManager;

/**
 * The settings as ONOS component configuration ({@code cfg set org.subflow.mptcp.config.MptcpSettings NAME VALUE}).
 *
 * <p>If any value of a change is unusable, all settings stay as they are, and the log says why.
 */
@Component(
        immediate = true,
        service = SettingsService.class,
        property = {
            STRATEGY + "=" + STRATEGY_DEFAULT,
            ALLOCATOR + "=" + ALLOCATOR_DEFAULT,
            SUBFLOWS + ":Integer=" + SUBFLOWS_DEFAULT,
            JOIN_POLICY + "=" + JOIN_POLICY_DEFAULT,
            IDLE_SECONDS + ":Integer=" + IDLE_SECONDS_DEFAULT,
            RETENTION_SECONDS + ":Integer=" + RETENTION_SECONDS_DEFAULT,
            PLAIN_IDLE_SECONDS + ":Integer=" + PLAIN_IDLE_SECONDS_DEFAULT,
            MOST_SUBFLOWS + ":Integer=" + MOST_SUBFLOWS_DEFAULT,
            REOPTIMISE_PERCENT + ":Integer=" + REOPTIMISE_PERCENT_DEFAULT,
            BACKGROUND_PLAN + ":Integer=" + BACKGROUND_PLAN_DEFAULT,
            MANAGE_AFTER_MILLIS + ":Integer=" + MANAGE_AFTER_MILLIS_DEFAULT,
            MANAGE_AFTER_BYTES + ":Integer=" + MANAGE_AFTER_BYTES_DEFAULT,
            MOST_CONNECTIONS + ":Integer=" + MOST_CONNECTIONS_DEFAULT,
            MOST_CONNECTIONS_PER_HOST + ":Integer=" + MOST_CONNECTIONS_PER_HOST_DEFAULT,
            AGENT_SUBFLOWS + "=" + AGENT_SUBFLOWS_DEFAULT,
            ANNOUNCE_SECONDS + ":Integer=" + ANNOUNCE_SECONDS_DEFAULT,
            PATH_LABELS + "=" + PATH_LABELS_DEFAULT,
            DISJOINT + "=" + DISJOINT_DEFAULT,
            MAX_DELAY_MILLIS + ":Integer=" + MAX_DELAY_MILLIS_DEFAULT,
            MAX_DELAY_SPREAD_MILLIS + ":Integer=" + MAX_DELAY_SPREAD_MILLIS_DEFAULT,
        })
public final class MptcpSettings implements SettingsService {
    private static final Logger LOG = LoggerFactory.getLogger(MptcpSettings.class);
    private static final List<Disjointness> CHOICES = List.of(Disjointness.LINK, Disjointness.NODE, Disjointness.SRLG);

    @Reference
    volatile ComponentConfigService configuration;
    @Reference
    volatile ComponentConfigStore store;
    @Reference
    volatile CoreService core;
    @Reference
    volatile ApplicationService applications;

    private Uninstallation uninstallation;

    private volatile Settings settings = Settings.builder().build();

    @Activate
    void activate(ComponentContext context) {
        uninstallation = Uninstallation.watch(applications, core.registerApplication(ConnectionManager.APP_NAME));
        configuration.registerProperties(getClass());
        take(context.getProperties());
        tell();
    }

    /**
     * What the user has set stays, unless the application is uninstalled. Then the values go after the properties: ONOS's own
     * way would have it look for the component that it has just forgotten, and warn that there is none.
     */
    @Deactivate
    void deactivate() {
        String component = getClass().getName();
        Set<ConfigProperty> properties = configuration.getProperties(component);
        configuration.unregisterProperties(getClass(), false);
        if (uninstallation.isUnderWay()) {
            properties.forEach(property -> store.unsetProperty(component, property.name()));
        }
    }

    /** ONOS also calls this, twice, when it has read at a start what is already in force. */
    @Modified
    void modified(ComponentContext context) {
        Settings before = settings;
        take(context.getProperties());
        if (!settings.equals(before)) {
            tell();
        }
    }

    private void take(Dictionary<?, ?> properties) {
        try {
            settings = read(properties);
        } catch (IllegalArgumentException e) {
            LOG.warn("These settings are not usable, so the old ones stay in force: {}", e.getMessage());
        }
    }

    private void tell() {
        LOG.info("Settings: strategy {}, allocator {}, {} subflows", settings.strategy(), settings.allocator(),
                 settings.subflows());
    }

    @Override
    public Settings settings() {
        return settings;
    }

    /**
     * Reads settings from component properties; absent properties have their defaults.
     *
     * @throws IllegalArgumentException if a value is unusable; the message names usable values
     */
    static Settings read(Dictionary<?, ?> properties) {
        return Settings.builder()
                .strategy(PathStrategies.named(text(properties, STRATEGY, STRATEGY_DEFAULT)).name())
                .allocator(Allocators.byName(text(properties, ALLOCATOR, ALLOCATOR_DEFAULT)).name())
                .subflows(number(properties, SUBFLOWS, SUBFLOWS_DEFAULT))
                .joinPolicy(joinPolicy(text(properties, JOIN_POLICY, JOIN_POLICY_DEFAULT)))
                .idleSeconds(number(properties, IDLE_SECONDS, IDLE_SECONDS_DEFAULT))
                .retentionSeconds(number(properties, RETENTION_SECONDS, RETENTION_SECONDS_DEFAULT))
                .plainIdleSeconds(number(properties, PLAIN_IDLE_SECONDS, PLAIN_IDLE_SECONDS_DEFAULT))
                .mostSubflows(number(properties, MOST_SUBFLOWS, MOST_SUBFLOWS_DEFAULT))
                .reoptimisePercent(number(properties, REOPTIMISE_PERCENT, REOPTIMISE_PERCENT_DEFAULT))
                .backgroundPlan(number(properties, BACKGROUND_PLAN, BACKGROUND_PLAN_DEFAULT))
                .manageAfterMillis(number(properties, MANAGE_AFTER_MILLIS, MANAGE_AFTER_MILLIS_DEFAULT))
                .manageAfterBytes(number(properties, MANAGE_AFTER_BYTES, MANAGE_AFTER_BYTES_DEFAULT))
                .mostConnections(number(properties, MOST_CONNECTIONS, MOST_CONNECTIONS_DEFAULT))
                .mostConnectionsPerHost(number(properties, MOST_CONNECTIONS_PER_HOST, MOST_CONNECTIONS_PER_HOST_DEFAULT))
                .agentSubflows(AgentSubflows.parse(text(properties, AGENT_SUBFLOWS, AGENT_SUBFLOWS_DEFAULT)))
                .announceSeconds(number(properties, ANNOUNCE_SECONDS, ANNOUNCE_SECONDS_DEFAULT))
                .pathLabels(PathLabels.parse(text(properties, PATH_LABELS, PATH_LABELS_DEFAULT)))
                .disjoint(disjoint(text(properties, DISJOINT, DISJOINT_DEFAULT)))
                .maxDelayMillis(number(properties, MAX_DELAY_MILLIS, MAX_DELAY_MILLIS_DEFAULT))
                .maxDelaySpreadMillis(number(properties, MAX_DELAY_SPREAD_MILLIS, MAX_DELAY_SPREAD_MILLIS_DEFAULT))
                .build();
    }

    /** Checks the name of a kind of disjointness; returns null for {@code auto}. */
    static String disjoint(String name) {
        for (Disjointness kind : CHOICES) {
            if (kind.toString().equals(name)) {
                return name;
            }
        }
        if (name.equals(DISJOINT_DEFAULT)) {
            return null;
        }
        throw new IllegalArgumentException(String.format("%s = %s: it takes 'auto', 'link', 'node' or 'srlg'", DISJOINT, name));
    }

    static JoinPolicy joinPolicy(String name) {
        for (JoinPolicy policy : JoinPolicy.values()) {
            if (policy.toString().equals(name)) {
                return policy;
            }
        }
        throw new IllegalArgumentException(
                String.format("%s = %s: it takes 'share', 'backup' or 'block'", JOIN_POLICY, name));
    }

    private static String text(Dictionary<?, ?> properties, String name, String otherwise) {
        String value = Tools.get(properties, name);
        return value == null || value.trim().isEmpty() ? otherwise : value.trim();
    }

    private static int number(Dictionary<?, ?> properties, String name, int otherwise) {
        String value = text(properties, name, Integer.toString(otherwise));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(String.format("%s = %s: it takes a whole number", name, value), e);
        }
    }
}
