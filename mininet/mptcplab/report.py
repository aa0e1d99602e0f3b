# SPDX-License-Identifier: Apache-2.0
"""The output of a demonstration: the JSON of the contract, and a page of text for people."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from . import provenance
from .hosts import address_of
from .netcfg import device_id, switch_name
from .network import Network
from .rest import Json
from .sampling import Sampler
from .topology import Homes, Topology

Rates = Mapping[tuple[str, str], float]
"""(source, destination), each ``"ip:port"``, → Mbit/s."""

_DIAMOND = """\
                  ┌── s2 ──┐
   h1 ═══ s1 ─────┼── s3 ──┼───── s5 ═══ h2
                  └── s4 ──┘"""


def subflow_rates(seen: Json, switch_of: Callable[[str], str], sampler: Sampler, window: tuple[float, float]) -> Rates:
    """(source, destination) → Mbit/s for both directions of a connection's subflows, each at its path's last switch; at the first
    one where the path has a label, because no other switch tells the subflows on it apart.

    ``switch_of``: address → the switch to which it is attached, for subflows without a path.
    """
    found = {}
    for subflow in seen["subflows"]:
        path = [switch_name(device) for device in subflow["path"]]
        at = (path[0], path[-1]) if path else [switch_of(address_of(subflow[end])) for end in ("src", "dst")]
        ends = list(zip((subflow["src"], subflow["dst"]), at))
        for (source, here), (target, there) in (ends, ends[::-1]):
            last, first = ((switch, source, target) for switch in (there, here))
            found[source, target] = sampler.rate(last, *window) or sampler.rate(first, *window)
    return found


def connection(seen: Json, rates: Rates, goodput: float, names: Mapping[str, str], samples: Sequence[Json] = ()) -> Json:
    """One entry of ``connections``.

    ``seen``: the connection as the application's REST gives it; ``rates``: (source, destination) → Mbit/s;
    ``goodput``: Mbit/s of payload that the receiver got, and ``samples`` of it over time; ``names``: MAC address → name of the
    host or router.
    """
    up = sum(rates.get((s["src"], s["dst"]), 0) for s in seen["subflows"])
    down = sum(rates.get((s["dst"], s["src"]), 0) for s in seen["subflows"])
    direction = "up" if up >= down else "down"
    subflows = [_subflow(s, rates, direction, seen["client"]) for s in seen["subflows"]]
    return {
        "id": seen["id"], "client": seen["client"], "server": seen["server"], "direction": direction, "agent": seen["agent"],
        "goodputMbps": _round(goodput),
        "expectedMbps": _round(sum(s["expectedMbps"] for s in subflows)),
        "subflows": subflows, "samples": list(samples),
        # Told to people, and not of the contract: `contract`.
        "between": [names.get((seen["subflows"][0][end] or "").split("/")[0].lower()) for end in ("srcHost", "dstHost")],
        "disjointIn": seen["disjointIn"], "deniesJoins": seen["deniesJoins"],
    }


def _subflow(seen: Json, rates: Rates, direction: str, client: str) -> Json:
    ends = (seen["src"], seen["dst"])
    return {
        "src": ends[0], "dst": ends[1],
        "path": [switch_name(device) for device in seen["path"]],
        "bottleneckMbps": _round(seen["bottleneckMbps"] or 0),
        "expectedMbps": _round(_expected(seen, direction)),
        "measuredMbps": _round(rates.get(ends if direction == "up" else ends[::-1], 0)),
        # An idle subflow holds no path.
        "state": "down" if seen["state"] == "idle" else seen["state"],
        "delayMillis": seen["delayMillis"], "backup": seen["backup"],
    }


def _expected(seen: Json, direction: str) -> float:
    return seen["expectedUpMbps" if direction == "up" else "expectedDownMbps"]


def contract(result: Json) -> Json:
    """What the contract has of a result: without what only people are told."""
    return {**result, "connections": [{**_without(one, "between", "disjointIn", "deniesJoins"),
                                       "subflows": [_without(s, "delayMillis", "backup") for s in one["subflows"]]}
                                      for one in result["connections"]]}


def _without(entry: Json, *fields: str) -> Json:
    return {name: value for name, value in entry.items() if name not in fields}


def links(network: Network, seen: Iterable[Json], sampler: Sampler, begin: float, end: float) -> list[Json]:
    """The entries of ``links``: both directions of every link; ``seen`` are the application's."""
    reserved = {link["source"]: link["reservedMbps"] for link in seen}
    return [{"source": a, "target": b, "capacityMbps": network.rate(a, b),
             "reservedMbps": _round(reserved.get(f"{device_id(a)}/{network.port(a, b)}", 0)),
             "measuredMbps": _round(sampler.rate((network.interface(a, b),), begin, end))}
            for link in network.topology.links for a, b in link.ends]


def _failure(failure: Json) -> str:
    a, b = failure["link"]
    rules = ("no other path" if failure["rerouteMillis"] is None
             else f"new rules after {failure['rerouteMillis']:.0f} ms")
    return (f" link {a} – {b} ended at {failure['atSecond']:.1f} s: {rules}, {failure['lostMegabits']:.1f} Mbit lost, "
            f"goodput {failure['goodputBefore']:.1f} → {failure['goodputAfter']:.1f} Mbit/s")


