# SPDX-License-Identifier: Apache-2.0
"""ONOS with our application, alone or with a network of Open vSwitch and hosts until all of them see each other."""

import contextlib
import functools
import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

from . import forwards, kernel, login, namespace, sendbuffers
from .build import oar
from .cluster import Cluster
from .errors import LabError, UsageError
from .options import did_you_mean
from .hosts import Host
from .netcfg import configuration, device_id
from .network import Network
from .onos import STOCK_JAVA, Onos, Place
from .openvswitch import OpenVSwitch
from .processes import Processes, wait_for
from .sampling import rule_count
from .settings import HTTP_PORT, OPENFLOW_PORT, SSH_PORT, progress
from .topology import Topology
from .transfer import IPERF_PORT, MPTCP, Transfer

C = TypeVar("C", bound="Controller")

_RULES_SECONDS = 60


class Controller:
    """A context manager; inside it an ONOS with our application runs, and nothing else.

    ``onos_home``: an unpacked ONOS release instead of the embedded ONOS; ``install``: whether to install the application;
    ``known_login``: whether ONOS takes the login that everybody knows, instead of this run's own; ``nodes``: more than one for
    a cluster of embedded ONOS nodes, ``cluster``, of which ``onos`` is the first; ``stock_like``: whether the embedded ONOS
    does as a stock one does, wherever it can; ``place``: where ONOS runs and with which options of Java, unless there are several
    nodes.
    """

    def __init__(self, onos_home: str | None = None, install: bool = True, known_login: bool = False, nodes: int = 1,
                 stock_like: bool = False, place: Place | None = None) -> None:
        self.folder = namespace.run_folder()
        self.stock_like = stock_like
        self.processes = Processes()
        self.onos: Onos
        self.cluster: Cluster | None = None
        if nodes > 1:
            self.cluster = Cluster(self.folder, self.processes, login.of_this_run(known_login), nodes)
        else:
            self.onos = Onos(self.folder, self.processes, login.of_this_run(known_login), onos_home,
                             place=place or Place(java=STOCK_JAVA if stock_like else ""))
        self._install = install

    @property
    def is_copying(self) -> bool:
        """Whether switches copy SYN, FIN and RST to the controller. Elsewhere all TCP without a rule comes there."""
        return not (self.onos.is_release or self.stock_like)

    def __enter__(self: C) -> C:
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.cluster:
            self.cluster.stop()
        # What else there is, interfaces and queues, goes with the namespace.
        self.processes.stop_all()

    def _start(self) -> None:
        if self.cluster:
            self.cluster.start()
            self.onos = self.cluster.nodes[0]
            self.onos.boot_seconds = max(node.boot_seconds for node in self.cluster.nodes)
        forwards.open_inside(self.folder, (HTTP_PORT, SSH_PORT, OPENFLOW_PORT), self.processes,
                             self.onos.address)
        if not self.cluster:
            self.onos.start()
        progress(f"ONOS {self.onos.version()} up after {self.onos.boot_seconds} s")
        if self.stock_like:
            self.onos.behave_as_stock()
        else:
            self.onos.poll_every_second()
        if self._install:
            self.onos.install(oar())
            for node in self.cluster.nodes if self.cluster else ():
                node.wait_for_application()
            progress(f"installed {oar().name}")


