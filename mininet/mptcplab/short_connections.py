# SPDX-License-Identifier: Apache-2.0
"""Short connections from a client to a web server: Apache, and a connection of its own for each request.

The server takes MPTCP and plain TCP at one port. ``ShortConnections`` opens so many per second, whether the network keeps up
or not; ``busy`` lets ``ab`` (Apache's own) open as many as the network carries.
"""

from __future__ import annotations

import grp
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import LabError, UsageError
from .hosts import Host, address_and_port, listens, start
from .processes import Process, end_group, wait_for
from .rest import Json
from .sampling import kernel_connections
from .settings import progress
from .transfer import IPERF_PORT, MPTCP
from .webclient import TIMEOUT_SECONDS

if TYPE_CHECKING:  # the options are read before Mininet is installed
    from .testbed import Testbed

WEB_PORT = 80
SIZES = (200, 2000)
"""Bytes of the answers that the server has; their paths are ``/200`` and ``/2000``."""

MOST_PER_SECOND = 1000
PROTOCOLS = ("mptcp", "tcp")

_ANSWERED = 0.5
"""Of the connections per second that are wanted: the least that must be answered, also on a busy machine."""

_START_SECONDS = 30
_CLOSE_SECONDS = 90
"""A kernel may go on asking for an end for a minute (``net.mptcp.close_timeout``)."""
_CLIENT = Path(__file__).with_name("webclient.py")
_GROUP = "www-data"
_CONFIGURATION = """\
ServerRoot {folder}
ServerName {address}
Listen {listen}
User {user}
Group {user}
PidFile {folder}/pid
ErrorLog {folder}/error.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
DocumentRoot {folder}/documents
KeepAlive Off
StartServers 2
ThreadsPerChild 50
MaxRequestWorkers 200
"""


@dataclass(frozen=True)
class Wanted:
    """So many short connections per second, over ``mptcp`` or ``tcp``."""

    per_second: int
    protocol: str = PROTOCOLS[0]


def parse(text: str) -> Wanted:
    """``RATE`` or ``RATE,tcp``. UsageError says what is wrong with it, and what would be right."""
    rate, comma, protocol = text.partition(",")
    if comma and protocol not in PROTOCOLS:
        raise UsageError(f"./lab demo: --short {text}: {protocol or 'nothing'} is no protocol; leave it out for MPTCP, or give "
                         "tcp, as in --short 100,tcp")
    if not rate.isascii() or not rate.isdigit() or not 1 <= int(rate) <= MOST_PER_SECOND:
        raise UsageError(f"./lab demo: --short {text}: {rate or 'nothing'} is no whole number from 1 to {MOST_PER_SECOND}; give "
                         "connections per second, as in --short 100")
    return Wanted(int(rate), protocol or PROTOCOLS[0])


class WebServer:
    """Apache on a host, at ``address`` and WEB_PORT, as long as its body runs. A context manager.

    ``folder``: where it has its files; made here. It serves as ``www-data``, as Apache does not serve as root.
    """

    def __init__(self, host: Host, address: str, folder: Path) -> None:
        self._host, self._address, self._folder = host, address, folder
        self._process: Process | None = None

    def __enter__(self) -> WebServer:
        self._write_files()
        self._process = start(self._host, [*MPTCP, "apache2", "-DFOREGROUND", "-f", str(self._folder / "apache.conf")])
        try:
            wait_for(f"a web server on {self._host.name}", self._answers, _START_SECONDS)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            end_group(self._process)

    def pid(self) -> int:
        """The process that has started all others of the server; LabError if it does not run."""
        if not self._process:
            raise LabError("the web server does not run")
        return self._process.pid

    def _answers(self) -> bool:
        if self._process and self._process.poll() is not None:
            said = self._process.stdout.read().decode(errors="replace") if self._process.stdout else ""
            log = self._folder / "error.log"
            said += log.read_text(errors="replace") if log.exists() else ""
            raise LabError(f"apache2 ended: {last_line(said)}")
        return listens(self._host, WEB_PORT)

    def _write_files(self) -> None:
        documents = self._folder / "documents"
        documents.mkdir(parents=True, exist_ok=True)
        for size in SIZES:
            (documents / str(size)).write_bytes(b"x" * size)
        (self._folder / "apache.conf").write_text(_CONFIGURATION.format(
            folder=self._folder, address=self._address, listen=address_and_port(self._address, WEB_PORT), user=_GROUP))
        # The run folder is root's alone; the server has to pass through it.
        os.chown(self._folder.parent, -1, grp.getgrnam(_GROUP).gr_gid)
        self._folder.parent.chmod(0o710)


class ShortConnections:
    """``wanted`` short connections from ``client`` to the web server at ``address``, begun during ``seconds``."""

    def __init__(self, client: Host, address: str, wanted: Wanted, seconds: float, size: int = SIZES[0]) -> None:
        self._wanted, self._seconds, self._size = wanted, seconds, size
        prepare(client)
        self.started = time.monotonic()
        self._client = start(client, [sys.executable, "-I", str(_CLIENT), wanted.protocol, address, str(WEB_PORT), f"/{size}",
                                      str(wanted.per_second), str(seconds), str(size)])

    def finish(self) -> Json:
        """Waits until all of them are over and returns the contract's ``short``; LabError if the client did not go well."""
        try:
            out = self._client.communicate(timeout=self._seconds + TIMEOUT_SECONDS + 30)[0]
        except subprocess.TimeoutExpired:
            self.stop()
            raise LabError("the client of short connections did not end") from None
        try:
            told = json.loads(out)
        except ValueError:
            raise LabError(f"the client of short connections: {last_line(out.decode(errors='replace'))}") from None
        return summary(told, self._wanted, self._size)

    def stop(self) -> None:
        """Ends it early."""
        end_group(self._client)


