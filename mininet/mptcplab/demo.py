# SPDX-License-Identifier: Apache-2.0
"""One demonstration: transfers over MPTCP, what the application, the switches and the kernels say of them, a verdict."""

import argparse
import contextlib
import json
import shlex
import signal
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from . import compare, files, forwards, login, ongoing, provenance, report, shares, short_connections, traffic
from .agents import Agents
from .errors import LabError
from .failure import Failure, Link
from .hosts import Host, address_and_port
from .netcfg import switch_name
from .onos import Onos
from .outage import Outage
from .processes import wait_for
from .rest import Json
from .sampling import Sampler, kernel_connections
from .settings import HTTP_PORT, port, progress
from .shell import console
from .shell.actions import Actions
from .shell.console import Console
from .shell.gateway import Gateway
from .short_connections import WEB_PORT, ShortConnections, Wanted, WebServer
from .testbed import Testbed
from .topology import Topology
from .transfer import IPERF_PORT, CrossTraffic, Transfer

IDLE_SECONDS = 5
"""A demonstration's connection counts as idle after so many seconds without traffic."""

RETENTION_SECONDS = 300
"""So long ended connections stay on the page."""

_ALONE_SECONDS = 8
"""For so long at most the short connections run with the forwarder alone."""

_LOOK_BEFORE_END = 1.0
_LOOK_EVERY = 0.5
_SPARE_SECONDS = 1.0
"""Left between the last look for unused bandwidth and the look before the end: answers may be late on a busy machine."""

_CARRIED, _STARVED = 0.53, 0.1
"""Of what the application expects: the least that all transfers together must carry in their last half, on the wire, and the
least that each must carry over all its time, as payload; also on a busy machine. The hosts' congestion control shares links
subflow by subflow, so one transfer may well stay below its share. What the application promises by itself is that shares use
the paths up: ``shares`` checks that."""

_RESERVED_SLACK = 1e-3
"""Mbit/s; rounding may add so much to a sum of reservations."""


def run(options: argparse.Namespace, topology: Topology) -> int:
    """Inside the namespace: everything from the first switch to the verdict. Returns the exit status."""
    if options.login:
        login.warn()
    with contextlib.ExitStack() as stack:
        testbed = stack.enter_context(Testbed(
            topology, options.connections, options.subflows, options.onos, ipv6=options.ipv6,
            known_login=options.login is not None, nodes=options.nodes, stock_like=options.stock_like,
            congestion=options.congestion))
        configure(testbed.onos, options.strategy, options.allocator, options.subflows)
        if not options.once and not options.idle:
            take_commands(testbed, stack)
            progress(f"while it runs: {login.told()}")
        if options.idle:
            if not options.no_agents:
                _start_agents(testbed, options.subflows)
            # Whoever waits for the console finds the agents there.
            take_commands(testbed, stack)
            progress(f"ready until Ctrl-C: {login.told()}")
            signal.pause()
        if options.traffic:
            return _traffic(testbed, options)
        if options.compare:
            result, problems = compare.run(testbed, lambda: _shown(testbed, options),
                                           lambda: _start_agents(testbed, options.subflows))
            if compare.WITHOUT in result:
                print(compare.table(result), flush=True)
        else:
            if not options.no_agents:
                _start_agents(testbed, options.subflows)
            result, problems = _shown(testbed, options)
        for problem in problems:
            progress(f"not as promised: {problem}")
        if options.json:
            files.write(Path(options.json), json.dumps(result, indent=2) + "\n")
        if result["run"]["interrupted"]:
            raise SystemExit(result["run"]["status"])
        if not options.once:
            progress(f"transfers go on until Ctrl-C: {login.told()}")
            progress("in another terminal: ./lab status, host, link, transfer, capture (./lab help)")
            ongoing.run(testbed, options.connections)
    return 1 if problems else 0


def _traffic(testbed: Testbed, options: argparse.Namespace) -> int:
    """What ``--traffic`` asks for; the exit status."""
    if not options.no_agents:
        _start_agents(testbed, options.subflows)
    result = traffic.run(testbed, options.arrivals, options.seconds)
    settings = testbed.onos.settings()
    result.update(topology=testbed.network.topology.name, strategy=settings["strategy"], allocator=settings["allocator"])
    result["run"].update(provenance.of_testbed(testbed, shlex.join(["./lab", "demo", *options.arguments])))
    print(traffic.table(result), flush=True)
    if options.json:
        files.write(Path(options.json), json.dumps(result, indent=2) + "\n")
    return 0 if result["ok"] else 1


