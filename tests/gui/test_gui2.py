# SPDX-License-Identifier: Apache-2.0
"""The overlay in the topology view of ONOS's GUI2, as its published libraries draw it, on the live controller.

They are gui2-topo-lib and gui2-fw-lib 2.1.1. Badges came to the view with 2.3; ``TopologyView`` in gui's unit tests has them.
"""

import re

import pytest

from live import started
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT, ROOT
from mptcplab.unprivileged import readable

pytestmark = pytest.mark.long

_TRANSFER_SECONDS = 300
# The colours of the first three subflows that are shown, and of links that have none.
_COLOURS = {"secondary port-traffic-green": "rgb(0, 153, 51)", "primary optical": "rgb(119, 68, 255)",
            "secondary port-traffic-orange": "rgb(255, 137, 3)"}
_PLAIN = "rgb(136, 136, 136)"
_LINKS_OF_SWITCHES = 6
# The diamond drawn apart. The view shows no link that is exactly horizontal: its glow has no height there.
_PLACES = {f"of:{number:016x}": {"x": x, "y": y} for number, x, y in (
    (1, 230, 470), (2, 500, 260), (3, 500, 510), (4, 500, 740), (5, 770, 530))}
_HOSTS = {"10.0.0.1": {"x": 110, "y": 290}, "10.0.0.2": {"x": 890, "y": 710}, "10.0.0.3": {"x": 110, "y": 650},
          "10.0.0.4": {"x": 520, "y": 120}}
_IS_READABLE = """() => [...document.querySelectorAll('.linkLabel text')]
    .every((text) => !text.textContent || getComputedStyle(text).opacity === '1')"""


@pytest.fixture(scope="module")
def testbed():
    with started("./lab test long", connections=1, subflows=3) as running:
        [jar] = readable(ROOT / "onos/gui/target", "gui").glob("onos-mptcp-embedded-gui-*.jar")
        running.onos.shell(f"bundle:install -s file:{jar}")
        yield running


def transfer(testbed, port):
    return testbed.transfer(seconds=_TRANSFER_SECONDS, port=port)


def connection(testbed, port):
    """The data connection to that port, once it sends over three subflows with expected throughputs."""
    def sends():
        found = [c for c in testbed.onos.rest.get("/mptcp/connections")["connections"]
                 if c["subflows"][0]["dst"].endswith(f":{port}") and (c["measuredUpMbps"] or 0) > 3
                 and [s["state"] for s in c["subflows"]] == ["active"] * 3]
        return max(found, key=lambda c: (c["measuredUpMbps"] or 0), default=None)
    return wait_for(f"a busy connection to port {port}", sends, 60)


@pytest.fixture(scope="module")
def view(testbed, browser):
    """The view with hosts, as with the key h; the same one for all tests, because its start takes long."""
    hosts = testbed.onos.rest.get("/hosts")["hosts"]
    places = {**_PLACES, **{h["id"]: _HOSTS[ip] for h in hosts for ip in h["ipAddresses"] if ip in _HOSTS}}
    browser.open_gui2(f"http://127.0.0.1:{HTTP_PORT}/onos/v1", testbed.onos.login.authorization, places,
                      viewport={"width": 1000, "height": 800})
    drawn(browser, _LINKS_OF_SWITCHES, seconds=120)
    browser.press("h")
    drawn(browser, _LINKS_OF_SWITCHES + len(hosts))
    yield browser
    assert browser.complaints() == {"complaints": [], "foreign": []}


@pytest.fixture(scope="module")
def first(testbed, view):
    """A transfer over three paths."""
    running = transfer(testbed, 5201)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def second(testbed, first):
    """Another one, whose subflows are all on one path."""
    connection(testbed, 5201)
    testbed.onos.configure(strategy="shortest")
    running = transfer(testbed, 5202)
    yield running
    running.stop()


def drawn(browser, count, seconds=20):
    browser.until("n => document.querySelectorAll('[onos-linksvg] > line').length === n", count, seconds)


def choose(testbed, one):
    testbed.onos.shell(f"mptcp-overlay on {one['id']}")


def styled(view):
    """What the view shows of the links that have a style or a label, by their ends: numbers of switches, h for hosts."""
    def ends(name):
        return tuple(int(end[3:19]) if end.startswith("of:") else "h" for end in name.split("~"))
    return {ends(name): shown for name, shown in view.links().items()
            if shown["colour"] != _PLAIN or shown["label"] or shown["classes"] not in ("", "plain")}


def are_styled(view, links):
    return wait_for(f"{links} highlighted", lambda: set(found := styled(view)) == links and found, 40)


def is_bare(view):
    wait_for("no link with a style or a label", lambda: not styled(view), 40)


def are_classes(view, expected):
    wait_for("the overlay's colours again", lambda: {ends: shown["classes"] for ends, shown in styled(view).items()}
             == {ends: shown["classes"] for ends, shown in expected.items()}, 20)


def shows_an_intent(view):
    """The core's message about an intent on the links that our overlay has coloured green."""
    names = [name for name, shown in view.links().items() if shown["classes"] == "secondary port-traffic-green"]
    view.receive("showHighlights", {"devices": [], "hosts": [], "links": [
        {"id": name, "css": "primary", "label": "intent"} for name in names]})


