# SPDX-License-Identifier: Apache-2.0
"""Generates floods of hostile segments inside a host's namespace: ``python3 flood.py JSON``.

The argument says what: ``interface``; ``macs``, [source, destination]; ``target``, [address, port]; ``rate``, packets a
second; ``seconds``; ``seed``; ``kind``, one of the functions below; ``sources``, a prefix length to vary 10.0.0.0 by, or
an address to send from; ``random_macs``, whether sources' MAC addresses vary too. Prints what it sent, as JSON.
"""

import json
import random
import socket
import sys
import time
from typing import Any

from packets import ACK, SYN, advertisement, announcement, discovery, frame

Json = dict[str, Any]

Kind = tuple[int, bytes]
"""Flags and options of a segment."""

_VARIETY = 20000
_BURST_SECONDS = 0.002
CAPABLE = bytes.fromhex("020405b4 0402 1e040101 0101".replace(" ", ""))
PLAIN = bytes.fromhex("020405b40402")


def syn(_: random.Random) -> Kind:
    """SYNs without MPTCP."""
    return SYN, PLAIN


def capable(_: random.Random) -> Kind:
    """SYNs with MP_CAPABLE."""
    return SYN, CAPABLE


def mixed(chance: random.Random) -> Kind:
    """Half of each."""
    return capable(chance) if chance.random() < 0.5 else syn(chance)


def join(chance: random.Random) -> Kind:
    """SYNs with MP_JOIN and a guessed token."""
    return SYN, b"\x1e\x0c\x10\x01" + chance.randbytes(8)


def third_ack(chance: random.Random) -> Kind:
    """Third acknowledgements without a handshake before them, with invented keys."""
    return ACK, b"\x1e\x14\x01\x01" + chance.randbytes(16)


def arp(mac: str, number: int) -> bytes:
    """A host announces another address with each frame."""
    return announcement(mac, f"10.{64 + (number >> 16)}.{number >> 8 & 255}.{number & 255}")


def ndp(mac: str, number: int) -> bytes:
    """The same by neighbour discovery."""
    return advertisement(mac, f"fd00::{number >> 16:x}:{number & 0xffff:x}")


def dhcp(mac: str, number: int) -> bytes:
    """A host asks for an address again and again."""
    return discovery(mac, number)


def frames(what: Json) -> list[bytes]:
    """Frames that differ: one for each that is to be sent, but at most 20,000, which are sent in turn."""
    storm = {f.__name__: f for f in (arp, ndp, dhcp)}.get(what["kind"])
    if storm:
        return [storm(what["macs"][0], what["first"] + number) for number in range(int(what["rate"] * what["seconds"]))]
    chance = random.Random(what["seed"])
    kind = {f.__name__: f for f in (syn, capable, mixed, join, third_ack)}[what["kind"]]
    count = min(_VARIETY, int(what["rate"] * what["seconds"]))
    made = []
    for _ in range(count):
        flags, options = kind(chance)
        mac = f"02:{':'.join(f'{b:02x}' for b in chance.randbytes(5))}" if what.get("random_macs") else what["macs"][0]
        made.append(frame((mac, what["macs"][1]), (_source(what["sources"], chance), chance.randrange(1024, 65536)),
                          tuple(what["target"]), flags, sequence=chance.getrandbits(32),
                          acknowledgement=chance.getrandbits(32) if flags & ACK else 0, options=options))
    return made


def _source(sources: int | str, chance: random.Random) -> str:
    if isinstance(sources, str):
        return sources
    # Not the lowest addresses: those are the hosts of the testbed.
    return socket.inet_ntoa((0x0a000000 + chance.randrange(1 << 12, 1 << (32 - sources))).to_bytes(4, "big"))


def run(what: Json) -> Json:
    """Sends at the rate asked for, or as near as the machine comes, and says how many."""
    made = frames(what)
    # The namespace's own socket: this program runs inside it.
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind((what["interface"], 0))
    out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 21)
    print("ready", flush=True)
    begun = time.monotonic()
    sent = lost = 0
    while (now := time.monotonic() - begun) < what["seconds"]:
        target = int(now * what["rate"])
        # Never a burst that makes up for a long pause: that would be another rate than the one asked for.
        sent = max(sent, target - int(what["rate"] / 10))
        while sent < target:
            try:
                out.send(made[sent % len(made)])
            except OSError:
                lost += 1
            sent += 1
        time.sleep(_BURST_SECONDS)
    return {"sent": sent - lost, "lost": lost, "seconds": time.monotonic() - begun}


if __name__ == "__main__":
    print(json.dumps(run(json.loads(sys.argv[1]))), flush=True)
