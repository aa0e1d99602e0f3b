// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import java.util.List;
import java.util.stream.Collectors;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentCompiler;

/**
 * Compiles an {@link MptcpIntent} into two {@link SubflowPathIntent}s per subflow.
 *
 * <p>Stateless and idempotent, as ONOS runs compilers on parallel workers. It asks for no link: a connection that loses a path
 * gets a further request, or a withdrawal. A failed compilation would also withdraw the rules of its other subflows.
 */
public final class MptcpIntentCompiler implements IntentCompiler<MptcpIntent> {
    @Override
    public List<Intent> compile(MptcpIntent intent, List<Intent> installable) {
        return intent.routes.stream().flatMap(route -> SubflowRules.of(intent, route).stream())
                .collect(Collectors.toList());
    }
}