def take_commands(testbed: Testbed, stack: contextlib.ExitStack) -> None:
    """From the user's terminal and from the page, until ``stack`` ends."""
    actions = Actions(testbed)
    stack.enter_context(Gateway(
        forwards.socket_of(testbed.folder, HTTP_PORT), (testbed.onos.address, HTTP_PORT), testbed.onos.login, {
            "names": (actions.names, {}), "link": (actions.link, {"place": str, "what": str}),
            "transfer": (actions.begin_transfer, {"source": str, "target": str, "seconds": int, "tcp": bool})}))
    stack.enter_context(Console(testbed.folder / f"{console.NAME}-{port('MPTCPLAB_HTTP_PORT')}", {
        "names": actions.names, "host": actions.host, "interface": actions.interface, "status": actions.status,
        "results": actions.results, "check": actions.check, "link": actions.link, "transfer": actions.transfer}, "transfer"))


def _start_agents(testbed: Testbed, subflows: int) -> None:
    # Agents open as many as there are disjoint paths.
    testbed.onos.configure(mostSubflows=subflows)
    Agents(testbed).start()


def _shown(testbed: Testbed, options: argparse.Namespace) -> tuple[Json, list[str]]:
    """One demonstration as the options ask for it, which is printed; gives what the contract has of it."""
    result, problems = demonstrate(testbed, options.seconds, options.subflows, options.udp, options.connections,
                                   options.fail, options.short, options.kill)
    result["run"].update(provenance.of_testbed(testbed, shlex.join(["./lab", "demo", *options.arguments])))
    print(report.text(result, testbed.network.topology), flush=True)
    return report.contract(result), problems


def configure(onos: Onos, strategy: str | None = None, allocator: str | None = None, subflows: int | None = None) -> None:
    """Settings of a demonstration; what is None stays as the application has it."""
    chosen = {"strategy": strategy, "allocator": allocator, "subflows": subflows, "idleSeconds": IDLE_SECONDS,
              "retentionSeconds": RETENTION_SECONDS}
    onos.configure(**{name: value for name, value in chosen.items() if value is not None})


def demonstrate(testbed: Testbed, seconds: int, subflows: int, udp: float | None = None, connections: int = 1,
                fail: tuple[Link, float] | None = None, short: Wanted | None = None,
                kill: tuple[str, float] | None = None) -> tuple[Json, list[str]]:
    """Runs the transfers and returns the contract's JSON and a list of what did not happen as it should.

    ``connections``: transfers at once; when there are more than pairs of hosts, the pairs have several each;
    ``fail``: (link or ``auto``, second), or None. The link is up again afterwards;
    ``short``: short connections beside the transfers, first for a while with the forwarder alone;
    ``kill``: (which node of the cluster, second), or None.
    """
    with contextlib.ExitStack() as stack:
        alone = None
        if short:
            server = testbed.network.servers[0]
            stack.enter_context(WebServer(server, testbed.network.addresses(server)[0], testbed.folder / "web"))
            alone = short_connections.forwarder_alone(testbed, min(seconds, _ALONE_SECONDS), short)
        failure = None
        if fail:
            failure = stack.enter_context(Failure(testbed, *fail))
            stack.callback(failure.mend)
        outage = Outage(testbed, *kill) if kill else None
        result, problems = _demonstrate(testbed, seconds, subflows, udp, connections, failure or outage, short)
        if "short" in result:
            result["short"]["forwarderAlone"] = alone
        return result, problems


