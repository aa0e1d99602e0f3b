# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the page on a live controller: the testbed, and the page with this run's login."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from mptcplab import demo, namespace, topology
from mptcplab.login import PAGE_USER
from mptcplab.settings import HTTP_PORT
from mptcplab.testbed import Testbed

if TYPE_CHECKING:  # what tests get of their fixture
    from conftest import Browser


@contextlib.contextmanager
def started(command: str, **options: Any) -> Iterator[Testbed]:
    """A testbed on ``diamond``, options as Testbed takes them; skips the test outside a namespace, which ``command`` makes."""
    if "MPTCPLAB_RUN_FOLDER" not in os.environ:
        pytest.skip(f"needs a testbed's namespace: {command}")
    namespace.prepare(leave=lambda status: pytest.exit("told to end", status))
    with Testbed(topology.load("diamond"), **options) as running:
        demo.configure(running.onos, strategy="widest-disjoint")
        yield running


def show(testbed: Testbed, browser: Browser, view: str = "", address: str = "127.0.0.1", port: int = HTTP_PORT,
         **options: Any) -> None:
    """Opens the page at a node's address with this run's login; options as Playwright's newContext takes them."""
    browser.open(f"http://{address}:{port}/onos/mptcp/{view}",
                 httpCredentials={"username": PAGE_USER, "password": testbed.onos.login.page, "send": "unauthorized"}, **options)
