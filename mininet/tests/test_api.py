# SPDX-License-Identifier: Apache-2.0
"""The Python API where no testbed runs."""

import pytest

from mptcplab import Testbed, UsageError, api


def test_nothing_works_before_the_start():
    bed = Testbed()
    for use in (bed.results, bed.paths, bed.transfer, lambda: bed.hosts, lambda: bed.host("h1"), lambda: bed.link("s1-s2")):
        with pytest.raises(UsageError, match=r"does not run: start\(\) it, or use it in a with statement"):
            use()
    bed.stop()


@pytest.mark.parametrize("seconds", [0, -1, 1.5, float("nan"), float("inf"), 4000])
def test_a_transfer_has_a_whole_number_of_seconds(seconds):
    with pytest.raises(UsageError, match="whole number of seconds from 1 to 3600"):
        Testbed().transfer(seconds=seconds)


def test_only_root_can_start_it(monkeypatch):
    monkeypatch.setattr(api.os, "geteuid", lambda: 1000)
    with pytest.raises(UsageError, match="start Python with sudo"):
        Testbed().start()


def test_what_the_testbed_said_last_is_the_reason(monkeypatch, tmp_path):
    lab = tmp_path / "lab"
    lab.write_text("#!/bin/sh\necho 'some progress' >&2\necho 'lab: no such thing: give another' >&2\nexit 2\n")
    lab.chmod(0o755)
    monkeypatch.setattr(api, "ROOT", tmp_path)
    monkeypatch.setattr(api.os, "geteuid", lambda: 0)
    monkeypatch.setenv("MPTCPLAB_HTTP_PORT", "65499")
    bed = Testbed()
    with pytest.raises(UsageError, match="^no such thing: give another$"):
        bed.start()
    with pytest.raises(UsageError, match="does not run"):
        bed.results()