def test_a_connection_is_drawn_from_host_to_host(testbed, view, first):
    data = connection(testbed, 5201)
    wait_for("its full speed", lambda: (connection(testbed, 5201)["measuredUpMbps"] or 0) > 27, 60)
    choose(testbed, data)
    links = {("h", 1), (1, 2), (2, 5), (1, 3), (3, 5), (1, 4), (4, 5), ("h", 5)}
    are_styled(view, links)

    def readings():
        shown = styled(view)
        ways = [[int(node[3:]) for node in s["path"]] for s in data["subflows"]]
        for number, (way, classes) in enumerate(zip(ways, _COLOURS), 1):
            for link in zip(way, way[1:]):
                told = shown[tuple(sorted(link))]
                assert (told["classes"], told["colour"], told["dashes"]) == (classes, _COLOURS[classes], "none")
                if not re.fullmatch(rf"{number}: (9\.\d|10(\.\d)?)/10", told["label"]):
                    return None
        # A label there would lie on the host's name.
        return all(shown[end]["label"] == "" and shown[end]["classes"] for end in (("h", 1), ("h", 5)))
    wait_for("each subflow's rates on its links, and none at hosts", readings, 30)
    view.until(_IS_READABLE)
    view.screenshot("gui2")


def test_nothing_is_left_of_another_choice(testbed, second, view):
    several, one = connection(testbed, 5201), connection(testbed, 5202)
    choose(testbed, several)
    are_styled(view, {("h", 1), (1, 2), (2, 5), (1, 3), (3, 5), (1, 4), (4, 5), ("h", 5)})
    choose(testbed, one)
    middle = int(one["subflows"][0]["path"][1][3:])
    shown = are_styled(view, {("h", 1), (1, middle), (middle, 5), ("h", 5)})
    assert {s["classes"] for s in shown.values()} == {"secondary port-traffic-green"}
    between = [s["label"] for ends, s in shown.items() if "h" not in ends]
    assert all(re.fullmatch(r"3 subflows \d+(\.\d)?/\d+(\.\d)?", label) for label in between), shown


def test_nothing_is_left_after_it_is_switched_off(testbed, second, view):
    choose(testbed, connection(testbed, 5202))
    wait_for("links highlighted", lambda: len(styled(view)) == 4, 40)
    testbed.onos.shell("mptcp-overlay off")
    is_bare(view)
    # The view draws hosts' links anew.
    links = len(view.links())
    view.press("h")
    drawn(view, _LINKS_OF_SWITCHES)
    view.press("h")
    drawn(view, links)
    assert styled(view) == {}


def test_it_comes_back_after_an_intent_of_onos_was_shown_and_hosts_were_hidden(testbed, second, view):
    """The core's *show intent on topology* sends the view's other message, with the same links."""
    one = connection(testbed, 5202)
    choose(testbed, one)
    middle = int(one["subflows"][0]["path"][1][3:])
    links = {("h", 1), (1, middle), (middle, 5), ("h", 5)}
    before = are_styled(view, links)
    shows_an_intent(view)
    view.press("h")
    drawn(view, _LINKS_OF_SWITCHES)
    view.press("h")
    are_classes(view, before)


def test_it_comes_back_with_the_view(testbed, second, view):
    """The view of intents leads back with the intent in the address. What the core has begun, it goes on sending."""
    one = connection(testbed, 5202)
    choose(testbed, one)
    middle = int(one["subflows"][0]["path"][1][3:])
    before = are_styled(view, {("h", 1), (1, middle), (middle, 5), ("h", 5)})
    links = len(view.links())

    view.go("/elsewhere")
    drawn(view, 0)
    view.go("/?intentId=0x1&intentType=PathIntent&appId=1&appName=org.example")
    drawn(view, links)
    are_classes(view, before)
    shows_an_intent(view)
    view.press("h")
    drawn(view, _LINKS_OF_SWITCHES)
    testbed.onos.shell("mptcp-overlay off")
    is_bare(view)
    choose(testbed, one)
    shows_an_intent(view)
    view.press("h")
    drawn(view, links)
    are_classes(view, before)

    # ONOS's own traffic on the same links, until the next of ours.
    view.receive("topo2Highlights", {"devices": [], "hosts": [], "links": [
        {"id": name, "css": "secondary port-traffic-orange", "label": "9 Mbps"} for name in view.links()]})
    view.press("0")
    are_classes(view, before)

    view.reload()
    drawn(view, _LINKS_OF_SWITCHES, seconds=120)
    view.press("h")
    drawn(view, links)
    are_classes(view, before)


def test_what_is_selected_is_told_to_the_core_alone(testbed, second, view):
    before = len(view.asked())
    view.click("g.node.host")
    def asked():
        return {one["event"]: one["payload"] for one in view.asked()[before:]}
    wait_for("a question", lambda: "requestDetails" in asked(), 15)
    assert asked()["requestDetails"]["class"] == "host"
    # Where the host is on the view, which is the core's business, too.
    assert set(asked()) <= {"requestDetails", "updateMeta2"}


def test_nothing_is_left_after_the_end_of_a_connection(testbed, first, second, view):
    choose(testbed, connection(testbed, 5201))
    wait_for("links highlighted", lambda: len(styled(view)) == _LINKS_OF_SWITCHES + 2, 40)
    first.stop()
    is_bare(view)


def test_nothing_is_left_when_the_application_stops(testbed, second, view):
    choose(testbed, connection(testbed, 5202))
    wait_for("links highlighted", lambda: len(styled(view)) == 4, 40)
    testbed.onos.deactivate_application()
    is_bare(view)
