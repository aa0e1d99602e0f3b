# SPDX-License-Identifier: Apache-2.0
"""The sub-commands of ``./lab`` into a running demonstration: what the user sees."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .. import kernel, packages, usage
from ..errors import UsageError
from ..rest import Json
from ..settings import ROOT
from . import client

_SHELL = ("bash", "--noprofile", "--norc", "-i")


def host(arguments: Sequence[str]) -> NoReturn:
    """``host NAME [CMD…]``: a command on a host, or a shell."""
    options = usage.parse("host", arguments)
    _as_root("host", arguments)
    name, command = options.name, options.command
    demonstration = client.find()
    process = demonstration.process(demonstration.facts("host", name=name)["pid"])
    os.environ["PS1"] = f"{name}:\\w# "
    _become(client.within(process, command or _SHELL))


def link(arguments: Sequence[str]) -> int:
    """``link A-B down|up|MBPS``."""
    options = usage.parse("link", arguments)
    _as_root("link", arguments)
    return _print(client.find(), "link", place=options.place, what=options.what)


def capture(arguments: Sequence[str]) -> NoReturn:
    """``capture A-B|HOST [-w FILE] [OPTION…] [FILTER…]``: tcpdump where it is asked for."""
    options, of_tcpdump = usage.command("capture").parse_known_args(arguments)
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
    """``transfer A B [--seconds N] [--subflows N | --tcp]``."""
    options = usage.parse("transfer", arguments)
    _as_root("transfer", arguments)
    return _print(client.find(), "transfer", **vars(options))


def status(arguments: Sequence[str]) -> int:
    """``status``: hosts, links and connections."""
    usage.parse("status", arguments)
    _as_root("status", arguments)
    demonstration = client.find()
    print(f" page: http://127.0.0.1:{demonstration.port}/onos/mptcp/\n")
    return _print(demonstration, "status")


def check(arguments: Sequence[str]) -> int:
    """``check EXERCISE``: status 0 if it is reached, 1 if not."""
    options = usage.parse("check", arguments)
    _as_root("check", arguments)
    facts: Json = {}
    for told in client.find().ask("check", exercise=options.exercise):
        if isinstance(told, dict):
            facts = told
        else:
            print(told)
    return 0 if facts["reached"] else 1


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
