# SPDX-License-Identifier: Apache-2.0
"""The controller's stream of server-sent events."""

import contextlib
import http.client
import json
import threading

from life import TIMEOUT, established, transfer
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT
from sharing import capacity


@contextlib.contextmanager
def listening(testbed):
    """Listens to the stream while the body runs; gives the growing list of (kind of event, its data)."""
    connection = http.client.HTTPConnection("127.0.0.1", HTTP_PORT, timeout=TIMEOUT)
    connection.request("GET", "/onos/v1/mptcp/stream", headers={"Authorization": testbed.onos.login.authorization})
    answer = connection.getresponse()
    assert answer.status == 200 and answer.getheader("Content-Type").startswith("text/event-stream")
    told, ended = [], threading.Event()

    def read():
        kind = None
        while not ended.is_set():
            # The controller says at least every two seconds that it is still there.
            line = answer.readline().decode().strip()
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                told.append((kind, json.loads(line.removeprefix("data: "))))
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield told
    finally:
        ended.set()
        reader.join(TIMEOUT)
        connection.close()


def test_zeta_is_told_when_it_changes(testbed):
    with listening(testbed) as told:
        wait_for("a snapshot", lambda: told, TIMEOUT)
        assert told[0][0] == "snapshot"
        with transfer(testbed) as running:
            name = established(testbed, 3)["id"]

            def attainable(least, most):
                """The newest ζ told of the connection, if it is in this range."""
                news = [one for kind, data in told if kind == "attainable" for one in data["connections"] if one["id"] == name]
                return news[-1] if news and least <= news[-1]["availableUpMbps"] <= most else None
            first = wait_for("ζ of the newcomer", lambda: attainable(29, 30.001), TIMEOUT)
            assert 29 <= first["fairUpMbps"] <= first["availableUpMbps"]
            with capacity(testbed, "s1", "s2", 4):
                lower = wait_for("ζ with less capacity", lambda: attainable(23, 24.001), TIMEOUT)
                assert lower["availableDownMbps"] > 29, "the other direction has what it had"
            wait_for("ζ as it was", lambda: attainable(29, 30.001), TIMEOUT)
            running.finish()
    kinds = [kind for kind, _ in told]
    assert kinds.count("snapshot") == 1 and set(kinds) == {"snapshot", "delta", "attainable"}
