# SPDX-License-Identifier: Apache-2.0
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SHOTS = Path(os.environ.get("SHOTS", REPOSITORY / "gui" / "target" / "screenshots"))


@pytest.fixture(scope="session")
def node():
    """The Node that built the page: the distribution's, or the one from npm where that is too old."""
    from_npm = REPOSITORY / "gui/target/node/node_modules/node/bin/node"
    return str(from_npm) if from_npm.exists() else shutil.which("node")


class Browser:
    """A headless Chromium with one page; driver.mjs does the work. AssertionError when something does not come about."""

    def __init__(self, node):
        self._process = subprocess.Popen([node, str(Path(__file__).parent / "driver.mjs")], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _ask(self, order, **rest):
        self._process.stdin.write(json.dumps(dict(rest, order=order)) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"error": "the browser has gone"}')
        assert "error" not in answer, f"{order} {rest}: {answer['error']}"
        return answer["value"]

    def open(self, address, **options):
        """Opens a fresh page, logged in; options as Playwright's newContext takes them."""
        self._ask("open", address=address, options=options)

    def click(self, on):
        self._ask("click", on=on)

    def wait(self, on, seconds=15, state="visible"):
        """Waits until something is visible, or "attached" or "detached"."""
        self._ask("wait", on=on, state=state, millis=seconds * 1000)

    def until(self, that, argument=None, seconds=15):
        """Waits until a JavaScript function of the argument is true on the page."""
        self._ask("until", that=that, argument=argument, millis=seconds * 1000)

    def texts(self, on):
        """The visible texts of everything that matches."""
        return self._ask("texts", on=on)

    def count(self, on):
        return self._ask("count", on=on)

    def screenshot(self, name, whole=False):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self._ask("screenshot", file=str(SHOTS / f"{name}.png"), whole=whole)

    def serious_problems(self):
        """What axe-core finds that keeps people out."""
        return self._ask("problems")

    def complaints(self):
        """Errors in the console, and requests to other origins."""
        return self._ask("complaints")

    def close(self):
        self._process.stdin.close()
        self._process.wait(20)


@pytest.fixture(scope="module")
def browser(node):
    running = Browser(node)
    yield running
    running.close()
