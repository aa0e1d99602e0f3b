# SPDX-License-Identifier: Apache-2.0
"""Path labels in the switches: which rules a packet of a subflow meets from its first switch to its host."""

import re
from collections import Counter
from dataclasses import dataclass, field

from mptcplab.errors import LabError
from mptcplab.hosts import address_of
from mptcplab.netcfg import switch_name
from mptcplab.processes import run
from mptcplab.rest import Json
from mptcplab.testbed import Testbed

_RULE = re.compile(r"priority=(\d+),(\S*) actions=(\S+)")
_LABEL = re.compile(r"set_field:([0-9a-f:]{17})->eth_dst")
_OUTPUT = re.compile(r'output:"?([^",]+)')
_OWN, _SHARED = 110, 111

_Out = tuple[str | None, str]
"""The destination MAC address that a rule writes, if it writes one, and the port."""


@dataclass
class Tables:
    """Rules of ours in the switches, as Open vSwitch prints them."""

    own: dict[tuple[str, str, str], tuple[str, _Out]] = field(default_factory=dict)
    """Where a path with a label begins: (switch, source, destination), ends as ``"ip:port"`` → (destination MAC address that it
    asks for, what it does)."""
    shared: dict[tuple[str, str, str], _Out] = field(default_factory=dict)
    """(switch, in port, label) → what it does."""
    rules: Counter[str] = field(default_factory=Counter)
    """How many of both a switch has."""


def tables(testbed: Testbed) -> Tables:
    """Reads them."""
    found = Tables()
    for switch in testbed.network.topology.switches:
        for line in run(["ovs-ofctl", "-O", "OpenFlow13", "--no-names", "dump-flows", switch], "reading rules").splitlines():
            rule = _RULE.search(line)
            if not rule or int(rule[1]) not in (_OWN, _SHARED):
                continue
            found.rules[switch] += 1
            match = dict(part.split("=", 1) for part in rule[2].split(",") if "=" in part)
            label, output = _LABEL.search(rule[3]), _OUTPUT.search(rule[3])
            does = (label[1] if label else None, output[1] if output else "")
            if int(rule[1]) == _SHARED:
                found.shared[switch, match["in_port"], match["dl_dst"]] = does
            elif "tp_src" in match and label:
                source, destination = f"{match['nw_src']}:{match['tp_src']}", f"{match['nw_dst']}:{match['tp_dst']}"
                found.own[switch, source, destination] = (match["dl_dst"], does)
    return found


def check_ways(testbed: Testbed, subflows: list[Json]) -> Tables:
    """Follows a packet of each subflow, in both directions, by the rules in the switches. LabError unless it takes the subflow's
    path and arrives with the destination that it was sent with. Returns the rules."""
    found, network = tables(testbed), testbed.network
    hosts = {address: host for host in network.net.hosts for address in network.addresses(host)}
    for subflow in subflows:
        path = [switch_name(device) for device in subflow["path"]]
        for way, source, destination in ((path, subflow["src"], subflow["dst"]), (path[::-1], subflow["dst"], subflow["src"])):
            host = hosts[address_of(destination)]
            try:
                sent, (label, out) = found.own[way[0], source, destination]
                arrived, last = label, way[0]
                for here, after in zip(way, way[1:]):
                    if out != str(network.port(here, after)):
                        raise LabError(f"{source} to {destination}: {here} sends it out of {out}")
                    written, out = found.shared[after, str(network.port(after, here)), str(label)]
                    arrived, last = written or arrived, after
            except KeyError as missing:
                raise LabError(f"{source} to {destination}: no rule {missing}") from missing
            if (arrived, out) != (sent, str(network.port(last, host.name))) or sent != host.MAC():
                raise LabError(f"{source} to {destination}: sent to {sent}, arrives with {arrived} at port {out} of {last}")
    return found
