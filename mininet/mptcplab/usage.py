# SPDX-License-Identifier: Apache-2.0
"""What may be typed after ``./lab``: sub-commands, their options, what each means, and the names that can stand for a value."""

import argparse
import functools
import os
import re
import shlex
import subprocess
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mptcpagent import windows

from . import failure, farm, kernel, topology
from .errors import LabError, UsageError
from .options import Parser, did_you_mean, rate, some_of, whole
from .settings import ROOT, ports_help
from .shell import client
from .shell.exercises import EXERCISES
from .transfer import MOST_SECONDS

MOST_NODES = 5

STRATEGIES = ("widest-disjoint", "k-max-min", "k-max", "shortest", "link-disjoint", "node-disjoint", "zone-disjoint",
              "multiflow", "network-wide", "resource-pool", "ecmp")
ALLOCATORS = ("max-min", "proportional", "smptcp")
CONTROLS = (*windows.OURS, "cubic", "reno", "bbr")
"""Congestion controls of subflows, the agent's own and those of the kernel."""


TESTBED_BENCHMARKS = ("load", "agents", "cluster", "spread", "controller")
KINDS_OF_TESTS = ("unit", "system", "stock-like", "gui", "all", "long", "stock", "congestion")

_PLANNER = str(ROOT / "cli/target/onos-mptcp-plan.jar")
PASSED_ON = {"plan": ("java", "-XX:TieredStopAtLevel=1", "-jar", _PLANNER),
             "simulate": ("java", "-XX:TieredStopAtLevel=1", "-cp", _PLANNER, "org.subflow.mptcp.plan.simulate.Simulate"),
             "reproduce": ("/usr/bin/python3", "-s", str(ROOT / "tests/reproduce/__main__.py"))}
"""Sub-commands whose options other programs read: the programs, which have a help of their own."""

_END = """\
{names}

ports on 127.0.0.1, by environment variable:
{ports}

./lab COMMAND --help says what a command takes. For names at the TAB key: eval "$(./lab completion bash)"
What is missing on Debian or Ubuntu is installed first (said so, as root or with sudo). Everything runs in network
namespaces of its own and goes with them; no service of the machine is started, stopped or changed.
Status: 0 all that was promised happened; 1 it did not; 2 wrong usage, or the machine lacks something."""


