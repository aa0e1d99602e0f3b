# SPDX-License-Identifier: Apache-2.0
"""``./lab release``: what a release has, in one folder, with the SHA-256 of each file."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import build, packages
from .errors import LabError, UsageError
from .settings import ROOT, progress

SUMS = "SHA256SUMS"
GROUP = "org.subflow.mptcp"

_AGENT = ROOT / "mininet" / "mptcpagent"
_DOCUMENTS = ("CHANGELOG.md", "CITATION.cff", "LICENSE", "NOTICE", "Containerfile")
_REPRODUCIBLE = 1767225600
"""Of files in packages, seconds since 1970: project.build.outputTimestamp of pom.xml."""

_POM = """\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId>
  <artifactId>{artifact}</artifactId>
  <version>{version}</version>
  <name>{artifact}</name>
  <description>{description}</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
    </license>
  </licenses>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""


def run(out: Path) -> int:
    """Makes a release in that folder, which must be empty or not there. UsageError if it is neither."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"./lab release: --out {out}: it is there and not an empty folder; remove it, or choose another")
    packages.require("build", "release")
    build.build()
    try:
        out.mkdir(parents=True, exist_ok=True)
        # Into a folder beside it first: nobody takes half a release for a whole one.
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".release-") as made:
            _make(Path(made))
            for path in sorted(Path(made).iterdir()):
                shutil.move(path, out / path.name)
    except OSError as failure:
        raise UsageError(f"./lab release: --out {out}: {failure.strerror}") from None
    progress(f"ready: {out}")
    return 0


def _make(folder: Path) -> None:
    shutil.copy(build.oar(), folder)
    for path in [*(ROOT / name for name in _DOCUMENTS), *sorted((ROOT / "app/target/sbom").glob("*.json"))]:
        shutil.copy(path, folder)
    progress("jars with sources and Javadoc")
    repository(folder / "maven")
    progress("the agent's wheel")
    wheel(folder)
    progress("the agent's Debian package")
    debian_package(folder)
    (folder / SUMS).write_text(sums(folder), encoding="ascii")


def sums(folder: Path) -> str:
    """A line for each file below a folder, as ``sha256sum --check`` reads them."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
                   for path in sorted(folder.rglob("*")) if path.is_file() and path.name != SUMS)


def properties() -> Mapping[str, str]:
    """Of the poms: versions by name, and ``version``, that of the project."""
    text = (ROOT / "pom.xml").read_text(encoding="utf-8")
    found = dict(re.findall(r"<([\w.]+\.version)>([^<]+)</\1>", text))
    return {**found, "version": re.findall(r"<version>([^<]+)</version>", text)[0]}


def repository(folder: Path) -> None:
    """A Maven repository with the core's bundle, which has the parts of JGraphT that it uses inside, and with the API."""
    build.maven(["package", "-DskipTests", "-Prelease", "-pl", "app/core,app/controller"])
    known = properties()
    # That of the archive: one that is packed again has another manifest.
    with zipfile.ZipFile(build.oar()) as archive:
        [name] = [name for name in archive.namelist() if re.search(r"/onos-mptcp-core-[^/]*\.jar$", name)]
        core = archive.read(name)
    _deploy(folder, ROOT / "app/core/target", "onos-mptcp-core", "onos-mptcp-core", core,
            "Paths, shares and placement of MPTCP connections; knows nothing of ONOS",
            [("com.fasterxml.jackson.core", "jackson-core", known["jackson.version"], "runtime")])
    _deploy(folder, ROOT / "app/controller/target", "onos-mptcp-controller", "onos-mptcp-api",
            (ROOT / f"app/controller/target/onos-mptcp-controller-{known['version']}-api.jar").read_bytes(),
            "What other ONOS applications see of onos-mptcp: connections, links, events, policies",
            [(GROUP, "onos-mptcp-core", known["version"], "compile"),
             ("org.onosproject", "onos-api", known["onos.version"], "provided")])


def _deploy(folder: Path, target: Path, module: str, artifact: str, jar: bytes, description: str,
            dependencies: Sequence[tuple[str, str, str, str]]) -> None:
    version = properties()["version"]
    place = folder.joinpath(*GROUP.split("."), artifact, version)
    place.mkdir(parents=True)
    (place / f"{artifact}-{version}.jar").write_bytes(jar)
    for kind in ("sources", "javadoc"):
        shutil.copy(target / f"{module}-{version}-{kind}.jar", place / f"{artifact}-{version}-{kind}.jar")
    lines = [f"    <dependency>\n      <groupId>{group}</groupId>\n      <artifactId>{name}</artifactId>\n"
             f"      <version>{number}</version>\n      <scope>{scope}</scope>\n    </dependency>"
             for group, name, number, scope in dependencies]
    (place / f"{artifact}-{version}.pom").write_text(_POM.format(
        group=GROUP, artifact=artifact, version=version, description=description, dependencies="\n".join(lines)),
        encoding="utf-8")
    # What Maven asks of a repository.
    for path in sorted(place.iterdir()):
        Path(f"{path}.sha1").write_text(hashlib.sha1(path.read_bytes()).hexdigest(), encoding="ascii")


def wheel(folder: Path) -> None:
    """The agent for pip."""
    _run([str(packages.hatchling()), "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], _AGENT)


def debian_package(folder: Path) -> None:
    """The agent for Debian and Ubuntu; lintian has no error and no warning."""
    with tempfile.TemporaryDirectory() as made:
        source = Path(made, "mptcp-agent")
        # Debian's tools write into the folder and beside it.
        shutil.copytree(_AGENT, source, ignore=shutil.ignore_patterns("__pycache__"))
        # -d: what it needs was installed by `packages`. The rest: only the package itself, unsigned.
        _run(["dpkg-buildpackage", "--build=binary", "-d", "--no-sign"], source)
        [package] = Path(made).glob("*.deb")
        _run(["lintian", "--fail-on", "error,warning", "--allow-root", str(package)], Path(made))
        shutil.copy(package, folder)


def _run(command: Sequence[str], folder: Path) -> None:
    """Runs a program; what it says is shown only if it fails."""
    environment = dict(os.environ, SOURCE_DATE_EPOCH=str(_REPRODUCIBLE), LC_ALL="C.UTF-8")
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", env=environment)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise LabError(f"./lab release: {command[0]} failed: what it said is above")
