// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;

/**
 * Frames of hosts that are known at another port, which is up. Anybody can forge such a frame, so the host is asked at its port
 * first, and asked again. If anything comes from there, it has not moved. If nothing does for half a second, its next frame is
 * believed. So a gateway's address may be at another port within a second (VRRP, RFC 9568). Thread-safe.
 */
final class MoveClaims {
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** A host that has just answered is not asked again for so long. */
    private static final long ANSWERED_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** A claim that is not repeated for so long is forgotten. */
    private static final long FORGOTTEN_SECONDS = 10;
    private static final int MOST = 4096;

    private final Ticker clock;
    private final Cache<HostId, Claim> claims;

    /** What a frame at another port leads to. */
    enum Verdict {
        /** The host has moved. */
        MOVED,
        /** Nothing yet, but the host must be asked at its port. */
        ASK,
        /** Nothing. */
        NOTHING
    }

    private static final class Claim {
        private final ConnectPoint at;
        private final long since;
        private long asked;
        private boolean refuted;
        private long refutedAt;

        private Claim(ConnectPoint at, long now) {
            this.at = at;
            this.since = now;
            this.asked = now;
        }
    }

    MoveClaims(Ticker clock) {
        this.clock = clock;
        this.claims = CacheBuilder.newBuilder().ticker(clock).maximumSize(MOST)
                .expireAfterAccess(FORGOTTEN_SECONDS, TimeUnit.SECONDS).build();
    }

    /** A frame of a host has come in at a port where it is not known. */
    synchronized Verdict claim(HostId host, ConnectPoint at) {
        long now = clock.read();
        Claim claim = claims.getIfPresent(host);
        if (claim != null && claim.refuted && now - claim.refutedAt < ANSWERED_NANOS) {
            return Verdict.NOTHING;
        }
        if (claim == null || claim.refuted || !claim.at.equals(at)) {
            claims.put(host, new Claim(at, now));
            return Verdict.ASK;
        }
        if (now - claim.since >= SILENCE_NANOS) {
            claims.invalidate(host);
            return Verdict.MOVED;
        }
        if (now - claim.asked < PAUSE_NANOS) {
            return Verdict.NOTHING;
        }
        claim.asked = now;
        return Verdict.ASK;
    }

    /** A frame of a host has come in where it is known. */
    void refute(HostId host) {
        if (claims.getIfPresent(host) == null) {
            return;
        }
        synchronized (this) {
            Claim claim = claims.getIfPresent(host);
            if (claim != null) {
                claim.refuted = true;
                claim.refutedAt = clock.read();
            }
        }
    }
}
