# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/tutorial.md, from top to bottom, as a reader copies them."""

import os
import re
import signal
import subprocess

import pytest

from mptcplab.login import KNOWN
from mptcplab.processes import wait_for
from mptcplab.rest import Rest
from mptcplab.settings import ROOT
from test_demo import started

pytestmark = pytest.mark.long

SECONDS = 300
SSH = f"""#!/bin/sh
# As the reader does: accepts the new key, and types the password.
exec sshpass -p {KNOWN.shell} /usr/bin/ssh -n -q -F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "$@"
"""

SHOWS = {
    "mptcp-connections": r"active", "mptcp-paths": r"widest-disjoint", "mptcp-events": r"opened", "mptcp-policies": r"ports=5300",
    "mptcp-strategies": r"\* link-disjoint", "metrics": r'state="active"} 3', "--fail": r"s\d – s\d ended"}
"""What commands show, at the latest after a moment."""
MOMENT = 20


def blocks():
    """The tutorial's blocks of commands."""
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    return re.findall(r"```sh\n(.*?)```", text, flags=re.S)


def is_busy():
    """Whether REST knows a connection with three subflows that have paths."""
    known = Rest(KNOWN).get("/mptcp/connections")["connections"]
    return any([s["state"] for s in one["subflows"]] == ["active"] * 3 for one in known)


@pytest.fixture
def first_terminal(tmp_path):
    """Runs a command there; ends it with Ctrl-C before the next one, and at the end."""
    running = []

    def interrupt():
        while running:
            process = running.pop()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
            assert process.returncode == 130, err

    def run(command):
        program, *arguments = command.split()
        assert program == "./lab"
        running.append(started(*arguments, folder=tmp_path))
    yield run, interrupt
    interrupt()


def test_every_command_does_what_it_is_there_for(first_terminal, tmp_path):
    run, interrupt = first_terminal
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "ssh").write_text(SSH, encoding="utf-8")
    (programs / "ssh").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
    environment.pop("MPTCPLAB_RUN_FOLDER")
    first, *others = blocks()
    assert others
    run(first.strip())
    wait_for("a connection on three paths", is_busy, SECONDS)
    for block in others:
        if "./lab demo" in block:
            interrupt()
        for command in re.split(r"\n(?=ssh|curl|\./lab)", block.strip()):
            out = answer(command, environment)
            # ONOS says nothing of a property or a configuration that it takes.
            assert out.strip() or "cfg set" in command or "-X POST" in command, f"{command} says nothing"
            shows = next((regex for name, regex in SHOWS.items() if name in command), "")
            if "mptcp-subflows" in command:
                shows = r" 5\.00/" if "./lab link" in block else r"10\.00/(?s:.*)10\.00/(?s:.*)10\.00/"
            if not re.search(shows, out):
                assert command.startswith("ssh"), f"{command}: {out}"
                wait_for(f"{shows} from {command}", lambda c=command, s=shows: re.search(s, answer(c, environment)),
                         MOMENT, every=1)


def answer(command, environment):
    """What a command prints. It must end well, and tell of no error."""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=ROOT, env=environment, timeout=SECONDS,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print(f"$ {command}\n{done.stdout}{done.stderr}")
    assert done.returncode == 0, f"{command}: {done.stderr}"
    assert "rror" not in done.stdout, f"{command}: {done.stdout}"
    return done.stdout
