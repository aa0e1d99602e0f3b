# SPDX-License-Identifier: Apache-2.0
"""What the agent keeps from others: its token, and what it may do on its host."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mptcpagent import __main__ as command
from mptcpagent import capabilities, tokenfile
from mptcpagent.compiling import FOLDER
from mptcpagent.controller import Controller, Refused
from mptcpagent.errors import AgentError, Unusable
from mptcplab.login import write_private

UNIT = FOLDER / "mptcp-agent.service"
MOST_EXPOSED = 3.0


@pytest.fixture
def token(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    write_private(file, "a-token\n")
    return file


@pytest.mark.parametrize("url", ["http://10.0.0.1:8181", "http://onos:8181", "http://[fd00::1]:8181", "http://127.0.0.1.example"])
def test_a_token_does_not_travel_in_clear(url, token):
    with pytest.raises(Unusable, match="https"):
        Controller(url, "10.0.0.1", token)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8181", "http://[::1]:8181", "http://localhost:8181", "https://10.0.0.1:8443"])
def test_to_this_host_itself_it_may(url, token):
    assert Controller(url, "10.0.0.1", token).url == url


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o644, 0o666])
def test_a_token_file_that_others_can_get_at_is_refused(token, mode):
    token.chmod(mode)
    with pytest.raises(AgentError, match="chmod o= "):
        tokenfile.read(token)
    with pytest.raises(Refused):
        Controller("http://127.0.0.1:1", "10.0.0.1", token).report({}, 1.0)


@pytest.mark.parametrize("mode", [0o400, 0o600, 0o640])
def test_owner_and_group_may_read_it(token, mode):
    token.chmod(mode)
    assert tokenfile.read(token) == "a-token"


def test_after_the_start_no_program_can_be_loaded_and_no_packet_socket_opened():
    """Neither by the agent nor by what it starts, also as root."""
    program = "import os; from mptcpagent import capabilities as c; c.keep_few(); os.execlp('cat', 'cat', '/proc/self/status')"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(FOLDER.parent)}).stdout
    left = {name: int(value, 16) for name, value in re.findall(r"^Cap(\w+):\s*(\w+)$", said, re.M)}
    given_up = [capabilities.NET_RAW, capabilities.PERFMON, capabilities.BPF]
    assert left.keys() >= {"Inh", "Prm", "Eff", "Amb"}
    assert not [name for name in ("Inh", "Prm", "Eff", "Amb") for one in given_up if left[name] >> one & 1]
    assert left["Eff"] == capabilities.effective() & ~sum(1 << one for one in given_up), "everything else stays"


def unit(name: str) -> str:
    """The value of a setting of the unit."""
    return re.search(rf"^{name}=(.*)$", UNIT.read_text(encoding="utf-8"), re.M).group(1)


def test_the_unit_takes_the_nodes_of_a_cluster():
    given = {"$CONTROLLER": "https://onos1.example.org:8443 https://onos2.example.org:8443", "${HOST}": "10.0.0.1",
             "${CREDENTIALS_DIRECTORY}": "/run/credentials/mptcp-agent.service"}
    words = []
    for word in shlex.split(unit("ExecStart")):
        if word in given and not word.startswith("${"):
            words += given[word].split()
        else:
            words.append(re.sub(r"\$\{\w+\}", lambda found: given[found.group()], word))
    options = command._options(words[1:])
    assert options.controller == given["$CONTROLLER"].split()
    assert (options.host, str(options.token_file)) == ("10.0.0.1", "/run/credentials/mptcp-agent.service/token")


def test_each_node_may_have_its_own_option():
    options = command._options(["--controller", "https://a", "--controller", "https://b", "--host", "::1", "--token-file", "t"])
    assert options.controller == ["https://a", "https://b"]


def test_the_unit_exposes_little():
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)], capture_output=True,
                          text=True)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure and float(exposure.group(1)) < MOST_EXPOSED, done.stdout + done.stderr
