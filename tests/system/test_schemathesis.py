# SPDX-License-Identifier: Apache-2.0
"""Schemathesis asks the live REST interface what its Swagger document says can be asked, and what it says cannot: no answer is a
server error, has a status that is not documented, or another content than the document says."""

import contextlib
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import tell
from mptcplab import packages
from mptcplab.login import PAGE_USER, write_private
from mptcplab.rest import Rest
from mptcplab.settings import HTTP_PORT
from mptcplab.testbed import Testbed

BASE = "/onos/v1/mptcp"
SHORT_EXAMPLES, LONG_EXAMPLES = 3, 150
"""Of each operation, beside those that schemathesis takes from the document's limits."""
SECONDS = 560
CONFIGURATION = """
hooks = "hooks.py"

[auth]
basic = {{ username = "{user}", password = "{password}" }}

[checks]
# The document does not have all rules, such as that a host exists.
positive_data_acceptance.enabled = false
# As in hooks.py.
content_type_conformance.enabled = false
negative_data_rejection.enabled = false

[phases.coverage]
# Not TRACE: Karaf's web server itself answers it with 500, for every address.
unexpected-methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "PATCH"]

[[operations]]
# It does not end.
include-path = "/stream"
enabled = false
"""
HOOKS = """
import schemathesis
from schemathesis.specs.openapi.checks import content_type_conformance, negative_data_rejection

@schemathesis.check
def content_is_what_the_document_says(ctx, response, case):
    # Without content, or with that of Karaf's web server, which asks for the login.
    if response.status_code not in (204, 304, 401):
        content_type_conformance(ctx, response, case)

@schemathesis.check
def what_the_document_rules_out_is_refused(ctx, response, case):
    # One value in place of a list of them is the same in a query.
    lists = {parameter.name for parameter in case.operation.query if parameter.definition.get("type") == "array"}
    if not any(isinstance(value, (str, int, float)) for name, value in (case.query or {}).items() if name in lists):
        negative_data_rejection(ctx, response, case)
"""


@pytest.fixture
def rest(session_testbed: Testbed) -> Iterator[Rest]:
    """REST; what requests have registered, added or shown is gone afterwards."""
    rest = session_testbed.onos.rest
    agents = {agent["host"] for agent in rest.get("/mptcp/agents")["agents"]}
    policies = rest.get("/mptcp/policies")
    with contextlib.ExitStack() as after:
        after.callback(rest.put, "/mptcp/policies", policies)
        after.callback(rest.delete, "/mptcp/overlay")
        yield rest
        for connection in rest.get("/mptcp/connections")["connections"]:
            if connection["awaitedUntilMillis"]:
                rest.delete(f"/mptcp/connections/{connection['id']}")
        for agent in rest.get("/mptcp/agents")["agents"]:
            if agent["host"] not in agents:
                rest.delete(f"/mptcp/agents/{agent['host']}")


@pytest.mark.parametrize("examples", [pytest.param(SHORT_EXAMPLES, id="short"),
                                      pytest.param(LONG_EXAMPLES, id="long", marks=pytest.mark.long)])
def test_rest_does_what_its_document_says(session_testbed: Testbed, rest: Rest, examples: int, tmp_path: Path,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    document = rest.get("/docs/apis/onos/v1/mptcp/swagger.json")
    (tmp_path / "swagger.json").write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "hooks.py").write_text(HOOKS, encoding="utf-8")
    write_private(tmp_path / "schemathesis.toml", CONFIGURATION.format(user=PAGE_USER, password=session_testbed.onos.login.page))
    phases = "examples,coverage,fuzzing" if examples == SHORT_EXAMPLES else "examples,coverage,fuzzing,stateful"
    done = subprocess.run(
        [str(packages.schemathesis()), "--config-file", "schemathesis.toml", "run", "swagger.json",
         "--url", f"http://127.0.0.1:{HTTP_PORT}{BASE}", "--max-examples", str(examples), "--seed", "1", "--phases", phases,
         "--continue-on-failure", "--request-timeout", "30", "--no-color", "--no-shrink"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
    cases = re.search(r"(\d+) generated", done.stdout)
    assert done.returncode == 0 and cases, done.stdout + done.stderr
    tell(capsys, f"schemathesis: {cases[1]} requests to {len(document['paths']) - 1} paths")
    assert int(cases[1]) > 200
