# SPDX-License-Identifier: Apache-2.0
"""A client that OpenAPI Generator makes of the live Swagger document runs against the controller."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from conftest import active
from mptcplab import packages
from mptcplab.login import PAGE_USER
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT

ADDRESS = f"http://127.0.0.1:{HTTP_PORT}/onos/v1/mptcp"
PROGRAM = Path(__file__).with_name("generated_client.py")


@pytest.mark.long
def test_a_generated_client_asks_the_controller(testbed, tmp_path):
    python = packages.openapi_generator()
    document = tmp_path / "swagger.json"
    document.write_text(json.dumps(testbed.onos.rest.get("/docs/apis/onos/v1/mptcp/swagger.json")), encoding="utf-8")
    made = subprocess.run([python.with_name("openapi-generator-cli"), "generate", "-i", document, "-g", "python",
                           "--package-name", "onos_mptcp", "-o", tmp_path / "client"], capture_output=True, text=True,
                          env=os.environ | {"JAVA_OPTS": "-Xmx512m", "PATH": f"{packages.java_home()}/bin:{os.environ['PATH']}"})
    assert made.returncode == 0, made.stdout + made.stderr
    transfer = testbed.transfer(seconds=60)
    try:
        wait_for("a connection on its paths", lambda: [one for one in active(testbed) if one["state"] == "active"], 60)
        hosts = [host["id"] for host in testbed.onos.rest.get("/mptcp/topology")["hosts"]]
        asked = subprocess.run([python, PROGRAM, ADDRESS, *hosts[:2]], capture_output=True, text=True, timeout=120,
                               env=os.environ | {"PYTHONPATH": str(tmp_path / "client"), "ONOS_WEB_USER": PAGE_USER,
                                                 "ONOS_WEB_PASS": testbed.onos.login.page})
    finally:
        transfer.stop()
    assert asked.returncode == 0, asked.stderr
    told = json.loads(asked.stdout)
    assert len(told["looked"]) == 13
    assert told["links"] == len(testbed.onos.rest.get("/mptcp/links")["links"])
    before, changed, again = told["idleSeconds"]
    assert (changed, again) == (before + 1, before)
    assert told["answers"] == 1
    assert "it takes 'share', 'backup' or 'block'" in json.loads(told["refusal"])["message"]
