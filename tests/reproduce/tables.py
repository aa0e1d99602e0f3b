# SPDX-License-Identifier: Apache-2.0
"""Reading what was computed, and writing Markdown."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
"""A column's name → a number, text, or None for an empty value."""

Rows = list[Row]

Claim = tuple[str, str, str, str | bool]
"""What a paper claims, its figure, ours, and whether it comes out: words, or yes or no."""

NOT_TESTED = "not tested as published"
"""The verdict on a claim about something that was measured in the paper and is not measured here."""

CANNOT_FAIL = "yes (cannot fail)"
"""The verdict on a claim that follows from the algorithms, whatever the networks are."""

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


def claims(rows: Iterable[Claim]) -> str:
    """The table of what a paper says and what came out: (claim, published, ours, verdict)."""
    return markdown(["claim", "published", "ours", "comes out"],
                    [(claim, published, ours, _word(answer)) for claim, published, ours, answer in rows])


def _word(answer: str | bool) -> str:
    return answer if isinstance(answer, str) else "yes" if answer else "no"
