# SPDX-License-Identifier: Apache-2.0
"""Sub-commands whose work is done by programs of other folders: the one place that knows where these are."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from . import build, packages
from .errors import UsageError
from .settings import ROOT

_PLANNER = "cli/target/onos-mptcp-plan.jar"
_BENCHMARKS = "tests/bench/target/onos-mptcp-bench.jar"
_REPRODUCTION = "tests/reproduce/__main__.py"
_GROWTH = "tests/reproduce/growth.py"


def plan(arguments: Sequence[str]) -> int:
    """The offline planner: a runnable jar, so that it starts without Maven."""
    # A jar that is older than its sources would plan with the algorithms of before.
    build.build()
    # Without the optimising compiler the planner starts and answers in well under a second.
    return _java(_PLANNER, "plan", ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"], arguments)


def bench(arguments: Sequence[str]) -> int:
    """The benchmarks: a runnable jar with JMH inside, which measures in machines of its own, with a bounded heap."""
    if "--plot" not in arguments:
        return _java(_BENCHMARKS, "bench", ["-Xmx256m"], arguments)
    at = arguments.index("--plot")
    rest = [*arguments[:at], *arguments[at + 2:]]
    if at + 1 == len(arguments) or not os.access(Path(arguments[at + 1]).resolve().parent, os.W_OK):
        raise UsageError("./lab bench: --plot needs the name of a PNG file in a folder that is there and writable")
    packages.require("plots")
    with tempfile.TemporaryDirectory() as folder:
        if "--json" not in rest:
            rest += ["--json", f"{folder}/bench.json"]
        json_file = (rest + [""])[rest.index("--json") + 1]
        return (_java(_BENCHMARKS, "bench", ["-Xmx256m"], rest)
                or _python(_GROWTH, [json_file, arguments[at + 1]]))


def reproduce(arguments: Sequence[str]) -> int:
    """The papers' tables and figures: a Python program, because it draws."""
    return _python(_REPRODUCTION, arguments)


def _python(script: str, arguments: Sequence[str]) -> int:
    return subprocess.run(["/usr/bin/python3", "-s", str(ROOT / script), *arguments]).returncode


def _java(jar: str, name: str, options: Sequence[str], arguments: Sequence[str]) -> int:
    if not (ROOT / jar).is_file():
        build.build()
    if not (ROOT / jar).is_file():
        raise UsageError(f"{name} is not there yet in this version")
    # Java reads arguments in the locale's encoding, and names of nodes and files may be in any script.
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    return subprocess.run([f"{packages.java_home()}/bin/java", *options, "-jar", str(ROOT / jar), *arguments],
                          env=environment).returncode
