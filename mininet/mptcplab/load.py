# SPDX-License-Identifier: Apache-2.0
"""``./lab bench load``: short connections, their set-up and a transfer beside them, on one testbed, by turns with the forwarder
alone and with the application; at last with switches that copy no segments to it.

ONOS shares the machine with switches and hosts here. So the forwarder is also measured beside a program that takes the processor
time of the application and does nothing else: what is lost then, too, is the machine's doing.

It is also measured with ONOS on one processor, and switches and hosts on another one.

What is measured and how it is shown is in ``loadtable``.
"""

import json
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from . import busyloop, files, loadtable, topology
from .affinity import kept_on
from .errors import LabError
from .hosts import listens, start
from .loadtable import Figures, Rounds
from .processes import Processes, end_group, processor_seconds, wait_for
from .rest import Json
from .rulewatch import RuleWatch
from .sampling import kernel_connections, rule_count, sent_bytes
from .settings import ROOT, progress
from .short_connections import SIZES, WebServer, busy, last_line, prepare, several
from .testbed import Testbed
from .transfer import IPERF_PORT, Transfer

ROUNDS = 2
AT_ONCE = 20
BUSY_SECONDS = 3
OWN_SECONDS = 8
"""Longer than the others: with one processor for switches and hosts, fewer connections come to their end."""

TRANSFER_SECONDS = 20
LEAD_SECONDS = 3
"""So long the short connections run before the transfer begins: what they take of the links is counted then."""

_PAYLOAD = 0.943
"""Part of a full frame that MPTCP's payload is."""

SET_UPS = 100
LATER_SECONDS = 30
BESIDE = {"mptcp": 400, "tcp": 100}
"""Short connections per second beside the transfer, unless the forwarder alone carries less."""

_PART = 0.8
"""Of what the forwarder alone carries: a steady rate that a network without the application bears."""

_SUBFLOWS = 3
_PROGRAMS = ROOT / "tests" / "system" / "programs.py"
_PROTOCOL_NUMBERS = {"tcp": 0, "mptcp": 262}
_ECHO_PORTS = {"tcp": 7001, "mptcp": 7002}
_TIMEOUT = 60
_PATIENCE = 20
"""Seconds after which a measurement that does not come to its end is given up."""
_RULES_SECONDS = 60
_LATEST_ROUND = 450
"""Seconds; a round that would begin later is left out, so that the whole remains bounded."""


def run(file: str | None) -> int:
    """Inside the namespace: measures, prints the table, and writes JSON to ``file``. Returns the exit status."""
    before = os.getloadavg()[0]
    with Testbed(topology.load("diamond"), subflows=_SUBFLOWS) as testbed:
        network = testbed.network
        with WebServer(network.servers[0], network.addresses(network.servers[0])[0], testbed.folder / "web") as web:
            bench = Load(testbed, web)
            rounds = Rounds()
            try:
                begun = time.monotonic()
                for number in range(1, ROUNDS + 1):
                    require_time_left(begun, f"round {number}")
                    with testbed.without_application(_RULES_SECONDS):
                        progress(f"round {number} of {ROUNDS}: the forwarder alone")
                        rounds.alone.append(bench.round(later=number == 1))
                        if rounds.ours:
                            progress("the forwarder alone, beside a program that takes as much processor time as the application")
                            rounds.loop.append(bench.beside_loop(rounds.alone[0], rounds.ours[0]))
                    progress(f"round {number} of {ROUNDS}: with the application")
                    rounds.ours.append(bench.round(later=number == 1))
                require_time_left(begun, "the round without copies")
                progress("with the application, no copies of SYN, FIN and RST")
                testbed.onos.copy_tcp_flags(False, len(testbed.network.topology.switches))
                rounds.uncopied.append(bench.round(later=True))
            except LabError as failure:
                # What has been measured is shown all the same.
                bench.complete = False
                progress(f"not measured any further: {failure}")
    loads = (before, os.getloadavg()[0])
    print(loadtable.text(rounds, loads), flush=True)
    if file:
        files.write(Path(file), json.dumps(loadtable.entries(rounds, loads), indent=2) + "\n")
    return 0 if bench.complete else 1


def require_time_left(begun: float, what: str) -> None:
    """LabError if it is too late for a round."""
    if time.monotonic() - begun > _LATEST_ROUND:
        raise LabError(f"{what} would have begun more than {_LATEST_ROUND} s after the first")


@contextmanager
def busy_loops(part: float, niceness: int) -> Iterator[None]:
    """Something takes this part of a processor (2 for two of them) while the body runs; nothing does if it is 0 or less."""
    programs = max(0, math.ceil(part))
    with ExitStack() as stack:
        processes = Processes()
        stack.callback(processes.stop_all)
        for _ in range(programs):
            processes.start(["nice", "-n", str(niceness), sys.executable, "-I", busyloop.__file__, str(part / programs)],
                            os.devnull)
        yield


