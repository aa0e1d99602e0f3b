// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import java.util.Optional;
import java.util.stream.Stream;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.Intent;
import org.subflow.mptcp.intent.MptcpIntent;

/** The form in which ONOS gets the rules of a connection: as an intent that its intent store can keep. */
interface IntentForm {
    /**
     * Returns what is submitted.
     *
     * @param wanted the connection with its routes; not null
     * @return the intent, with the same key
     * @throws IllegalStateException if this node may not submit
     */
    Intent submitted(MptcpIntent wanted);

    /** Returns the connection of an intent of the application; empty for any other intent. */
    Optional<ConnectionSubmission> submission(Intent intent);

    /** Returns the rules of an installable intent that ONOS makes of what is submitted. */
    Stream<FlowRule> rules(Intent installable);
}
