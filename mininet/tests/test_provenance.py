# SPDX-License-Identifier: Apache-2.0
from mptcplab import provenance


def test_a_machine_without_git_and_iperf3_has_no_commit_and_no_versions(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert provenance.about("./lab demo")["commit"] is None
    assert "(" not in provenance.version()
