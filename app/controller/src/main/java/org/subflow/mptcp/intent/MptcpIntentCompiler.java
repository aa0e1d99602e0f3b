// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentCompilationException;
import org.onosproject.net.intent.IntentCompiler;
import org.onosproject.net.link.LinkService;

/**
 * Compiles an {@link MptcpIntent} into two {@link SubflowPathIntent}s per subflow.
 *
 * <p>Stateless and idempotent, as ONOS runs compilers on parallel workers. When a link has failed, ONOS may compile an intent
 * before the connection has new routes. A subflow on the failed link then keeps its rules, because a failed compilation would
 * also withdraw the rules of its siblings. The compilation fails only if no subflow has a working route.
 */
public final class MptcpIntentCompiler implements IntentCompiler<MptcpIntent> {
    private final LinkService links;

    public MptcpIntentCompiler(LinkService links) {
        this.links = checkNotNull(links, "links");
    }

    @Override
    public List<Intent> compile(MptcpIntent intent, List<Intent> installable) {
        if (intent.routes.stream().noneMatch(this::isUp)) {
            throw new IntentCompilationException("No path joins the hosts of MPTCP connection " + intent.connection);
        }
        return intent.routes.stream().flatMap(route -> SubflowRules.of(intent, route).stream())
                .collect(Collectors.toList());
    }

    private boolean isUp(SubflowRoute route) {
        return route.forward.stream().allMatch(this::isUp) && route.backward.stream().allMatch(this::isUp);
    }

    private boolean isUp(Link link) {
        Link known = links.getLink(link.src(), link.dst());
        return known != null && known.state() == Link.State.ACTIVE;
    }
}
