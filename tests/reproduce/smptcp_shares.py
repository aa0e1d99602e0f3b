# SPDX-License-Identifier: Apache-2.0
"""How connections share links over time: what they have at the end, and when that began."""

import statistics

from tables import Rows, mean, select

_LAST_SECONDS, _WINDOW_SECONDS = 6.0, 2.0
_NEAR = 0.1


class Shares:
    """How the connections of one run share the links at the end. ``total`` and ``deviation`` in Mbit/s of payload; ``rates``: of
    each connection; ``seconds``: from the last one's begin until all stay near their shares, None if they never do."""

    def __init__(self, rows: Rows) -> None:
        self._series = {connection: sorted((row["second"], row["mbps"]) for row in select(rows, connection=connection))
                        for connection in dict.fromkeys(row["connection"] for row in rows)}
        end = max(second for series in self._series.values() for second, _ in series)
        self.rates = [mean(rate for second, rate in series if second > end - _LAST_SECONDS) for series in self._series.values()]
        self.total, self.deviation = sum(self.rates), statistics.pstdev(self.rates)
        self.seconds = self._settled(end)

    def _settled(self, end: float) -> float | None:
        """A connection is near its share if its mean over two seconds is within a tenth of that of its last six."""
        begun = max(series[0][0] for series in self._series.values())
        moment = None
        at = begun
        while at <= end - _LAST_SECONDS:
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
