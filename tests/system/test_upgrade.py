# SPDX-License-Identifier: Apache-2.0
"""The application is replaced and uninstalled while a transfer runs: what of its stored state stays, and who sees it."""

import base64
import json

from conftest import active, all_tcp_at_the_controller, assert_disjoint, connections, tcp_rules
from life import (SUBFLOWS, TIMEOUT, assert_reservations_follow, data_connection, deactivate, established, flows, paths,
                  transfer, watch_rules)
from mptcplab import demo
from mptcplab.build import oar
from mptcplab.errors import LabError
from mptcplab.onos import APPLICATION
from mptcplab.processes import wait_for
from packets import Wire
from pairs import CLIENT, KEYS, MACS, Pair
from sharing import allocated

OURS = "onos-mptcp-"
RESOURCES = ("connections", "links", "topology", "settings", "counters", "overlay")
COMMANDS = ("mptcp-connections -a", "mptcp-connections -a -j", "mptcp-subflows", "mptcp-subflows -j", "mptcp-links",
            "mptcp-counters", "intents", "intents -i", "maps", "maps -j")


def stored(testbed):
    """Entries in the application's maps, as ONOS's own command counts them."""
    found = {line["name"]: int(line["size"]) for line in json.loads(testbed.onos.shell("maps -j"))}
    return sum(size for name, size in found.items() if name.startswith(OURS))


def uninstall(testbed):
    testbed.onos.rest.delete(f"/applications/{APPLICATION}")
    wait_for("the application gone", lambda: testbed.onos.application_state() is None, TIMEOUT)


def install(testbed):
    testbed.onos.install(oar())
    demo.configure(testbed.onos, strategy="widest-disjoint")


def left_over(testbed):
    """Everything of ours in switches and ONOS."""
    rest = testbed.onos.rest
    intents = [i["key"] for i in rest.get("/intents")["intents"] if "mptcp" in i["key"].lower() and i["state"] != "WITHDRAWN"]
    rules = rest.get(f"/flows/application/{APPLICATION}").get("flows", [])
    apps = rest.get("/network/configuration").get("apps", {})
    settings = [name for name in rest.get("/configuration") if name.startswith(f"{APPLICATION}.config.")]
    return [*tcp_rules(testbed), *["watch rule"] * watch_rules(testbed), *intents, *rules, *allocated(testbed), *settings,
            *[name for name in apps if name == APPLICATION], *["stored entry"] * stored(testbed)]


def nothing_left(testbed):
    if found := left_over(testbed):
        raise LabError(str(found)[:2000])
    return True


def test_a_release_in_place_of_another_finds_its_connections(testbed):
    """deactivate and reinstall!, as docs/operations.md says."""
    testbed.onos.configure(idleSeconds=31)
    with transfer(testbed) as running:
        before = established(testbed, SUBFLOWS)
        # What changed less than half a second ago is not written yet; deactivation writes it.
        deactivate(testbed)
        flows(testbed, megabits=5)
        uninstall(testbed)
        testbed.onos.install(oar())
        wait_for("the connection found again with its subflows", lambda: (before["id"], "active", SUBFLOWS) in {
            (c["id"], c["state"], len(c["subflows"])) for c in active(testbed)}, TIMEOUT)
        now = data_connection(testbed)
        assert now["createdMillis"] == before["createdMillis"] and now["serverToken"] == before["serverToken"]
        assert_disjoint(paths(now))
        assert_reservations_follow(testbed)
        flows(testbed)
        assert testbed.onos.settings()["idleSeconds"] == 31
        assert testbed.onos.counters()["store.dropped"] == 0
        running.finish()
    testbed.onos.configure(idleSeconds=demo.IDLE_SECONDS)


def test_uninstalled_in_mid_transfer_it_leaves_nothing_and_begins_anew(testbed):
    rest = testbed.onos.rest
    try:
        testbed.onos.configure(idleSeconds=31)
        rest.post("/network/configuration", {"apps": {APPLICATION: {"mptcp": {"policies": [{"name": "for-the-test"}]}}}})
        with transfer(testbed) as running:
            before = established(testbed, SUBFLOWS)
            wait_for("connections and keys stored", lambda: stored(testbed) >= 2, TIMEOUT)
            uninstall(testbed)
            wait_for("nothing of ours in switches and ONOS", lambda: nothing_left(testbed), TIMEOUT)
            flows(testbed, megabits=5)
            testbed.onos.install(oar())
            assert before["id"] not in {c["id"] for c in connections(testbed)}
            assert testbed.onos.settings()["idleSeconds"] == 30
            running.finish()
    finally:
        install(testbed)
    with transfer(testbed) as again:
        assert_disjoint(paths(established(testbed, SUBFLOWS)))
        again.finish()


def test_no_answer_and_no_line_of_the_log_has_a_key(testbed):
    with all_tcp_at_the_controller(testbed, manageAfterMillis=0), Wire(testbed.network.clients[0]) as client, \
            Wire(testbed.network.servers[0]) as server:
        pair = Pair(testbed, (client, server))
        wait_for("ONOS knows the hosts", pair.announce, 20, every=0.5)
        end = pair.handshake()
        source = f"{end[0]}:{end[1]}"
        wait_for("the connection", lambda: [c for c in connections(testbed) if c["client"] == CLIENT
                                            and c["subflows"][0]["src"] == source], TIMEOUT)
        id_ = next(c["id"] for c in connections(testbed) if c["subflows"][0]["src"] == source)
        wait_for("its keys stored", lambda: stored(testbed) >= 2, TIMEOUT)
        answers = {name: json.dumps(testbed.onos.rest.get(f"/mptcp/{name}"))
                   for name in (*RESOURCES, f"connections/{id_}", f"connections/{id_}/events")}
        answers.update((command, testbed.onos.shell(command)) for command in COMMANDS)
        answers["log"] = testbed.onos.log()
    assert id_ in answers["connections"] and id_ in answers["mptcp-connections -a"]
    shown = {name: text for name, answer in answers.items() for text in texts(KEYS) if text in answer.lower()}
    assert not shown
    for host in testbed.onos.rest.get("/hosts")["hosts"]:
        if host["mac"].lower() in MACS:
            testbed.onos.rest.delete(f"/hosts/{host['mac']}/{host['vlan']}")


def texts(keys):
    """The ways in which a program may print one of two keys."""
    for key in (keys[:8], keys[8:]):
        number = int.from_bytes(key, "big")
        yield from (key.hex(), key.hex(" "), key.hex(":"), key.hex().lstrip("0"), str(number), str(number - (number >> 63 << 64)),
                    base64.b64encode(key).decode().rstrip("=").lower()[:10])
