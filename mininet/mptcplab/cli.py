# SPDX-License-Identifier: Apache-2.0
"""The sub-commands of ``./lab``: their options, and what each of them calls."""

import argparse
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from . import build, checks, commands, comparisonfigure, failure, kernel, namespace, outage, packages
from . import short_connections, topology, traffic
from .errors import UsageError
from .forwards import require_free
from .onos import check_release
from .options import Parser, rate, some_of, whole
from .settings import HTTP_PORT, OPENFLOW_PORT, ROOT, SSH_PORT, port, ports_help, progress
from .shell import commands as shell
from .shell.exercises import EXERCISES
from .topology import Topology

MOST_NODES = 5

STRATEGIES = ("widest-disjoint", "k-max-min", "k-max", "shortest", "link-disjoint", "node-disjoint", "zone-disjoint",
              "multiflow", "network-wide", "resource-pool", "ecmp")
ALLOCATORS = ("max-min", "proportional", "smptcp")

_TESTBED_BENCHMARKS = {"load", "agents", "windows", "cluster", "spread"}

_HELP = """\
usage: ./lab COMMAND [OPTION…]

  build                            all artifacts, so that the other commands start at once
  demo [--topology NAME|FILE] [--seconds N] [--subflows K] [--strategy S] [--allocator A] [--connections N]
       [--udp MBPS] [--short RATE[,tcp]] [--fail LINK@SECOND] [--congestion NAME] [--ipv6] [--no-agents|--compare] [--login demo]
       [--nodes N] [--kill leader|master|storage@SECOND] [--traffic FILE] [--once] [--json FILE] [--onos HOME|--stock-like]
                                   real MPTCP transfers on disjoint paths; without --once they go on until Ctrl-C
  compare --strategies A,B… [--allocators A,B…] [--topology NAME|FILE] [--runs N] [--seconds N] [--connections N]
       [--subflows K] [--udp MBPS] [--fail LINK@SECOND] [--congestion NAME] [--no-agents] [--seed N] [--out DIR]
                                   strategies beside each other, with one boot of ONOS and in random order: a table with 95 %
                                   intervals; in DIR (./comparison unless given) CSV, JSON, and a figure as PNG and PDF.
                                   Three runs each unless given. Ctrl-C keeps what has been measured
  test [unit|system|stock-like|gui|all|long]
                                   the tests; all is the default and what CI runs, long adds soak and volume
  test stock --onos HOME           the system tests that make sense on an unpacked ONOS release
  status                           hosts, links and connections of the demonstration that runs, in another terminal
  host NAME [CMD…]                 a command on one of its hosts; a shell without CMD
  link A-B down|up|MBPS            takes one of its links down or up, or gives it another capacity
  transfer A B [--seconds N] [--tcp]
                                   one more transfer between two of its hosts, over MPTCP or plain TCP
  capture A-B|HOST [-w FILE] [OPTION…] [FILTER…]
                                   tcpdump on a link or on a host, to the terminal or into a file
  check EXERCISE                   whether an exercise of docs/lab is reached there, and what is missing if not: {exercises}
  onos [--nodes N] [--login demo]  the embedded ONOS with the app, until Ctrl-C
  plan …                           paths and shares for a topology file, without a network (./lab plan --help)
  bench [NAME…] [--full] [--json FILE] [--plot FILE] [--table FILE]
                                   benchmarks, each against its peer in the same run; --full has twice as many
                                   iterations, and growth. Only if named: growth, how times grow with connections and nodes,
                                   which --plot draws (growth-max-min and so on: one of its series). --table writes the
                                   tables into a document;
                                   load, short connections and a transfer, with the application and with the forwarder
                                   alone; agents, what 1,000 of them cost the controller, and 100 connections one of them;
                                   windows [--topology NAME] [--runs N], the window controls of S-MPTCP and eMPTCP
                                   against those of the kernel;
                                   spread [--runs N], goodput with a path that is farther than its siblings;
                                   cluster, what three ONOS nodes cost beside one;
                                   network-wide, how close the paths come to the best of any routing; what-if, how
                                   long a question of mptcp-paths takes
  reproduce [PAPER…] [--out DIR] [--draws N|--quick] [--fresh] [--testbed [--runs N] [--long]] [--windows N]
                                   the papers' tables and figures beside ours: sheu, gomez, multiflow, smptcp, emptcp; and
                                   network, all strategies beside the best of any routing. DIR is ./reproduction unless
                                   given, each point the mean of N networks (1000, the most; 100 with --quick). An
                                   interrupted run goes on where it ended; --fresh computes all anew.
                                   --testbed also measures what needs real transfers, each experiment three times (once
                                   with --quick, else --runs N times), and with --long also files of 100 MB;
                                   --windows measures window controls on the testbed, N runs of each on two topologies
  help                             this text

topologies:  {topologies}, or a file, in any form that ./lab plan reads
strategies:  {strategies}
allocators:  {allocators}
--connections, --subflows  transfers at once (with more of them than pairs of hosts, several between the same hosts)
             and subflows of each; unless given, what the topology's file says, else 1 and 3
--udp        UDP traffic, Mbit/s, on one link in the middle of a shortest path
--short      so many short connections per second beside the transfers, each with a request to a web server; over MPTCP
             unless ,tcp follows. The same first for a while with the forwarder alone
--fail       takes a link down at a second of the transfer, s1-s2@5; auto@5: the second link of a path in use. A link without
             which the hosts cannot reach each other comes back after {down} s
--traffic    the transfers of a CSV file, in place of the demonstration's, and then ends: at,source,target,bytes (arrivals) or
             source,target,mbps (a traffic matrix, for --seconds)
--congestion the hosts' congestion control, such as cubic (the default), reno or bbr
--nodes      so many ONOS nodes as a cluster, with one storage node; 1 unless given, 5 at most. A node takes 450 MB, the storage
             node 170 MB
--kill       kills the node that decides, the master of the first client's switch, or the storage node (which comes back after
             5 s) at a second of the transfer
--ipv6       MPTCP over IPv6, between the addresses fd00::…
--no-agents  leaves the hosts' rates to their kernels; otherwise an agent on each keeps every subflow to its expected throughput
--compare    the same transfers twice on one network, first without agents, then with them, and a table of both
--login demo ONOS takes the logins that everybody knows, onos/rocks and karaf/karaf, instead of a password made for this run:
             for a machine that is yours alone
--onos HOME  an unpacked ONOS 2.5–2.7 release instead of the embedded ONOS; it is copied, not changed
--stock-like the embedded ONOS does as a stock one does, wherever it can: no copies of TCP segments, counters every 5 s, and what
             onos/README.md lists

ports on 127.0.0.1, by environment variable:
{ports}

What is missing on Debian or Ubuntu is installed first (said so, as root or with sudo). Everything runs in network
namespaces of its own and goes with them; no service of the machine is started, stopped or changed.
Status: 0 all that was promised happened; 1 it did not; 2 wrong usage, or the machine lacks something."""


