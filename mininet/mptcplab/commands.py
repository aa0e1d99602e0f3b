# SPDX-License-Identifier: Apache-2.0
"""Sub-commands whose work is done by programs of other folders: the one place that knows where these are."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from . import build, packages, provenance, simulationfigure
from .errors import UsageError
from .settings import ROOT, progress

_PLANNER = "cli/target/onos-mptcp-plan.jar"
_SHORT = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]
"""Without the optimising compiler the planner starts and answers in well under a second."""
_SIMULATION = "org.subflow.mptcp.plan.simulate.Simulate"
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


def simulate(arguments: Sequence[str]) -> int:
    """The simulation, of the planner's jar; with ``--out`` it draws figures there, too."""
    folder = _value_of("--out", arguments)
    if folder:
        packages.require("plots")
    build.build()
    command, environment = _java_command(_PLANNER, "simulate", ["-XX:+UseSerialGC"], arguments, _SIMULATION)
    with subprocess.Popen(command, env=environment) as process:
        # Ctrl-C is for the simulation, which then writes what it has.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = process.wait()
        signal.signal(signal.SIGINT, before)
    interrupted = status in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    if folder and (not status or interrupted):
        simulationfigure.draw(Path(folder))
    return status


def _value_of(option: str, arguments: Sequence[str]) -> str | None:
    """What is given for an option of a program that reads its options itself; None if it is not there."""
    given = [word.partition("=")[2] if word.startswith(option + "=") else following
             for word, following in zip(arguments, [*arguments[1:], ""]) if word == option or word.startswith(option + "=")]
    return given[-1] if given else None


def converted(file: Path, *further: str) -> str:
    """A network in any form that the planner reads, as node-link JSON. What was left out or assumed goes to standard error.
    ``further``: options of the planner, such as ``--connections`` for its demands. UsageError says what is wrong in the file."""
    build.build()
    command, environment = _java_command(_PLANNER, "plan", _SHORT, ["--topology", str(file), "--convert", *further])
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
    watch = provenance.Watch()
    with tempfile.TemporaryDirectory() as folder:
        file = options.json or (f"{folder}/bench.json" if options.plot or options.table else "")
        status = _java(_BENCHMARKS, "bench", ["-Xmx256m"],
                       [*options.names, *(["--full"] if options.full else []), *(["--json", file] if file else [])])
        told = watch.told()
        progress(provenance.machine(told).strip())
        return (status or options.plot and _python(_GROWTH, [file, options.plot])
                or options.table and _python(_TABLE, [file, options.table, str(told["load"])]) or 0)


def reproduce(arguments: Sequence[str]) -> int:
    """The papers' tables and figures: a Python program, because it draws."""
    return _python(_REPRODUCTION, arguments)


def _python(script: str, arguments: Sequence[str]) -> int:
    return subprocess.run(["/usr/bin/python3", "-s", str(ROOT / script), *arguments]).returncode


def _java(jar: str, name: str, options: Sequence[str], arguments: Sequence[str]) -> int:
    command, environment = _java_command(jar, name, options, arguments)
    return subprocess.run(command, env=environment).returncode


def _java_command(jar: str, name: str, options: Sequence[str], arguments: Sequence[str], main: str | None = None
                  ) -> tuple[list[str], dict[str, str]]:
    """The command and the environment that run a jar; ``main`` is a class of it that is not the jar's own choice."""
    if not (ROOT / jar).is_file():
        build.build()
    if not (ROOT / jar).is_file():
        raise UsageError(f"{name} is not there yet in this version")
    # Java reads arguments in the locale's encoding, and names of nodes and files may be in any script.
    runs = ["-cp", str(ROOT / jar), main] if main else ["-jar", str(ROOT / jar)]
    return ([f"{packages.java_home()}/bin/java", *options, *runs, *arguments],
            dict(os.environ, LC_ALL="C.UTF-8"))
