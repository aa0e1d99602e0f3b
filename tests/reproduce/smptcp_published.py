# SPDX-License-Identifier: Apache-2.0
"""What S-MPTCP's paper has in its tables: total and standard deviation between three connections (Mbit/s of payload), and after
how many seconds they had settled."""

from collections.abc import Mapping

Figures = tuple[float, float, float]

LABELS: Mapping[str, str] = {
    "balia": "BALIA", "olia": "OLIA", "lia": "LIA", "wvegas": "wVegas", "smptcp": "S-MPTCP over Reno",
    "smptcp-published": "S-MPTCP over BALIA", "reno": "Reno", "limits": "limits by agents",
    "alpha-1": "S-MPTCP over Reno, α = 1", "beta-3": "S-MPTCP over Reno, β = 3 (cq ≥ 3·q)"}

BASELINES = ("balia", "olia", "lia", "wvegas")

TABLES: Mapping[str, Figures] = {
    "balia": (33.962, 3.511, 13.8), "olia": (33.950, 3.350, 11.8), "lia": (33.967, 2.847, 11.0), "wvegas": (33.123, 0.992, 6.2),
    "smptcp-published": (33.950, 0.018, 2.0)}
"""Tables 1 and 7. S-MPTCP's window is over BALIA there."""

DELAYED: Mapping[tuple[str, int], Figures] = {
    ("smptcp", 15): (33.950, 0.018, 2.0), ("smptcp", 30): (33.940, 0.048, 2.0), ("smptcp", 100): (33.950, 0.030, 3.0),
    ("smptcp", 200): (33.907, 0.028, 5.0), ("smptcp", 500): (33.795, 0.039, 13.0), ("balia", 15): (33.962, 3.511, 13.8),
    ("balia", 30): (33.950, 1.970, 9.0), ("balia", 100): (33.933, 3.406, 13.0), ("balia", 200): (33.981, 3.956, 13.0),
    ("balia", 500): (34.131, 3.271, 24.0)}
"""Table 8: control and delay in milliseconds."""


def cell(figures: Figures | None) -> str:
    """A cell of a table; empty without figures."""
    return ", ".join(f"{value}" for value in figures or ())