def outside(arguments: Sequence[str]) -> int:
    """Runs a sub-command, entering a namespace where it needs one. Returns the exit status."""
    if not arguments or arguments[0] in ("help", "--help", "-h"):
        print(_HELP.format(topologies=", ".join(topology.names()), strategies=", ".join(STRATEGIES),
                           allocators=", ".join(ALLOCATORS), ports=ports_help(), exercises=", ".join(EXERCISES),
                           down=failure.DOWN_SECONDS))
        return 0
    name, rest = arguments[0], arguments[1:]
    if name == "--complete":
        return shell.completion()
    if name not in _COMMANDS:
        raise UsageError(f"unknown command {name}: one of {', '.join(_COMMANDS)} (./lab help)")
    if name not in _OWN_HELP and {"--help", "-h"} & set(rest):
        print(usage(name))
        return 0
    return _COMMANDS[name](rest)


def usage(name: str) -> str:
    """What the help says of one sub-command."""
    lines = _HELP.partition("\n\n")[2].partition("\n\n")[0].splitlines()
    starts = [number for number, line in enumerate(lines) if not line.startswith("   ")] + [len(lines)]
    parts = ["\n".join(lines[start:end]) for start, end in zip(starts, starts[1:])]
    mine = "\n\n".join(part for part in parts if part.split()[0] == name)
    return f"usage: ./lab COMMAND [OPTION…]\n\n{mine}\n\n./lab help has all commands, and what their options mean"


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
        from . import agentload, clusterbench, load, windowload
        options = _testbed_options(arguments[1:])
        if options.names == ["windows"]:
            return windowload.run(topology.load(options.topology), options.runs, options.json)
        if options.names == ["spread"]:
            from .trials import spread
            return spread.run(options.runs, options.json)
        if options.names == ["cluster"]:
            return clusterbench.run_inside(options.nodes, options.json)
        return (load if options.names == ["load"] else agentload).run(options.json)
    if arguments[0] == "trial":
        from .trials import measure
        return measure.run(arguments[1], int(arguments[2]), arguments[3])
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
    Parser(prog="./lab build", add_help=False).parse_args(arguments)
    build.build()
    progress(f"ready: {build.oar()}")
    return 0


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


