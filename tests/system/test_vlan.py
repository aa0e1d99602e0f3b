# SPDX-License-Identifier: Apache-2.0
"""Two tenants with the same addresses in two VLANs: their hosts are behind trunks, and each has its own connections and paths."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import crossing
from conftest import active, links_of, tell
from crossing import NO_LESS, Attached, attached, trunk
from life import LEAST_MBPS, TIMEOUT, is_on, paths
from mptcplab.errors import LabError
from mptcplab.processes import wait_for
from mptcplab.testbed import Testbed
from stream import Stream

CLIENT, SERVER = "10.0.8.1", "10.0.8.2"
FURTHER = ("10.0.8.11", "10.0.8.12")
VLANS = (10, 20)
SUBFLOWS = 1 + len(FURTHER)


@dataclass(frozen=True)
class Tenant:
    """A client and a server in a VLAN."""

    vlan: int
    client: Attached
    server: Attached

    def speaks(self) -> bool:
        """Whether the client reaches the server from each address."""
        self.client.pexec("ip neighbour flush dev wire")
        return all(not self.client.pexec(f"ping -c 1 -W 1 -I {address} {SERVER}")[2] for address in (CLIENT, *FURTHER))


@pytest.fixture(scope="module")
def tenants(session_testbed: Testbed) -> Iterator[list[Tenant]]:
    first, last = session_testbed.network.topology.pair(0)
    with contextlib.ExitStack() as stack:
        near, far = stack.enter_context(trunk(first)), stack.enter_context(trunk(last))
        made = []
        for vlan in VLANS:
            # The MAC addresses are the same, too.
            client = stack.enter_context(attached(near, f"c{vlan}", "02:00:00:00:08:01", CLIENT, vlan=vlan))
            server = stack.enter_context(attached(far, f"d{vlan}", "02:00:00:00:08:02", SERVER, vlan=vlan))
            for host in (client, server):
                host.run(["sysctl", "-qw", "net.mptcp.enabled=1"])
                host.run(["ip", "mptcp", "limits", "set", "subflow", "8", "add_addr_accepted", "8"])
            for address in FURTHER:
                client.run(["ip", "address", "add", f"{address}/16", "dev", "wire"])
                client.run(["ip", "mptcp", "endpoint", "add", address, "dev", "wire", "subflow"])
            made.append(Tenant(vlan, client, server))
        for tenant in made:
            wait_for(f"VLAN {tenant.vlan} speaks", tenant.speaks, TIMEOUT)
        wait_for("ONOS knows them", lambda: known(session_testbed) == {(address, str(vlan)) for vlan in VLANS for address in (
            CLIENT, SERVER, *FURTHER)}, TIMEOUT)
        yield made


def known(testbed: Testbed) -> set[tuple[str, str]]:
    """(address, VLAN) of the hosts that ONOS knows in VLANs."""
    return {(address, host["vlan"]) for host in testbed.onos.rest.get("/hosts")["hosts"] if host["vlan"] != "None"
            for address in host["ipAddresses"]}


def theirs(testbed: Testbed) -> list[list[list[str]]]:
    """The paths of each connection between these addresses."""
    return [paths(one) for one in active(testbed) if one["server"] == SERVER]


def wait_for_both(testbed: Testbed) -> None:
    """Waits until both tenants' connections have a path for each subflow, and both carry data."""
    def there() -> bool:
        found = [one for one in active(testbed) if one["server"] == SERVER]
        if [len([path for path in paths(one) if path]) for one in found] != [SUBFLOWS] * len(VLANS):
            raise LabError(str([paths(one) for one in found]))
        for one in found:
            links = [link for path in paths(one) for link in links_of(path)]
            if len(links) > len(set(links)):
                raise LabError(f"not disjoint: {paths(one)}")
        return all((one["measuredUpMbps"] or 0) >= LEAST_MBPS for one in found)
    wait_for("both connections on disjoint paths", there, TIMEOUT)


def test_each_tenant_has_a_connection_with_paths_of_its_own(testbed, tenants, delivery):
    link = ("s1", "s3")
    running = []
    try:
        for tenant in tenants:
            # The same five-tuple of the first subflow, if the kernels choose it.
            running.append(Stream(tenant.client, tenant.server, SERVER))
        wait_for_both(testbed)
        testbed.network.set_link(*link, up=False)
        try:
            wait_for("no path on the lost link", lambda: not any(
                is_on(path, link) for those in theirs(testbed) for path in those), TIMEOUT)
            wait_for("both still carry data", lambda: all(
                (one["measuredUpMbps"] or 0) >= LEAST_MBPS for one in active(testbed) if one["server"] == SERVER), TIMEOUT)
        finally:
            testbed.network.set_link(*link, up=True)
        testbed.wait_for_links()
        for one in running:
            # Each server has got what its own client has sent.
            one.finish()
    finally:
        for one in running:
            one.stop()


def test_no_transfer_gets_less_than_with_the_forwarder_alone(testbed, tenants, capsys):
    tenant = tenants[0]
    with testbed.without_application():
        wait_for("the tenant speaks", tenant.speaks, TIMEOUT)
        alone = crossing.goodput_between(tenant.client, tenant.server, SERVER)
    wait_for("the tenant speaks", tenant.speaks, TIMEOUT)
    ours = crossing.goodput_between(tenant.client, tenant.server, SERVER)
    tell(capsys, f"VLAN {tenant.vlan}: {ours}; the forwarder alone: {alone}")
    assert ours.plain >= NO_LESS * alone.plain
    assert ours.mptcp >= NO_LESS * alone.mptcp
    assert ours.late > crossing.FULL_MBPS
