# SPDX-License-Identifier: Apache-2.0
"""The lab sheet, ``docs/lab``: a class that does what its pages say reaches their goals, and not before."""

import os
import re
import shutil
import signal
import subprocess

import pytest

from mptcplab.processes import end_group, wait_for
from mptcplab.settings import ROOT
from mptcplab.shell.exercises import EXERCISES
from test_demo import started, temporary_files
from test_tutorial import SSH

SECONDS = 300
SHEET = sorted((ROOT / "docs/lab").glob("[0-9]-*.md"))
CHECK = r"\./lab check \w+"


def blocks(page):
    """The kinds and contents of a page's blocks."""
    return re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.S | re.M)


class Terminals:
    """Those of a student, in a folder with the repository."""

    def __init__(self, folder, repository):
        self.repository, self.demonstration, self.others = repository, None, []
        programs = folder / "bin"
        programs.mkdir()
        (programs / "ssh").write_text(SSH, encoding="utf-8")
        (programs / "ssh").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        self.said = folder / "said"

    def type(self, command):
        """A demonstration runs in the first one until the next, long transfers in the third one, all else in the second one."""
        if command.startswith("./lab demo"):
            self.close()
            self.demonstration = started(*command.split()[1:], folder=self.environment["TMPDIR"], lab=self.repository / "lab")
            if "--once" in command:
                _, err = self.demonstration.communicate(timeout=SECONDS)
                assert self.demonstration.returncode == 0, err
                self.demonstration = None
            else:
                # As the sheet says. The first transfer has a report, and ends.
                assert any("transfers go on until Ctrl-C" in line for line in self.demonstration.stderr)
                self.until(0, "./lab status", r"(?s)active.*active.*active")
        elif re.search(r"--seconds 90$", command):
            self.others.append(subprocess.Popen(command.split(), cwd=self.repository, env=self.environment,
                                                start_new_session=True, stdout=subprocess.DEVNULL))
            if "--tcp" not in command:
                self.until(0, "./lab status", r":54\d\d .* active")
        elif re.fullmatch(CHECK, command):
            self.until(0, command, "reached")
        else:
            status, out = self.answer(command)
            assert status == 0, f"{command}: {out}"

    def until(self, status, command, shows):
        """Asks until a command ends so and shows that."""
        wait_for(f"{shows} from {command}", lambda: self._is(self.answer(command), status, shows), SECONDS, every=1)

    def _is(self, answer, status, shows):
        return answer[0] == status and re.search(shows, answer[1])

    def answer(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.repository, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=2 * SECONDS)
        print(f"$ {command}\n{done.stdout}")
        return done.returncode, done.stdout

    def close(self):
        for other in self.others:
            end_group(other)
        self.others.clear()
        if self.demonstration:
            self.demonstration.send_signal(signal.SIGINT)
            _, err = self.demonstration.communicate(timeout=60)
            assert self.demonstration.returncode == 130, err
            self.demonstration = None


@pytest.fixture
def terminals(tmp_path, monkeypatch):
    """With a function that makes them, in one repository or another."""
    made = []
    for variable in ("MPTCPLAB_HTTP_PORT", "MPTCPLAB_SSH_PORT"):
        # The pages have the usual ports, which are free in the tests' own namespace.
        monkeypatch.delenv(variable, raising=False)

    def make(repository=ROOT):
        made.append(Terminals(tmp_path, repository))
        return made[-1]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with temporary_files(temporary):
        yield make
        for one in made:
            one.close()


def work_through(terminals, page):
    """All commands of a page in their order. Its goal is not reached before its first change of the network."""
    name = page.stem.partition("-")[2]
    for kind, block in blocks(page):
        for command in block.splitlines() if kind == "sh" else ():
            terminals.type(command)
            if command.startswith("./lab demo --login") and name != "strategy":
                terminals.until(1, f"./lab check {name}", rf"missing: (?s:.*){name}: not reached yet")


def test_there_is_a_page_for_each_exercise():
    assert [page.stem.partition("-")[2] for page in SHEET] == list(EXERCISES)
    for page in SHEET:
        assert re.search(CHECK, page.read_text(encoding="utf-8")) and "Questions" in page.read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("page", SHEET[:-1], ids=lambda page: page.stem)
def test_a_student_reaches_the_goal(terminals, page):
    work_through(terminals(), page)


@pytest.mark.long
def test_a_student_writes_a_strategy(terminals, tmp_path):
    """In a copy of the repository: the page changes it."""
    copy = tmp_path / "repository"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", ".lint", "reproduction"))
    page = SHEET[-1]
    source = next(block for kind, block in blocks(page) if kind == "java")
    file = re.search(r"Write `(\S+\.java)`", page.read_text(encoding="utf-8"))[1]
    (copy / file).write_text(source, encoding="utf-8")
    work_through(terminals(copy), page)
