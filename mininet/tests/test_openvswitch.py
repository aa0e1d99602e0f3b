# SPDX-License-Identifier: Apache-2.0
"""The switch process goes before other sessions, where the kernel groups processes by session."""

import os
import subprocess
from pathlib import Path

import pytest

from mptcplab import openvswitch
from mptcplab.processes import end_group


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/proc/self/autogroup").exists(),
                    reason="needs root and CONFIG_SCHED_AUTOGROUP")
def test_the_session_of_a_process_is_preferred():
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        openvswitch._prefer(process.pid)
        assert f"nice {openvswitch._NICENESS}" in Path(f"/proc/{process.pid}/autogroup").read_text()
        assert "nice -20" not in Path("/proc/self/autogroup").read_text()
    finally:
        end_group(process)


def test_a_process_that_has_gone_is_no_failure():
    process = subprocess.Popen(["true"])
    process.wait()
    openvswitch._prefer(process.pid)