def _add_transfers(parser: Parser) -> None:
    """The options that say which transfers run, and where."""
    parser.add_argument("--topology", default="diamond")
    parser.add_argument("--seconds", type=whole(5, 3600), default=15)
    parser.add_argument("--subflows", type=whole(1, topology.MAX_SUBFLOWS))
    parser.add_argument("--connections", type=whole(1, topology.MAX_CONNECTIONS))
    parser.add_argument("--udp", type=rate)
    parser.add_argument("--fail")
    parser.add_argument("--congestion", type=kernel.congestion_control)


def _topology_of(options: argparse.Namespace) -> Topology:
    """The topology that the options name, by which those that are left out are settled."""
    chosen = topology.load(options.topology)
    if options.fail is not None:
        options.fail = failure.parse(options.fail, chosen, options.seconds)
    options.connections_given = options.connections is not None
    options.connections = options.connections or chosen.connections
    options.subflows = options.subflows or chosen.subflows
    return chosen


def _comparison_options(arguments: Sequence[str]) -> tuple[argparse.Namespace, Topology]:
    parser = Parser(prog="./lab compare", add_help=False)
    parser.add_argument("--strategies", type=some_of(STRATEGIES), required=True)
    parser.add_argument("--allocators", type=some_of(ALLOCATORS), default=[ALLOCATORS[0]])
    parser.add_argument("--runs", type=whole(1, 1000), default=3)
    _add_transfers(parser)
    parser.add_argument("--no-agents", action="store_true")
    parser.add_argument("--seed", type=whole(0, 2 ** 31), default=1)
    parser.add_argument("--out", type=Path, default=Path("comparison"))
    options = parser.parse_args(arguments)
    chosen = _topology_of(options)
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
    parser = Parser(prog="./lab onos", add_help=False)
    parser.add_argument("--onos", metavar="HOME")
    parser.add_argument("--login", choices=["demo"])
    parser.add_argument("--nodes", type=whole(1, MOST_NODES), default=1)
    options = parser.parse_args(arguments)
    _check_nodes("onos", options)
    return options


def _check_nodes(command: str, options: argparse.Namespace) -> None:
    if options.nodes > 1 and options.onos:
        raise UsageError(f"./lab {command}: --nodes goes with the embedded ONOS only, not with --onos")


def _test(arguments: Sequence[str]) -> int:
    options = Parser(prog="./lab test", add_help=False)
    options.add_argument("what", nargs="?", default="all",
                         choices=["unit", "system", "stock-like", "gui", "all", "long", "stock"])
    options.add_argument("--onos", metavar="HOME")
    chosen = options.parse_args(arguments)
    if (chosen.what == "stock") != bool(chosen.onos):
        raise UsageError("./lab test: stock and --onos HOME go together, as in ./lab test stock --onos /opt/onos-2.7.0: HOME is "
                         "the folder of an unpacked ONOS release")
    check_release(chosen.onos)
    _check_java(chosen.onos)
    return checks.run(chosen.what, chosen.onos and os.path.abspath(chosen.onos))


