# SPDX-License-Identifier: Apache-2.0
"""Reading of options: wrong ones are told in one line, as a UsageError."""

import argparse
from collections.abc import Callable
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
