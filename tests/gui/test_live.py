# SPDX-License-Identifier: Apache-2.0
"""The page on the live controller: real switches, real transfers, a link that fails, an ONOS that goes and comes back."""

import json
import re
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from live import show, started
from mptcplab.build import oar
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT, ROOT

_WAYS = "() => document.querySelectorAll('.way').length === 3"
_LINKS = "n => document.querySelectorAll('line[data-edge]').length === n"
# Longer than all waits of a test together. The fixture ends the transfer with the test.
_TRANSFER_SECONDS = 240


@pytest.fixture(scope="module")
def testbed():
    with started("./lab test gui", connections=1, subflows=3) as running:
        yield running


@pytest.fixture
def transfer(testbed):
    began = time.time() * 1000
    running = testbed.transfer(seconds=_TRANSFER_SECONDS)
    running.began = began
    yield running
    running.stop()


def busy(rest, transfer):
    """The transfer's data connection; iperf3's control connection is nearly idle."""
    found = [c for c in rest.get("/mptcp/connections")["connections"]
             if c["state"] == "active" and c["createdMillis"] >= transfer.began
             and len(c["subflows"]) == 3 and (c["measuredUpMbps"] or 0) > 15]
    return found[0] if found else None


def rate(text):
    """A rate as the page shows it; None for a dash."""
    return None if text == "–" else float(text.lstrip("<"))


def is_near(shown, told):
    """Whether two rates are equal but for rounding; False if either is unknown."""
    return shown is not None and told is not None and abs(shown - told) <= 0.051


def choose(browser, connection):
    browser.wait(f'tr[data-id="{connection["id"]}"]')
    browser.click(f'tr[data-id="{connection["id"]}"]')
    browser.until(_WAYS)


def test_the_three_paths_are_drawn_and_the_figures_are_those_of_rest(testbed, transfer, browser):
    rest = testbed.onos.rest
    connection = wait_for("a busy connection with three subflows", lambda: busy(rest, transfer), 30)
    show(testbed, browser)
    choose(browser, connection)
    assert browser.count(".node rect") == 5
    assert sorted(browser.texts(".subflows .path")) == ["s1 → s2 → s5", "s1 → s3 → s5", "s1 → s4 → s5"]

    def same():
        now = {s["src"]: [s["bottleneckMbps"], s["expectedUpMbps"], (s["measuredUpMbps"] or 0)]
               for s in rest.get(f"/mptcp/connections/{connection['id']}")["subflows"]}
        rows = [text.split("\t") for text in browser.texts(".subflows tbody tr")]
        shown = {re.search(r"[\d.]+:\d+", row[1])[0]: [rate(cell) for cell in row[2:5]] for row in rows}
        return len(shown) == 3 and all(is_near(a, b) for src in shown for a, b in zip(shown[src], now.get(src, [None] * 3)))
    wait_for("the page's figures equal to REST's", same, 15)
    browser.until("() => document.querySelectorAll('.life li').length >= 4")
    wait_for("the transfer at full speed", lambda: ((busy(rest, transfer) or connection)["measuredUpMbps"] or 0) > 26, 25)
    browser.screenshot("live-light")
    browser.click(".why button")
    browser.wait(".why tbody tr")
    told = rest.get(f"/mptcp/connections/{connection['id']}/limits")
    browser.until("n => document.querySelectorAll('.stage .mark-cut').length === n", len(told["minimumCut"]))
    browser.until("n => document.querySelectorAll('.stage .mark-full').length === n", len(told["limitedBy"]))
    browser.screenshot("live-why")
    assert browser.problems() == []
    assert browser.complaints() == {"complaints": [], "foreign": []}


@pytest.mark.parametrize("name, options", [("dark", {"colorScheme": "dark"}),
                                           ("narrow", {"viewport": {"width": 390, "height": 844}, "hasTouch": True})])
def test_it_can_be_used_in_the_dark_and_on_a_phone(testbed, transfer, browser, name, options):
    connection = wait_for("a busy connection with three subflows", lambda: busy(testbed.onos.rest, transfer), 30)
    show(testbed, browser, **options)
    choose(browser, connection)
    browser.until("() => document.querySelectorAll('.life li').length >= 4")
    browser.screenshot(f"live-{name}", whole=name == "narrow")
    assert browser.problems() == []


