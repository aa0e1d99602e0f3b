# SPDX-License-Identifier: Apache-2.0
"""Commands into a testbed that a Python program has started, as from a second terminal."""

import re
import struct
import subprocess

import pytest

from mptcplab import Testbed
from mptcplab.processes import wait_for
from mptcplab.settings import ROOT
from mptcplab.shell.actions import FIRST_PORT
from test_demo import temporary_files

SECONDS = 60
LINE = r"^ (s\d) → (s\d) +(up|down) +([\d.]+) +([\d.]+|–) +([\d.]+|–)$"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder for temporary files of a testbed on which a transfer runs."""
    folder = tmp_path_factory.mktemp("shell")
    with temporary_files(folder), Testbed() as bed:
        bed.transfer(seconds=3600)
        bed.wait_for_paths(3)
        yield folder
    assert not list(folder.iterdir())


@pytest.fixture
def lab(folder):
    """A command's output; it must end with the given status."""
    def run(*arguments, status=0):
        done = subprocess.run([str(ROOT / "lab"), *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=SECONDS, cwd=ROOT)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr
    return run


def paths(told):
    """The paths that a status has, of subflows that are active."""
    return re.findall(r"→ \S+:\d+ +(s\d(?: s\d)*) .* active$", told, re.M)


def links(told):
    """(a, b) → (state, capacity, measured) of a status."""
    return {(a, b): (state, float(capacity), measured) for a, b, state, capacity, _, measured in re.findall(LINE, told, re.M)}


def test_a_hosts_own_kernel_is_asked(lab):
    asked = ("host", "h1", "ss", "-tniH", "state", "established", "dport", "=", f":{FIRST_PORT}")
    wait_for("the subflows in its kernel, too", lambda: lab(*asked).count("tcp-ulp-mptcp") >= 3, SECONDS)


def test_a_link_goes_and_comes(lab):
    assert "is down" in lab("link", "s1-s2", "down")
    wait_for("paths around it", lambda: (found := paths(lab("status"))) and not any("s1 s2" in path for path in found), SECONDS)
    assert links(lab("status"))["s1", "s2"][0] == "down"
    assert "is up" in lab("link", "s1-s2", "up")
    wait_for("a path over it", lambda: any("s1 s2" in path for path in paths(lab("status"))), SECONDS)


def test_a_link_gets_another_capacity(lab):
    lab("link", "s1-s4", "4")
    # It is measured behind the rate limit; a burst comes on top.
    wait_for("as much on it as fits",
             lambda: (found := links(lab("status"))["s1", "s4"])[1] == 4.0 and 2.0 < float(found[2]) < 4.8, SECONDS)
    lab("link", "s1-s4", "10")


@pytest.mark.parametrize("kind, most", [([], 31.0), (["--tcp"], 10.5)])
def test_one_more_transfer(lab, kind, most):
    told = lab("transfer", "h1", "h2", "--seconds", "3", *kind)
    assert 0.0 < float(re.match(r" ([\d.]+) Mbit/s of payload from h1 to h2 over 3 s\n", told)[1]) < most


def test_one_more_transfer_with_at_most_two_subflows(lab):
    told = lab("transfer", "h1", "h2", "--seconds", "6", "--subflows", "2")
    assert 0.0 < float(re.match(r" ([\d.]+) Mbit/s of payload from h1 to h2 over 6 s\n", told)[1]) < 20.5
    # Of two connections, iperf3's for control being one.
    assert 1 <= len(paths(told)) <= 4
    assert "not allowed with" in lab("transfer", "h1", "h2", "--tcp", "--subflows", "2", status=2)


def test_a_capture_is_the_users(lab, folder, tmp_path):
    """tcpdump ends with the count; the file is in the user's own folder, outside the demonstration's."""
    lab("capture", "s1-s3", "-w", str(tmp_path / "c.pcap"), "-c", "20", "tcp", "port", str(FIRST_PORT))
    captured = (tmp_path / "c.pcap").read_bytes()
    assert struct.unpack("<I", captured[:4])[0] == 0xA1B2C3D4 and len(captured) > 20 * 54


def test_wrong_names_are_told_with_the_right_ones(lab):
    assert "no host h9: there are h1, h2, u1, u2" in lab("host", "h9", status=2)
    assert "no link s1-s9: there are s1-s2" in lab("link", "s1-s9", "down", status=2)
    assert "neither down nor up" in lab("link", "s1-s2", "sideways", status=2)
    lab("host", "h1", "false", status=1)


def test_the_end_of_a_reader_is_no_fault(folder):
    done = subprocess.run(["bash", "-c", f"{ROOT}/lab status | head -1"], capture_output=True, text=True,
                          timeout=SECONDS)
    assert "page: http://127.0.0.1:" in done.stdout and "Traceback" not in done.stderr
