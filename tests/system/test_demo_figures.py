# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP's figures as demonstrations: several connections at once, each with the share that the paper gives it."""

import json

import pytest

from conftest import assert_disjoint, links_of
from life import PAYLOAD
from mptcplab import login
from mptcplab.errors import LabError
from mptcplab.processes import wait_for
from mptcplab.rest import Rest
from test_demo import started

pytestmark = [pytest.mark.long, pytest.mark.timed]

PUBLISHED = {"fig1": (3, 12), "fig2b": (2, 20)}
"""Connections, and the fair share of each in Mbit/s."""

TOLERANCE = 0.03
"""Of a share: an idle control connection holds up to 0.1 Mbit/s beside each transfer."""


class Shown:
    """A figure's demonstration, as its name alone asks for it.

    Attributes: ``name``; ``shares``, Mbit/s: what the transfers were expected to get at the first moment at which that was
    each one's fair share, else at the last moment; ``transfers`` and ``result``: the demonstration's JSON.
    """

    def __init__(self, name, folder):
        self.name = name
        self.shares = []
        self._folder = folder
        process = started("demo", "--topology", name, "--once", "--json", str(folder / "f.json"), folder=folder)
        try:
            wait_for("shares as published", lambda: self._are_as_published() or process.poll() is not None, 400, every=0.5)
        finally:
            _, err = process.communicate(timeout=400)
        assert process.returncode == 0, err
        self.result = json.loads((folder / "f.json").read_text())
        self.transfers = [c for c in self.result["connections"] if c["goodputMbps"] > 0]

    def is_published(self, shares):
        """Whether these are the shares of all transfers, within the tolerance."""
        count, share = PUBLISHED[self.name]
        return len(shares) == count and all(abs(rate - share) <= TOLERANCE * share for rate in shares)

    def _are_as_published(self):
        try:
            kept = next(self._folder.glob(f"mptcplab-*/{login.FILE}"))
            known = Rest(login.read(kept)).get("/mptcp/connections")["connections"]
        except (LabError, OSError, StopIteration):
            return False  # ONOS is not there yet, or not any more
        # As long as its demand is unknown, a control connection has a share like a transfer's.
        shares = sorted(c["expectedUpMbps"] for c in known if c["state"] == "active" and c["expectedUpMbps"] > 1)
        self.shares = shares or self.shares
        return self.is_published(shares)


@pytest.fixture(scope="module", params=sorted(PUBLISHED))
def shown(request, tmp_path_factory):
    return Shown(request.param, tmp_path_factory.mktemp(request.param))


def test_every_connection_has_its_fair_share_once_demand_is_known(shown):
    assert shown.is_published(shown.shares), shown.shares


def test_every_transfer_is_there_with_its_subflows(shown):
    count, share = PUBLISHED[shown.name]
    assert shown.result["ok"] is True
    assert sorted(c["client"] for c in shown.transfers) == [f"10.0.0.{2 * n + 1}" for n in range(count)]
    assert all(len(one["subflows"]) == 2 for one in shown.transfers)
    assert sum(one["expectedMbps"] for one in shown.transfers) <= count * share + 0.01


def test_no_link_is_promised_twice(shown):
    for one in shown.transfers:
        assert_disjoint([s["path"] for s in one["subflows"]])
    assert all(link["reservedMbps"] <= link["capacityMbps"] + 0.001 for link in shown.result["links"])


def test_half_of_it_is_carried_on_any_machine(shown):
    count, share = PUBLISHED[shown.name]
    assert sum(c["goodputMbps"] for c in shown.transfers) >= 0.5 * count * share


@pytest.mark.long
def test_nearly_all_of_it_is_carried(shown):
    count, share = PUBLISHED[shown.name]
    assert sum(c["goodputMbps"] for c in shown.transfers) >= 0.85 * PAYLOAD * count * share
    for one in shown.transfers:
        assert one["expectedMbps"] == pytest.approx(share, rel=TOLERANCE), "also in the transfer's last second"


def test_subflows_meet_only_where_they_must(shown):
    links = [link for one in shown.transfers for s in one["subflows"] for link in links_of(s["path"])]
    shared = {link for link in links if links.count(link) > 1}
    # Each of fig1's connections has two paths, which it shares with its neighbours in the middle: links 5 and 10.
    assert len(shared) <= {"fig1": 2, "fig2b": 0}[shown.name], shared
