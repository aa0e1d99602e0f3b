# SPDX-License-Identifier: Apache-2.0
"""What switches, kernels and the controller have when a system test fails: a failure that does not come again is found by it."""

import re
import subprocess
from collections.abc import Callable, Iterator

from mptcplab.errors import LabError
from mptcplab.hosts import Host
from mptcplab.processes import run
from mptcplab.testbed import Testbed

_LINES = 40
"""Of each part at most, the last ones."""

_TELLING = re.compile(r"\| (WARN |ERROR) |subflow")

further_hosts: list[Host] = []
"""Hosts beside those of the testbed's network."""


def of(testbed: Testbed) -> Iterator[tuple[str, str]]:
    """Title and text of each part; one that cannot be read says why."""
    for switch in testbed.network.topology.switches:
        yield f"rules of {switch}", _read(lambda: run(["ovs-ofctl", "-O", "OpenFlow13", "--no-names", "dump-flows", switch],
                                                     "reading rules"))
    for host in (*testbed.network.clients, *testbed.network.servers, *further_hosts):
        yield f"sockets and MPTCP counters of {host.name}", _read(
            lambda: host.pexec(["ss", "-HtaniM"])[0] + mptcp_counters(host))
    yield "connections", _read(lambda: "\n".join(
        f"{one['id']} {one['state']} {[(s['src'], s['dst'], s['state'], s['path']) for s in one['subflows']]}"
        for one in testbed.onos.rest.get("/mptcp/connections")["connections"]))
    yield "settings", _read(lambda: str(testbed.onos.settings()))
    yield "policies", _read(lambda: str(testbed.onos.rest.get("/mptcp/policies")))
    yield "counters", _read(lambda: " ".join(f"{name}={count}" for name, count in testbed.onos.counters().items() if count))
    yield "ONOS's log", _read(lambda: "\n".join(line for line in testbed.onos.log().splitlines() if _TELLING.search(line)))


def mptcp_counters(host: Host) -> str:
    """What a host's kernel has counted of MPTCP since its start; nothing that is 0."""
    return host.pexec(["nstat", "-as", "MPTcpExt*"])[0]


def _read(part: Callable[[], str]) -> str:
    try:
        return "\n".join(part().splitlines()[-_LINES:])
    except (OSError, LookupError, LabError, subprocess.SubprocessError) as failure:
        return f"not read: {failure}"
