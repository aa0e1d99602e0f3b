# SPDX-License-Identifier: Apache-2.0
"""Reading of options: wrong ones are told in one line, as a UsageError."""

import argparse
import difflib
from collections.abc import Callable, Sequence
from typing import NoReturn

from .errors import UsageError


class Parser(argparse.ArgumentParser):
    """It raises instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}; see ./lab help")


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number between two, both included."""
    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is no whole number from {least} to {most}")
        return int(text)
    return number


def rate(text: str) -> float:
    """Reads a rate in Mbit/s."""
    try:
        mbps = float(text)
    except ValueError:
        mbps = 0
    if not 0 < mbps <= 100:
        raise argparse.ArgumentTypeError(f"{text} is no rate above 0 and up to 100 Mbit/s")
    return mbps


def some_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    """Reads names with commas between them, each once and all of them known; for one that is not, the nearest is told."""
    def names(text: str) -> list[str]:
        chosen = text.split(",")
        for name in chosen:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                raise argparse.ArgumentTypeError(f"{name or 'nothing'} is none of {', '.join(known)}"
                                                 + (f": did you mean {near[0]}?" if near else ""))
        if len(set(chosen)) < len(chosen):
            raise argparse.ArgumentTypeError(f"{text} names one twice")
        return chosen
    return names
