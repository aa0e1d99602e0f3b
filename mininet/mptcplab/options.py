# SPDX-License-Identifier: Apache-2.0
"""Reading of options: wrong ones are told in one line, as a UsageError."""

import argparse
import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from .errors import UsageError


class Parser(argparse.ArgumentParser):
    """It raises instead of ending the program, and tells the nearest name for a wrong one."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}{' ' if message.endswith('?') else '; '}see {self.prog} --help")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options of a line. UsageError says what is wrong with it."""
        known = [option for action in self._actions for option in action.option_strings]
        passed_on = any(action.nargs == argparse.REMAINDER for action in self._actions)
        for word in [] if passed_on else arguments:
            name = word.partition("=")[0]
            if name.startswith("--") and not any(option.startswith(name) for option in known):
                self.error(f"there is no option {name}{did_you_mean(name, known)}")
        return self.parse_args(arguments) if passed_on else self.parse_intermixed_args(arguments)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, none_of(value, list(action.choices)))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question with the nearest of the names that there are; nothing if none is near."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def none_of(name: str, known: Sequence[str]) -> str:
    """What to say of a name that there is not."""
    return f"{name or 'nothing'} is none of {', '.join(known)}{did_you_mean(name, known)}"


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
                raise argparse.ArgumentTypeError(none_of(name, known))
        if len(set(chosen)) < len(chosen):
            raise argparse.ArgumentTypeError(f"{text} names one twice")
        return chosen
    return names
