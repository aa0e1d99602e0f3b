# SPDX-License-Identifier: Apache-2.0
"""``./lab test``: every kind of test, the quick ones first, each run to its end before the verdict."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from . import build, kernel, lint, namespace, packages, results
from .errors import LabError
from .settings import ISOLATED, ROOT, progress

_CONGESTION = [f"tests/system/test_{name}.py" for name in ("coupled", "subflow_losses")]
_JOINING = "tests/system/test_agent_joining.py"
_OS3E = "tests/system/test_agent_os3e.py"
_CLUSTER_LOSSES = "tests/system/test_cluster_losses.py"
_CLUSTER_FAULTS = "tests/system/test_cluster_faults.py"
_MANY = "tests/system/test_many.py"
_NETWORK_WIDE = "tests/system/test_network_wide.py"
_OWN_NETWORKS = {f"tests/system/test_{name}.py": options for name, options in {
    "agent": ["--topology", "fig1", "--pairs", "3"],
    "directions": ["--topology", "tests/system/directions.json"],
    "dual_homed": ["--topology", "dual-homed"],
    "parallel": ["--topology", "parallel"],
    "routed": ["--topology", "routed"],
    "edge": ["--topology", "edge"],
    "firewall": ["--topology", "firewall"],
    "plan": ["--topology", "os3e", "--pairs", "6"],
    # ONOS nodes of its own.
    "cluster": [],
}.items()}
"""Tests that need another network than the others', and which."""
_PAGE_COMMANDS = "tests/gui/test_commands.py"
_LIFE = [f"tests/system/test_{name}.py" for name in ("failures", "joins", "restarts", "reroute_times")]

_STOCK = [f"tests/system/test_{name}.py" for name in (
    "onos", "paths", "failures", "events", "intents", "policies", "strategies", "rest")]
"""What makes sense on an ONOS release: not what needs the embedded ONOS's copies of SYN, FIN and RST, or its bounds."""
_BONDED, _ROUTED = "tests/system/test_bonded.py", "tests/system/test_routed.py"

_STOCK_LIKE = "tests/system/test_stock_like.py"
_AS_ON_STOCK = [_STOCK_LIKE, *(f"tests/system/test_{name}" for name in (
    "short.py::test_short_connections_beside_a_transfer",
    "failures.py::test_a_lost_path_is_replaced_by_a_disjoint_one_and_the_siblings_stay",
    "restarts.py::test_deactivated_in_mid_transfer_everything_of_ours_goes_and_the_traffic_does_not",
    "upgrade.py::test_uninstalled_in_mid_transfer_it_leaves_nothing_and_begins_anew"))]
"""The main job, short connections, a failure, a stop and an uninstall, where the embedded ONOS does as a stock one."""


@dataclass(frozen=True)
class Suite:
    """How one kind of tests came out, after how many seconds."""

    name: str
    passed: bool
    seconds: float


