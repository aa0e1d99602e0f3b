# SPDX-License-Identifier: Apache-2.0
"""Several controllers, of which one hears agents at a time: the nodes of an ONOS cluster."""

from collections.abc import Sequence
from typing import Any, Protocol

from .controller import News
from .errors import AgentError


class Reachable(Protocol):
    """The part of ``Controller`` that is used here."""

    url: str

    def report(self, content: dict[str, Any], wait_seconds: float, news: News | None = None) -> Any:
        """Sends a report and returns the answer; Refused, Interrupted or AgentError."""

    def close(self) -> None:
        """Closes the connection."""


class Controllers:
    """Asks the one that answered last, and the next ones in turn when it does not.

    All know the same tokens, so what one of them refuses is not asked again at another one. ``url``: of the one that is asked.
    """

    def __init__(self, controllers: Sequence[Reachable]) -> None:
        self._controllers = list(controllers)
        self._now = 0
        self.url = self._controllers[0].url

    def report(self, content: dict[str, Any], wait_seconds: float, news: News | None = None) -> Any:
        """Sends a report to each in turn until one answers, and returns that answer.

        Refused if one does not take the token; Interrupted if there is ``news`` before one answers; AgentError with the words of
        each if none answers.
        """
        failures = []
        for _ in self._controllers:
            try:
                return self._controllers[self._now].report(content, wait_seconds, news)
            except AgentError as failure:
                if type(failure) is not AgentError:
                    raise
                failures.append(str(failure))
                self._controllers[self._now].close()
                self._now = (self._now + 1) % len(self._controllers)
                self.url = self._controllers[self._now].url
                # Each counts its answers by itself.
                content = {name: value for name, value in content.items() if name != "since"}
        raise AgentError("; ".join(failures))
