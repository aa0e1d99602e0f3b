// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.stream.Stream;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.Intent;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.SubflowPathIntent;

/** The form for one ONOS node: the {@link MptcpIntent} itself, which ONOS has compiled. */
final class MptcpIntentForm implements IntentForm {
    private final ApplicationId appId;

    MptcpIntentForm(ApplicationId appId) {
        this.appId = checkNotNull(appId, "appId");
    }

    @Override
    public Intent submitted(MptcpIntent wanted) {
        return wanted;
    }

    @Override
    public Optional<ConnectionSubmission> submission(Intent intent) {
        if (!(intent instanceof MptcpIntent) || !intent.appId().equals(appId)) {
            return Optional.empty();
        }
        MptcpIntent ours = (MptcpIntent) intent;
        return Optional.of(new ConnectionSubmission(ours.connection(), ours.revision(), true));
    }

    @Override
    public Stream<FlowRule> rules(Intent installable) {
        return ((SubflowPathIntent) installable).rules().stream();
    }
}