def _processors() -> tuple[int, set[int]]:
    """One of the processors, and the others."""
    first, *others = sorted(os.sched_getaffinity(0))
    return first, set(others)


def _of_connections(name: str, told: Json) -> Figures:
    """The figures of short connections, from what their client tells."""
    return {f"{name}-{figure}": told[field] for field, figure in (
        ("perSecond", "rate"), ("p50Millis", "p50"), ("p99Millis", "p99"), ("failed", "failed"), ("requests", "requests"))}


class Load:
    """Measures on a testbed with a web server, whether the application is active or not.

    Attribute ``complete``: whether nothing has failed so far.
    """

    def __init__(self, testbed: Testbed, web: WebServer) -> None:
        self._testbed, self._network, self._web = testbed, testbed.network, web
        self._client, self._server = self._network.clients[0], self._network.servers[0]
        self._address = self._network.addresses(self._server)[0]
        self._rates: dict[str, int] = {}
        self.complete = True
        prepare(self._client)

    def round(self, later: bool) -> Figures:
        """All figures once; ``later``: also the rules that are left after a while."""
        figures: Figures = {}
        self._try("setting up connections", self._set_up, figures)
        self._try("setting up connections, the switches on another processor", self._set_up_apart, figures)
        for protocol in _PROTOCOL_NUMBERS:
            for size in SIZES:
                self._try(f"{AT_ONCE} {protocol} connections at once, {size} B", self._busy, figures, protocol, size)
        for protocol in _PROTOCOL_NUMBERS:
            self._try(f"{AT_ONCE} {protocol} connections at once, {SIZES[0]} B, ONOS on a processor of its own",
                      self._busy_beside_onos, figures, protocol)
        if not self._rates:
            part = min(1.0, _PART * (figures.get("mptcp-200-rate") or 0) / BESIDE["mptcp"])
            self._rates = {protocol: max(1, round(rate * part)) for protocol, rate in BESIDE.items()}
        rates = " and ".join(f"{rate} {protocol}" for protocol, rate in self._rates.items())
        self._try(f"a transfer beside {rates} connections per second", self._transfer, figures)
        if later:
            figures["rules-end"] = self._rules()
            end = time.monotonic() + LATER_SECONDS
            wait_for("rules to go", lambda: time.monotonic() >= end, LATER_SECONDS + 5)
            figures["rules-later"] = self._rules()
        return figures

    def _try(self, what: str, measure: Callable[..., None], *arguments: object) -> None:
        """What fails leaves a gap in the table; the rest is measured all the same."""
        progress(f"  {what}")
        try:
            measure(*arguments)
        except LabError as failure:
            self.complete = False
            progress(f"not measured: {failure}")

    def beside_loop(self, alone: Figures, ours: Figures) -> Figures:
        """Short connections beside a program that takes the processor time which ONOS took in `ours` more than in `alone`."""
        figures: Figures = {}
        niceness = os.getpriority(os.PRIO_PROCESS, self._testbed.onos.pid())
        for protocol in _PROTOCOL_NUMBERS:
            for size in SIZES:
                part = (ours.get(f"{protocol}-{size}-processor") or 0) - (alone.get(f"{protocol}-{size}-processor") or 0)
                with busy_loops(part, niceness):
                    self._try(f"{AT_ONCE} {protocol} connections at once, {size} B, and {part:.2f} of a processor taken",
                              self._busy, figures, protocol, size)
        return figures

    def _busy(self, figures: Figures, protocol: str, size: int) -> None:
        self._greet()
        begun, used = time.monotonic(), processor_seconds(self._testbed.onos.pid())
        told = busy(self._client, self._address, protocol, size, AT_ONCE, BUSY_SECONDS, self._testbed.folder)
        figures[f"{protocol}-{size}-processor"] = (
            (processor_seconds(self._testbed.onos.pid()) - used) / (time.monotonic() - begun))
        figures.update(_of_connections(f"{protocol}-{size}", told))
        figures[f"{protocol}-{size}-rules"] = self._rules()

    def _busy_beside_onos(self, figures: Figures, protocol: str) -> None:
        """What the network carries if ONOS takes nothing from switches and hosts: as near as one machine comes to a controller on
        another one. Nothing on a machine with one processor."""
        first, others = _processors()
        if not others:
            return
        self._greet()
        with kept_on([self._testbed.switches.pid(), self._web.pid()], {first}), kept_on([self._testbed.onos.pid()], others):
            told = busy(self._client, self._address, protocol, SIZES[0], AT_ONCE, OWN_SECONDS, self._testbed.folder,
                        ("taskset", "-c", str(first)))
        figures.update(_of_connections(f"own-{protocol}", told))

    def _set_up_apart(self, figures: Figures) -> None:
        """The client has a processor without switches, as in a network of machines. Where both share one, a SYN also waits while
        ONOS handles the copy of it."""
        first, others = _processors()
        with kept_on([self._testbed.switches.pid()], others or {first}):
            self._set_up(figures, "apart", ("taskset", "-c", str(first)))

    def _set_up(self, figures: Figures, name: str = "setup", on: tuple[str, ...] = ()) -> None:
        for protocol, number in _PROTOCOL_NUMBERS.items():
            self._greet()
            port = str(_ECHO_PORTS[protocol])
            server = start(self._server, [sys.executable, "-s", str(_PROGRAMS), "server", str(number), port])
            try:
                wait_for("a server that echoes", lambda: listens(self._server, int(port)), _TIMEOUT)
                out, err, status = self._client.pexec(["timeout", str(_PATIENCE), *on, sys.executable, "-s", str(_PROGRAMS),
                                                       "latency", str(number), self._address, port, str(SET_UPS)])
            finally:
                end_group(server)
            if status:
                raise LabError(f"setting up {protocol} connections: {last_line(err or out)}")
            figures[f"{name}-{protocol}"] = statistics.median(json.loads(out))

    def _transfer(self, figures: Figures) -> None:
        """A transfer, and short connections of both kinds beside it."""
        self._greet()
        matching = [f"tcp,tp_{end}={IPERF_PORT}" for end in ("src", "dst")]
        with ExitStack() as stack:
            watch = stack.enter_context(RuleWatch(self._testbed.folder / "rules", self._network.topology.switches, matching))
            shorts = stack.enter_context(several(self._client, self._address, self._rates, LEAD_SECONDS + TRANSFER_SECONDS))
            taken = self._mbps_to_the_server(LEAD_SECONDS)
            transfer = self._testbed.transfer(seconds=TRANSFER_SECONDS)
            stack.callback(transfer.stop)
            managed = self._testbed.onos.application_state() == "ACTIVE"
            figures["transfer-paths"] = self._paths_millis(transfer, watch) if managed else None
            for protocol, short in shorts.items():
                told = short.finish()
                figures[f"beside-{protocol}-wanted"] = told["wantedPerSecond"]
                figures.update(_of_connections(f"beside-{protocol}", told))
            transfer.finish(_PATIENCE)
            goodput = transfer.goodput()
            figures.update({"beside-mbps": taken, "transfer-goodput": goodput,
                            "transfer-part": goodput / (_PAYLOAD * (self._capacity() - taken))})

    def _mbps_to_the_server(self, seconds: float) -> float:
        """What the network sends to the server for so long, Mbit/s on the wire."""
        port = self._network.interface(self._network.topology.pair(0)[1], self._server.name)
        sent, begun = sent_bytes()[port], time.monotonic()
        wait_for("the short connections alone", lambda: time.monotonic() >= begun + seconds, seconds + 5)
        return (sent_bytes()[port] - sent) * 8e-6 / (time.monotonic() - begun)

    def _capacity(self) -> float:
        """Mbit/s that all links to the server's switch carry."""
        last = self._network.topology.pair(0)[1]
        return sum(self._network.rate(link.a if link.b == last else link.b, last)
                   for link in self._network.topology.links if last in (link.a, link.b))

    def _paths_millis(self, transfer: Transfer, watch: RuleWatch) -> float | None:
        """Milliseconds from the third subflow of the transfer's connection to rules for disjoint paths of all its subflows, or
        None if these did not come before its end."""
        joined: list[float] = []

        def ready() -> float | None:
            found = [subflows for _, subflows in kernel_connections(self._client, IPERF_PORT)]
            # iperf3 opens a connection for control before the one for data.
            if len(found) > 1 and len(found[0]) >= _SUBFLOWS:
                joined.append(time.time())
                came = self._complete(found[0], watch)
                if came < math.inf:
                    return came
            else:
                joined.clear()
            return None if transfer.runs() and time.monotonic() < end else math.inf
        end = transfer.started + TRANSFER_SECONDS
        last = wait_for("the transfer's paths, or its end", ready, TRANSFER_SECONDS + _TIMEOUT, every=0.02)
        return max(0.0, last - joined[0]) * 1e3 if last < math.inf else None

    def _complete(self, subflows: list[tuple[str, str]], watch: RuleWatch) -> float:
        """When the last rule came that gives these subflows of one connection disjoint paths; infinite if one is missing."""
        first, last = self._network.topology.pair(0)
        latest, middles = 0.0, []
        for local, remote in subflows:
            there, back = watch.way(local, remote), watch.way(remote, local)
            if there.keys() != back.keys() or not {first, last} < there.keys():
                return math.inf
            latest = max(latest, *there.values(), *back.values())
            middles += sorted(there.keys() - {first, last})
        return latest if len(middles) == len(set(middles)) else math.inf

    def _rules(self) -> int:
        return max(map(rule_count, self._network.topology.switches))

    def _greet(self) -> None:
        """The forwarder's rules between the hosts are there before, as in any network with traffic."""
        self._network.ping(self._client, self._network.addresses(self._client)[0], self._address)
