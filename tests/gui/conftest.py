# SPDX-License-Identifier: Apache-2.0
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SHOTS = Path(os.environ.get("SHOTS", REPOSITORY / "gui" / "target" / "screenshots"))


@pytest.fixture(scope="session")
def node() -> str:
    """The Node that built the page: the distribution's, or the one from npm where that is too old."""
    from_npm = REPOSITORY / "gui/target/node/node_modules/node/bin/node"
    return str(from_npm) if from_npm.exists() else shutil.which("node") or "node"


class Browser:
    """A headless Chromium with one page; driver.mjs does the work. AssertionError if an order fails."""

    def __init__(self, node: str) -> None:
        self._process = subprocess.Popen([node, str(Path(__file__).parent / "driver.mjs")], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin and self._process.stdout
        self._orders, self._answers = self._process.stdin, self._process.stdout

    def _ask(self, order: str, **rest: Any) -> Any:
        self._orders.write(json.dumps(dict(rest, order=order)) + "\n")
        self._orders.flush()
        answer = json.loads(self._answers.readline() or '{"error": "the browser has gone"}')
        assert "error" not in answer, f"{order} {rest}: {answer['error']}"
        return answer["value"]

    def open(self, address: str, **options: Any) -> None:
        """Opens a fresh page; options as Playwright's newContext takes them. Without a login in them: the replaying server's."""
        self._ask("open", address=address, options=options)

    def open_gui2(self, rest: str, authorization: str, places: dict[str, dict[str, float]], **options: Any) -> None:
        """Opens the topology view of GUI2 on an ONOS with ``onos/gui``; gui2.mjs says what the arguments are."""
        self._ask("gui2", rest=rest, authorization=authorization, places=places, options=options)

    def links(self) -> dict[str, dict[str, str]]:
        """In GUI2: what it shows of each link, by its name: ``classes``, ``colour``, ``dashes`` and ``label``."""
        return self._ask("links")

    def receive(self, event: str, payload: dict[str, Any]) -> None:
        """In GUI2: lets the view receive what ONOS's core might send."""
        self._ask("receive", event=event, payload=payload)

    def asked(self) -> list[dict[str, Any]]:
        """In GUI2: the events that it has sent to ONOS."""
        return self._ask("asked")

    def go(self, view: str) -> None:
        """In GUI2: goes to another view, as the menu does: "/" is the topology's, "/elsewhere" an empty one."""
        self._ask("view", name=view)

    def reload(self) -> None:
        self._ask("reload")

    def press(self, key: str) -> None:
        self._ask("press", key=key)

    def click(self, on: str) -> None:
        self._ask("click", on=on)

    def fill(self, on: str, text: str) -> None:
        self._ask("fill", on=on, text=text)

    def dispatch(self, on: str, event: str) -> None:
        """Sends an event to an element that a pointer may not find, such as a thin line of the drawing."""
        self._ask("dispatch", on=on, event=event)

    def wait(self, on: str, seconds: float = 15, state: str = "visible") -> None:
        """Waits until something is visible, or "attached" or "detached"."""
        self._ask("wait", on=on, state=state, millis=seconds * 1000)

    def until(self, that: str, argument: object = None, seconds: float = 15) -> None:
        """Waits until a JavaScript function of the argument is true on the page."""
        self._ask("until", that=that, argument=argument, millis=seconds * 1000)

    def texts(self, on: str) -> list[str]:
        """The visible texts of everything that matches."""
        return self._ask("texts", on=on)

    def count(self, on: str) -> int:
        return self._ask("count", on=on)

    def screenshot(self, name: str, whole: bool = False) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        self._ask("screenshot", file=str(SHOTS / f"{name}.png"), whole=whole)

    def problems(self) -> list[Any]:
        """What axe-core finds, whatever its weight."""
        return self._ask("problems")

    def complaints(self) -> dict[str, Any]:
        """Errors in the console, and requests to other origins."""
        return self._ask("complaints")

    def close(self) -> None:
        self._orders.close()
        self._process.wait(20)


@pytest.fixture(scope="module")
def browser(node: str) -> Iterator[Browser]:
    running = Browser(node)
    yield running
    running.close()
