# SPDX-License-Identifier: Apache-2.0
"""Processes are kept on some processors for a while, with all that they have started."""

import os
import subprocess
import sys

import pytest

from mptcplab.affinity import kept_on
from mptcplab.processes import end_group, family, wait_for

ALL = os.sched_getaffinity(0)
WITH_CHILD = "import subprocess; subprocess.Popen(['sleep', '60']).wait()"


@pytest.fixture
def pair():
    """A process and one that it has started."""
    with subprocess.Popen([sys.executable, "-I", "-c", WITH_CHILD], start_new_session=True) as process:
        try:
            yield wait_for("its child", lambda: len(family(process.pid)) == 2 and family(process.pid), 30)
        finally:
            end_group(process)


def test_a_process_and_what_it_has_started_stay_on_a_processor_meanwhile(pair):
    with kept_on(pair[:1], {min(ALL)}):
        assert [os.sched_getaffinity(pid) for pid in pair] == 2 * [{min(ALL)}]
        assert os.sched_getaffinity(0) == ALL, "nobody else does"
    assert [os.sched_getaffinity(pid) for pid in pair] == 2 * [ALL]


def test_one_that_ends_meanwhile_is_no_failure(pair):
    with kept_on(pair[:1], {min(ALL)}):
        os.kill(pair[1], 9)
        wait_for("its end", lambda: family(pair[0]) == pair[:1] or not os.path.exists(f"/proc/{pair[0]}/task"), 30)
    with kept_on(pair, {min(ALL)}):
        pass