def _demonstrate(testbed: Testbed, seconds: int, subflows: int, udp: float | None, connections: int,
                 failure: Failure | Outage | None, short: Wanted | None) -> tuple[Json, list[str]]:
    network, watch = testbed.network, provenance.Watch()
    other = CrossTraffic(network, udp, seconds + 2) if udp else None
    sampler = Sampler({switch for host in network.ends for switch in network.homes(host)})
    transfers = []
    beside = None
    try:
        sampler.start()
        for index in range(connections):
            turn, pair = divmod(index, len(network.clients))
            transfers.append(testbed.transfer(network.clients[pair], network.servers[pair], seconds, IPERF_PORT + turn,
                                              interval=0.1 if failure else 1))
        progress(f"{len(transfers)} transfer{'s'[:len(transfers) > 1]} of {seconds} s with {subflows} subflows")
        begin = transfers[0].started
        if short:
            beside = ShortConnections(network.clients[0], network.addresses(network.servers[0])[0], short,
                                      max(1.0, begin + seconds - time.monotonic()))
        status, lasted = 0, float(seconds)
        try:
            if failure:
                failure.happen(transfers[0])
            unused = _unused_bandwidth(testbed, transfers, begin + seconds / 2,
                                       begin + seconds - _LOOK_BEFORE_END - _SPARE_SECONDS)
            look = _look_just_before_the_end(testbed, transfers, begin + seconds)
        except SystemExit as told_to_end:
            # What was measured is kept.
            status, unused, look, lasted = _status(told_to_end), [], _look(testbed, transfers), time.monotonic() - begin
            for transfer in transfers:
                transfer.interrupt()
            for extra in (beside, other):
                if extra:
                    extra.stop()
        for transfer in transfers:
            transfer.finish()
        told = beside.finish() if beside and not status else None
        if other and not status:
            progress(f"other traffic: {other.finish():.1f} Mbit/s of UDP payload arrived on "
                     f"{'-'.join(network.cross_link)}")
    except BaseException:
        for running in (*transfers, beside, other):
            if running:
                running.stop()
        raise
    finally:
        sampler.stop()
    window = (begin + lasted / 2, begin + lasted)
    result = _result(testbed, transfers, look, sampler, window)
    result["run"] = {**watch.told(), "interrupted": bool(status), "status": status, "seconds": round(lasted, 1)}
    if status:
        failure = None
    if isinstance(failure, Outage):
        result["cluster"] = failure.report(transfers[0])
    elif failure:
        result["failure"] = failure.report(transfers)
    if testbed.cluster:
        result.setdefault("cluster", {"nodes": len(testbed.cluster.nodes), "leader": testbed.cluster.leader()})
    if told:
        result["short"] = told
    interrupted = isinstance(failure, Outage) or bool(failure and failure.disconnects)
    problems = [f"interrupted after {lasted:.1f} s"] if status else judge(result, len(transfers), subflows, interrupted)
    if result["allocator"] in shares.EXACT_ALLOCATORS and not interrupted:
        problems += unused
    result["ok"] = not problems
    return result, problems


def _unused_bandwidth(testbed: Testbed, transfers: Sequence[Transfer], begin: float, end: float) -> list[str]:
    """The transfers that could have more than their shares, looked for between two times (``time.monotonic``). Shares follow
    the demand of each transfer within seconds, so one look that finds none is enough."""
    rest, network = testbed.onos.rest, testbed.network
    seen = ["the application's shares could not be read"]

    def all_used() -> bool:
        others = {(_switch(link["source"]), _switch(link["target"])): link["othersMbps"]
                  for link in rest.get("/mptcp/links")["links"]}
        seen[:] = shares.with_room(rest.get("/mptcp/connections")["connections"], network.rate, others)
        return not seen or not all(transfer.runs() for transfer in transfers)
    wait_for("the transfers' second half", lambda: time.monotonic() >= begin, max(0.0, begin - time.monotonic()) + 5)
    # When time is up, ``seen`` has what the last look found.
    with contextlib.suppress(LabError):
        wait_for("shares without room", all_used, max(0.0, end - time.monotonic()), every=_LOOK_EVERY)
    return seen


def _switch(connect_point: str) -> str:
    return switch_name(connect_point.split("/")[0])


def _status(told_to_end: SystemExit) -> int:
    return told_to_end.code if isinstance(told_to_end.code, int) else 1


def _look_just_before_the_end(testbed: Testbed, transfers: Sequence[Transfer], end: float) -> Json:
    """Connections, links and kernel subflows at the last moment at which all transfers run."""
    wait_for("the transfers' last second",
             lambda: time.monotonic() >= end - _LOOK_BEFORE_END or not all(t.runs() for t in transfers),
             end - time.monotonic() + 5)
    return _look(testbed, transfers)


def _look(testbed: Testbed, transfers: Sequence[Transfer]) -> Json:
    """The same at this moment."""
    rest = testbed.onos.rest
    connections = rest.get("/mptcp/connections")["connections"]
    enough = testbed.onos.settings()["manageAfterBytes"]
    return {
        "connections": connections,
        "links": rest.get("/mptcp/links")["links"],
        "kernel": [subflow for client in dict.fromkeys(transfer.client for transfer in transfers)
                   for subflow in _subflows_with_paths(client, connections, enough)],
    }


def _subflows_with_paths(client: Host, connections: Sequence[Json], enough: int) -> list[tuple[str, str]]:
    """The kernel's subflows, without those that need no paths: of connections that have carried less than ``enough`` bytes, as
    iperf3's for control, and of short ones, which come and go faster than anybody could compare them."""
    known = {(s["src"], s["dst"]) for c in connections for s in c["subflows"]}
    return sorted(subflow for carried, subflows in kernel_connections(client) if carried >= enough or known & set(subflows)
                  for subflow in subflows if not subflow[1].endswith(f":{WEB_PORT}"))


