# SPDX-License-Identifier: Apache-2.0
"""The emulated network: Mininet's switches and hosts for a topology, with links that have a rate and a short queue."""

import math
import subprocess
from typing import Any

from mininet.log import setLogLevel
from mininet.net import Mininet
from mininet.node import OVSSwitch

from . import delays, hosts, routers
from .errors import LabError
from .hosts import Host
from .processes import end_group, run, wait_for
from .routers import Router
from .topology import Homes, Link, Topology

ACCESS_MBPS = 100.0
"""Capacity of access links: more than all paths of a connection together have."""

FRAME_BYTES = 1514
"""A full frame."""

QUEUE_BYTES = 100 * FRAME_BYTES
"""Queue of a link in front of its rate limit: 100 full frames, 120 ms at 10 Mbit/s.

Measured beside a busy machine (Mbit/s each second over three such links): 50 frames dip to 25.5, 100 stay above 27.4.

It is counted in bytes. A queue of 100 packets would hold only 7 ms of SYNs and ACKs: two of a hundred short connections lost one
of theirs, and waited for 200 ms."""


class Network:
    """Switches s1, s2, …, hosts h1 (client), h2 (server), h3 (client), …, and a pair u1 → u2 for other traffic.

    There is a pair of hosts for each of the topology's, or for each connection if these are fewer. A host has an interface of
    its own at each switch to which the topology attaches it. If the topology has a router, that is r1; servers outside are
    each behind a link o2, o4, …

    Attributes: ``topology``; ``net``, Mininet's own object; ``clients`` and ``servers``, lists of Mininet hosts;
    ``ipv6``: whether MPTCP runs over IPv6 (the hosts have IPv4 as well).
    """

    def __init__(self, topology: Topology, connections: int = 1, subflows: int = 3, congestion_control: str = "cubic",
                 cross_traffic: bool = True, ipv6: bool = False) -> None:
        self.topology, self.ipv6 = topology, ipv6
        self._outside = topology.router.outside if topology.router else None
        self.clients: list[Host] = []
        self.servers: list[Host] = []
        self._homes: dict[str, Homes] = {}
        self._subflows = subflows
        self.congestion_control = congestion_control
        setLogLevel("error")
        # Mininet's own initialisation changes limits of the whole machine (file-max, pty.max); none is needed here.
        Mininet.inited = True
        self.net = Mininet(topo=None, switch=_UserSpaceSwitch, controller=None, build=False, autoSetMacs=True,
                           ipBase=hosts.NETWORK)
        self._rates: dict[tuple[str, str], float] = {}
        self._queues: dict[tuple[str, str], int] = {}
        self._ports: dict[tuple[str, str], int] = {}
        for name in topology.switches:
            self.net.addSwitch(name, dpid=f"{int(name[1:]):016x}")
        for link in topology.links:
            for end, frames in zip(link.ends, link.queues):
                if frames:
                    self._queues[end] = frames * FRAME_BYTES
            if not link.has_middle:
                self._connect(link.a, link.b, link.forward, link.backward, ends=link.ends)
        for index in range(min(connections, len(topology.pairs))):
            self._add_pair(index)
        if cross_traffic:
            self._add_cross_traffic()
        self._hosts = list(self.net.hosts)
        self.router = self._add_router(topology.router) if topology.router else None
        self._middles = {link: self._add_middle(link, number) for number, link in enumerate(topology.links, 1) if link.has_middle}
        self._bridges: dict[Link, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Creates it all; the switches forward nothing until a controller or static rules say so."""
        self.net.build()
        self.net.start()
        self._limit_rates()
        if self.topology.router and self.router:
            self._start_router(self.topology.router, self.router)
        for link in self._middles:
            self.delay(link, *(millis or 0 for millis in link.delays))
        for host in self._hosts:
            hosts.configure(host, self.congestion_control, self._plan(host))

    def connect_controller(self, *targets: str) -> None:
        """Points all switches at a controller, or at all nodes of a cluster, in one transaction; the one on loopback unless
        given."""
        command = ["ovs-vsctl", "--timeout=20"]
        for switch in self.topology.switches:
            command += ["--", "set-controller", switch, *(targets or ("tcp:127.0.0.1:6653",))]
        run(command, "connecting the switches to the controller")

    def addresses(self, host: Host) -> list[str]:
        """All addresses of a host in the IP version that MPTCP uses, the main one first: one for each of its interfaces, and of
        a client as many as its connections need to have all their subflows."""
        number, count = self._number(host), len(self._homes[host.name])
        if host in self.clients:
            count = max(count, math.ceil(self._subflows / self._servers_homes(host)))
        if host is self.router:
            return [hosts.gateway(subnet, self.ipv6) for subnet in self._routers_subnets()]
        subnet = self._subnet(host)
        return [hosts.address(number, self.ipv6, subnet), *hosts.further_addresses(number, count - 1, self.ipv6, subnet)]

    def seen_addresses(self) -> set[str]:
        """The addresses of hosts that are attached to switches: all but those outside."""
        return {address for host in self.hosts_and_router() if not self._is_outside(host)
                for address in self.addresses(host)}

    @property
    def others(self) -> list[Host]:
        """The hosts for other traffic: u1, u2, …"""
        return [host for host in self._hosts if host not in self.clients and host not in self.servers]

    @property
    def ends(self) -> list[Host]:
        """Where the paths of connections begin and end: clients, servers and the router."""
        return [host for host in self.hosts_and_router() if host not in self.others]

    def attachments(self) -> list[tuple[str, str, str]]:
        """(MAC address, switch, name) of each interface by which a host or the router is attached to a switch."""
        return [(hosts.mac(self._number(host), index), switch, host.name) for host in self.hosts_and_router()
                if not self._is_outside(host) for index, switch in enumerate(self.homes(host))]

    def homes(self, host: Host) -> Homes:
        """The switches to which a host's interfaces are attached, in their order."""
        return self._homes[host.name]

    def switch_of(self, address: str) -> str:
        """The switch to which the host with this address is attached by the interface that has it."""
        return self.homes(self._owner(address))[self._interface_number(self._owner(address), address)]

    def host_at(self, switch: str, address: str) -> Host:
        """The host at a switch with which what has this address goes in or out: the one that has the address, else the
        router. LabError if there is none."""
        owner = self._owner(address)
        if switch in self.homes(owner) and not self._is_outside(owner):
            return owner
        if self.router and switch in self.homes(self.router):
            return self.router
        raise LabError(f"nobody at {switch} has, or leads to, {address}")

    def hosts_and_router(self) -> list[Host]:
        """All hosts, and the router as the last one, if there is one."""
        return [*self._hosts, self.router] if self.router else self._hosts

    def _owner(self, address: str) -> Host:
        for host in self.hosts_and_router():
            if address in self.addresses(host):
                return host
        raise LabError(f"no host has {address}")

    def _subnet(self, host: Host) -> int:
        return hosts.SERVERS_SUBNET if self.topology.router and host in self.servers else hosts.CLIENTS_SUBNET

    def _routers_subnets(self) -> list[int]:
        """Those in which switches see the router's addresses."""
        return [hosts.CLIENTS_SUBNET, *[hosts.SERVERS_SUBNET] * (self._outside is None)]

    def _is_outside(self, host: Host) -> bool:
        return host in self.servers and self._outside is not None

    def _interface_number(self, host: Host, address: str) -> int:
        homes = len(self.homes(host))
        # One interface has all addresses, also those that were added later.
        return self.addresses(host).index(address) % homes if homes > 1 else 0

    def _number(self, host: Host) -> int:
        return self.net.hosts.index(host) + 1

    def _servers_homes(self, client: Host) -> int:
        return len(self.homes(self.servers[self.clients.index(client)]))

    def _plan(self, host: Host) -> hosts.Plan:
        is_client = host in self.clients
        return hosts.Plan(self._number(host), len(self.homes(host)), self.addresses(host),
                          self._subflows - 1 if is_client else 8, self.ipv6, opens=is_client,
                          everywhere=is_client and self._servers_homes(host) > 1, subnet=self._subnet(host),
                          routed=self.router is not None)

    def port(self, a: str, b: str) -> int:
        """OpenFlow port number on switch ``a`` that leads to the neighbour ``b`` (a switch's or host's name), or to a server
        outside. ``s2#1`` is the second link to s2."""
        if (a, b) not in self._ports and b in self.net and self._is_outside(self.net[b]):
            return self._ports[a, routers.NAME]
        return self._ports[a, b]

    def rate(self, a: str, b: str) -> float:
        """Capacity from ``a`` to its neighbour ``b``, Mbit/s."""
        return self._rates[a, b]

    def neighbours(self) -> list[tuple[str, str]]:
        """All (a, b) with a port on ``a`` that leads to ``b``; hosts' ends included."""
        return list(self._ports)

    def interface(self, a: str, b: str) -> str:
        """The network interface behind ``port(a, b)``."""
        return f"{a}-eth{self.port(a, b)}"

    def ping(self, source: Host, address: str, target_address: str, seconds: float = 30, answer_seconds: int = 1
             ) -> None:
        """Pings until there is an answer; each time it waits for ``answer_seconds``.

        The controller learns the hosts' addresses from the ARP, or neighbour discovery, that goes first, each time: it may
        have forgotten them, or taken a host for attached elsewhere.
        """
        def answers() -> bool:
            interface = hosts.interface(source, self._interface_number(source, address))
            source.pexec(["ip", "neighbour", "flush", "dev", interface])
            return source.pexec(["ping", "-c", "1", "-W", str(answer_seconds), "-I", address, target_address])[2] == 0
        wait_for(f"{source.name} ({address}) reaches {target_address}", answers, seconds)

    def set_link(self, a: str, b: str, up: bool) -> None:
        """Takes a link between two switches down, or up again, at both its ends; ``b`` as for ``port``."""
        for here, there in self._ends(a, b):
            run(["ip", "link", "set", self.interface(here, there), "up" if up else "down"], f"setting link {a}-{b}")

    def set_rate(self, a: str, b: str, mbps: float) -> None:
        """Gives a link between two switches another capacity, in both directions; ``b`` as for ``port``."""
        for here, there in self._ends(a, b):
            self._rates[here, there] = mbps
            for line in _rate_limit(self.interface(here, there), mbps, self._queues.get((here, there)), "change"):
                run(["tc", *line.split()], f"limiting the rate of {here}-{there}")

    def _ends(self, a: str, b: str) -> tuple[tuple[str, str], tuple[str, str]]:
        link = self.topology.link(a, b)
        if not link:
            raise LabError(f"no link {a}-{b}")
        return link.ends

    def delay(self, link: Link, there: float, back: float) -> None:
        """Lets frames on a link that delays them arrive so many milliseconds later from now on; those under way are lost."""
        if link in self._bridges:
            end_group(self._bridges[link])
        self._bridges[link] = delays.start(self._middles[link], there, back, link.losses)

    def limit_rate(self, a: str, b: str, interface: str | None = None) -> None:
        """Limits the rate of switch ``a``'s port to ``b`` again: Open vSwitch takes the limit off a port that is added to it.

        ``interface``: which one has taken the place of that port's own, None for none.
        """
        for line in _rate_limit(interface or self.interface(a, b), self._rates[a, b], self._queues.get((a, b))):
            run(["tc", *line.split()], f"limiting the rate of {a}-{b}")
        if interface:
            return
        self._keep_limits((a, b))

    def without_limit(self) -> list[tuple[str, str]]:
        """The ports (a, b) of switches whose rate is not limited."""
        limited = {line.split()[4] for line in run(["tc", "qdisc", "show"], "asking for limits").splitlines() if " htb " in line}
        return [(a, b) for a, b in self._rates if a in self.topology.switches and self.interface(a, b) not in limited]

    def set_interface(self, host: Host, index: int, up: bool) -> None:
        """Takes an interface of a host down inside the host, or up again."""
        hosts.set_interface(host, self._plan(host), index, up)

    def _add_pair(self, index: int) -> None:
        of_client, of_server = self.topology.homes[index]
        client = self._add_host(f"h{2 * index + 1}", of_client)
        server = self._add_host(f"h{2 * index + 2}", of_server,
                                hosts.SERVERS_SUBNET if self.topology.router else hosts.CLIENTS_SUBNET)
        self.clients.append(client)
        self.servers.append(server)

    def _add_cross_traffic(self) -> None:
        """u1 and u2 beside a link in the middle of the first pair's shortest path, so that they load one path only."""
        path = self.topology.shortest_path(*self.topology.pair(0)) or []
        middle = max(0, (len(path) - 1) // 2 - 1)
        self.cross_link = (path[middle], path[min(middle + 1, len(path) - 1)])
        self._add_host("u1", self.cross_link[:1])
        self._add_host("u2", self.cross_link[1:])

    def _add_host(self, name: str, homes: Homes, subnet: int = hosts.CLIENTS_SUBNET) -> Host:
        number = len(self.net.hosts) + 1
        host = self.net.addHost(name, ip=f"{hosts.address(number, subnet=subnet)}/{hosts.PREFIX}")
        self._homes[name] = homes
        outside = subnet == hosts.SERVERS_SUBNET and self._outside is not None
        for index, switch in enumerate([] if outside else homes):
            self._connect(switch, name, ACCESS_MBPS, ACCESS_MBPS, addr2=hosts.mac(number, index))
        return host

    def _add_router(self, router: Router) -> Host:
        number = len(self.net.hosts) + 1
        host = self.net.addHost(routers.NAME, ip=f"{hosts.gateway(hosts.CLIENTS_SUBNET)}/{hosts.PREFIX}")
        self._homes[host.name] = router.homes
        for index, switch in enumerate(router.homes):
            self._connect(switch, host.name, ACCESS_MBPS, ACCESS_MBPS, addr2=hosts.mac(number, index))
        if router.outside:
            for server in self.servers:
                link = self.net.addHost(routers.outside_link(server.name), ip=None).name
                self._connect(host.name, link, router.outside.mbps, router.outside.mbps)
                self._connect(link, server.name, router.outside.mbps, router.outside.mbps)
        return host

    def _add_middle(self, link: Link, number: int) -> Host:
        """The host in the middle of a link that delays frames. It comes after all others, whose numbers are their addresses."""
        host = self.net.addHost(f"d{number}", ip=None)
        for end, rate in zip(link.ends, (link.forward, link.backward)):
            self._note(end, rate, self.net.addLink(end[0], host.name).intf1)
        return host

    def _start_router(self, router: Router, host: Host) -> None:
        behind: dict[str, list[str]] = {}
        for server in self.servers if router.outside else ():
            link = routers.outside_link(server.name)
            routers.start_link(self.net[link], router)
            behind[self.interface(host.name, link)] = list(dict.fromkeys(
                [*self.addresses(server), hosts.address(self._number(server), subnet=hosts.SERVERS_SUBNET)]))
        routers.configure(host, router, behind, self.ipv6)

    def _connect(self, a: str, b: str, forward: float, backward: float,
                 ends: tuple[tuple[str, str], tuple[str, str]] | None = None, **more: str) -> None:
        link = self.net.addLink(a, b, **more)
        for end, rate, interface in zip(ends or ((a, b), (b, a)), (forward, backward), (link.intf1, link.intf2)):
            self._note(end, rate, interface)

    def _note(self, end: tuple[str, str], mbps: float, interface: Any) -> None:
        self._rates[end] = mbps
        self._ports[end] = int(interface.name.rsplit("eth", 1)[1])

    def _limit_rates(self) -> None:
        """HTB with a short drop-tail queue on every end; one ``tc`` for all switches, one per host."""
        batches: dict[str | None, list[tuple[str, ...]]] = {}
        for (a, b), rate in self._rates.items():
            where = a if a in self.net and self.net[a] not in self.net.switches else None
            batches.setdefault(where, []).append(_rate_limit(self.interface(a, b), rate, self._queues.get((a, b))))
        for host, lines in batches.items():
            batch = "\n".join(line for lines_of_one in lines for line in lines_of_one) + "\n"
            if host is None:
                run(["tc", "-batch", "-"], "limiting the links' rates", input=batch)
                self._keep_limits(*self._rates)
            else:
                for line in batch.splitlines():
                    out, err, status = self.net[host].pexec(f"tc {line}")
                    if status:
                        raise LabError(f"limiting the rate of {host}: {(err or out).strip()}")

    def _keep_limits(self, *ends: tuple[str, str]) -> None:
        """Tells Open vSwitch to leave the limits of its ports to others. It would take them off when its daemon starts anew."""
        command = ["ovs-vsctl", "--timeout=20", "--id=@others", "create", "QoS", "type=linux-noop"]
        for a, b in ends:
            if a in self.topology.switches:
                command += ["--", "set", "Port", self.interface(a, b), "qos=@others"]
        run(command, "keeping the links' limits")


def _rate_limit(interface: str, mbps: float, queue_bytes: int | None = None, do: str = "add") -> tuple[str, ...]:
    # A burst of 12 ms at 10 Mbit/s makes up for timers that are late on a busy processor.
    burst = max(15140, int(mbps * 1e6 / 8 / 1000))
    queue = queue_bytes or max(QUEUE_BYTES, int(QUEUE_BYTES * mbps / 20))
    return (*[f"qdisc add dev {interface} root handle 5: htb default 1"] * (do == "add"),
            f"class {do} dev {interface} parent 5: classid 5:1 htb rate {mbps}mbit burst {burst} quantum 1514",
            f"qdisc {do} dev {interface} parent 5:1 handle 10: bfifo limit {queue}")


class _UserSpaceSwitch(OVSSwitch):  # type: ignore[misc]  # Mininet has no types
    """OpenFlow 1.3, user space, forwards nothing by itself."""

    def __init__(self, name: str, **parameters: Any) -> None:
        parameters.update(datapath="user", protocols="OpenFlow13", failMode="secure")
        super().__init__(name, **parameters)

    @classmethod
    def setup(cls) -> None:
        """Mininet would look for the machine's own Open vSwitch service here; ours is already running."""

    @classmethod
    def isOldOVS(cls) -> bool:
        """Mininet asks for workarounds for versions before 1.10."""
        return False
