# SPDX-License-Identifier: Apache-2.0
"""Reading what was computed, and writing Markdown."""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
"""A column's name → a number, text, or None for an empty value."""

Rows = list[Row]

Claim = tuple[str, str, str, str | bool]
"""What a paper claims, its figure, ours, and whether it comes out: words, or yes or no."""

Made = Mapping[str, Sequence[Claim]]
"""What claims were made by, one of the three below → those claims."""

ARITHMETIC = "arithmetic"
"""The controller's own classes, or formulas."""

KERNELS = "real kernels"
"""Transfers on the testbed."""

SIMULATOR = "simulator"
"""Packets in ns-3, with the agent's own congestion controls."""

_Z = 1.96
"""The 97.5 % quantile of the normal distribution."""

NOT_TESTED = "not tested as published"
"""The verdict on a claim about something that was measured in the paper and is not measured here."""

CANNOT_FAIL = "yes (cannot fail)"
"""The verdict on a claim that follows from the algorithms, whatever the networks are."""

NOT_APART = "not apart"
"""The verdict on a difference that is within the error."""

OTHER_MACHINE = "another machine"
"""The verdict on a time that was taken on another machine than ours."""


def read(path: Path) -> Rows:
    """The rows of a CSV file as dictionaries; numbers are floats, an empty value is None."""
    with open(path, encoding="ascii", newline="") as file:
        return [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(file)]


def _value(text: str) -> float | str | None:
    if text == "":
        return None
    try:
        return float(text)
    except ValueError:
        return text


def select(rows: Rows, **wanted: str | float) -> Rows:
    """The rows whose columns have the values given."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def only(rows: Rows, **wanted: str | float) -> Row:
    """The one row whose columns have the values given."""
    found = select(rows, **wanted)
    if len(found) != 1:
        raise ValueError(f"{len(found)} rows with {wanted}, not one")
    return found[0]


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean."""
    values = list(values)
    return sum(values) / len(values)


def markdown(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; the first column is text, the others are numbers and stand to the right."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def percent(part: float) -> str:
    """A change as text with its sign: 0.08 is +8.0 %."""
    return f"{100 * part:+.1f} %"


def verdict(published: float, ours: float) -> str:
    """Whether a published change comes out: the same direction and at least half and at most twice of it, as parts."""
    if published * ours <= 0:
        return "no"
    return "yes" if 0.5 <= ours / published <= 2 else "direction only"


def wilson(count: float, of: float) -> tuple[float, float]:
    """The 95 % confidence interval of a share of which ``count`` of ``of`` draws were seen (Wilson's score interval)."""
    share, z2 = count / of, _Z * _Z / of
    middle = (share + z2 / 2) / (1 + z2)
    half = _Z / (1 + z2) * math.sqrt(share * (1 - share) / of + z2 / of / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def same_share(count: float, of: float, other: float, other_of: float) -> float:
    """The probability of a difference as large as seen if both shares were equal (two-sided test of two proportions)."""
    pooled = (count + other) / (of + other_of)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / of + 1 / other_of))
    return 1.0 if spread == 0 else math.erfc(abs(count / of - other / other_of) / spread / math.sqrt(2))


def interval(published: float, ours: float, error: float) -> str:
    """As :func:`verdict`, but "not apart" where the 95 % interval of ours, so wide to each side, holds 0."""
    return NOT_APART if abs(ours) <= error else verdict(published, ours)


def sign(ours: float, error: float, wanted: int = 1) -> str:
    """Whether a change has the sign claimed, beyond its 95 % interval."""
    return NOT_APART if abs(ours) <= error else "yes" if ours * wanted > 0 else "no"


def statuses(items: Mapping[str, str], made: Made) -> str:
    """A table of all figures and tables of a paper with their status, and what it was made by: a line for each that has claims.

    ``items`` has the reason why one is not tested, for the case that no claim with its name before the colon was. *As
    published*: all its claims come out; its times may be of another machine, which is said then. *Same shape*: some do and none
    fails, but figures are further off, or no difference is seen. *Not*: one fails. Where no claim shows a difference, the figure
    is not tested either.
    """
    table = []
    for name, why in items.items():
        found = [[name, status, maker] for maker, rows in made.items() if (status := _status(name, rows))]
        table += found or [[name, f"not tested ({why})", ""]]
    return markdown(["table or figure", "status", "made by"], table)


def _status(name: str, rows: Sequence[Claim]) -> str:
    """Nothing if no claim is about it."""
    words = {_word(row[3]) for row in rows if row[0].partition(":")[0] == name} - {NOT_TESTED, ""}
    times = "; times not tested (another machine)" if OTHER_MACHINE in words else ""
    words -= {OTHER_MACHINE}
    if not words:
        return ""
    if "no" in words:
        return "not"
    if NOT_APART in words and words <= {NOT_APART, CANNOT_FAIL}:
        return "not tested (what was measured shows no difference, either way)"
    return ("as published" if words <= {"yes", CANNOT_FAIL} else "same shape") + times


def all_of(made: Made) -> list[Claim]:
    """The claims, whatever they were made by; that is said of those by the simulator."""
    return [(f"{claim} ({maker})" if maker == SIMULATOR else claim, published, ours, answer) for maker, rows in made.items()
            for claim, published, ours, answer in rows]


def claims(rows: Iterable[Claim]) -> str:
    """The table of what a paper says and what came out: (claim, published, ours, verdict)."""
    return markdown(["claim", "published", "ours", "comes out"],
                    [(claim, published, ours, _word(answer)) for claim, published, ours, answer in rows])


def _word(answer: str | bool) -> str:
    return answer if isinstance(answer, str) else "yes" if answer else "no"
