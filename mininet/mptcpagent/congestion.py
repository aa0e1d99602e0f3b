# SPDX-License-Identifier: Apache-2.0
"""``mptcp-agent congestion NAME``: all MPTCP subflows of this host get a congestion control, without a controller.

One whose program has chosen a congestion control of its own (``TCP_CONGESTION``) keeps it, and plain TCP is left alone. The
kernel tells of each subflow that comes (``mptcp_pm_events``, Linux 5.12 and later).
"""

import select
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from .errors import AgentError, Unusable
from .generic import Family
from .limits import MOST_MBPS, Applied, Limits
from .netlink import Netlink
from .sockets import Subflow
from .windows import NEED_RATES

LOOK_SECONDS = 4.0
"""After so long without news it looks all the same: the kernel drops news that nobody reads in time."""

_LEAST_SECONDS = 0.2
"""Between two looks: so a host with very many connections spends little on them."""


class Chooser(Protocol):
    """The part of ``Windows`` that is used here."""

    before: str

    def apply(self, limits: Limits, mtus: dict[bytes, int]) -> Applied:
        """As ``Windows.apply``."""

    def release(self) -> None:
        """As ``Windows.release``."""


class News(Protocol):
    """The part of ``Netlink`` that is used here."""

    def fileno(self) -> int:
        """Its descriptor, for ``select``."""

    def news(self) -> Iterator[memoryview]:
        """What has come."""


class Giver:
    """``read``: gives the kernel's subflows, OSError if it cannot; ``news``: readable when a subflow may have come; ``beat``: is
    called at least every few seconds; ``say``: takes a line for people; ``pause``: sleeps so many seconds."""

    def __init__(self, chooser: Chooser, read: Callable[[], Iterable[Subflow]], news: News, beat: Callable[[], None],
                 say: Callable[[str], None], pause: Callable[[float], object] = time.sleep) -> None:
        self._chooser, self._read, self._news, self._beat, self._say, self._pause = chooser, read, news, beat, say, pause
        self._said = ""

    def run(self) -> None:
        """Until an exception ends it; afterwards the subflows have what they would have without."""
        try:
            while True:
                self.step()
        finally:
            self._chooser.release()

    def step(self) -> None:
        """One look, and the wait for the next one."""
        self._beat()
        try:
            # Any rate: what is chosen here does not heed it.
            self._chooser.apply({one.ends: MOST_MBPS for one in self._read() if one.control == self._chooser.before}, {})
        except (AgentError, OSError) as failure:
            self._tell(str(failure))
        self._pause(_LEAST_SECONDS)
        select.select([self._news], [], [], LOOK_SECONDS)
        try:
            for _ in self._news.news():
                pass
        except OSError:
            pass  # some are lost: as good as news

    def _tell(self, line: str) -> None:
        if line != self._said:
            self._say(line)
            self._said = line


def require_usable(name: str) -> None:
    """Unusable if a congestion control of this agent is of no use without a controller."""
    if name in NEED_RATES:
        raise Unusable(f"{name} goes by what a controller expects of each subflow: mptcp-agent --controller … "
                       f"--congestion {name}")


def events() -> Netlink:
    """What tells of subflows, in this network namespace. Unusable if the kernel does not."""
    try:
        return Family("mptcp_pm", 1).listen("mptcp_pm_events")
    except OSError as failure:
        raise Unusable(f"this kernel does not tell of MPTCP's subflows: {failure.strerror or failure}") from None
