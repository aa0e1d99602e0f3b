# SPDX-License-Identifier: Apache-2.0
"""Makes the program that runs scenarios, and the congestion controls that it loads: below ``.lab/``, named by a hash of their
sources, so that each is made once.

ns-3 comes from PyPI as a wheel, which has headers and libraries for x86_64. Nothing of it is part of this project.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from mptcpagent import windows
from mptcplab import packages
from mptcplab.errors import LabError, UsageError
from mptcplab.settings import ROOT, progress

_HERE = Path(__file__).resolve().parents[1]
_AGENT = ROOT / "mininet" / "mptcpagent"
_CACHE = ROOT / ".lab" / "simulation"
_MODULES = ("core", "network", "internet", "point-to-point", "traffic-control", "mobility", "propagation", "wifi")
_WARNINGS = ("-Wall", "-Wextra", "-Wno-unused-parameter")

CONTROLS = ("reno", *windows.OURS)
"""Compiled from the sources that run in kernels; the first is made of their parts."""

OWN = {"cubic": "ns3::TcpCubic", "newreno": "ns3::TcpNewReno"}
"""ns-3's own."""


def require(controls: Iterable[str]) -> None:
    """UsageError, in one line, if this machine cannot run ns-3's wheel, or there is no such congestion control."""
    packages.require_ns3()
    for name in controls:
        _require_known(name.partition(":")[0])


def _require_known(name: str) -> None:
    if name not in (*CONTROLS, *OWN):
        raise UsageError(f"there is no congestion control {name}: the simulator has {', '.join((*CONTROLS, *OWN))}")


def control(name: str, cache: Path = _CACHE) -> str:
    """The shared object of a control, or the name of one of ns-3's. A name may have macros after it, as in
    ``smptcp:ALPHA=1:BETA_OF_LAST=3``. UsageError if there is none."""
    if name in OWN:
        return OWN[name]
    base, *macros = name.split(":")
    _require_known(base)
    program, _, published = base.partition("-")
    options = ["-O2", "-shared", "-fPIC", *_WARNINGS, "-Werror", "-Wno-unknown-attributes", "-Wno-unused-function", "-D__bpf__",
               f"-I{_HERE / 'native'}", f"-I{_AGENT}", f'-DPROGRAM="{program}.bpf.c"', f"-DPUBLISHED={int(bool(published))}",
               *(f"-D{macro}" for macro in macros)]
    sources = [_HERE / "native" / "control.c", *_headers()]
    return str(_made(f"{base}.so", sources, options, cache,
                     lambda to: ["clang", *options, str(sources[0]), "-o", str(to)]))


def _headers() -> list[Path]:
    return [*sorted((_HERE / "native").rglob("*.h")), *sorted((_HERE / "native").glob("*.bpf.c")), *sorted(_AGENT.glob("*.h")),
            *sorted(_AGENT.glob("*.bpf.c"))]


def program(cache: Path = _CACHE) -> Path:
    """The program that runs scenarios. UsageError if ns-3 or a compiler cannot be had."""
    packages.require_ns3()
    packages.require("simulation")
    ns3 = packages.ns3()
    options = ["-std=c++23", "-O2", *_WARNINGS]
    sources = [_HERE / "engine" / "main.cc", *sorted((_HERE / "engine").glob("*.h")), _HERE / "native" / "adapter.h"]
    libraries = [f"-l{file.stem.removeprefix('lib')}" for module in _MODULES
                 for file in (ns3 / "lib64").glob(f"libns3*-{module}.so")]
    return _made("simulate", sources, [*options, packages.NS3], cache, lambda to: [
        "g++", *options, "-isystem", str(ns3 / "include"), str(sources[0]), "-o", str(to), f"-L{ns3 / 'lib64'}",
        f"-Wl,-rpath,{ns3 / 'lib64'}", "-Wl,--allow-shlib-undefined", *libraries, "-ldl"])


def _made(name: str, sources: Sequence[Path], options: Sequence[str], cache: Path, command: Callable[[Path], list[str]]) -> Path:
    """The file of that name for these sources and options, made unless it is there; whole or not at all."""
    digest = hashlib.sha256(repr([one.replace(str(ROOT), "") for one in options]).encode())
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    made = cache / digest.hexdigest()[:16] / name
    if made.is_file():
        return made
    compiler, *arguments = command(fresh := made.with_name(f"{name}.{os.getpid()}"))
    if not shutil.which(compiler):
        raise UsageError(f"there is no {compiler} to compile the simulator: install it")
    made.parent.mkdir(parents=True, exist_ok=True)
    if name == "simulate":
        progress("compiling the simulator against ns-3: about 20 s, once")
    try:
        done = subprocess.run([compiler, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            said = next((line for line in done.stderr.splitlines() if "error" in line), "it does not say why")
            raise LabError(f"{compiler} cannot compile {name} of the simulator: {said}")
        fresh.replace(made)
    finally:
        fresh.unlink(missing_ok=True)
        if not any(made.parent.iterdir()):
            made.parent.rmdir()
    return made


def controls(names: Iterable[str], cache: Path = _CACHE) -> Mapping[str, str]:
    """Name → shared object, or ns-3's name."""
    return {name: control(name, cache) for name in dict.fromkeys(names)}

