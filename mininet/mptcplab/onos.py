# SPDX-License-Identifier: Apache-2.0
"""A running ONOS: the embedded one, or a release that the user has unpacked. It runs inside the namespace."""

import glob
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import onoslog, packages
from .errors import EndedError, LabError, UsageError
from .login import SHELL_USER, Login, write_private
from .processes import Process, Processes, wait_for
from .rest import Json, Rest, quote
from .settings import ROOT, SSH_PORT
from .unprivileged import Account, readable

APPLICATION = "org.subflow.mptcp"
START_SECONDS = 180
_RELEASE_APPLICATIONS = "drivers,openflow,fwd"
EMBEDDED = ROOT / "onos" / "assembly" / "target" / "onos-embedded"


_STOCK = {"copyTcpFlags": "false", "flowPollFrequency": "5", "portStatsPollFrequency": "5", "probeRate": "3000",
          "packetAfterRule": "false", "addressesFromIp": "false", "maxEventTimeLimit": "2000"}
"""Properties of the embedded ONOS as a stock ONOS 2.7.0 has them; onos/README.md lists all that differs."""

STOCK_JAVA = "-XX:TieredStopAtLevel=4 -XX:-UseSerialGC -XX:+UseG1GC -XX:MaxGCPauseMillis=200"
"""Compilers and collector of a stock ONOS, for `Place`."""

_NICE = ("nice", "-n", "5")
"""Switches and hosts go first where processors are short: a controller has a machine of its own elsewhere."""


def check_release(home: str | None) -> None:
    """UsageError if ``home`` (a path or None) is not an unpacked ONOS release."""
    if home and not (_release_script(Path(home)).is_file() and _release_karaf(Path(home))):
        raise UsageError(f"{home} is no unpacked ONOS release: expected bin/onos-service and apache-karaf-* in it")


@dataclass(frozen=True)
class Place:
    """Where an embedded ONOS runs: its ``address``; ``enter``, the words before a command that runs in its namespace;
    ``storage``, the address of its cluster's storage node, or None for an ONOS alone; ``heap``, or None for the default;
    ``java``, further options of Java."""

    address: str = "127.0.0.1"
    enter: tuple[str, ...] = ()
    storage: str | None = None
    heap: str | None = None
    java: str = ""


