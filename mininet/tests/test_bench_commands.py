# SPDX-License-Identifier: Apache-2.0
"""What ``./lab bench`` prepares before it starts Java."""

import os

import pytest
from mptcplab import commands, usage


@pytest.fixture
def started(monkeypatch):
    """The arguments and the conic solver of each start of Java."""
    calls = []

    def java(_jar, _name, _options, arguments):
        calls.append((list(arguments), os.environ.get("MPTCP_BENCH_CONIC")))
        return 0
    monkeypatch.setattr(commands, "_java", java)
    monkeypatch.setattr(commands.packages, "clarabel", lambda: "python")
    monkeypatch.setenv("MPTCP_BENCH_CONIC", "")
    monkeypatch.delenv("MPTCP_BENCH_CONIC")
    return calls


@pytest.mark.parametrize("arguments", [[], ["--full"], ["proportional-1000-uneven"], ["zeta-1000", "growth"],
                                       ["growth-proportional", "--json", "bench.json"]])
def test_a_conic_solver_is_there_for_what_needs_it(started, arguments):
    assert commands.bench(usage.parse("bench", arguments)) == 0
    (told, conic), = started
    assert told == arguments
    python, program = conic.split(os.pathsep)
    assert python == "python" and os.path.isfile(program)


@pytest.mark.parametrize("arguments", [["zeta-1000"], ["network-wide"], ["max-min-1000", "--json", "growth.json"]])
def test_what_needs_no_conic_solver_installs_none(started, arguments):
    assert commands.bench(usage.parse("bench", arguments)) == 0
    assert started == [(arguments, None)]
