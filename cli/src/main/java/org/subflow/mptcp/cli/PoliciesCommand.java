// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyService;

/** Lists the policies in force, those first that come first. */
@Service
@Command(scope = "onos", name = "mptcp-policies", description = "Lists the policies in force",
        detailedDescription = "The first policy that matches a connection holds for it. ONOS's network configuration sets them,\n"
                + "and mptcp-policy-add and mptcp-policy-remove change it.\n"
                + "Examples:\n  mptcp-policies\n  mptcp-policies -j")
public class PoliciesCommand extends MptcpCommand {
    private static final String FORMAT = "%-20s %s";

    @Override
    protected void run() {
        ArrayNode array = mapper().createArrayNode();
        List<Policy> policies = get(PolicyService.class).policies();
        policies.forEach(policy -> array.add(jsonForEntity(policy, Policy.class)));
        if (outputJson()) {
            print("%s", array);
            return;
        }
        if (policies.isEmpty()) {
            print("There is no policy: the settings hold for every connection.");
            return;
        }
        print(FORMAT, "NAME", "MATCH AND TERMS");
        array.forEach(policy -> print(FORMAT, policy.path("name").asText(), terms(policy)));
    }

    /** Returns the fields as in network configuration, without the name. */
    private static String terms(JsonNode policy) {
        List<String> terms = new ArrayList<>();
        for (Iterator<Map.Entry<String, JsonNode>> each = policy.fields(); each.hasNext();) {
            Map.Entry<String, JsonNode> field = each.next();
            if (!field.getKey().equals("name")) {
                terms.add(field.getKey() + "=" + text(field.getValue()));
            }
        }
        return String.join(" ", terms);
    }

    private static String text(JsonNode value) {
        if (!value.isArray()) {
            return value.asText();
        }
        List<String> items = new ArrayList<>();
        value.forEach(item -> items.add(item.asText()));
        return String.join(",", items);
    }
}
