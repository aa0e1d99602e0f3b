# SPDX-License-Identifier: Apache-2.0
"""A delay for all that a testbed's clients send and get: a program between each client's link and its switch's port."""

import contextlib
import sys
from collections.abc import Iterator

from ..delays import BRIDGE
from ..processes import run
from ..testbed import Testbed


@contextlib.contextmanager
def delayed(testbed: Testbed, millis: float) -> Iterator[None]:
    """While its body runs, everything between clients and network takes ``millis`` longer each way."""
    with contextlib.ExitStack() as stack:
        ends = [end for client in testbed.network.clients for end in _between(testbed, client.name, stack)]
        bridge = testbed.processes.start([sys.executable, "-I", str(BRIDGE), str(millis), str(millis), "0", "0", *ends],
                                         testbed.folder / "delays.out")
        stack.callback(testbed.processes.stop, bridge)
        testbed.let_hosts_speak(8 * millis / 1000)
        yield
    testbed.let_hosts_speak()


def _between(testbed: Testbed, host: str, stack: contextlib.ExitStack) -> tuple[str, str]:
    """Gives the switch's port, with its number, to a new interface. Returns both ends that frames have to be passed between."""
    network = testbed.network
    switch = network.homes(network.net[host])[0]
    old, number, here, there = network.interface(switch, host), network.port(switch, host), f"{host}-near", f"{host}-far"
    run(["ip", "link", "add", here, "type", "veth", "peer", "name", there], f"adding a delay for {host}")
    stack.callback(run, ["ip", "link", "delete", here], f"removing the delay of {host}")
    for end in (here, there):
        run(["ip", "link", "set", end, "up"], f"adding a delay for {host}")
        run(["ethtool", "-K", end, "tx", "off"], f"adding a delay for {host}")
    _replace(switch, old, here, number)
    stack.callback(network.limit_rate, switch, host)
    stack.callback(_replace, switch, here, old, number)
    return old, there


def _replace(switch: str, old: str, new: str, number: int) -> None:
    run(["ovs-vsctl", "--timeout=20", "del-port", switch, old, "--", "add-port", switch, new, "--", "set", "interface", new,
         f"ofport_request={number}"], f"replacing {old} by {new}")

