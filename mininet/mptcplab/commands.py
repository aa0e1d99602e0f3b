# SPDX-License-Identifier: Apache-2.0
"""Sub-commands whose work is done by programs of other folders: the one place that knows where these are."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from . import build, packages
from .errors import UsageError
from .settings import ROOT

_PLANNER = "cli/target/onos-mptcp-plan.jar"
_SHORT = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]
"""Without the optimising compiler the planner starts and answers in well under a second."""
_BENCHMARKS = "tests/bench/target/onos-mptcp-bench.jar"
_REPRODUCTION = "tests/reproduce/__main__.py"
_GROWTH = "tests/reproduce/growth.py"
_TABLE = "tests/reproduce/benchtable.py"
_CONIC, _CONIC_VARIABLE = "tests/bench/conic.py", "MPTCP_BENCH_CONIC"


def plan(arguments: Sequence[str]) -> int:
    """The offline planner: a runnable jar, so that it starts without Maven."""
    # A jar that is older than its sources would plan with the algorithms of before.
    build.build()
    return _java(_PLANNER, "plan", _SHORT, arguments)


def converted(file: Path) -> str:
    """A network in any form that the planner reads, as node-link JSON. What was left out or assumed goes to standard error.
    UsageError says what is wrong in the file."""
    build.build()
    command, environment = _java_command(_PLANNER, "plan", _SHORT, ["--topology", str(file), "--convert"])
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    said = done.stderr.replace("lab: plan: ", "").strip()
    if done.returncode:
        hint = f"; ./lab plan --topology {file} --capacity 10 --convert prints it with one" if "--capacity" in said else ""
        raise UsageError(said + hint)
    if said:
        print(f"lab: {said}".replace("\n", "\nlab: "), file=sys.stderr)
    return done.stdout


def bench(options: argparse.Namespace) -> int:
    """The benchmarks: a runnable jar with JMH inside, which measures in machines of its own, with a bounded heap."""
    if options.plot:
        packages.require("plots")
    if not options.names or any(name.startswith(("proportional", "growth")) for name in options.names):
        os.environ[_CONIC_VARIABLE] = f"{packages.clarabel()}{os.pathsep}{ROOT / _CONIC}"
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        file = options.json or (f"{folder}/bench.json" if options.plot or options.table else "")
        return (_java(_BENCHMARKS, "bench", ["-Xmx256m"],
                      [*options.names, *(["--full"] if options.full else []), *(["--json", file] if file else [])])
                or options.plot and _python(_GROWTH, [file, options.plot])
                or options.table and _python(_TABLE, [file, options.table, str(load)]) or 0)


def reproduce(arguments: Sequence[str]) -> int:
    """The papers' tables and figures: a Python program, because it draws."""
    return _python(_REPRODUCTION, arguments)


def _python(script: str, arguments: Sequence[str]) -> int:
    return subprocess.run(["/usr/bin/python3", "-s", str(ROOT / script), *arguments]).returncode


def _java(jar: str, name: str, options: Sequence[str], arguments: Sequence[str]) -> int:
    command, environment = _java_command(jar, name, options, arguments)
    return subprocess.run(command, env=environment).returncode


def _java_command(jar: str, name: str, options: Sequence[str], arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The command and the environment that run a jar."""
    if not (ROOT / jar).is_file():
        build.build()
    if not (ROOT / jar).is_file():
        raise UsageError(f"{name} is not there yet in this version")
    # Java reads arguments in the locale's encoding, and names of nodes and files may be in any script.
    return ([f"{packages.java_home()}/bin/java", *options, "-jar", str(ROOT / jar), *arguments],
            dict(os.environ, LC_ALL="C.UTF-8"))