def _short(short: Json) -> list[str]:
    """Two lines about short connections: with the application, and with the forwarder alone."""
    kind = {"mptcp": "MPTCP", "tcp": "TCP"}[short["protocol"]]
    return [f" short {kind} connections, {short['wantedPerSecond']} per second wanted: {_answered(short)}",
            f" with the forwarder alone: {_answered(short['forwarderAlone'])}, beside a transfer of "
            f"{short['forwarderAlone']['goodputMbps']:.1f} Mbit/s"]


def _answered(short: Json) -> str:
    times = ", ".join(f"{name} {'–' if short[field] is None else format(short[field], '.1f')} ms"
                      for name, field in (("p50", "p50Millis"), ("p99", "p99Millis")))
    return f"{short['perSecond']:.1f}/s answered, {times}, {short['failed']} failed"


def text(result: Json, topology: Topology) -> str:
    """The demonstration for people."""
    lines = ["", *_sketch(topology, len(result["connections"])), ""]
    for one in result["connections"]:
        arrow = "→" if one["direction"] == "up" else "←"
        lines.append(f" connection {one['id']}   {one['client']} {arrow} {one['server']}   "
                     f"goodput {one['goodputMbps']:.1f} Mbit/s, expected on the wire {one['expectedMbps']:.1f}"
                     f"{_agent(one, result['connections'])}")
        lines.append("   " + ", ".join(_facts(one, topology)))
        lines.append(f"   {'subflow':<40} {'path':<24} {'bottleneck':>10} {'expected':>9} {'measured':>9}  state")
        for s in one["subflows"]:
            lines.append(f"   {s['src'] + ' → ' + s['dst']:<40} {' '.join(s['path']) or '–':<24} "
                         f"{s['bottleneckMbps']:>10.1f} {s['expectedMbps']:>9.1f} {s['measuredMbps']:>9.1f}  {_state(s)}")
        lines.append("")
    transfers = once([one for one in result["connections"] if one["goodputMbps"] > 0])
    if len(transfers) > 1:
        lines.append(f" {len(transfers)} transfers together: goodput {total(transfers, 'goodputMbps'):.1f} Mbit/s, "
                     f"expected on the wire {total(transfers, 'expectedMbps'):.1f}")
        lines.append("")
    if "failure" in result:
        lines += [_failure(result["failure"]), ""]
    if "short" in result:
        lines += [*_short(result["short"]), ""]
    lines.append(f" {'link':<12} {'capacity':>9} {'reserved':>9} {'measured':>9}   load, Mbit/s")
    for link in result["links"]:
        if link["measuredMbps"] >= 0.1 or link["reservedMbps"] > 0:
            lines.append(f" {link['source'] + ' → ' + link['target']:<12} {link['capacityMbps']:>9.1f} "
                         f"{link['reservedMbps']:>9.1f} {link['measuredMbps']:>9.1f}   {_bar(link)}")
    lines += ["", provenance.machine(result["run"])] if "run" in result else []
    return "\n".join([*lines, ""])


def _agent(one: Json, connections: Iterable[Json]) -> str:
    """Where the agent of the sending host is, if not at this leg: an agent takes part in the leg at its own host alone."""
    if one["agent"]:
        return ""
    legs = [other["id"] for other in connections if other["agent"] and _ends(other) == _ends(one)]
    return f", its agent takes part in leg {legs[0]}" if legs else ", no agent"


def _ends(one: Json) -> tuple[str, str]:
    """The addresses and ports of a connection, which are those of each of its legs."""
    return one["subflows"][0]["src"], one["subflows"][0]["dst"]


def _facts(one: Json, topology: Topology) -> Iterator[str]:
    """What there is to say of a connection's paths."""
    if topology.router and None not in one["between"]:
        yield f"leg {' → '.join(one['between'])}"
    paths = sum(bool(s["path"]) and s["state"] == "active" for s in one["subflows"])
    if paths > 1 and all(len(s["path"]) < 2 for s in one["subflows"]):
        yield "paths within one switch"
    else:
        yield (f"paths disjoint in {', '.join(one['disjointIn']) or 'nothing'}" if paths > 1
               else "one path" if paths else "no path")
    if one["deniesJoins"]:
        yield "the server takes no further subflows at this address and port"


def _state(subflow: Json) -> str:
    """A subflow's state, its path's delay, and what its hosts want."""
    delay = "" if subflow["delayMillis"] is None else f", {subflow['delayMillis']:g} ms"
    return subflow["state"] + delay + (", a host wants it as a backup" if subflow["backup"] else "")


def once(connections: Iterable[Json]) -> list[Json]:
    """Entries of ``connections`` without further legs: what crosses a router is listed once on either side of it."""
    return list({_ends(one): one for one in connections}.values())


def total(connections: Iterable[Json], field: str) -> float:
    """The sum of a rate over entries of ``connections``, Mbit/s."""
    return sum(one[field] for one in connections)


def _sketch(topology: Topology, connections: int) -> list[str]:
    if topology.name == "diamond":
        return _DIAMOND.splitlines()
    return [f" {topology.name}: {len(topology.switches)} switches, {len(topology.links)} links",
            *(f" h{2 * index + 1} ═══ {_switches(a, topology)} ┄┄┄ {_switches(b, topology)} ═══ h{2 * index + 2}"
              for index, (a, b) in enumerate(topology.homes[:connections]))]


def _switches(homes: Homes, topology: Topology) -> str:
    return ", ".join(f"{switch} ({topology.labels[switch]})" for switch in homes)


def _bar(link: Json) -> str:
    full = min(20, round(20 * link["measuredMbps"] / link["capacityMbps"]))
    return "█" * full + "░" * (20 - full)


def _round(mbps: float) -> float:
    return round(float(mbps), 3)
