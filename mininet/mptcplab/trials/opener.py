# SPDX-License-Identifier: Apache-2.0
"""Opens a fixed number of subflows for each connection; runs in a host: ``mptcplab.trials.opener PORT SUBFLOWS``.

The kernel's own path manager opens nine at most. So this is the path manager of its network namespace, and opens as many as
wanted between the connection's two addresses, to ``PORT``. A server needs it as well, with 1: otherwise its kernel accepts nine
at most.
"""

import contextlib
import random
import select
import sys

from mptcpagent.errors import AgentError
from mptcpagent.pathmanager import NotYet, PathManager, What
from mptcpagent.subflow import Ends, of, ports

_FIRST_PORT, _PORTS = 20000, 10000
"""The source ports of subflows: below those that kernels choose."""

_AGAIN_SECONDS = 0.02
_TRIES = 20
"""More than there are subflows to open."""


class Opener:
    """``port``: of the servers; ``subflows``: of a connection, the first one included."""

    def __init__(self, manager: PathManager, port: int, subflows: int) -> None:
        self._manager, self._port, self._subflows = manager, port, subflows
        self._waiting: dict[int, tuple[Ends, int]] = {}
        # Ports of an opener before this one may still be held.
        self._used = random.randrange(_PORTS)

    def run(self) -> None:
        """For ever."""
        while True:
            select.select([self._manager], [], [], _AGAIN_SECONDS if self._waiting else None)
            self.step()

    def step(self) -> None:
        """Takes what has happened, and opens what can be opened."""
        # Events are lost if very many come at once; later connections are heard of all the same.
        with contextlib.suppress(OSError):
            for event in self._manager.events():
                if event.what == What.CLOSED:
                    self._waiting.pop(event.token, None)
                elif (event.what == What.ESTABLISHED and not event.server and event.ends
                        and ports(event.ends)[1] == self._port):
                    self._waiting[event.token] = (event.ends, self._subflows - 1)
        for token in list(self._waiting):
            self._open(token)

    def _open(self, token: int) -> None:
        ends, missing = self._waiting.pop(token)
        tries = _TRIES + missing
        while missing and tries:
            tries -= 1
            try:
                self._manager.create(token, self._next(ends), backup=False)
                missing -= 1
            except NotYet:
                self._waiting[token] = (ends, missing)
                return
            except AgentError as failure:
                # The port may be taken; the next one is free.
                print(failure, file=sys.stderr, flush=True)

    def _next(self, ends: Ends) -> Ends:
        self._used += 1
        return of(ends[:16], _FIRST_PORT + self._used % _PORTS, ends[16:32], self._port)


if __name__ == "__main__":
    of_this_host = PathManager()
    of_this_host.take()
    print("ready", flush=True)
    Opener(of_this_host, int(sys.argv[1]), int(sys.argv[2])).run()
