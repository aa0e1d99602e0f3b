# SPDX-License-Identifier: Apache-2.0
"""An ONOS that ends while it starts: what the user is told, and how soon."""

import time

import pytest

from mptcplab import onos
from mptcplab.errors import EndedError, LabError
from mptcplab.login import KNOWN
from mptcplab.processes import Processes, wait_for

LOG = "apache-karaf-4.2.9/data/log/karaf.log"
# As Karaf 4.2.9 says it on Java 17, shortened.
KARAF_ON_17 = """karaf: JAVA_HOME not set; results may vary
Could not create framework: java.lang.IllegalArgumentException: Exported package names cannot be zero length.
java.lang.IllegalArgumentException: Exported package names cannot be zero length.
\tat org.apache.felix.framework.util.manifestparser.ManifestParser.parseExportHeader(ManifestParser.java:786)
"""


class Account:
    """One without privileges to give up."""

    become: tuple[str, ...] = ()
    environment = {"PATH": "/usr/bin:/bin"}

    def __init__(self, home):
        self.home = home

    def own(self, top):
        pass


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a release whose script does this; ends it afterwards."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr(onos, "Account", lambda _: Account(home))
    monkeypatch.setattr(onos, "readable", lambda path, _: path)
    monkeypatch.setattr(onos.packages, "release_java_home", lambda: "/opt/java-11")
    processes = Processes()

    def run(script, logged=""):
        release = tmp_path / "release"
        (release / "bin").mkdir(parents=True)
        (release / "apache-karaf-4.2.9" / "etc").mkdir(parents=True)
        if logged:
            (release / LOG).parent.mkdir(parents=True)
            (release / LOG).write_text(logged)
        (release / "bin" / "onos-service").write_text(f"#!/bin/sh\n{script}\n")
        (release / "bin" / "onos-service").chmod(0o755)
        onos.Onos(tmp_path, processes, KNOWN, str(release)).start()
    yield run
    processes.stop_all()


def test_the_first_error_is_told_at_once(start, tmp_path):
    (tmp_path / "said").write_text(KARAF_ON_17)
    begun = time.monotonic()
    with pytest.raises(EndedError) as ended:
        start(f"cat {tmp_path / 'said'}; exit 1")
    assert str(ended.value) == ("ONOS ended with status 1: Could not create framework: java.lang.IllegalArgumentException: "
                                "Exported package names cannot be zero length.")
    assert time.monotonic() - begun < onos.START_SECONDS / 4


def test_an_error_that_only_the_log_has(start):
    with pytest.raises(EndedError, match=r"status 3: 2026-11-23 \| ERROR \| main \| no room$"):
        start("mkdir -p apache-karaf-4.2.9/data/log; echo starting; "
              "printf '2026-11-23 | INFO | main | begins\\n2026-11-23 | ERROR | main | no room\\n2026-11-23 | INFO | ends\\n' "
              f">{LOG}; exit 3")


def test_errors_of_an_earlier_start_are_not_told(start):
    with pytest.raises(EndedError, match="now it is broken$"):
        start(f"echo '2026-11-23 | ERROR | main | now it is broken' >>{LOG}; exit 3", "2025-01-01 | ERROR | main | long ago\n")


@pytest.mark.parametrize("script, says", [("echo bye; exit 0", "bye"), ("exit 0", "it said nothing")])
def test_without_an_error_the_last_line_is_told(start, script, says):
    with pytest.raises(EndedError, match=f"status 0: {says}$"):
        start(script)


def test_it_runs_on_the_java_for_releases(start):
    with pytest.raises(EndedError, match="status 1: on /opt/java-11$"):
        start('echo "on $JAVA_HOME"; exit 1')


def test_a_wait_goes_on_after_other_errors():
    tries = iter([LabError("not yet"), OSError("not yet"), None])

    def condition():
        failure = next(tries)
        if failure:
            raise failure
        return True
    assert wait_for("it", condition, 10)