def _bench(arguments: Sequence[str]) -> int:
    if not _TESTBED_BENCHMARKS & set(arguments):
        return commands.bench(arguments)
    name = _testbed_options(arguments).names[0]
    _ready([], ["bench", *arguments], "agents" if name == "agents" else "short")
    if name == "cluster":
        from . import clusterbench  # its modules need Mininet
        return clusterbench.run_both(_testbed_options(arguments).json)
    return namespace.run_inside("mptcplab", ["--inside", "bench", *arguments])


def _testbed_options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = Parser(prog="./lab bench", add_help=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--json")
    if "windows" in arguments:
        parser.add_argument("--topology", default="diamond")
    if {"windows", "spread"} & set(arguments):
        parser.add_argument("--runs", type=whole(1, 100), default=10 if "windows" in arguments else 3)
    parser.add_argument("--nodes", type=whole(1, MOST_NODES), default=1, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if len(options.names) != 1:
        name = min(_TESTBED_BENCHMARKS & set(options.names))
        raise UsageError(f"./lab bench: {name} runs alone, as ./lab bench {name}: it and others would disturb each other")
    _check_writable("bench", options.json)
    if options.names == ["windows"]:
        topology.load(options.topology)
    return options


def _check_java(release: str | None) -> None:
    """Before anything is built: a release that the machine has no Java for cannot start."""
    if release:
        packages.release_java_home()


def _check_writable(command: str, file: str | None) -> None:
    if file and not os.access(Path(file).resolve().parent, os.W_OK):
        raise UsageError(f"./lab {command}: --json {file}: its folder does not exist or is not writable")


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
    parser = Parser(prog="./lab demo", add_help=False)
    parser.add_argument("--strategy", choices=STRATEGIES)
    parser.add_argument("--allocator", choices=ALLOCATORS)
    parser.add_argument("--short")
    _add_transfers(parser)
    parser.add_argument("--nodes", type=whole(1, MOST_NODES), default=1)
    parser.add_argument("--kill")
    parser.add_argument("--traffic")
    parser.add_argument("--ipv6", action="store_true")
    agents = parser.add_mutually_exclusive_group()
    agents.add_argument("--no-agents", action="store_true")
    agents.add_argument("--compare", action="store_true")
    parser.add_argument("--login", choices=["demo"])
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--idle", action="store_true", help=argparse.SUPPRESS)  # api.Testbed's: no transfers of its own
    parser.add_argument("--json")
    of_stock = parser.add_mutually_exclusive_group()
    of_stock.add_argument("--onos")
    of_stock.add_argument("--stock-like", action="store_true")
    options = parser.parse_args(arguments)
    _check_writable("demo", options.json)
    check_release(options.onos)
    chosen = _topology_of(options)
    options.arguments = arguments
    if options.traffic is not None:
        if options.fail or options.udp or options.short or options.kill or options.compare or options.connections_given:
            raise UsageError("./lab demo: --traffic says what is transferred: not with --connections, --udp, --short, --fail, "
                             "--kill or --compare")
        options.arrivals = traffic.read(options.traffic, chosen)
        chosen = traffic.attached(chosen, options.arrivals)
        options.connections = chosen.connections
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


def names() -> list[str]:
    """Of all sub-commands."""
    return [*_COMMANDS, "help"]


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "build": _build, "demo": _demo, "compare": _compare, "status": shell.status, "host": shell.host, "link": shell.link,
    "transfer": shell.transfer, "capture": shell.capture, "check": shell.check, "test": _test, "onos": _onos,
    "plan": commands.plan, "bench": _bench, "reproduce": commands.reproduce}
_OWN_HELP = ("plan", "reproduce")
"""They have more to say than fits here."""