@pytest.mark.parametrize("switch", ["s3", "s4", "s2"])
def test_a_failed_link_shows(testbed, transfer, browser, switch):
    connection = wait_for("a busy connection with three subflows", lambda: busy(testbed.onos.rest, transfer), 30)
    show(testbed, browser)
    choose(browser, connection)
    browser.until(_LINKS, 6)
    begun = time.monotonic()
    testbed.network.set_link("s1", switch, up=False)
    try:
        browser.until(_LINKS, 5, seconds=30)
        gone = time.monotonic() - begun
        browser.until("() => [...document.querySelectorAll('.life .kind')].some(e => ['moved', 'lost'].includes(e.innerText))",
                      seconds=30)
        print(f"s1-{switch} had gone from the page after {gone:.2f} s, the subflow's move was told after "
              f"{time.monotonic() - begun:.2f} s")
        wait_for("five links in REST as well", lambda: len(testbed.onos.rest.get("/mptcp/topology")["links"]) == 10, 10)
        browser.wait("line[data-failed]", state="attached")
        failed = wait_for("the failed link in REST, and what left it", lambda: [
            link for link in testbed.onos.rest.get("/mptcp/links")["failed"] if connection["id"] in link["moved"]], 10)
        assert len(failed) == 1 and abs(failed[0]["sinceMillis"] / 1000 - time.time()) < 60, failed
        browser.screenshot("live-failed")
        assert browser.problems() == []
    finally:
        testbed.network.set_link("s1", switch, up=True)
    browser.until(_LINKS, 6, seconds=60)
    browser.wait("line[data-failed]", state="detached")
    assert testbed.onos.rest.get("/mptcp/links")["failed"] == []


def test_what_if_answers_as_the_planner_does(testbed, browser):
    rest = testbed.onos.rest
    wait_for("no active connection", lambda: not any(
        c["state"] == "active" for c in rest.get("/mptcp/connections")["connections"]), 60)
    plan = subprocess.run([str(ROOT / "lab"), "plan", "--topology", str(ROOT / "mininet/mptcplab/topologies/diamond.json"),
                           "--from", "1", "--to", "5", "--k", "3"], capture_output=True, text=True, check=True)
    planned = json.loads(plan.stdout)["connections"][0]
    show(testbed, browser, "#what-if")
    browser.wait("option[value]", state="attached")
    # The client's and the server's hosts are the first two in the list.
    browser.click("button.primary")
    browser.wait(".side-by-side article")
    paths = [text.split(" → ") for text in browser.texts(".side-by-side article:first-child td.path")]
    assert sorted(paths) == sorted([f"s{node}" for node in s["path"]] for s in planned["subflows"])

    def all_of_it():
        # A connection whose last packets come late is awake once more for a moment, and is entitled to its share.
        browser.click("button.primary")
        told = browser.texts(".side-by-side article:first-child strong")
        return told and is_near(rate(told[0].split()[0]), planned["expectedMbps"])
    wait_for("the planner's throughput", all_of_it, 60, every=0.5)


@pytest.mark.long
def test_onos_may_go_and_come_back(testbed, browser):
    show(testbed, browser)
    browser.wait(".contact.up")
    testbed.onos.stop()
    # On its way down ONOS may answer for a moment without the application.
    browser.until("() => document.querySelector('.banner')?.textContent.includes('ONOS does not answer')", seconds=30)
    assert browser.count(".node") > 0
    testbed.onos.start()
    if testbed.onos.application_state() != "ACTIVE":
        testbed.onos.install(oar())
    browser.wait(".contact.up", seconds=60)
    browser.until("() => document.querySelectorAll('.node rect').length === 5", seconds=60)


def test_a_wrong_password_is_refused(testbed):
    paths = ["/onos/mptcp/", "/onos/mptcp/index.html", "/onos/v1/mptcp/topology", "/onos/v1/mptcp/stream"]

    def answers():
        # After a start of ONOS the page's bundle may come later than REST.
        told = {path: status(path, "Basic b25vczp3cm9uZw==") for path in paths}
        return told if not {404, 503} & set(told.values()) else None
    assert wait_for("the page and REST in place", answers, 30) == dict.fromkeys(paths, 401)


def status(path, authorization):
    """The HTTP status that a request gets."""
    request = urllib.request.Request(f"http://127.0.0.1:{HTTP_PORT}{path}", headers={"Authorization": authorization})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code