@contextmanager
def several(client: Host, address: str, rates: Mapping[str, int], seconds: float) -> Iterator[dict[str, ShortConnections]]:
    """Short connections over several protocols at once, by protocol; what still runs after the body is ended.

    ``rates``: connections per second by protocol.
    """
    with ExitStack() as stack:
        running = {}
        for protocol, rate in rates.items():
            running[protocol] = ShortConnections(client, address, Wanted(rate, protocol), seconds)
            stack.callback(running[protocol].stop)
        yield running


def summary(told: Json, wanted: Wanted, size: int) -> Json:
    """The contract's ``short``, from what ``webclient`` tells."""
    millis = told["millis"]
    return {"protocol": wanted.protocol, "bytes": size, "wantedPerSecond": wanted.per_second,
            "perSecond": round(len(millis) / told["seconds"], 1), "requests": told["wanted"],
            "failed": sum(told["failures"].values()), "causes": told["failures"],
            "p50Millis": percentile(millis, 50), "p99Millis": percentile(millis, 99)}


def percentile(millis: Sequence[float], percent: int) -> float | None:
    """That percentile, None of nothing."""
    if len(millis) < 2:
        return millis[0] if millis else None
    return round(statistics.quantiles(millis, n=100, method="inclusive")[percent - 1], 2)


def forwarder_alone(testbed: Testbed, seconds: int, wanted: Wanted) -> Json:
    """The contract's ``forwarderAlone``: the same connections beside one transfer, with the application deactivated. The web
    server has to run."""
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    address = network.addresses(server)[0]
    progress(f"{wanted.per_second} short connections per second for {seconds} s, the forwarder alone")
    with testbed.without_application():
        transfer = testbed.transfer(seconds=seconds)
        try:
            beside = ShortConnections(client, address, wanted, seconds)
            try:
                told = beside.finish()
            finally:
                beside.stop()
            transfer.finish()
        finally:
            transfer.stop()
        # The application would not know what is left of it.
        wait_for("the end of the transfer's connections in the kernel", lambda: not kernel_connections(client, IPERF_PORT),
                 _CLOSE_SECONDS)
    return {**{name: told[name] for name in ("perSecond", "failed", "p50Millis", "p99Millis")},
            "goodputMbps": round(transfer.goodput(), 3)}


def problems(short: Json) -> Iterator[str]:
    """What is wrong with short connections, a sentence each: all are to be answered, and about as many per second as were
    wanted. ``short``: as in the contract."""
    if short["failed"]:
        yield (f"{short['failed']} of {short['requests']} short connections failed: "
               f"{', '.join(f'{count} {cause}' for cause, count in short['causes'].items())}")
    if short["perSecond"] < _ANSWERED * short["wantedPerSecond"]:
        yield f"{short['perSecond']:.1f} of {short['wantedPerSecond']} short connections per second were answered"


def busy(client: Host, address: str, protocol: str, size: int, at_once: int, seconds: int, folder: Path,
         on: Sequence[str] = ()) -> Json:
    """``at_once`` short connections at any time, for ``seconds``: what the network carries. ``ab``'s own figures, with the
    names of `summary`; ``folder``: for its files; ``on``: a command that runs ``ab``. Connections that are open at the end do not
    count."""
    table = folder / "ab.csv"
    patience = round(TIMEOUT_SECONDS)
    out, err, status = client.pexec(["timeout", str(seconds + 2 * patience), *on, *(MPTCP if protocol == "mptcp" else ()),
                                     "ab", "-q", "-r", "-s", str(patience), "-t", str(seconds), "-c", str(at_once), "-e",
                                     str(table), f"http://{address_and_port(address, WEB_PORT)}/{size}"])
    if status:
        raise LabError(f"ab on {client.name}: {last_line(err or out)}")
    return busy_summary(out, table.read_text(encoding="ascii"))


def busy_summary(out: str, table: str) -> Json:
    """The same of ``ab``'s output and of its table of percentiles."""
    told = dict(line.split(":", 1) for line in out.splitlines() if ":" in line)
    millis = dict(line.split(",") for line in table.splitlines())
    requests, failed = (int(told[name]) for name in ("Complete requests", "Failed requests"))
    return {"perSecond": round((requests - failed) / float(told["Time taken for tests"].split()[0]), 1), "requests": requests,
            "failed": failed, "p50Millis": float(millis["50"]), "p99Millis": float(millis["99"])}


def last_line(text: str) -> str:
    """The last line that a program has said."""
    return (text.strip().splitlines() or ["it said nothing"])[-1]


def prepare(client: Host) -> None:
    """Lets a host open thousands of connections within the minute for which a port remains taken after a connection.

    The ports from 61000 on stay for the subflows that agents open.
    """
    out, err, status = client.pexec(["sysctl", "-q", "-w", "net.ipv4.ip_local_port_range=10000 60999",
                                     "net.ipv4.tcp_tw_reuse=1"])
    if status:
        raise LabError(f"{client.name}: {(err or out).strip()}")
