# SPDX-License-Identifier: Apache-2.0
"""What a testbed's host is told about its addresses, routes and MPTCP endpoints."""

import pytest

from mptcplab import hosts
from mptcplab.errors import LabError
from mptcplab.hosts import Plan


class Recorder:
    """A host that notes its commands and refuses those that have a word."""

    name = "h3"

    def __init__(self, refused=None):
        self.commands = []
        self._refused = refused

    def pexec(self, command):
        self.commands.append(command)
        return ("", "no", 1) if self._refused and self._refused in command else ("", "", 0)

    def about(self, word):
        return [command for command in self.commands if word in command]


def configured(plan):
    host = Recorder()
    hosts.configure(host, "cubic", plan)
    return host


def test_the_addresses_of_a_client_with_one_interface_are_all_on_it():
    host = configured(Plan(3, 1, ["10.0.0.3", "10.0.3.1", "10.0.3.2"], limit=2))
    assert host.about("address add") == ["ip address add 10.0.3.1/16 dev h3-eth0", "ip address add 10.0.3.2/16 dev h3-eth0"]
    assert host.about("endpoint add") == ["ip mptcp endpoint add 10.0.3.1 dev h3-eth0 subflow",
                                          "ip mptcp endpoint add 10.0.3.2 dev h3-eth0 subflow"]
    assert host.about("rule") == host.about("route") == host.about("arp_") == []


def test_each_further_interface_has_an_address_a_routing_table_and_an_endpoint():
    host = configured(Plan(3, 2, ["10.0.0.3", "10.0.3.1", "10.0.3.2", "10.0.3.3"], limit=3))
    assert host.about("-eth1 up") == ["ip link set h3-eth1 up"]
    assert host.about("address add") == ["ip address add 10.0.3.1/32 dev h3-eth1", "ip address add 10.0.3.2/16 dev h3-eth0",
                                         "ip address add 10.0.3.3/32 dev h3-eth1"]
    assert host.about("rule add") == ["ip -4 rule add from 10.0.3.1 lookup 101", "ip -4 rule add from 10.0.3.3 lookup 101"]
    assert host.about("route") == ["ip -4 route add unreachable default metric 9999 table 101",
                                   "ip -4 route replace 10.0.0.0/16 dev h3-eth1 table 101"]
    assert [command.split()[-2] for command in host.about("endpoint add")] == ["h3-eth1", "h3-eth0", "h3-eth1"]
    assert len(host.about("arp_ignore=1")) == 1
    assert len(host.about("tx off")) == 2


def test_over_ipv6_a_further_interface_has_both_kinds_of_addresses():
    host = configured(Plan(3, 2, ["fd00::3", "fd00::3:1"], ipv6=True))
    assert host.about("address add") == ["ip address add fd00::3/64 dev h3-eth0 nodad",
                                         "ip address add fd00::3:1/128 dev h3-eth1 nodad",
                                         "ip address add 10.0.3.1/32 dev h3-eth1"]
    assert host.about("rule add") == ["ip -4 rule add from 10.0.3.1 lookup 101", "ip -6 rule add from fd00::3:1 lookup 101"]
    assert host.about("endpoint add") == ["ip mptcp endpoint add fd00::3:1 dev h3-eth1 subflow"]


def test_a_server_tells_of_its_further_addresses_and_its_client_joins_each_with_each():
    server = configured(Plan(4, 2, ["10.0.0.4", "10.0.4.1"], opens=False))
    assert server.about("endpoint add") == ["ip mptcp endpoint add 10.0.4.1 dev h3-eth1 signal"]
    client = configured(Plan(3, 2, ["10.0.0.3", "10.0.3.1"], limit=3, everywhere=True))
    assert client.about("endpoint add") == ["ip mptcp endpoint add 10.0.0.3 dev h3-eth0 subflow fullmesh",
                                            "ip mptcp endpoint add 10.0.3.1 dev h3-eth1 subflow fullmesh"]


def test_an_interface_that_comes_back_gets_the_routes_that_the_kernel_has_dropped():
    host, plan = Recorder(), Plan(3, 2, ["10.0.0.3", "10.0.3.1"])
    hosts.set_interface(host, plan, 1, up=False)
    hosts.set_interface(host, plan, 1, up=True)
    hosts.set_interface(host, plan, 0, up=True)
    assert host.commands == ["ip link set h3-eth1 down", "ip link set h3-eth1 up",
                             "ip -4 route replace 10.0.0.0/16 dev h3-eth1 table 101", "ip link set h3-eth0 up"]


def test_what_the_kernel_refuses_is_said():
    with pytest.raises(LabError, match="h3: ip mptcp limits set subflow 8 add_addr_accepted 8: no"):
        hosts.configure(Recorder("limits"), "cubic", Plan(3, 1, ["10.0.0.3"]))


@pytest.mark.parametrize("end, address", [("10.0.0.1:80", "10.0.0.1"), ("[fd00::1]:80", "fd00::1")])
def test_the_address_of_an_end(end, address):
    assert hosts.address_of(end) == address
