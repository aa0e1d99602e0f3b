// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Range;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.config.InvalidFieldException;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyMatch;
import org.subflow.mptcp.api.policy.Setting;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.strategy.PathStrategies;

/**
 * Reads one policy from JSON, field by field. Any fault throws an {@link InvalidFieldException} that names the policy, the
 * field and usable values.
 */
final class PolicyReader {
    private static final Set<String> TERMS = ImmutableSet.<String>builder()
            .addAll(Policy.SETTINGS.stream().map(Setting::name).iterator())
            .add("weight", "capMbps", "whenShort", "minMbps").build();
    private static final Set<String> FIELDS = ImmutableSet.<String>builder()
            .add("name", "hosts", "clients", "servers", "ports", "managed").addAll(TERMS).build();
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern PORTS = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final double BPS_PER_MBPS = 1e6;
    private static final String REFUSE = "refuse";
    private static final String ADMIT = "admit";

    private final JsonNode json;
    private final String where;

    private PolicyReader(JsonNode json, int index) {
        this.json = json;
        String name = json.path("name").isTextual() ? " '" + json.path("name").asText() + "'" : "";
        this.where = "policies[" + index + "]" + name;
    }

    /**
     * Reads a list of policies.
     *
     * @param list a JSON array of policies; not null
     * @return the policies in their order
     * @throws InvalidFieldException if a field is unusable
     */
    static Policies readAll(JsonNode list) {
        if (!list.isArray()) {
            throw new InvalidFieldException("policies", "it takes a list of policies; an empty one to have none");
        }
        List<Policy> policies = new ArrayList<>();
        for (JsonNode json : list) {
            policies.add(new PolicyReader(json, policies.size()).read());
        }
        try {
            return Policies.of(policies);
        } catch (IllegalArgumentException e) {
            throw new InvalidFieldException("policies", e.getMessage());
        }
    }

    private Policy read() {
        if (!json.isObject()) {
            throw new InvalidFieldException(where, "a policy is a JSON object");
        }
        json.fieldNames().forEachRemaining(field -> {
            if (!FIELDS.contains(field)) {
                throw refused(field, "there is no such field; there are " + String.join(", ", FIELDS));
            }
        });
        if (!json.has("name")) {
            throw refused("name", "every policy has a name of its own");
        }
        Policy.Builder policy = Policy.named(name(json.get("name")));
        policy.match(match());
        field("managed", PolicyReader::truth, isManaged -> {
            policy.managed(isManaged);
            if (!isManaged) {
                checkNoTerms();
            }
        });
        for (Setting<?> setting : Policy.SETTINGS) {
            field(setting.name(), node -> setting.isNumber() ? Integer.toString(wholeNumber(node)) : text(node),
                  text -> policy.read(setting, text));
        }
        field("weight", PolicyReader::number, policy::weight);
        field("capMbps", PolicyReader::bitsPerSecond, policy::cap);
        shortage(policy);
        Policy read;
        try {
            read = policy.build();
        } catch (IllegalArgumentException e) {
            throw new InvalidFieldException(where, e.getMessage());
        }
        field(Settings.DISJOINT.name(), node -> read, PolicyReader::checkDisjoint);
        return read;
    }

    private static void checkDisjoint(Policy policy) {
        String kind = policy.get(Settings.DISJOINT).orElse(Settings.AUTO);
        policy.get(Settings.STRATEGY).filter(name -> !kind.equals(Settings.AUTO)
                && !PathStrategies.named(name).disjointness().contains(Disjointness.parse(kind))).ifPresent(name -> {
            throw new IllegalArgumentException("the strategy " + name + " cannot find " + kind + "-disjoint paths");
        });
    }

    private void checkNoTerms() {
        TERMS.stream().filter(json::has).findFirst().ifPresent(field -> {
            throw refused(field, "it has no meaning with \"managed\": false");
        });
    }

    private PolicyMatch match() {
        List<IpPrefix> hosts = new ArrayList<>();
        List<IpPrefix> clients = new ArrayList<>();
        List<IpPrefix> servers = new ArrayList<>();
        List<Range<Integer>> ports = new ArrayList<>();
        field("hosts", node -> list(node, PolicyReader::prefix), hosts::addAll);
        field("clients", node -> list(node, PolicyReader::prefix), clients::addAll);
        field("servers", node -> list(node, PolicyReader::prefix), servers::addAll);
        field("ports", node -> list(node, PolicyReader::ports), ports::addAll);
        try {
            return PolicyMatch.of(hosts, clients, servers, ports);
        } catch (IllegalArgumentException e) {
            throw new InvalidFieldException(where, e.getMessage());
        }
    }