def _result(testbed: Testbed, transfers: Sequence[Transfer], look: Json, sampler: Sampler,
            window: tuple[float, float]) -> Json:
    network = testbed.network
    clients = {network.addresses(client)[0] for client in network.clients}
    goodputs = {address_and_port(network.addresses(t.client)[0], p): t.goodput()
                for t in transfers for p in t.local_ports()}
    samples = {address_and_port(network.addresses(t.client)[0], p): t.samples() for t in transfers for p in t.local_ports()}
    names = {mac: name for mac, _, name in network.attachments()}
    connections = []
    for seen in look["connections"]:
        # The application remembers ended connections for a while, as idle ones.
        if seen["client"] not in clients or not any((s["src"], s["dst"]) in look["kernel"] for s in seen["subflows"]):
            continue
        seen = _without_ended(seen, look["kernel"])
        rates = report.subflow_rates(seen, network.switch_of, sampler, window)
        connections.append(report.connection(seen, rates, goodputs.get(seen["subflows"][0]["src"], 0.0), names,
                                             samples.get(seen["subflows"][0]["src"], [])))
    connections.sort(key=lambda one: -one["goodputMbps"])
    settings = testbed.onos.settings()
    return {
        "topology": network.topology.name,
        "strategy": settings["strategy"], "allocator": settings["allocator"],
        "onos": {"version": testbed.onos.version(), "bootSeconds": testbed.onos.boot_seconds},
        "connections": connections,
        "links": report.links(network, look["links"], sampler, *window),
        "kernelSubflows": [{"local": local, "remote": remote} for local, remote in look["kernel"]],
    }


def _without_ended(seen: Json, kernel: Collection[tuple[str, str]]) -> Json:
    """A connection without its ended subflows: the application remembers them as idle, the kernel does not."""
    return {**seen, "subflows": [s for s in seen["subflows"] if s["state"] != "idle" or (s["src"], s["dst"]) in kernel]}


def judge(result: Json, transfers: int, subflows: int, interrupted: bool = False) -> list[str]:
    """The problems of a demonstration, a sentence each: everything that was promised and did not happen.

    ``result``: the contract's JSON without its verdict; ``transfers``: how many ran; ``subflows``: of each;
    ``interrupted``: whether the hosts could not reach each other for a while; then rates are not checked.
    """
    data = [c for c in result["connections"] if c["goodputMbps"] > 0]
    problems = []
    if len(report.once(data)) < transfers:
        problems.append(f"{transfers} transfers ran, the application knows {len(report.once(data))} of them")
    for one in data:
        problems += _problems_of(one, subflows)
    carried = sum(s["measuredMbps"] for one in data for s in one["subflows"])
    expected = report.total(data, "expectedMbps")
    if carried < _CARRIED * expected and not interrupted:
        problems.append(f"all transfers together carried {carried:.1f} of the {expected:.1f} Mbit/s that are expected")
    for link in result["links"]:
        if link["reservedMbps"] > link["capacityMbps"] + _RESERVED_SLACK:
            problems.append(f"{link['reservedMbps']} Mbit/s are reserved on {link['source']} → {link['target']}, "
                            f"which has {link['capacityMbps']}")
    if "short" in result and not interrupted:
        problems += short_connections.problems(result["short"])
    return problems + _disagreements(result)


def _problems_of(one: Json, subflows: int) -> Iterator[str]:
    # An agent opens none that would share a path.
    if len(one["subflows"]) != subflows and not (one["agent"] and 0 < len(one["subflows"]) < subflows):
        yield f"{one['id']} has {len(one['subflows'])} subflows, {subflows} were asked for"
    for s in one["subflows"]:
        if not s["path"]:
            yield f"{s['src']} → {s['dst']} has no path"
    # Between two ports of one switch there is no link to share.
    if one["expectedMbps"] <= 0 and any(len(s["path"]) > 1 for s in one["subflows"]):
        yield f"{one['id']} transfers, and is expected to get nothing"
    if one["goodputMbps"] < _STARVED * one["expectedMbps"]:
        yield f"{one['id']} carried {one['goodputMbps']:.1f} of the {one['expectedMbps']:.1f} Mbit/s that are expected"


def _disagreements(result: Json) -> list[str]:
    """Subflows that only one of kernel and application knows."""
    problems = []
    known = {(s["src"], s["dst"]) for c in result["connections"] for s in c["subflows"]}
    kernel = {(s["local"], s["remote"]) for s in result["kernelSubflows"]}
    for local, remote in sorted(kernel - known):
        problems.append(f"the kernel has a subflow {local} → {remote} that the application does not know")
    for local, remote in sorted(known - kernel):
        problems.append(f"the application has a subflow {local} → {remote} that the kernel does not know")
    return problems