def run(what: str, release: str | None = None, runs: int | None = None) -> int:
    """Runs the tests of that kind and returns 0 if all of them passed, else 1. ``stock`` are those on a ``release`` of ONOS;
    ``congestion`` measures shares so many ``runs``, or once."""
    def stock() -> bool:
        build.build()
        onos = ["--onos", release or ""]
        passed = _pytest_inside([*_STOCK, "-m", "not long", *onos])
        # Hosts that move, also beside the forwarder alone.
        passed = _pytest_inside([_BONDED, *onos]) and passed
        return _pytest_inside([_ROUTED, *_OWN_NETWORKS[_ROUTED], "-k", "gateway_that_moves", *onos]) and passed
    def congestion() -> bool:
        packages.require("capture")
        return _pytest_inside([*_CONGESTION, "-m", "long", "--runs", str(runs or 1)])
    kinds = {"unit": [_unit], "system": [_system], "gui": [_gui], "stock-like": [_stock_like],
             "all": [_unit, _system, _stock_like, _gui], "long": [_unit, _system, _stock_like, _gui, _long],
             "stock": [stock], "congestion": [congestion]}[what]
    # The unit tests import what drives the testbed, too.
    packages.require("build", "test", "testbed", "agents")
    if what != "unit":
        kernel.require_mptcp()
        if not release:
            # In the namespace there is no network to get one.
            packages.java_home()
        kernel.become_root([str(ROOT / "lab"), "test", what, *(["--onos", release] if release else []),
                            *(["--runs", str(runs)] if runs else [])])
    begun = time.time()
    results.begin()
    suites = [_run(kind) for kind in kinds]
    failed = [suite.name for suite in suites if not suite.passed]
    # At the end, because a CI machine may show only the end of its log.
    for line in results.failures(begun):
        progress(f"failed: {line}")
    for line in durations(suites):
        progress(line)
    progress(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


def durations(suites: Sequence[Suite]) -> list[str]:
    """A line for each suite with its minutes, and one with their sum."""
    lines = [(f"{suite.name} tests", suite.seconds, "" if suite.passed else "  FAILED") for suite in suites]
    lines.append(("in all", sum(suite.seconds for suite in suites), ""))
    return [f"{name:<17}{seconds / 60:6.1f} min{note}" for name, seconds, note in lines]


def _run(kind: Callable[[], bool]) -> Suite:
    begun, name = time.monotonic(), kind.__name__.strip("_").replace("_", "-")
    progress(f"{name} tests")
    passed = _passes(kind)
    suite = Suite(name, passed, time.monotonic() - begun)
    progress(f"{name} tests {'passed' if passed else 'FAILED'} after {suite.seconds:.0f} s")
    return suite


def _unit() -> bool:
    with ThreadPoolExecutor(max_workers=1) as pool:
        # Beside Maven, which leaves a processor idle for much of its time.
        linted = pool.submit(_passes, lint.run)
        java = _passes(_java)
        python = not _pytest(["mininet/tests", "tests/reproduce", "tests/simulation", "-m", "not long"])
        return python and java and linted.result()


def _java() -> bool:
    begun = time.time()
    # --fail-at-end: a module that fails does not hide the results of the others.
    # The report of coverage costs a fifth of the time; `mvn verify` makes it.
    build.maven(["verify", "--fail-at-end", "-Djacoco.skip=true"])
    build.mark_built(begun)
    return True


def _passes(check: Callable[[], bool]) -> bool:
    """What it returns, or false if it ends with an error; the error is shown."""
    try:
        return check()
    except LabError as failure:
        progress(str(failure))
        return False


def _system() -> bool:
    packages.require("short")
    # Before the namespace, where there is no network.
    packages.schemathesis()
    packages.require("capture")
    build.build()
    passed = _pytest_inside(["tests/system", "-m", "not long", *_without(*_OWN_NETWORKS, _CLUSTER_LOSSES, _CLUSTER_FAULTS,
                                                                             _STOCK_LIKE)])
    for file, options in _OWN_NETWORKS.items():
        passed = _pytest_inside([file, *options, "-m", "not long"]) and passed
    return passed


def _without(*files: str) -> list[str]:
    """The options that leave these files out."""
    return [word for file in files for word in ("--ignore", file)]


def _stock_like() -> bool:
    packages.require("short")
    build.build()
    return _pytest_inside([*_AS_ON_STOCK, "--stock-like"])


def _gui() -> bool:
    packages.require("browser")
    build.build()
    passed = _pytest_inside(["tests/gui", "-m", "not long", *_without(_PAGE_COMMANDS)])
    # It has a testbed of its own, as a demonstration has.
    return _pytest_inside([_PAGE_COMMANDS]) and passed


def _long() -> bool:
    # Before the namespace, where there is no network.
    packages.require("clocks", "plots", "metrics")
    build.build()
    build.topology_view()
    packages.openapi_generator()
    fuzzed = _passes(_fuzzed)
    packages.require("release", "clean-root", "simulation")
    # Not in a namespace: they ask Debian's mirror and PyPI.
    released = not _pytest(["tests/release"])
    simulated = not _pytest(["tests/simulation", "-m", "long"])
    passed = _pytest_inside(["tests/system", "-m", "long",
                             *_without(*_OWN_NETWORKS, _MANY, _JOINING, _CLUSTER_LOSSES, _CLUSTER_FAULTS, _NETWORK_WIDE,
                                         _OS3E)])
    for file in (_ROUTED, *(f"tests/system/test_{name}.py" for name in ("edge", "directions", "agent"))):
        passed = _pytest_inside([file, *_OWN_NETWORKS[file], "-m", "long"]) and passed
    # ONOS nodes of their own, too.
    for file in (_CLUSTER_LOSSES, _CLUSTER_FAULTS):
        passed = _pytest_inside([file]) and passed
    passed = _pytest_inside([_NETWORK_WIDE, "--topology", "os3e", "--pairs", "8"]) and passed
    passed = _pytest_inside([_JOINING, "--topology", "fig1", "--pairs", "3"]) and passed
    passed = _pytest_inside([_OS3E, "--topology", "os3e", "--pairs", "4"]) and passed
    passed = _pytest_inside(["tests/gui", "-m", "long"]) and passed
    # On a network of its own, where a thousand connections have room. Their rules and intents fill ONOS's usual heap: then it
    # collects garbage without end.
    passed = _pytest_inside([_MANY, "--topology", "fattree4", "--pairs", "4", "--heap", "1500m"]) and passed
    # The tests of a connection's life once more, on a topology with long paths.
    return _pytest_inside([*_LIFE, "--topology", "os3e"]) and passed and fuzzed and released and simulated


def _fuzzed() -> bool:
    """The unit tests that have more of everything here: inputs, lives and networks at random, and links of a large network."""
    build.maven(["test", "-pl", "cli", "-am", "-Dtest=FuzzTest,LivesTest,ControllerParityTest,ProcessTest",
                 "-Dsurefire.failIfNoSpecifiedTests=false", "-Dmptcp.fuzz=1000000", "-Dmptcp.lives=10000", "-Dmptcp.networks=60",
                 "-Dmptcp.links=1000000"])
    return True


def _pytest_inside(arguments: Sequence[str]) -> bool:
    """Whether they pass in a testbed's namespace. A signal that ends them ends the whole run: no further suite starts."""
    status = namespace.run_inside("pytest", _pytest_arguments(arguments))
    if status - 128 in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        raise SystemExit(status)
    if status > 128:
        progress(f"pytest was killed by signal {status - 128}")
    return not status


def _pytest(arguments: Sequence[str]) -> int:
    return subprocess.run([sys.executable, *ISOLATED, "pytest", *_pytest_arguments(arguments)], cwd=ROOT,
                          stdin=subprocess.DEVNULL, env=dict(os.environ)).returncode


def _pytest_arguments(arguments: Sequence[str]) -> list[str]:
    return ["--rootdir", str(ROOT), "-c", str(ROOT / "tests" / "pytest.ini"), "-p", "no:cacheprovider",
            f"--junitxml={results.file(arguments[0].replace('/', '-'))}",
            *[str(ROOT / a) if a.startswith(("tests/", "mininet/")) else a for a in arguments]]
