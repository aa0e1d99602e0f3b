# SPDX-License-Identifier: Apache-2.0
"""Transfers between hosts: iperf3 over MPTCP or plain TCP, and UDP as other traffic."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import LabError
from .hosts import Host, listens, start
from .processes import end_group, wait_for
from .rest import Json

if TYPE_CHECKING:  # the options are read before Mininet is installed
    from .network import Network

MPTCP = ("mptcpize", "run")
"""Makes a program that knows TCP only use MPTCP."""

IPERF_PORT = 5201
"""iperf3's own default."""

MOST_SECONDS = 3600
"""For so long at most a transfer runs that somebody asks for."""

_START_SECONDS = 30


class Transfer:
    """iperf3 from ``client`` to ``server`` for ``seconds``. It opens a control connection beside the data one.

    ``interval``: seconds between two readings of what has arrived.
    """

    _interrupted = False

    def __init__(self, client: Host, server: Host, address: str, seconds: int, port: int = IPERF_PORT,
                 wrapper: Sequence[str] = MPTCP, options: Sequence[str] = (), interval: float = 1) -> None:
        self.client, self.server, self.seconds, self._interval = client, server, seconds, interval
        self.started = 0.0
        self._port = port
        self._results: dict[str, Json] = {}
        self._server = start(server, [*wrapper, "iperf3", "-s", "-1", "-J", "-i", str(interval), "-p", str(port)])
        try:
            wait_for(f"iperf3 on {server.name}", lambda: listens(server, port), _START_SECONDS)
        except LabError:
            end_group(self._server)
            raise
        self.started = time.monotonic()
        self._client = start(client, [*wrapper, "iperf3", "-c", address, "-p", str(port), "-J",
                                       "-t", str(seconds), "--connect-timeout", "10000", *options])

    def runs(self) -> bool:
        """Whether it still transfers."""
        return self._client.poll() is None

    def is_connected(self) -> bool:
        """Whether the server's kernel has a connection of it, be it the one for control."""
        return bool(self.server.pexec(["ss", "-tnHO", "state", "established", f"( sport = :{self._port} )"])[0].strip())

    def finish(self, patience: float = 60) -> None:
        """Waits for the end, which may be so many seconds late; LabError with iperf3's own words if it did not go well."""
        for side, process in (("client", self._client), ("server", self._server)):
            try:
                out = process.communicate(timeout=self.seconds + patience if side == "client" else 30)[0]
            except subprocess.TimeoutExpired:
                self.stop()
                raise LabError(f"iperf3 on {self.client.name} did not end") from None
            self._results[side] = _result(out, f"iperf3 {side} {self.client.name} → {self.server.name}",
                                          self._interrupted)

    def stop(self) -> None:
        """Ends it early."""
        end_group(self._client)
        end_group(self._server)

    def interrupt(self) -> None:
        """Ends it early, and keeps what it has got so far; ``finish`` comes next."""
        self._interrupted = True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._client.pid, signal.SIGINT)

    def local_ports(self) -> list[int]:
        """Source ports of the data connections' first subflows; after ``finish``."""
        return [c["local_port"] for c in self._results["client"]["start"]["connected"]]

    def goodput(self) -> float:
        """Payload that the server received, by the time for which it received, Mbit/s; after ``finish``.

        Over a part of the transfer it could be more than the links carry: MPTCP hands over at once what had to wait for an
        octet on a slower path.
        """
        if self._interrupted:
            parts = [interval["sum"] for interval in self.intervals()]
            total = {field: sum(part[field] for part in parts) for field in ("bytes", "seconds")}
        else:
            total = self._results["server"]["end"]["sum_received"]
        return total["bytes"] * 8e-6 / total["seconds"] if total["seconds"] else 0.0

    def intervals(self) -> list[Json]:
        """What iperf3 on the server tells of each interval; after ``finish``."""
        return self._results["server"]["intervals"]

    def samples(self) -> list[Json]:
        """The payload that has arrived in each interval: ``second`` of its end since the beginning, ``goodputMbps``; after
        ``finish``. A last one that is shorter than half of the others is left out."""
        return [{"second": round(one["end"], 3), "goodputMbps": round(one["bits_per_second"] / 1e6, 3)}
                for one in (interval["sum"] for interval in self.intervals()) if one["seconds"] > self._interval / 2]


class CrossTraffic:
    """UDP at a fixed rate (Mbit/s of payload) from u1 to u2, as long as a transfer and a little more."""

    def __init__(self, network: Network, mbps: float, seconds: float, port: int = 5401) -> None:
        source, sink = network.net["u1"], network.net["u2"]
        self._server = start(sink, ["iperf3", "-s", "-1", "-J", "-p", str(port)])
        wait_for("iperf3 on u2", lambda: listens(sink, port), _START_SECONDS)
        self._client = start(source, ["iperf3", "-u", "-c", network.addresses(sink)[0], "-p", str(port), "-b", f"{mbps}M",
                                       "-t", str(seconds), "-l", "1400", "-J", "--connect-timeout", "10000"])

    def finish(self, seconds: float = 60) -> float:
        """Waits for its end and returns the rate that arrived, Mbit/s."""
        out = self._client.communicate(timeout=seconds)[0]
        self._server.communicate(timeout=seconds)
        total = _result(out, "iperf3 u1 → u2")["end"]["sum"]
        return total["bits_per_second"] / 1e6 * (1 - total["lost_percent"] / 100)

    def stop(self) -> None:
        """Ends it early."""
        end_group(self._client)
        end_group(self._server)


def _result(out: bytes, what: str, interrupted: bool = False) -> Json:
    try:
        result = json.loads(out)
    except ValueError:
        words = out.decode(errors="replace").strip().splitlines()
        raise LabError(f"{what}: {words[-1] if words else 'no answer'}") from None
    if result.get("error") and not interrupted:
        raise LabError(f"{what}: {result['error']}")
    return result
