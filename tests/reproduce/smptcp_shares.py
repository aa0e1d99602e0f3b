# SPDX-License-Identifier: Apache-2.0
"""How connections share links over time: what they have in the last half, and when that began."""

import statistics
from collections.abc import Sequence

import runs
from tables import Rows, mean, select

_WINDOW_SECONDS = 2.0
_NEAR = 0.1


class Shares:
    """How the connections of one run share the links in its last half. ``total`` and ``deviation`` in Mbit/s of payload;
    ``rates``: of each connection; ``seconds``: from the last one's begin until all stay near their shares, None if they never
    do."""

    def __init__(self, rows: Rows) -> None:
        self._series = {connection: sorted((row["second"], row["mbps"]) for row in select(rows, connection=connection))
                        for connection in dict.fromkeys(row["connection"] for row in rows)}
        end = max(second for series in self._series.values() for second, _ in series)
        self.rates = [mean(rate for second, rate in series if second > end / 2) for series in self._series.values()]
        self.total, self.deviation = sum(self.rates), statistics.pstdev(self.rates)
        self.seconds = self._settled(end)

    def _settled(self, end: float) -> float | None:
        """A connection is near its share if its mean over two seconds is within a tenth of that of the last half."""
        begun = max(series[0][0] for series in self._series.values())
        moment = None
        at = begun
        while at <= end / 2:
            if not self._is_near(at):
                moment = None
            elif moment is None:
                moment = at - begun
            at += 0.5
        return moment

    def _is_near(self, at: float) -> bool:
        for share, series in zip(self.rates, self._series.values()):
            window = [rate for second, rate in series if at <= second < at + _WINDOW_SECONDS]
            if not window or abs(mean(window) - share) > _NEAR * share:
                return False
        return True


def by_run(rows: Rows) -> list[Shares]:
    """The shares of each run."""
    return [Shares(select(rows, run=number)) for number in dict.fromkeys(row["run"] for row in rows)]


def after(times: Sequence[float | None]) -> str:
    """After how many seconds the runs had settled, and how many of them never did."""
    settled = [time for time in times if time is not None]
    if not settled:
        return "never"
    late = len(times) - len(settled)
    return f"{runs.text(settled, 1)} s" + (f" ({late} of {len(times)} never)" if late else "")


def all_after(some: Sequence[Shares]) -> str:
    """The same of these runs."""
    return after([one.seconds for one in some])
