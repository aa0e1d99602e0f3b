# SPDX-License-Identifier: Apache-2.0
"""What Python programs of one's own do with the testbed, and the notebook of the documents."""

import os
import subprocess

import pytest

from conftest import assert_disjoint, links_of
from mptcplab import LabError, Testbed, UsageError
from mptcplab.processes import wait_for
from mptcplab.settings import ROOT
from notebook import Notebook
from test_demo import temporary_files, using

CAPACITY = 10.0


@pytest.fixture(scope="module")
def bed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api")
    with temporary_files(folder), Testbed(strategy="link-disjoint") as bed:
        yield bed
    assert not list(folder.iterdir()), "it left something behind"
    assert not using(folder)


def test_it_tells_what_there_is(bed):
    assert bed.hosts == ["h1", "h2", "u1", "u2"]
    assert "s1-s2" in bed.links and len(bed.links) == 6
    assert (bed.host("h2").addresses, bed.host("h2").switches) == (["10.0.0.2"], ["s5"])
    now = bed.results()
    assert (now["topology"], now["strategy"], now["connections"]) == ("diamond", "link-disjoint", [])
    assert {link["state"] for link in now["links"]} == {"up"} and len(now["links"]) == 12


def test_a_transfer_its_paths_and_its_rates(bed):
    one = bed.transfer(seconds=8)
    assert_disjoint(bed.wait_for_paths(3))
    assert "mptcp" in bed.host("h1").run("ss", "-tni")
    got = one.results()
    assert 15 < got["goodputMbps"] < 3 * CAPACITY
    assert [s["expectedMbps"] for s in got["subflows"]] == [CAPACITY] * 3
    assert len(got["samples"]) in (7, 8, 9) and abs(got["samples"][3]["second"] - 4) < 0.5
    assert sum(one["goodputMbps"] for one in got["samples"]) / len(got["samples"]) == pytest.approx(got["goodputMbps"], rel=0.15)


def test_a_link_goes_comes_and_gets_another_capacity(bed):
    link, one = bed.link("s1-s3"), bed.transfer(seconds=30)
    bed.wait_for_paths(3)
    link.down()
    wait_for("paths around it", lambda: not any({"s1", "s3"} in links_of(path) for path in bed.paths()), 30)
    link.up()
    wait_for("a path over it", lambda: any({"s1", "s3"} in links_of(path) for path in bed.paths()), 30)
    link.set_capacity(4)
    wait_for("its share", lambda: 4.0 in [s["expectedMbps"] for c in bed.results()["connections"] for s in c["subflows"]], 30)
    link.set_capacity(CAPACITY)
    one.results()


def test_a_transfer_of_at_most_two_subflows(bed):
    one = bed.transfer(seconds=12, subflows=2)
    assert_disjoint(bed.wait_for_paths(2))
    got = one.results()
    assert CAPACITY < got["goodputMbps"] < 2 * CAPACITY
    assert len(got["subflows"]) == 4, "of two connections, iperf3's for control being one"


def test_plain_tcp_has_one_path(bed):
    assert 0 < bed.transfer("h1", "h2", seconds=3, tcp=True).results()["goodputMbps"] < CAPACITY


@pytest.mark.parametrize("wrong, says", [
    (lambda bed: bed.start(), "runs already"),
    (lambda bed: Testbed().start(), "a demonstration runs at port"),
    (lambda bed: bed.host("h9"), "no host h9: there are h1, h2"),
    (lambda bed: bed.link("s1-s9"), "no link s1-s9: there are s1-s2"),
    (lambda bed: bed.link("s1-s2").set_capacity(1e9), "0.1 to 1000"),
    (lambda bed: bed.transfer("h1", "h9"), "no host h9"),
    (lambda bed: bed.transfer("h1", "h1"), "give two hosts"),
    (lambda bed: bed.transfer("h1", "h2", subflows=0), "from 1 to 9")])
def test_a_wrong_use_is_told_in_one_line(bed, wrong, says):
    with pytest.raises(UsageError, match=says) as told:
        wrong(bed)
    assert "\n" not in str(told.value)


def test_a_command_that_fails_or_does_not_end_is_told(bed):
    with pytest.raises(LabError, match="h1: ls /nosuch: .*No such file"):
        bed.host("h1").run("ls", "/nosuch")
    with pytest.raises(LabError, match="h1: sleep was not done after 0.5 s"):
        bed.host("h1").run("sleep", "60", seconds=0.5)


@pytest.mark.parametrize("options, says", [
    ({"topology": "nosuch"}, "unknown topology nosuch: give one of diamond"),
    ({"strategy": "nosuch"}, "nosuch is none of widest-disjoint"),
    ({"subflows": 99}, "99 is no whole number from 1 to 9")])
def test_wrong_arguments_are_told_at_the_start(tmp_path, monkeypatch, options, says):
    monkeypatch.setenv("MPTCPLAB_HTTP_PORT", "8191")
    with temporary_files(tmp_path), pytest.raises(UsageError, match=says):
        Testbed(**options).start()


@pytest.mark.long
def test_it_ends_with_a_program_that_is_killed(tmp_path, monkeypatch):
    monkeypatch.setenv("MPTCPLAB_HTTP_PORT", "8192")
    monkeypatch.setenv("MPTCPLAB_SSH_PORT", "8193")
    with temporary_files(tmp_path):
        program = subprocess.Popen(["/usr/bin/python3", "-c", "from mptcplab import Testbed; Testbed().start()"],
                                   env={**os.environ, "PYTHONPATH": str(ROOT / "mininet")})
        wait_for("its switches", lambda: list(tmp_path.glob("mptcplab-*/openvswitch/conf.db")), 120)
        program.kill()
        program.wait()
        wait_for("its end", lambda: not using(tmp_path), 60)


@pytest.mark.long
def test_the_notebook_draws_its_figure(tmp_path):
    """Its cells in their order, as a reader runs them."""
    with temporary_files(tmp_path):
        found = Notebook(ROOT / "docs/python.ipynb").run()
    means = {name: sum(values) / len(values) for name, values in found["goodput"].items()}
    assert means["shortest"] < means["widest-disjoint"] and means["widest-disjoint"] > 15
    assert found["figure"].axes[0].get_ylabel() == "goodput, Mbit/s"
