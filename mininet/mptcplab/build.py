# SPDX-License-Identifier: Apache-2.0
"""Builds the reactor with Maven, if anything is newer than what was built last."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import packages
from .errors import LabError
from .settings import ROOT, progress

_STAMP = ROOT / ".lab" / "built"
_SOURCES = ("pom.xml", ".mvn", "LICENSE", "NOTICE", "licenses", "app", "cli", "gui", "onos", "tests",
            "mininet/mptcplab/topologies")
_NOT_SOURCES = {"target", "node_modules", "dist", ".angular", "__pycache__", ".pytest_cache", ".hypothesis"}
_OPTIONS = ["-B", "-ntp", "-Dstyle.color=never"]
_THREADS = 2
_DOWNLOAD_FAILED = ("Could not transfer", "Could not resolve", "could not be resolved", "Could not find artifact")


def build() -> None:
    """Builds all artifacts, without running tests; nothing at all when they are newer than their sources."""
    if not is_stale():
        return
    packages.require("build")
    started = time.time()
    progress("building (Maven; the first time downloads about 200 MB)")
    maven(["package", "-DskipTests"])
    oar()
    mark_built(started)
    progress(f"built in {time.time() - started:.0f} s")


def mark_built(started: float) -> None:
    """Remembers that the artifacts are as new as the sources were at ``started`` (seconds since 1970)."""
    _STAMP.parent.mkdir(exist_ok=True)
    _STAMP.touch()
    os.utime(_STAMP, (started, started))


def is_stale() -> bool:
    """True if an artifact is missing, or a source newer than the last build (a removed file makes its folder newer)."""
    if not _STAMP.exists() or not _oars():
        return True
    built = _STAMP.stat().st_mtime
    return any(newest > built for newest in _source_times())


def maven(arguments: Sequence[str]) -> None:
    """Runs Maven on the reactor: offline first when something was built before, because that is faster and steadier."""
    if _STAMP.exists():
        status, said = _run_maven([*arguments, "-o"])
        if not status:
            return
        if "offline" not in said:
            raise LabError(_why(said))
        progress("something new to download: once more, online")
    status, said = _run_maven(arguments)
    if status and any(sign in said for sign in _DOWNLOAD_FAILED):
        progress("a download failed: once more, one module after the other")
        status, said = _run_maven(arguments, threads=1)
    if status:
        raise LabError(_why(said))


def _run_maven(arguments: Sequence[str], threads: int = _THREADS) -> tuple[int, str]:
    """Runs Maven on so many modules at once, telling each as it comes; returns its status and all that it said."""
    environment = dict(os.environ, JAVA_HOME=packages.jdk_home())
    said = []
    command = ["mvn", *_OPTIONS, "--threads", str(threads), *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        for line in process.stdout or ():
            said.append(line)
            if line.startswith("[INFO] Building ") and "[" in line[7:]:
                progress(line[len("[INFO] Building "):].rsplit("[", 1)[0].strip())
    return process.returncode, "".join(said)


def _why(said: str) -> str:
    """Shows Maven's errors and returns the one line about them."""
    errors = [line for line in said.splitlines() if line.startswith("[ERROR]") or "FAIL" in line]
    print("\n".join(errors or said.splitlines()[-40:]), file=sys.stderr)
    return "the build failed: Maven's messages are above"


def topology_view() -> None:
    """Builds the topology view of ONOS's GUI2 from its published libraries, for the browser tests alone."""
    if subprocess.run([str(ROOT / "gui" / "scripts" / "build-page"), "gui2"], check=False).returncode:
        raise LabError("the topology view of ONOS's GUI2 was not built: npm's messages are above")


def oar() -> Path:
    """The application's archive, as users install it."""
    found = _oars()
    if not found:
        raise LabError("no app/target/onos-mptcp-*.oar after the build: run `./lab build`")
    return found[-1]


def _oars() -> list[Path]:
    return sorted((ROOT / "app" / "target").glob("onos-mptcp-*.oar"), key=lambda path: path.stat().st_mtime)


def _source_times() -> Iterator[float]:
    for top in _SOURCES:
        path = ROOT / top
        if path.is_file():
            yield path.stat().st_mtime
        for folder, folders, files in os.walk(path):
            folders[:] = [name for name in folders if name not in _NOT_SOURCES]
            # Python tests and their folders are no input of Maven.
            for name in files:
                if not name.endswith((".py", ".md")):
                    yield os.stat(os.path.join(folder, name)).st_mtime
