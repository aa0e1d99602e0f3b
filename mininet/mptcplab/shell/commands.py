# SPDX-License-Identifier: Apache-2.0
"""The sub-commands of ``./lab`` into a running demonstration: their options, and what the user sees."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .. import kernel, packages
from ..errors import LabError, UsageError
from ..options import Parser, whole
from ..rest import Json
from ..settings import ROOT
from . import client
from .exercises import EXERCISES

_SHELL = ("bash", "--noprofile", "--norc", "-i")


def host(arguments: Sequence[str]) -> NoReturn:
    """``host NAME [CMD…]``: a command on a host, or a shell."""
    if not arguments or arguments[0].startswith("-"):
        raise UsageError("./lab host: give a host and, if it is not a shell that you want, a command: ./lab host h1 ss -tni")
    _as_root("host", arguments)
    name, *command = arguments
    demonstration = client.find()
    process = demonstration.process(demonstration.facts("host", name=name)["pid"])
    os.environ["PS1"] = f"{name}:\\w# "
    _become(client.within(process, command or _SHELL))


def link(arguments: Sequence[str]) -> int:
    """``link A-B down|up|MBPS``."""
    parser = Parser(prog="./lab link", add_help=False)
    parser.add_argument("link", metavar="A-B")
    parser.add_argument("what", metavar="down|up|MBPS")
    options = parser.parse_args(arguments)
    _as_root("link", arguments)
    return _print(client.find(), "link", place=options.link, what=options.what)


def capture(arguments: Sequence[str]) -> NoReturn:
    """``capture A-B|HOST [-w FILE] [OPTION…] [FILTER…]``: tcpdump where it is asked for."""
    parser = Parser(prog="./lab capture", add_help=False)
    parser.add_argument("place", metavar="A-B|HOST")
    parser.add_argument("-w", metavar="FILE")
    options, of_tcpdump = parser.parse_known_args(arguments)
    if options.w and not os.access(Path(options.w).resolve().parent, os.W_OK):
        raise UsageError(f"./lab capture: -w {options.w}: its folder does not exist or is not writable")
    packages.require("capture")
    _as_root("capture", arguments)
    demonstration = client.find()
    where = demonstration.facts("interface", place=options.place)
    # -U: a file that is stopped has all packets. -Z: whoever started this can read it.
    command = ["tcpdump", "-i", where["interface"], "-n", "-U", "-Z", os.environ.get("SUDO_USER", "root"),
               *(["-w", os.path.abspath(options.w)] if options.w else []), *of_tcpdump]
    _become(client.within(demonstration.process(where["pid"]), command, only_network=True))


def transfer(arguments: Sequence[str]) -> int:
    """``transfer A B [--seconds N] [--tcp]``."""
    parser = Parser(prog="./lab transfer", add_help=False)
    parser.add_argument("source", metavar="A")
    parser.add_argument("target", metavar="B")
    parser.add_argument("--seconds", type=whole(1, 3600), default=10)
    parser.add_argument("--tcp", action="store_true")
    options = parser.parse_args(arguments)
    _as_root("transfer", arguments)
    return _print(client.find(), "transfer", **vars(options))


def status(arguments: Sequence[str]) -> int:
    """``status``: hosts, links and connections."""
    Parser(prog="./lab status", add_help=False).parse_args(arguments)
    _as_root("status", arguments)
    demonstration = client.find()
    print(f" page: http://127.0.0.1:{demonstration.port}/onos/mptcp/\n")
    return _print(demonstration, "status")


def check(arguments: Sequence[str]) -> int:
    """``check EXERCISE``: status 0 if it is reached, 1 if not."""
    parser = Parser(prog="./lab check", add_help=False)
    parser.add_argument("exercise", metavar="EXERCISE", choices=EXERCISES)
    options = parser.parse_args(arguments)
    _as_root("check", arguments)
    facts: Json = {}
    for told in client.find().ask("check", exercise=options.exercise):
        if isinstance(told, dict):
            facts = told
        else:
            print(told)
    return 0 if facts["reached"] else 1


def complete(before: Sequence[str], names: Sequence[str]) -> list[str]:
    """What can come after the words of a line: a sub-command of ``names``, or what the running demonstration has."""
    if len(before) < 2:
        return list(names)
    if before[1:] == ["check"]:
        return list(EXERCISES)
    try:
        known = client.find().facts("names")
    except LabError:
        return []
    hosts, links = known["hosts"], known["links"]
    return {("host", 2): hosts, ("link", 2): links, ("link", 3): ["down", "up"], ("capture", 2): links + hosts,
            ("transfer", 2): hosts, ("transfer", 3): hosts}.get((before[1], len(before)), [])


def completion() -> int:
    """What bash calls as ``complete -C``: prints the words that fit the line, which bash passes in COMP_LINE."""
    from ..cli import names
    line = os.environ.get("COMP_LINE", "")[:int(os.environ.get("COMP_POINT", "0") or 0)]
    try:
        words = shlex.split(line)
    except ValueError:
        return 0
    begun = "" if line.endswith(" ") or not words else words.pop()
    for word in complete(words, names()):
        if word.startswith(begun):
            print(word)
    return 0


def _become(command: list[str]) -> NoReturn:
    """Runs a command in place of this program."""
    os.execvp(command[0], command)


def _as_root(name: str, arguments: Sequence[str]) -> None:
    kernel.become_root([str(ROOT / "lab"), name, *arguments])


def _print(demonstration: client.Demonstration, action: str, **arguments: object) -> int:
    for line in demonstration.ask(action, **arguments):
        if isinstance(line, str):
            print(line)
            sys.stdout.flush()
    return 0
