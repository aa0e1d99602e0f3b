# SPDX-License-Identifier: Apache-2.0
"""A process of its own that takes back what the agent has changed when it has ended, was killed, or does not move any more."""

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable
from typing import NoReturn

from .errors import AgentError

SILENT_SECONDS = 15.0
"""An agent that has said nothing for so long is stuck. Longer than it waits for the controller."""

_TRIES = 5


class Watchdog:
    """The agent's end of a pipe to the process. However the agent ends, the pipe then closes."""

    def __init__(self, release: Callable[[], None], last: Callable[[], None] = lambda: None) -> None:
        """``release``: takes everything back; AgentError if that fails. ``last``: what is to be done when the agent has ended."""
        self._release, self._last = release, last
        self._pipe = -1
        self._start()

    def beat(self) -> None:
        """Says that the agent is alive; starts the process again if it is not there any more."""
        try:
            os.write(self._pipe, b".")
        except BrokenPipeError:
            os.close(self._pipe)
            self._start()
        except BlockingIOError:
            pass  # it has not read for long; what is in the pipe is enough

    def _start(self) -> None:
        reading, self._pipe = os.pipe()
        os.set_blocking(self._pipe, False)
        ready, say = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self._pipe)
                os.close(ready)
                _watch(self._release, self._last, reading, say)
            finally:
                os._exit(1)
        os.close(reading)
        os.close(say)
        # Until then a signal to the agent's group would end both.
        os.read(ready, 1)
        os.close(ready)


def _watch(release: Callable[[], None], last: Callable[[], None], pipe: int, say: int) -> NoReturn:
    # Neither Ctrl-C in the agent's terminal nor a signal to its group shall end both.
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.close(say)
    while True:
        ready = select.select([pipe], [], [], SILENT_SECONDS)[0]
        if ready and os.read(pipe, 4096):
            continue
        _take_back(release)
        if ready:
            last()
            os._exit(0)


def _take_back(release: Callable[[], None]) -> None:
    for attempt in range(_TRIES):
        with contextlib.suppress(AgentError, OSError):
            release()
            return
        time.sleep(0.1 * 2 ** attempt)
