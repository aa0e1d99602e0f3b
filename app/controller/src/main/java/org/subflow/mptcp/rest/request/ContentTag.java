// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import javax.ws.rs.core.EntityTag;

/** Names of contents, for {@code ETag}: two contents with the same name are the same. */
public final class ContentTag {
    private static final int DIGITS = 32;

    private ContentTag() {
    }

    /** Returns the name of a content; another version of this application may have another one. */
    public static EntityTag of(JsonNode content) {
        return new EntityTag(Hashing.sha256().hashString(content.toString(), StandardCharsets.UTF_8).toString().substring(0, DIGITS));
    }
}
