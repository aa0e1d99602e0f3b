# SPDX-License-Identifier: Apache-2.0
"""Checks that the application shares the links out completely: no transfer is held back while its paths have room.

Both exact allocators promise that. It holds whatever the machine manages to carry, since a transfer that sends less than its
share has a smaller demand, and the others may have the rest.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from .netcfg import switch_name
from .rest import Json

EXACT_ALLOCATORS = ("max-min", "proportional")

_TRANSFER_MBPS = 1.0
"""A connection that sends less is no transfer, but the control connection of one."""

_SMALLEST_HEADROOM = 1.1
"""If a transfer does not fill its share, the application takes at least so many times its rate for its demand. If less than
that is expected, it is the network that limits the transfer, not its demand."""

_ROOM = 0.1
"""Of a link's capacity: residual bandwidth below this may come from other traffic that was measured a moment ago."""


def with_room(connections: Sequence[Json], capacity: Callable[[str, str], float],
              others: Mapping[tuple[str, str], float]) -> list[str]:
    """The transfers that could have more on the paths that they have, a line each.

    ``connections``: as REST gives them; ``capacity(a, b)``: Mbit/s from switch ``a`` to its neighbour ``b``; ``others``:
    (a, b) → Mbit/s that other traffic takes there.
    """
    load = _load(connections)
    problems = []
    for one in connections:
        way = "Up" if (one["measuredUpMbps"] or 0) >= (one["measuredDownMbps"] or 0) else "Down"
        expected, sent = one[f"expected{way}Mbps"], one[f"measured{way}Mbps"] or 0
        if sent < _TRANSFER_MBPS or expected >= _SMALLEST_HEADROOM * sent:
            continue
        for hops in (_hops(s, way) for s in one["subflows"] if s["state"] == "active"):
            room = min((capacity(*hop) - others.get(hop, 0) - load[hop] for hop in hops), default=0)
            if hops and room > _ROOM * min(capacity(*hop) for hop in hops):
                problems.append(f"{one['id']} sends {sent:.1f} Mbit/s and is expected to get {expected:.1f}, "
                                f"but {room:.1f} more are free on {' '.join([hops[0][0], *(b for _, b in hops)])}")
    return problems


def _load(connections: Iterable[Json]) -> dict[tuple[str, str], float]:
    """(a, b) → Mbit/s that all connections are expected to send there."""
    load: dict[tuple[str, str], float] = defaultdict(float)
    for one in connections:
        for subflow in one["subflows"]:
            for way in ("Up", "Down"):
                for hop in _hops(subflow, way):
                    load[hop] += subflow[f"expected{way}Mbps"]
    return load


def _hops(subflow: Json, way: str) -> list[tuple[str, str]]:
    """The links of a subflow in the direction up (client to server) or down."""
    switches = [switch_name(device) for device in subflow["path"]]
    if (way == "Up") != subflow["fromClient"]:
        switches.reverse()
    return list(zip(switches, switches[1:]))