class Testbed(Controller):
    """A context manager; inside it ``network``, on the Open vSwitch ``switches``, and ``onos`` run and know each other.

    ``connections``: how many there will be at once; ``subflows``: per connection, as the hosts' kernels open them;
    ``ipv6``: whether they run over IPv6; ``nodes``: ONOS nodes, which are masters of the switches by turns; ``congestion``:
    the hosts' congestion control, a fair one unless given.
    """

    def __init__(self, topology: Topology, connections: int = 1, subflows: int = 3, onos_home: str | None = None,
                 install: bool = True, ipv6: bool = False, known_login: bool = False, nodes: int = 1,
                 stock_like: bool = False, congestion: str | None = None) -> None:
        super().__init__(onos_home, install, known_login, nodes, stock_like)
        self._congestion = congestion
        self.network: Network
        self.switches = OpenVSwitch(self.folder, self.processes)
        self._make_network = functools.partial(Network, topology, connections, subflows, ipv6=ipv6)

    def _start(self) -> None:
        kernel.require_mptcp()
        kernel.require_rate_limits()
        self.switches.start()
        self.network = self._make_network(congestion_control=self._congestion or kernel.fair_congestion_control())
        self.network.start()
        progress(f"{len(self.network.topology.switches)} switches, {len(self.network.topology.links)} links, "
                 f"{len(self.network.net.hosts)} hosts")
        super()._start()
        self._join()

    def _join(self) -> None:
        """Connects the switches, then lets the hosts speak: never before every link is known, or a host would be
        learned where its packets merely pass."""
        topology = self.network.topology
        self.onos.rest.post("/network/configuration", configuration(self.network))
        if self.network.ipv6:
            self.onos.forward_ipv6()
        self.network.connect_controller(*(self.cluster.targets() if self.cluster else ()))
        wait_for(f"{len(topology.switches)} switches in ONOS", self._switches_are_known, 60)
        if self.cluster:
            self.cluster.spread_mastership([device_id(switch) for switch in topology.switches])
        self.wait_for_links()
        self.let_hosts_speak()
        progress("ONOS sees all switches, links and hosts")

    def let_hosts_speak(self, more_seconds: float = 0) -> None:
        """Lets each client speak from all its addresses to its server, and the server from its further ones to the client, and
        waits until ONOS knows the hosts by that. An answer may take ``more_seconds`` beside what the links' delays cost."""
        # ARP and an echo, there and back, and as much to spare.
        answer_seconds = 1 + math.ceil(more_seconds + 4 * self.network.topology.millis / 1000)
        for client, server in self._host_pairs():
            to, *further = self.network.addresses(server)
            for address in self.network.addresses(client):
                self.network.ping(client, address, to, answer_seconds=answer_seconds)
            for address in further:
                self.network.ping(server, address, self.network.addresses(client)[0], answer_seconds=answer_seconds)
        wait_for("all hosts in ONOS", self._hosts_are_known, 60)
        # By now the switch daemon, perhaps a new one, has sent something, so its sockets are there.
        sendbuffers.widen(self.switches.pid())

    def host(self, name: str) -> Host:
        """A host or the router: h1, h2, …, u1, u2, r1. UsageError names those that there are."""
        known = {host.name: host for host in self.network.hosts_and_router()}
        if name not in known:
            raise UsageError(f"no host {name}: there are {', '.join(known)}{did_you_mean(name, known)}")
        return known[name]

    def link(self, name: str) -> tuple[str, str]:
        """The ends of a link between switches that is called so, as ``s1-s2``, or by the names that ONOS has of these.
        UsageError names some that there are."""
        topology = self.network.topology
        for ends in (ends for link in topology.links for ends in link.ends):
            # The second link between two switches is s1-s2#1.
            if name in ("-".join(ends), "-".join(topology.names.get(end, end) for end in ends)):
                return ends
        known = topology.link_names()
        raise UsageError(f"no link {name}: there are {', '.join(known[:12])}{', …' if len(known) > 12 else ''}"
                         f"{did_you_mean(name, known)}")

    def transfer(self, source: str | Host = "h1", target: str | Host = "h2", seconds: int = 10, port: int = IPERF_PORT,
                 wrapper: Sequence[str] = MPTCP, options: Sequence[str] = (), interval: float = 1) -> Transfer:
        """Starts a transfer between two hosts, as `Transfer` has it; over plain TCP without a ``wrapper``."""
        client, server = (self.host(one) if isinstance(one, str) else one for one in (source, target))
        if client.name == server.name:
            raise UsageError(f"{client.name} cannot transfer to itself: give two hosts")
        return Transfer(client, server, self.network.addresses(server)[0], seconds, port, wrapper, options, interval)

    @contextlib.contextmanager
    def without_application(self, seconds: float = _RULES_SECONDS) -> Iterator[None]:
        """While its body runs, the application is deactivated, nothing of it is in the switches, and the forwarder has rules
        between the first hosts. Afterwards the application is active, has its rules for handshakes in the edge switches, and
        knows of as many switches as before that they copy SYN, FIN and RST.

        ``seconds``: how long it may take until the application's rules have gone, and then until the hosts reach each other.
        """
        edges = self.network.topology.pair(0)
        copying = self._copying()
        self.onos.deactivate_application()
        try:
            wait_for("no rules about TCP in the switches",
                     lambda: not any(rule_count(switch, "tcp") for switch in self.network.topology.switches), seconds)
            client, server = self.network.clients[0], self.network.servers[0]
            self.network.ping(client, self.network.addresses(client)[0], self.network.addresses(server)[0], seconds)
            yield
        finally:
            self.onos.activate_application()
        wait_for("rules about TCP in the edge switches", lambda: all(rule_count(switch, "tcp") for switch in edges),
                 _RULES_SECONDS)
        wait_for(f"{copying} switches that copy", lambda: self._copying() >= copying, _RULES_SECONDS)

    def _copying(self) -> int:
        """How many switches the application knows to copy SYN, FIN and RST to it."""
        return self.onos.counters()["switches.copying"]

    def wait_for_links(self) -> None:
        """Waits until ONOS knows both directions of every link, and its topology, which comes up to a second later and says
        where packets are flooded, has them."""
        wait_for(f"{len(self.network.topology.links)} links in ONOS", self._links_are_known, 60)

    def wait_until_idle(self, seconds: float) -> None:
        """Waits until the application knows no connection that is active; LabError with those that are left."""
        wait_for("the connections' end", self._all_are_idle, seconds)

    def _all_are_idle(self) -> bool:
        left = [one for one in self.onos.rest.get("/mptcp/connections")["connections"] if one["state"] != "idle"]
        if left:
            raise LabError(f"still there: {left}")
        return True

    def _host_pairs(self) -> Iterator[tuple[Host, Host]]:
        yield from zip(self.network.clients, self.network.servers)
        yield from zip(self.network.others[::2], self.network.others[1::2])

    def _switches_are_known(self) -> bool:
        available = {d["id"] for d in self.onos.rest.get("/devices")["devices"] if d["available"]}
        return available >= {device_id(switch) for switch in self.network.topology.switches}

    def _links_are_known(self) -> bool:
        active = [(link["src"]["device"], link["src"]["port"]) for link in self.onos.rest.get("/links")["links"]
                  if link["state"] == "ACTIVE"]
        return self.onos.rest.get("/topology")["links"] == len(active) and all(
            (device_id(a), str(self.network.port(a, b))) in active
            for link in self.network.topology.links for a, b in link.ends)

    def _hosts_are_known(self) -> bool:
        known = {ip for host in self.onos.rest.get("/hosts")["hosts"] for ip in host["ipAddresses"]}
        missing = self.network.seen_addresses() - known
        if missing:
            raise LabError(f"missing {', '.join(sorted(missing))}")
        return True