class Onos:
    """One controller, which runs under an account of its own and takes one login only, at its first start.

    ``folder``: for its output; ``name``: of its own folder. Attributes: ``login``; ``address``; ``rest``, logged in;
    ``boot_seconds`` after ``start``; ``clock_seconds``, by which its clock is ahead from its next start on; ``has_steps``,
    whether its clock can be set by ``step_clock`` from then on.
    """

    def __init__(self, folder: Path, processes: Processes, login: Login, release: str | None = None,
                 name: str = "onos", place: Place | None = None) -> None:
        self.login = login
        self._place = place or Place()
        self.address = self._place.address
        self.rest = Rest(login, address=self.address)
        self.boot_seconds = 0.0
        self.clock_seconds = 0
        self.has_steps = False
        self._account = Account(name)
        # An ONOS of an earlier testbed in this run has saved its settings, hosts and links there.
        self._account.clear()
        self._folder = self._account.home
        self._output = folder / f"{name}.out"
        self._processes = processes
        self._release = Path(release).resolve() if release else None
        self._logged_before = 0
        self._begun = 0.0
        self._process: Process

    def start(self) -> None:
        """Starts it and waits until REST answers and the core's applications are there."""
        self.begin()
        self.wait_until_up()

    def begin(self) -> None:
        """Starts it."""
        begun = time.monotonic()
        if self._release:
            self._start_release(self._release)
        else:
            self._start_embedded()
        # Only now: a start that failed has left no process.
        self._begun = begun

    def wait_until_up(self) -> None:
        """Waits until REST answers and the core's applications are there."""
        wait_for("ONOS's REST interface", self._is_up, START_SECONDS, every=0.25)
        self.boot_seconds = round(time.monotonic() - self._begun, 1)

    def runs(self) -> bool:
        """Whether it has been started and has not ended."""
        return self._begun > 0 and self._process.poll() is None

    def stop(self) -> int:
        """Ends it and waits until it has gone; returns its exit status, negative for the signal that ended it."""
        self._processes.stop(self._process, seconds=30)
        return self._process.returncode

    def crash(self) -> None:
        """Kills it, as a crash does."""
        self._processes.kill(self._process)
        # What libfaketime removes at the end of a program that is not killed.
        for left in Path("/dev/shm").glob(f"*faketime_*_{self.pid()}"):
            left.unlink()

    def step_clock(self, seconds: int) -> None:
        """Lets its clock be so many seconds ahead, or behind if negative, within a second."""
        new = self._clock.with_suffix(".new")
        new.write_text(f"{seconds:+d}s\n", encoding="ascii")
        # ONOS reads it as another account.
        new.chmod(0o644)
        # At once: it may just be read.
        new.replace(self._clock)

    @property
    def _clock(self) -> Path:
        return self._folder / "clock"

    @property
    def is_release(self) -> bool:
        """Whether it is a release of the user's, not the embedded ONOS."""
        return self._release is not None

    @property
    def folder(self) -> Path:
        """Its own folder, with Karaf's in it."""
        return self._folder

    def pid(self) -> int:
        """Its Java process."""
        return self._process.pid

    def install(self, archive: Path | str) -> None:
        """Installs and activates an application's ``.oar`` through the applications REST, as ``onos-app`` does."""
        # The answer comes when the bundles run. Asking again before that would remove the application while it starts.
        patient = Rest(self.login, address=self.address, seconds=START_SECONDS)
        before = 0

        def installed() -> bool:
            nonlocal before
            # An ONOS that has restarted may find the application of before at any moment: then it has to be removed first.
            if self.application_state() is not None:
                self.rest.delete(f"/applications/{APPLICATION}")
            before = len(self.log())
            patient.post("/applications?activate=true", Path(archive).read_bytes(), "application/octet-stream")
            return True
        wait_for(f"application {APPLICATION} installed", installed, 30)
        self.wait_for_application(before)

    def wait_for_application(self, logged: int | None = None) -> None:
        """Waits until the application is active and answers. EndedError with ONOS's own words as soon as it logs that it could
        not start it, after the first ``logged`` characters of its log, or from now on."""
        before = len(self.log()) if logged is None else logged

        def answers() -> bool:
            try:
                return self.rest.get("/mptcp/connections") is not None
            except (OSError, LabError):
                self._raise_if_refused(before)
                raise
        wait_for(f"application {APPLICATION} active", lambda: self.application_state() == "ACTIVE", 60)
        wait_for(f"REST of {APPLICATION}", answers, 60)

    def _raise_if_refused(self, logged: int) -> None:
        why = onoslog.refusal(self.log()[logged:], APPLICATION)
        if why:
            raise EndedError(f"ONOS {self.version()} does not start {APPLICATION}: {why}. The archive is for releases 2.5 to 2.7 "
                             "with all their bundles: unpack one anew; if it does not start there, report this line")

    def deactivate_application(self) -> None:
        """Deactivates the application, and waits until ONOS says so."""
        self.rest.delete(f"/applications/{APPLICATION}/active")
        wait_for(f"application {APPLICATION} inactive", lambda: self.application_state() == "INSTALLED", 60)

    def activate_application(self) -> None:
        """Activates it again, and waits until it answers."""
        self.rest.post(f"/applications/{APPLICATION}/active", kind=None)
        self.wait_for_application()

    def application_state(self) -> str | None:
        """``ACTIVE``, ``INSTALLED``, or None if the application is not installed."""
        for application in self.rest.get("/applications")["applications"]:
            if application["name"] == APPLICATION:
                return application["state"]
        return None

    def version(self) -> str:
        """The version that ONOS says it is."""
        return self.rest.get("/system")["version"]

    def configure(self, **properties: object) -> None:
        """Sets component properties of the application, wherever they are; LabError for one that it does not have."""
        components = self._components()
        for name, value in properties.items():
            owner = next((component for component, found in components.items() if name in found), None)
            if not owner:
                raise LabError(f"the application has no setting {name}")
            refused = self.rest.post(f"/configuration/{quote(owner)}", {name: str(value)})
            if refused and refused.get("message"):
                raise LabError(f"ONOS refuses {name}={value}: {refused['message']}")
        # Configuration takes effect a moment later, or not at all if the application refuses a value.
        wait_for(f"settings {properties} in force",
                 lambda: all(str(self.settings().get(name)) == str(value) for name, value in properties.items()), 20)

    def poll_every_second(self) -> None:
        """Lets ONOS read the switches' counters every second instead of every five: a demonstration is short."""
        self._configure_core(flowPollFrequency="1", portStatsPollFrequency="1")

    def behave_as_stock(self) -> None:
        """Lets the embedded ONOS do as a stock one does, wherever it has a setting for that."""
        self._configure_core(**_STOCK)

    def forward_ipv6(self, wanted: bool = True) -> None:
        """Lets the reactive forwarder carry IPv6 too, and hosts be learned from neighbour discovery, or not; ONOS's defaults are
        IPv4 only."""
        self._configure_core(**dict.fromkeys(("ipv6Forwarding", "requestIpv6ND"), str(wanted).lower()))

    def copy_tcp_flags(self, wanted: bool, switches: int) -> None:
        """Lets so many switches copy SYN, FIN and RST to the controller, or none, as with a southbound that cannot; waits until
        the application has seen it."""
        self._configure_core(copyTcpFlags=str(wanted).lower())
        wait_for(f"copies of TCP segments {'on' if wanted else 'off'}", lambda: self.counters()["switches.copying"] == (
            switches if wanted else 0), 30)

    def _configure_core(self, **wanted: str) -> None:
        """Sets component properties, in every component that has one of that name; waits for those that are not there yet."""
        def all_set() -> bool:
            components = self.rest.get("/configuration")
            missing = [p for p in wanted if not any(p in properties for properties in components.values())]
            if missing:
                raise LabError(f"no component has {', '.join(missing)}")
            for name, properties in components.items():
                chosen = {p: value for p, value in wanted.items() if p in properties}
                if chosen:
                    self.rest.post(f"/configuration/{quote(name)}", chosen)
            return True
        wait_for(f"properties {', '.join(wanted)} of ONOS set", all_set, 60)

    def counters(self) -> dict[str, int]:
        """The application's counters, by name."""
        counters: dict[str, int] = self.rest.get("/mptcp/counters")["counters"]
        return counters

    def settings(self) -> Json:
        """The application's settings in force, by name."""
        return self.rest.get("/mptcp/settings")

    def shell(self, command: str, seconds: float = 60) -> str:
        """The output of a command on ONOS's own command line, through its ssh port."""
        done = subprocess.run(
            # -e: everybody can read a command line, but an environment only its owner.
            ["sshpass", "-e", "ssh", "-n", "-q", "-F", "none", "-p", str(SSH_PORT),
             # ONOS made its key a moment ago, at its first start: nobody can know it.
             "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
             # The key of a release is an ssh-rsa one, which OpenSSH takes no more since 8.8 unless told to.
             "-o", "HostKeyAlgorithms=+ssh-rsa",
             f"{SHELL_USER}@{self.address}", command],
            capture_output=True, text=True, timeout=seconds, env=dict(os.environ, SSHPASS=self.login.shell))
        if done.returncode:
            raise LabError(f"ONOS command line: {command}: {(done.stderr or done.stdout).strip()}")
        return onoslog.plain(done.stdout)

    def log(self) -> str:
        """Everything that ONOS has logged so far."""
        logs = sorted(glob.glob(str(self._folder / "**" / "data" / "log" / "karaf.log"), recursive=True))
        return "".join(Path(log).read_text(encoding="utf-8", errors="replace") for log in logs)

    def _components(self) -> Json:
        """Component → its properties, of the application's components."""
        found = self.rest.get("/configuration")
        return {name: properties for name, properties in found.items() if name.startswith(APPLICATION)}

    def _is_up(self) -> bool:
        if self._process.poll() is not None:
            raise EndedError(f"ONOS ended with status {self._process.returncode}: {self._first_error()}")
        wanted = {"org.onosproject.fwd", "org.onosproject.openflow"}
        active = {a["name"] for a in self.rest.get("/applications")["applications"] if a["state"] == "ACTIVE"}
        # REST answers before all of the core's services are there; these need them.
        for resource in ("/system", "/devices", "/links", "/hosts", "/flows", "/intents", "/network/configuration"):
            self.rest.get(resource)
        return wanted <= active

    def _first_error(self) -> str:
        # A user's release may have logged errors before.
        return onoslog.first_error(self._output.read_text(encoding="utf-8", errors="replace") + self.log()[self._logged_before:])

    def _start_embedded(self) -> None:
        script = EMBEDDED / "bin" / "onos-instance"
        if not script.is_file():
            raise LabError("the embedded ONOS is not built: run `./lab build`")
        users = self._folder / "users.properties"
        if not users.exists():
            write_private(users, self.login.users)
            self._account.own(users)
        script = readable(EMBEDDED, "installation") / "bin" / "onos-instance"
        java = readable_java(packages.java_home()) / "bin" / "java"
        more = {"ONOS_IP": self.address, "ONOS_LISTEN": self.address, "ONOS_STORAGE": self._place.storage or ""}
        if self._place.heap:
            more["ONOS_HEAP"] = self._place.heap
        if self._place.java:
            more["ONOS_JAVA_OPTS"] = self._place.java
        self._run([str(script), str(self._folder)], ONOS_JAVA=str(java), ONOS_USERS=str(users), **more)

    def _start_release(self, release: Path) -> None:
        script = _release_script(self._folder)
        if not script.exists():
            # A copy: ONOS writes into its own folder, and that one is the user's.
            shutil.copytree(release, self._folder, symlinks=True, dirs_exist_ok=True)
            karaf = _release_karaf(self._folder)
            etc = (karaf or self._folder) / "etc"
            if not etc.resolve().is_relative_to(self._folder):
                raise UsageError(f"{release}: its Karaf's etc is a link out of it; unpack the release anew")
            # Public keys could let others in as well.
            for name, text in (("users.properties", self.login.users), ("keys.properties", "")):
                (etc / name).unlink(missing_ok=True)
                write_private(etc / name, text)
            self._account.own(self._folder)
        self._logged_before = len(self.log())
        java = readable_java(packages.release_java_home())
        self._run([str(script), "server"], JAVA_HOME=str(java), ONOS_APPS=_RELEASE_APPLICATIONS, ONOS_IP="127.0.0.1")

    def _run(self, command: Sequence[str], **environment: str) -> None:
        # Under its own account alone: another one's shared memory is not open to it.
        faked = packages.stepped_clock(self._clock) if self.has_steps else packages.shifted_clock(self.clock_seconds)
        clock = [f"{name}={value}" for name, value in faked.items()]
        self._process = self._processes.start(
            [*self._place.enter, *_NICE, *self._account.become, *(["env", *clock] if clock else []), *command],
            self._output, cwd=self._folder, env={**self._account.environment, **environment})


def readable_java(home: str) -> Path:
    return readable(Path(home), "java")


def _release_script(home: Path) -> Path:
    return home / "bin" / "onos-service"


def _release_karaf(home: Path) -> Path | None:
    return next((Path(path) for path in sorted(glob.glob(str(home / "apache-karaf-*")))), None)
