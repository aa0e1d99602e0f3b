# SPDX-License-Identifier: Apache-2.0
"""Hosts with kernel MPTCP, one network interface each.

A client gets as many addresses as it shall have subflows: the kernel's path manager opens one subflow from each.
Host n has 10.0.0.n and, as further addresses, 10.0.n.1, 10.0.n.2, …
"""

from .errors import LabError

PREFIX = 16


def address(number):
    """The main IPv4 address of host ``number``, 1 to 254."""
    return f"10.0.0.{number}"


def further_addresses(number, count):
    """``count`` more addresses of host ``number``."""
    return [f"10.0.{number}.{index}" for index in range(1, count + 1)]


def configure(host, congestion_control, more_addresses=(), limit=8):
    """Prepares a Mininet host: checksums in software, MPTCP with the given further addresses as subflow endpoints.

    ``limit``: subflows beyond the first that the host opens or accepts per connection, 0 to 8 (the kernel's most).
    """
    interface = host.defaultIntf().name
    commands = [
        # Open vSwitch in user space passes frames on as they are: with offloading their checksums would be missing.
        f"ethtool -K {interface} tx off",
        "sysctl -q -w net.ipv6.conf.all.disable_ipv6=1 net.mptcp.enabled=1 "
        f"net.ipv4.tcp_congestion_control={congestion_control}",
        f"ip mptcp limits set subflow {limit} add_addr_accepted {limit}",
        "ip mptcp endpoint flush",
    ]
    for extra in more_addresses:
        commands.append(f"ip address add {extra}/{PREFIX} dev {interface}")
        commands.append(f"ip mptcp endpoint add {extra} dev {interface} subflow")
    for command in commands:
        out, err, status = host.pexec(command)
        if status:
            raise LabError(f"{host.name}: {command}: {(err or out).strip()}")
