# SPDX-License-Identifier: Apache-2.0
"""The sub-commands of ``./lab``: what their options may not say together, and what each of them calls."""

import argparse
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mptcpagent import windows

from . import build, checks, commands, comparisonfigure, failure, kernel, namespace, outage, packages, provenance
from . import release as releasing
from . import short_connections, topology, traffic, usage
from .errors import UsageError
from .forwards import require_free
from .onos import check_release
from .settings import HTTP_PORT, OPENFLOW_PORT, ROOT, SSH_PORT, port, progress
from .shell import commands as shell
from .topology import Topology

def outside(arguments: Sequence[str]) -> int:
    """Runs a sub-command, entering a namespace where it needs one. Returns the exit status."""
    name, *rest = arguments or ["help"]
    if name == "--complete":
        return usage.completion()
    if name in ("--help", "-h"):
        name, rest = "help", []
    if name == "--version":
        print(f"onos-mptcp {provenance.version()}")
        return 0
    # One that is unknown is told there.
    usage.command(name)
    return _COMMANDS[name](rest)


def _help(arguments: Sequence[str]) -> int:
    chosen = usage.parse("help", arguments).command
    if chosen in usage.PASSED_ON:
        return _COMMANDS[chosen](["--help"])
    print(usage.command(chosen).format_help() if chosen else usage.overview(), end="")
    return 0


def _completion(arguments: Sequence[str]) -> int:
    usage.parse("completion", arguments)
    print(usage.completion_script())
    return 0


def inside(arguments: Sequence[str]) -> int:
    """The part of ``demo``, ``compare``, ``onos`` and benchmarks of the testbed that runs in the namespace. The options were
    checked outside."""
    if arguments[0] == "demo":
        from . import demo
        options, chosen = _demo_options(arguments[1:])
        return demo.run(options, chosen)
    if arguments[0] == "compare":
        from . import comparison
        options, chosen = _comparison_options(arguments[1:])
        return comparison.run(options, chosen)
    if arguments[0] == "bench":
        from . import agentload, clusterbench, controllerload, load
        options = _bench_options(arguments[1:])
        if options.names == ["controller"]:
            return controllerload.run(options)
        if options.names == ["spread"]:
            from .trials import spread
            return spread.run(options.runs, options.json)
        if options.names == ["cluster"]:
            return clusterbench.run_inside(options.nodes, options.json)
        return (load if options.names == ["load"] else agentload).run(options.json)
    if arguments[0] == "trial":
        from .trials import measure
        return measure.run(arguments[1], int(arguments[2]), arguments[3], arguments[4:] == ["quick"])
    from . import login
    from .testbed import Controller
    options = _onos_options(arguments[1:])
    if options.login:
        login.warn()
    with Controller(options.onos, known_login=options.login is not None, nodes=options.nodes):
        progress(f"ready: {login.told()}; OpenFlow on 127.0.0.1:{port('MPTCPLAB_OPENFLOW_PORT')}; Ctrl-C ends it")
        signal.pause()
    return 0


def _build(arguments: Sequence[str]) -> int:
    usage.parse("build", arguments)
    build.build()
    progress(f"ready: {build.oar()}")
    return 0


def _release(arguments: Sequence[str]) -> int:
    return releasing.run(usage.parse("release", arguments).out.absolute())


def _demo(arguments: Sequence[str]) -> int:
    options, _ = _demo_options(arguments)
    _check_java(options.onos)
    ports = {port("MPTCPLAB_HTTP_PORT"): HTTP_PORT, port("MPTCPLAB_SSH_PORT"): SSH_PORT}
    _ready(ports, ["demo", *arguments], *(["short"] if options.short else []),
           *([] if options.no_agents else ["agents"]))
    return namespace.run_inside("mptcplab", ["--inside", "demo", *arguments], ports)