    private void shortage(Policy.Builder policy) {
        field("whenShort", PolicyReader::isRefusal, isRefusal -> {
            if (isRefusal && !json.has("minMbps")) {
                throw new IllegalArgumentException("'refuse' needs minMbps, the rate below which capacity is short");
            }
        });
        field("minMbps", PolicyReader::bitsPerSecond, minimum -> {
            if (!json.path("whenShort").asText().equals(REFUSE)) {
                throw new IllegalArgumentException("it has a meaning with \"whenShort\": \"refuse\" only");
            }
            policy.refuseBelow(minimum);
            if (json.has("capMbps") && minimum > bitsPerSecond(json.get("capMbps"))) {
                throw new IllegalArgumentException(json.get("minMbps") + " is above capMbps, " + json.get("capMbps")
                                                           + ": nothing would be managed");
            }
        });
    }

    /** Reads a field if it is present, and adds its name to an IllegalArgumentException of either function. */
    private <T> void field(String name, Function<JsonNode, T> read, Consumer<T> use) {
        if (json.has(name)) {
            try {
                use.accept(read.apply(json.get(name)));
            } catch (IllegalArgumentException e) {
                throw refused(name, e.getMessage());
            }
        }
    }

    private InvalidFieldException refused(String field, String reason) {
        return new InvalidFieldException(where + ": " + field, reason);
    }

    private String name(JsonNode node) {
        if (!node.isTextual() || !NAME.matcher(node.asText()).matches()) {
            throw refused("name", node + ": it takes up to 64 letters, digits, '.', '_' and '-'");
        }
        return node.asText();
    }

    private static <T> List<T> list(JsonNode node, Function<JsonNode, T> read) {
        if (!node.isArray() || node.size() == 0) {
            throw new IllegalArgumentException(node + ": it takes a list that is not empty; leave it out for any");
        }
        Set<T> items = new LinkedHashSet<>();
        node.forEach(item -> items.add(read.apply(item)));
        return List.copyOf(items);
    }

    private static IpPrefix prefix(JsonNode node) {
        String text = text(node);
        IpPrefix prefix;
        try {
            prefix = text.contains("/") ? IpPrefix.valueOf(text) : IpAddress.valueOf(text).toIpPrefix();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text + "': it takes addresses and prefixes such as 10.0.0.1 and 10.0.0.0/24", e);
        }
        String address = text.contains("/") ? text.substring(0, text.indexOf('/')) : text;
        if (!IpAddress.valueOf(address).equals(prefix.address())) {
            throw new IllegalArgumentException(String.format(
                    "'%s' is no prefix: write %s for the network, or %s for the host", text, prefix, address));
        }
        return prefix;
    }

    private static Range<Integer> ports(JsonNode node) {
        Matcher matcher = PORTS.matcher(node.asText());
        boolean isPort = node.isTextual() || node.isIntegralNumber();
        if (!isPort || !matcher.matches()) {
            throw new IllegalArgumentException(node + ": it takes ports such as 5201 and ranges such as \"5201-5210\"");
        }
        int from = Integer.parseInt(matcher.group(1));
        int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
        if (from < PolicyMatch.LEAST_PORT || to > PolicyMatch.MOST_PORT || from > to) {
            throw new IllegalArgumentException(node + ": ports go upwards from 1 to 65535");
        }
        return Range.closed(from, to);
    }

    private static boolean isRefusal(JsonNode node) {
        if (!node.asText().equals(ADMIT) && !node.asText().equals(REFUSE)) {
            throw new IllegalArgumentException(node + ": it takes 'admit' or 'refuse'");
        }
        return node.asText().equals(REFUSE);
    }

    private static String text(JsonNode node) {
        if (!node.isTextual()) {
            throw new IllegalArgumentException(node + ": it takes a text in quotes");
        }
        return node.asText();
    }

    private static boolean truth(JsonNode node) {
        if (!node.isBoolean()) {
            throw new IllegalArgumentException(node + ": it takes true or false");
        }
        return node.asBoolean();
    }

    private static int wholeNumber(JsonNode node) {
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
            throw new IllegalArgumentException(node + ": it takes a whole number");
        }
        return node.asInt();
    }

    private static double number(JsonNode node) {
        if (!node.isNumber()) {
            throw new IllegalArgumentException(node + ": it takes a number");
        }
        return node.asDouble();
    }

    private static double bitsPerSecond(JsonNode node) {
        return number(node) * BPS_PER_MBPS;
    }
}