def parse(name: str, arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a sub-command. UsageError says what is wrong, and the nearest name; ``--help`` prints it and ends."""
    return command(name).read(arguments)


def names() -> list[str]:
    """Of all sub-commands."""
    return list(_parsers()[1])


def command(name: str) -> Parser:
    """What reads the options of a sub-command. UsageError if there is none of that name."""
    known = _parsers()[1]
    if name not in known:
        raise UsageError(f"unknown command {name}: one of {', '.join(known)} (./lab help){did_you_mean(name, known)}")
    return known[name]


def overview() -> str:
    """The help of ``./lab``."""
    return _parsers()[0].format_help()


@functools.cache
def _parsers() -> tuple[Parser, dict[str, Parser]]:
    top = Parser(prog="./lab", description="MPTCP path control for ONOS: a testbed, tests, benchmarks and a planner",
                 formatter_class=argparse.RawDescriptionHelpFormatter,
                 epilog=_END.format(names="\n".join(_lines()), ports=ports_help()))
    top.add_argument("--version", action="store_true", help="prints the version of this copy")
    subs = top.add_subparsers(metavar="COMMAND", title="commands", parser_class=Parser)
    known: dict[str, Parser] = {}

    def new(name: str, what: str, more: str = "") -> Parser:
        known[name] = subs.add_parser(name, help=what.replace("%", "%%"), description=f"{what[:1].upper()}{what[1:]}.",
                                      epilog=more, add_help=name not in PASSED_ON)
        return known[name]
    _testbed_commands(new("demo", "real MPTCP transfers on disjoint paths; without --once they go on until Ctrl-C"),
                      new("compare", "strategies beside each other, with one boot of ONOS and in random order: a table with 95 % "
                          "intervals; in DIR also CSV, JSON, and a figure as PNG and PDF",
                          "Ctrl-C keeps what has been measured."),
                      new("onos", "the embedded ONOS with the application, until Ctrl-C"))
    _commands_into(new("status", "hosts, links and connections of the demonstration that runs, in another terminal"),
                   new("host", "a command on one of its hosts; a shell without CMD"),
                   new("link", "takes one of its links down or up, or gives it another capacity"),
                   new("transfer", "one more transfer between two of its hosts, over MPTCP or plain TCP"),
                   new("capture", "tcpdump on a link or on a host, to the terminal or into a file",
                       "Further options and words go to tcpdump, as in ./lab capture h1 -c 10 tcp port 5201."),
                   new("check", "whether an exercise of docs/lab is reached there, and what is missing if not"))
    new("plan", "paths and shares for a topology file, without a network")
    new("simulate", "connections that come and go on networks of any size, without a network: completion times by strategy")
    _measurements(new("bench", "benchmarks, each against its peer in the same run", _BENCHMARKS))
    new("reproduce", "the papers' tables and figures beside ours")
    new("build", "all artifacts, so that the other commands start at once")
    _tests(new("test", "the tests; all is the default and what CI runs, long adds soak and volume",
               "stock are the system tests that make sense on an unpacked ONOS release, and need --onos HOME. congestion "
               "measures what each congestion control gives a connection, --runs times, with 95 % intervals."))
    new("release", "makes what a release has: archive, jars for Maven, the agent as wheel and Debian package, checksums",
        "Run ./lab test before it: nothing is tested here but the Debian package, by lintian."
        ).add_argument("--out", metavar="DIR", type=Path, default=Path("release"), help="a folder; ./%(default)s unless given")
    new("completion", "prints a script by which the shell completes commands, options and names",
        'For this terminal: eval "$(./lab completion bash)"; for all: that line in ~/.bashrc, with the path of lab.'
        ).add_argument("shell", metavar="SHELL", choices=["bash"], help="bash")
    new("help", "this text, or that of a command").add_argument("command", metavar="COMMAND", nargs="?", help="a command's name")
    return top, known


def _lines() -> Iterator[str]:
    """The names that there are."""
    for kind, these in (("topologies", [*topology.names(), "or a file in any form that ./lab plan reads"]),
                        ("strategies", STRATEGIES), ("allocators", ALLOCATORS)):
        yield textwrap.fill(", ".join(these), 118, initial_indent=f"{kind}:  ", subsequent_indent=" " * 13,
                            break_on_hyphens=False)


def _testbed_commands(demo: Parser, compare: Parser, onos: Parser) -> None:
    for parser in (demo, compare):
        _add_transfers(parser)
    demo.add_argument("--strategy", metavar="STRATEGY", choices=STRATEGIES, help="finds the paths: " + ", ".join(STRATEGIES))
    demo.add_argument("--allocator", metavar="ALLOCATOR", choices=ALLOCATORS, help="shares them: " + ", ".join(ALLOCATORS))
    demo.add_argument("--short", metavar="RATE[,tcp]",
                      help="so many short connections per second beside the transfers, each with a request to a web server; over "
                      "MPTCP unless ,tcp follows. The same first for a while with the forwarder alone")
    demo.add_argument("--kill", metavar="leader|master|storage@SECOND",
                      help="kills the node that decides, the master of the first client's switch, or the storage node (which "
                      "comes back after 5 s) at a second of the transfer")
    demo.add_argument("--congestion", metavar="NAME", type=kernel.congestion_control,
                      help="the hosts' congestion control, such as cubic (the default), reno or bbr")
    demo.add_argument("--ipv6", action="store_true", help="MPTCP over IPv6, between the addresses fd00::…")
    agents = demo.add_mutually_exclusive_group()
    _add_no_agents(agents)
    agents.add_argument("--compare", action="store_true",
                        help="the same transfers twice on one network, first without agents, then with them, and a table of both")
    demo.add_argument("--once", action="store_true", help="ends with the transfers")
    demo.add_argument("--idle", action="store_true", help=argparse.SUPPRESS)  # api.Testbed's: no transfers of its own
    demo.add_argument("--json", metavar="FILE", help="the results, as JSON")
    of_stock = demo.add_mutually_exclusive_group()
    of_stock.add_argument("--stock-like", action="store_true",
                          help="the embedded ONOS does as a stock one does, wherever it can: no copies of TCP segments, counters "
                          "every 5 s, and what onos/README.md lists")
    compare.add_argument("--strategies", metavar="STRATEGY,…", type=some_of(STRATEGIES),
                         help="with commas between them: " + ", ".join(STRATEGIES))
    compare.add_argument("--allocators", metavar="ALLOCATOR,…", type=some_of(ALLOCATORS), default=[ALLOCATORS[0]],
                         help=f"{', '.join(ALLOCATORS)}; {ALLOCATORS[0]} unless given")
    compare.add_argument("--congestion", metavar="NAME,…", type=some_of(CONTROLS),
                         help=f"congestion controls, which agents give to subflows in place of limits: {', '.join(CONTROLS)}; "
                         "without agents those of the kernel")
    compare.add_argument("--runs", metavar="N", type=whole(1, 1000), default=3, help="of each; %(default)s unless given")
    _add_no_agents(compare)
    compare.add_argument("--seed", metavar="N", type=whole(0, 2 ** 31), default=1,
                         help="of the random order; %(default)s unless given")
    compare.add_argument("--out", metavar="DIR", type=Path, default=Path("comparison"),
                         help="a folder; ./%(default)s unless given")
    for parser, home in ((demo, of_stock), (onos, onos)):
        home.add_argument("--onos", metavar="HOME", help="an unpacked ONOS 2.5–2.7 release instead of the embedded ONOS; it is "
                          "copied, not changed")
        parser.add_argument("--login", choices=["demo"],
                            help="ONOS takes the logins that everybody knows, onos/rocks and karaf/karaf, instead of a password "
                            "made for this run: for a machine that is yours alone")
        parser.add_argument("--nodes", metavar="N", type=whole(1, MOST_NODES), default=1,
                            help=f"so many ONOS nodes as a cluster, with one storage node; 1 unless given, {MOST_NODES} at most. "
                            "A node takes 450 MB, the storage node 170 MB")


def _add_transfers(parser: Parser) -> None:
    """The options that say which transfers run, and where."""
    parser.add_argument("--topology", metavar="NAME|FILE", default="diamond",
                        help=f"{', '.join(topology.names())}, or a file in any form that ./lab plan reads; "
                        "%(default)s unless given")
    parser.add_argument("--seconds", metavar="N", type=whole(5, 3600), default=15,
                        help="how long transfers take; %(default)s unless given")
    parser.add_argument("--subflows", metavar="K", type=whole(1, topology.MAX_SUBFLOWS),
                        help="of each connection; unless given, what the topology's file says, else 3")
    parser.add_argument("--connections", metavar="N", type=whole(1, topology.MAX_CONNECTIONS),
                        help="transfers at once; unless given, what the topology's file says, else 1. With more than pairs of "
                        "hosts, several between the same hosts")
    parser.add_argument("--udp", metavar="MBPS", type=rate,
                        help="UDP traffic, Mbit/s, on one link in the middle of a shortest path")
    parser.add_argument("--fail", metavar="LINK@SECOND",
                        help="takes a link down at a second of the transfer, s1-s2@5; auto@5: the second link of a path in use. "
                        f"A link without which the hosts cannot reach each other comes back after {failure.DOWN_SECONDS} s")
    parser.add_argument("--traffic", metavar="FILE",
                        help="the transfers of a CSV file in place of these: at,source,target,bytes (arrivals) or "
                        "source,target,mbps (a traffic matrix, for --seconds)")


def _add_no_agents(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--no-agents", action="store_true",
                        help="leaves the hosts' rates to their kernels; otherwise an agent on each keeps every subflow to its "
                        "expected throughput")


def _commands_into(_status: Parser, host: Parser, link: Parser, transfer: Parser, capture: Parser, check: Parser) -> None:
    host.add_argument("name", metavar="HOST", help="a host's name, such as h1")
    host.add_argument("command", metavar="CMD", nargs=argparse.REMAINDER, help="what runs there, such as ss -tni")
    link.add_argument("place", metavar="A-B", help="a link, such as s1-s2; the second of two between the same switches: s1-s2#1")
    link.add_argument("what", metavar="down|up|MBPS", help="what to do with it; a number is its new capacity, Mbit/s")
    transfer.add_argument("source", metavar="HOST", help="the host that sends")
    transfer.add_argument("target", metavar="HOST", help="the host that receives")
    transfer.add_argument("--seconds", metavar="N", type=whole(1, MOST_SECONDS), default=10, help="%(default)s unless given")
    kind = transfer.add_mutually_exclusive_group()
    kind.add_argument("--subflows", metavar="N", type=whole(1, topology.MAX_SUBFLOWS),
                      help="at most so many subflows, by a policy of the transfer's own; unless given, hosts and settings decide")
    kind.add_argument("--tcp", action="store_true", help="plain TCP instead of MPTCP")
    capture.add_argument("place", metavar="A-B|HOST", help="a link or a host")
    capture.add_argument("-w", metavar="FILE", help="writes packets into a file, for Wireshark")
    check.add_argument("exercise", metavar="EXERCISE", choices=EXERCISES, help=", ".join(EXERCISES))


_BENCHMARKS = """\
Only if named: growth, how times grow with connections and nodes (growth-max-min and so on: one of its series);
network-wide, how close the paths come to the best of any routing; what-if, how long a question of mptcp-paths takes;
scale, what the core costs beside 10 to 10,000 living connections.
On the testbed, each alone: load, short connections and a transfer, with the application and with the forwarder alone;
agents, what 1,000 of them cost the controller, and 100 connections one of them; spread, goodput with a path that is
farther than its siblings; cluster, what three ONOS nodes cost beside one; controller, what connections cost it where no
Open vSwitch is in the way: beside a farm of switches that speak OpenFlow and do not forward."""


def _measurements(bench: Parser) -> None:
    bench.add_argument("names", metavar="BENCHMARK", nargs="*", help="of what to measure; all that need no testbed unless given")
    bench.add_argument("--full", action="store_true", help="twice as many iterations, and growth")
    bench.add_argument("--json", metavar="FILE", help="the results, as JSON")
    bench.add_argument("--plot", metavar="FILE", help="draws growth into a PNG file; for controller, where "
                       "the time of connections that begin goes into an SVG file (flame graph)")
    bench.add_argument("--table", metavar="FILE", help="writes the tables into a document")
    bench.add_argument("--runs", metavar="N", type=whole(1, 100), help="for spread; 3 unless given")
    bench.add_argument("--switches", metavar="N", type=whole(farm.LEAST_SWITCHES, farm.MOST_SWITCHES),
                       help="for controller: a fat tree of so many, rounded down to a multiple of 4; 20 unless given")
    bench.add_argument("--rate", metavar="N", type=whole(100, 20_000),
                       help="for controller: short connections a second; 200 unless given")
    bench.add_argument("--alive", metavar="N", type=whole(100, 50_000), help="for controller: connections with paths at the same "
                       "time; 1000 unless given")
    bench.add_argument("--subflows", metavar="K", type=whole(1, topology.MAX_SUBFLOWS),
                       help="for controller: of each connection; 2 unless given")
    bench.add_argument("--confirm", metavar="MILLIS", type=whole(0, 5000),
                       help="for controller: how long a switch takes to confirm rules; 5 unless given")
    bench.add_argument("--nodes", type=whole(1, MOST_NODES), default=1, help=argparse.SUPPRESS)


def _tests(test: Parser) -> None:
    test.add_argument("what", metavar="KIND", nargs="?", default="all", choices=KINDS_OF_TESTS, help=", ".join(KINDS_OF_TESTS))
    test.add_argument("--onos", metavar="HOME", help="the folder of an unpacked ONOS release, for stock")
    test.add_argument("--runs", metavar="N", type=whole(1, 100), help="so many runs of each congestion control, for congestion")


def completion_script() -> str:
    """For bash: it asks `complete` for the words that fit."""
    return f"complete -o default -C {shlex.quote(shlex.join([str(ROOT / 'lab'), '--complete']))} lab"


def completion() -> int:
    """What bash calls as ``complete -C``: prints the words that fit the line, which bash passes in COMP_LINE."""
    line = os.environ.get("COMP_LINE", "")[:int(os.environ.get("COMP_POINT", "0") or 0)]
    try:
        words = shlex.split(line)
    except ValueError:
        return 0
    begun = "" if line.endswith(" ") or not words else words.pop()
    # Of names with commas between them the last one is completed.
    head = begun[:begun.rfind(",") + 1]
    for word in complete(words[1:], begun):
        if word.startswith(begun[len(head):]):
            print(head + word)
    return 0


def complete(before: Sequence[str], begun: str) -> list[str]:
    """What can come after the words ``before``: a sub-command, its options, or names for a value."""
    if not before:
        return ["--help", "--version"] if begun.startswith("-") else names()
    if before[0] not in names():
        return []
    actions = _valued(before[0])
    if before[-1] in actions:
        return _named(actions[before[-1]])
    if begun.startswith("-"):
        return sorted(options(before[0]))
    free = [word for last, word in zip(before, before[1:]) if not word.startswith("-") and last not in actions]
    places = [action for action in command(before[0])._actions if not action.option_strings]
    return _named(places[len(free)]) if len(free) < len(places) else []


def options(name: str) -> set[str]:
    """The options of a sub-command; of one that is passed on, those that its help names, and none if it is not built."""
    if name in PASSED_ON:
        try:
            told = subprocess.run([*PASSED_ON[name], "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        except OSError:
            return set()
        return set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", told))
    return {option for action in command(name)._actions if action.help != argparse.SUPPRESS for option in action.option_strings}


def _valued(name: str) -> dict[str, argparse.Action]:
    """The options of a sub-command that take a value. Those of the planner that the demonstration has, too, mean the same."""
    return {option: action for action in command("demo" if name in PASSED_ON else name)._actions if action.nargs != 0
            for option in action.option_strings}


def _named(action: argparse.Action) -> list[str]:
    """The names that can be given for a value, by what the help calls it."""
    kind = str(action.metavar)
    if action.choices:
        return list(map(str, action.choices))
    if kind in ("HOST", "A-B", "A-B|HOST"):
        try:
            there = client.find().facts("names")
        except LabError:
            return []
        return [*(there["links"] if "A-B" in kind else []), *(there["hosts"] if "HOST" in kind else [])]
    known: dict[str, Iterable[str]] = {
        "NAME|FILE": topology.names(), "STRATEGY,…": STRATEGIES, "ALLOCATOR,…": ALLOCATORS, "NAME,…": CONTROLS,
        "COMMAND": names(), "BENCHMARK": TESTBED_BENCHMARKS, "down|up|MBPS": ["down", "up"]}
    return list(known.get(kind, []))