def _compare(arguments: Sequence[str]) -> int:
    options, _ = _comparison_options(arguments)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as failure_:
        raise UsageError(f"./lab compare: --out {options.out}: {failure_.strerror}") from None
    file = options.out / comparisonfigure.JSON_FILE
    file.unlink(missing_ok=True)
    _ready([], ["compare", *arguments], "plots", *([] if options.no_agents else ["agents"]))
    status = namespace.run_inside("mptcplab", ["--inside", "compare", *arguments])
    for drawn in comparisonfigure.draw(file):
        progress(f"drawn: {drawn}")
    return status


def _topology_of(options: argparse.Namespace) -> Topology:
    """The topology that the options name, by which those that are left out are settled."""
    chosen = topology.load(options.topology)
    if options.fail is not None:
        options.fail = failure.parse(options.fail, chosen, options.seconds)
    options.connections_given = options.connections is not None
    options.connections = options.connections or chosen.connections
    options.subflows = options.subflows or chosen.subflows
    return chosen


def _with_traffic(command: str, options: argparse.Namespace, chosen: Topology) -> Topology:
    """The topology with hosts for the traffic of a file, which ``options.arrivals`` then has; the same if there is none."""
    options.arrivals = None
    if options.traffic is None:
        return chosen
    if options.fail or options.udp or options.connections_given:
        raise UsageError(f"./lab {command}: --traffic says what is transferred: not with --connections, --udp or --fail")
    options.arrivals = traffic.read(options.traffic, chosen, options.topology)
    chosen = traffic.attached(chosen, options.arrivals)
    options.connections = chosen.connections
    return chosen


def _comparison_options(arguments: Sequence[str]) -> tuple[argparse.Namespace, Topology]:
    options = usage.parse("compare", arguments)
    if not options.strategies and not options.congestion:
        raise UsageError("./lab compare: --strategies A,B or --congestion A,B says what to compare")
    options.strategies = options.strategies or usage.STRATEGIES[:1]
    if options.no_agents:
        for name in options.congestion or ():
            if name in windows.OURS:
                raise UsageError(f"./lab compare: {name} comes from agents: not with --no-agents")
            kernel.congestion_control(name)
    chosen = _with_traffic("compare", options, _topology_of(options))
    options.arguments = arguments
    return options, chosen


def _onos(arguments: Sequence[str]) -> int:
    release = _onos_options(arguments).onos
    check_release(release)
    _check_java(release)
    ports = {port("MPTCPLAB_HTTP_PORT"): HTTP_PORT, port("MPTCPLAB_SSH_PORT"): SSH_PORT,
             port("MPTCPLAB_OPENFLOW_PORT"): OPENFLOW_PORT}
    _ready(ports, ["onos", *arguments])
    return namespace.run_inside("mptcplab", ["--inside", "onos", *arguments], ports)


def _onos_options(arguments: Sequence[str]) -> argparse.Namespace:
    options = usage.parse("onos", arguments)
    _check_nodes("onos", options)
    return options


def _check_nodes(command: str, options: argparse.Namespace) -> None:
    if options.nodes > 1 and options.onos:
        raise UsageError(f"./lab {command}: --nodes goes with the embedded ONOS only, not with --onos")


def _test(arguments: Sequence[str]) -> int:
    chosen = usage.parse("test", arguments)
    if (chosen.what == "stock") != bool(chosen.onos):
        raise UsageError("./lab test: stock and --onos HOME go together, as in ./lab test stock --onos /opt/onos-2.7.0: HOME is "
                         "the folder of an unpacked ONOS release")
    if chosen.runs and chosen.what != "congestion":
        raise UsageError("./lab test: --runs goes with congestion, as in ./lab test congestion --runs 10")
    check_release(chosen.onos)
    _check_java(chosen.onos)
    return checks.run(chosen.what, chosen.onos and os.path.abspath(chosen.onos), chosen.runs)


def _bench(arguments: Sequence[str]) -> int:
    options = _bench_options(arguments)
    name = options.testbed
    if not name:
        return commands.bench(options)
    _ready([], ["bench", *arguments], *{"agents": ["agents"], "controller": []}.get(name, ["short"]))
    if name == "cluster":
        from . import clusterbench  # its modules need Mininet
        return clusterbench.run_both(options.json)
    return namespace.run_inside("mptcplab", ["--inside", "bench", *arguments])


