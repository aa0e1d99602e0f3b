# SPDX-License-Identifier: Apache-2.0
"""Sub-commands whose work is done by programs of other folders: the one place that knows where these are."""

import os
import subprocess
from collections.abc import Sequence

from . import build, packages
from .errors import UsageError
from .settings import ROOT

_PLANNER = "cli/target/onos-mptcp-plan.jar"
_BENCHMARKS = "tests/bench/target/onos-mptcp-bench.jar"
_REPRODUCTION = "tests/reproduce/__main__.py"


def plan(arguments: Sequence[str]) -> int:
    """The offline planner: a runnable jar, so that it starts without Maven."""
    # A jar that is older than its sources would plan with the algorithms of before.
    build.build()
    # Without the optimising compiler the planner starts and answers in well under a second.
    return _java(_PLANNER, "plan", ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"], arguments)


def bench(arguments: Sequence[str]) -> int:
    """The benchmarks: a runnable jar with JMH inside, which measures in machines of its own, with a bounded heap."""
    return _java(_BENCHMARKS, "bench", ["-Xmx256m"], arguments)


def reproduce(arguments: Sequence[str]) -> int:
    """The papers' tables and figures: a Python program, because it draws."""
    script = ROOT / _REPRODUCTION
    if not script.is_file():
        raise UsageError("reproduce is not there yet in this version")
    return subprocess.run(["/usr/bin/python3", "-s", str(script.parent), *arguments]).returncode


def _java(jar: str, name: str, options: Sequence[str], arguments: Sequence[str]) -> int:
    if not (ROOT / jar).is_file():
        build.build()
    if not (ROOT / jar).is_file():
        raise UsageError(f"{name} is not there yet in this version")
    # Java reads arguments in the locale's encoding, and names of nodes and files may be in any script.
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    return subprocess.run([f"{packages.java_home()}/bin/java", *options, "-jar", str(ROOT / jar), *arguments],
                          env=environment).returncode
