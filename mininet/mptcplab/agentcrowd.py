# SPDX-License-Identifier: Apache-2.0
"""Simulated agents: each keeps one HTTP connection to the controller and reports as ``mptcp-agent`` does, without a kernel."""

import json
import random
import selectors
import socket
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mptcpagent import VERSION
from mptcpagent.agent import WAIT_SECONDS

from .errors import LabError
from .rest import Json, quote

CONNECTIONS, SUBFLOWS = 2, 3
"""Of each agent's host."""

_LEAST_SECONDS = 0.2
_RATE_MBPS = 3.0
_NOISE = 0.1
_READ_BYTES = 1 << 16
_END_OF_HEAD = b"\r\n\r\n"


@dataclass
class Told:
    """What has come of the reports of some seconds: answers by their status, and after how long each one without news came,
    milliseconds."""

    seconds: float = 0.0
    answers: Counter[int] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        """Answers with status 200."""
        return self.answers[200] / self.seconds if self.seconds else 0.0

    def percentile(self, percent: int) -> float | None:
        """Of these times, milliseconds; None without any."""
        if not self.waits:
            return None
        return self.waits[0] if len(self.waits) == 1 else statistics.quantiles(self.waits, n=100)[percent - 1]


class _Agent:
    """One of them: either due at a time, or waiting for an answer."""

    def __init__(self, host: str, token: str) -> None:
        self.host = host
        self._head = (f"POST /onos/v1/mptcp/agents/report/{quote(host)} HTTP/1.1\r\nHost: controller\r\n"
                      f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n").encode()
        self._ends = [[(f"{host}:{40000 + 10 * number + each}", f"10.255.0.1:{5201 + number}") for each in range(SUBFLOWS)]
                      for number in range(CONNECTIONS)]
        self._acked = 0
        self.socket: socket.socket | None = None
        self.received = b""
        self.revision: int | None = None
        self.asked = 0.0

    def request(self, chance: random.Random) -> bytes:
        """The next report, whole."""
        self._acked += int(_RATE_MBPS * 1e6 / 8 * WAIT_SECONDS)
        content: Json = {"version": VERSION, "backend": "bpf", "pathManager": "user",
                         "connections": [self._connection(ends, chance) for ends in self._ends],
                         "waitMillis": round(WAIT_SECONDS * 1000)}
        if self.revision is not None:
            content["since"] = self.revision
        body = json.dumps(content, separators=(",", ":")).encode()
        return self._head + b"Content-Length: %d\r\n\r\n" % len(body) + body

    def _connection(self, ends: Sequence[tuple[str, str]], chance: random.Random) -> Json:
        return {"subflows": [{"local": local, "remote": remote, "cwnd": 40, "rttMillis": 12.5, "ackedBytes": self._acked,
                              "deliveryMbps": round(_RATE_MBPS * (1 + _NOISE * chance.random()), 3), "limited": "network"}
                             for local, remote in ends],
                "ended": False, "applicationLimited": False, "addable": True}

    def answer(self) -> tuple[int, Json] | None:
        """Status and content of an answer that is there as a whole; None while it is not."""
        head, found, rest = self.received.partition(_END_OF_HEAD)
        if not found:
            return None
        lines = head.decode("ascii", "replace").split("\r\n")
        length = next((int(line.partition(":")[2]) for line in lines if line.lower().startswith("content-length:")), None)
        if length is None:
            raise LabError(f"an answer without Content-Length: {lines[0]}")
        if len(rest) < length:
            return None
        self.received = rest[length:]
        return int(lines[0].split()[1]), json.loads(rest[:length] or b"{}")


class Crowd:
    """A context manager. ``agents``: address and token of each; ``port``: REST's, on 127.0.0.1."""

    def __init__(self, agents: Sequence[tuple[str, str]], port: int, seed: int = 1) -> None:
        self._agents = [_Agent(host, token) for host, token in agents]
        self._port = port
        self._chance = random.Random(seed)
        self._selector = selectors.DefaultSelector()
        self._due: list[tuple[float, _Agent]] = []

    def __enter__(self) -> "Crowd":
        now = time.monotonic()
        # Not all at once: agents have begun at times of their own.
        self._due = [(now + WAIT_SECONDS * self._chance.random(), agent) for agent in self._agents]
        return self

    def __exit__(self, *_: object) -> None:
        for agent in self._agents:
            if agent.socket:
                agent.socket.close()
        self._selector.close()

    def run(self, seconds: float) -> Told:
        """Lets them report for so long. LabError if the controller closes a connection in the middle of a report."""
        told, begun = Told(), time.monotonic()
        while (now := time.monotonic()) < begun + seconds:
            waiting = []
            for when, agent in self._due:
                if when <= now:
                    self._ask(agent)
                else:
                    waiting.append((when, agent))
            self._due = waiting
            for key, _ in self._selector.select(0.01):
                self._hear(key.data, told)
        told.seconds = time.monotonic() - begun
        return told

    def _ask(self, agent: _Agent) -> None:
        if agent.socket is None:
            agent.socket = socket.create_connection(("127.0.0.1", self._port), timeout=10)
            agent.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._selector.register(agent.socket, selectors.EVENT_READ, agent)
        agent.asked = time.monotonic()
        agent.socket.sendall(agent.request(self._chance))

    def _hear(self, agent: _Agent, told: Told) -> None:
        if agent.socket is None:
            return
        received = agent.socket.recv(_READ_BYTES)
        if not received:
            raise LabError(f"the controller has closed the connection of {agent.host}'s agent")
        agent.received += received
        answer = agent.answer()
        if answer is None:
            return
        status, content = answer
        now = time.monotonic()
        told.answers[status] += 1
        if status == 200:
            if content.get("revision") == agent.revision:
                told.waits.append(1e3 * (now - agent.asked))
            agent.revision = content.get("revision")
        self._due.append((max(now, agent.asked + _LEAST_SECONDS), agent))