def _bench_options(arguments: Sequence[str]) -> argparse.Namespace:
    """They have ``testbed``, the benchmark that runs there, or None."""
    options = usage.parse("bench", arguments)
    options.testbed = next((name for name in options.names if name in usage.TESTBED_BENCHMARKS), None)
    if options.testbed and len(options.names) != 1:
        raise UsageError(f"./lab bench: {options.testbed} runs alone, as ./lab bench {options.testbed}: it and others would "
                         "disturb each other")
    taken = _BENCH_OPTIONS.get(options.testbed, set())
    for option in ("full", "plot", "table", "runs", *_CONTROLLER_OPTIONS):
        given = getattr(options, option)
        if given is not None and given is not False and option not in taken:
            raise UsageError(f"./lab bench: --{option} does not go with {options.testbed or 'these benchmarks'}; see ./lab bench "
                             "--help")
    for option in ("json", "plot", "table"):
        _check_writable("bench", getattr(options, option), option)
    if options.testbed == "spread":
        options.runs = options.runs or 3
    if options.testbed == "controller":
        for option, usual in _CONTROLLER_OPTIONS.items():
            setattr(options, option, usual if getattr(options, option) is None else getattr(options, option))
    return options


def _check_java(release: str | None) -> None:
    """Before anything is built: a release that the machine has no Java for cannot start."""
    if release:
        packages.release_java_home()


def _check_writable(command: str, file: str | None, option: str = "json") -> None:
    if file and not os.access(Path(file).resolve().parent, os.W_OK):
        raise UsageError(f"./lab {command}: --{option} {file}: its folder does not exist or is not writable")


def _ready(ports: Iterable[int], arguments: Sequence[str], *purposes: str) -> None:
    """What has to hold before anything is started, cheapest first. ``purposes``: packages that the testbed alone does not
    need."""
    kernel.require_mptcp()
    for number in ports:
        require_free(number)
    packages.require("testbed", *purposes)
    # Built by the user, so that what is built is the user's; then on as root.
    build.build()
    if "--onos" not in arguments:
        # In the namespace there is no network to get one.
        packages.java_home()
    kernel.become_root([str(ROOT / "lab"), *arguments])


def _demo_options(arguments: Sequence[str]) -> tuple[argparse.Namespace, Topology]:
    options = usage.parse("demo", arguments)
    _check_writable("demo", options.json)
    check_release(options.onos)
    if options.traffic is not None and (options.short or options.kill or options.compare):
        raise UsageError("./lab demo: --traffic says what is transferred: not with --short, --kill or --compare")
    chosen = _with_traffic("demo", options, _topology_of(options))
    options.arguments = arguments
    if options.short is not None:
        options.short = short_connections.parse(options.short)
    if options.kill is not None:
        options.kill = outage.parse(options.kill, options.seconds)
        if options.nodes < 2 or options.fail:
            raise UsageError("./lab demo: --kill goes with --nodes 2 or more, as in --nodes 3 --kill leader@5, not with --fail")
    if options.nodes > 1 and options.compare:
        raise UsageError("./lab demo: --compare goes with one node")
    if options.nodes > 1 and options.stock_like:
        raise UsageError("./lab demo: --stock-like goes with one node")
    _check_nodes("demo", options)
    return options, chosen


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "build": _build, "demo": _demo, "compare": _compare, "status": shell.status, "host": shell.host, "link": shell.link,
    "transfer": shell.transfer, "capture": shell.capture, "check": shell.check, "test": _test, "onos": _onos,
    "plan": commands.plan, "simulate": commands.simulate, "bench": _bench, "reproduce": commands.reproduce, "release": _release,
    "completion": _completion, "help": _help}

_CONTROLLER_OPTIONS = {"switches": 20, "rate": 200, "alive": 1000, "subflows": 2, "confirm": 5}
"""Options of this benchmark, and what each is unless given."""

_BENCH_OPTIONS = {None: {"full", "plot", "table"}, "spread": {"runs"}, "controller": {"plot", *_CONTROLLER_OPTIONS}}
"""Which of these options go with a benchmark of the testbed, and with all others."""
