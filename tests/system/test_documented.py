# SPDX-License-Identifier: Apache-2.0
"""The commands and configurations that the documents show, on the live ONOS. The tutorial's have a test of their own."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator

import pytest

from mptcplab.errors import LabError
from mptcplab.login import PAGE_USER
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.settings import ROOT
from mptcplab.testbed import Testbed

SECONDS = 60
CONFIGURATION = "/network/configuration"
NAMES = [ROOT / "README.md", *sorted(path for folder in ("docs", "docs/reference") for path in (ROOT / folder).glob("*.md"))]
DOCUMENTS = {path.name: path.read_text(encoding="utf-8") for path in NAMES if path.name != "tutorial.md"}
# What each kind of line begins with where it is quoted. In the reference, commands stand below the word "Examples".
PROMPTS = re.compile(r"^(?:onos> |karaf@root > |  (?=mptcp-|cfg ))?((?:mptcp-(?!agent )|cfg |curl ).*)$")
ENDLESS, ENDLESS_SECONDS = "--follow", 6


def blocks(markdown: str) -> list[str]:
    """The document's blocks of code."""
    return re.findall(r"^ *```(?:text|sh)?\n(.*?)^ *```$", markdown, flags=re.S | re.M)


def lines(block: str) -> Iterator[str]:
    """The command lines of a block, without prompt and remark, each one with what it goes on with."""
    synopsis = re.sub(r"'\n(.*?)'", lambda text: "'" + " ".join(text[1].split()) + "'", block.replace("\\\n", " "), flags=re.S)
    for line in synopsis.splitlines():
        found = PROMPTS.match(line)
        # A synopsis has its options in brackets.
        if found and not re.search(r" \[-", found[1]):
            yield re.sub(r" +#.*| \[CONNECTION …\]", "", found[1]).strip()


BLOCKS = [(name, block) for name, text in DOCUMENTS.items() for block in blocks(text)]
COMMANDS = [(name, line) for name, block in BLOCKS for line in lines(block)]
EXAMPLES = [(name, block) for name, block in BLOCKS if block.startswith(('{"devices"', '{"ports"', '{"apps"'))]
REQUESTS = [(name, *found) for name, block in BLOCKS for found in re.findall(r"^(POST) (\w+) (\{.*\})\s*$", block, flags=re.S)]


@pytest.fixture(scope="module")
def as_before(session_testbed: Testbed) -> Iterator[None]:
    """The configuration is afterwards as it was."""
    rest = session_testbed.onos.rest
    kept = {subject: rest.get(f"{CONFIGURATION}/{subject}") for subject in ("devices", "ports")}
    yield
    rest.delete("/mptcp/overlay")
    for subject, content in kept.items():
        rest.delete(f"{CONFIGURATION}/{subject}")
        rest.post(f"{CONFIGURATION}/{subject}", content)


@pytest.fixture
def known(session_testbed: Testbed, as_before: None) -> Iterator[dict[str, str]]:
    """What stands in the documents, and what stands in its place here: a connection that is awaited, and this run's login.
    Nothing that a command adds is left."""
    rest = session_testbed.onos.rest
    added: Json = rest.post("/mptcp/connections", {"subflows": [{"src": "10.0.0.1:40100", "dst": "10.0.0.2:5398"}]})
    yield {"33a99110": added["id"], "awaited-1": added["id"], "://HOST": "://127.0.0.1",
           f"-u {PAGE_USER} ": f"-u {PAGE_USER}:{session_testbed.onos.login.page} "}
    for one in rest.get("/mptcp/connections")["connections"]:
        if one["awaitedUntilMillis"]:
            rest.delete(f"/mptcp/connections/{one['id']}")
    for host in rest.get("/mptcp/agents")["agents"]:
        rest.delete(f"/mptcp/agents/{host['host']}")


def prepare(testbed: Testbed, line: str) -> None:
    """Sets the policy that a line needs, and none that it is to add."""
    if "mptcp-policy-" in line:
        needed = [{"name": "video"}] if "--before video" in line or "-remove" in line else []
        testbed.onos.rest.put("/mptcp/policies", {"policies": needed})


@pytest.mark.parametrize("document, line", COMMANDS, ids=[f"{number} {one[1][:60]}" for number, one in enumerate(COMMANDS)])
def test_a_command_does_what_its_document_shows(session_testbed: Testbed, known: dict[str, str], document: str,
                                                line: str) -> None:
    prepare(session_testbed, line)
    for shown, here in known.items():
        line = line.replace(shown, here)
    if line.startswith("curl "):
        done = subprocess.run(["bash", "-c", f"{line} -sS --fail-with-body"], capture_output=True, text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, f"{document}: {line}: {done.stdout}{done.stderr}"
        said = done.stdout
    elif ENDLESS in line:
        # It goes on until Ctrl-C, or until the login ends, and here nothing happens meanwhile.
        with pytest.raises(subprocess.TimeoutExpired):
            session_testbed.onos.shell(line, seconds=ENDLESS_SECONDS)
        said = ""
    elif "fd00::" in line:
        # The network of these tests has IPv4 only.
        with pytest.raises(LabError, match="fd00::1"):
            session_testbed.onos.shell(line)
        said = ""
    else:
        said = session_testbed.onos.shell(line)
    assert not re.search(r"^Error|Exception|Command not found", said, flags=re.M), f"{document}: {line}: {said}"
    if " -j" in line and said:
        json.loads(said)


@pytest.mark.parametrize("document, block", EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_a_configuration_is_taken(session_testbed: Testbed, as_before: None, document: str, block: str) -> None:
    rest = session_testbed.onos.rest
    rest.post(CONFIGURATION, json.loads(block))
    if "latitude" in block:
        def located() -> bool:
            stated = {one["id"]: one["annotations"] for one in rest.get("/devices")["devices"] if one["id"] in block}
            return ([float(one["latitude"]) for one in stated.values() if "latitude" in one],
                    [float(one["gridX"]) for one in stated.values() if "gridX" in one]) == ([52.52], [400.0])
        wait_for("the switches' positions", located, SECONDS)
    else:
        def limited() -> bool:
            return any(link["capacityMbps"] == 10 for link in rest.get("/mptcp/links")["links"] if link["source"] in block)
        wait_for("the link's capacity", limited, SECONDS)


@pytest.mark.parametrize("document, method, path, body", REQUESTS)
def test_a_request_is_answered(session_testbed: Testbed, known: dict[str, str], document: str, method: str, path: str,
                               body: str) -> None:
    assert method == "POST" and session_testbed.onos.rest.post(f"/mptcp/{path}", json.loads(body))["id"], document


def test_all_documents_with_commands_are_read() -> None:
    assert {"agent.md", "commands.md", "operations.md", "policies.md", "troubleshooting.md"} \
        <= {name for name, _ in COMMANDS}
    assert EXAMPLES and REQUESTS
