# SPDX-License-Identifier: Apache-2.0
"""What the agent takes from an answer, and how rates on the wire become rates of payload."""

import pytest

from fake_controller import connection
from mptcpagent import limits, subflow
from mptcpagent.errors import AgentError

V4 = ("10.0.0.1:38130", "10.0.0.2:5201")
V6 = ("[fd00::1]:38130", "[fd00::2]:5201")


def wanted(*subflows):
    return {subflow.texts(ends): mbps for ends, mbps in
            limits.wanted({"revision": 1, "connections": [connection(subflows)]}).items()}


@pytest.mark.parametrize("ends", [V4, V6, ("[2001:db8::1:2]:1", "[2001:db8::]:65535")])
def test_ends_are_the_same_after_there_and_back(ends):
    assert subflow.texts(subflow.parse(*ends)) == ends


def test_ipv4_in_ipv6_is_ipv4():
    assert subflow.parse("[::ffff:10.0.0.1]:38130", "[::ffff:10.0.0.2]:5201") == subflow.parse(*V4)


@pytest.mark.parametrize("text", ["10.0.0.1", "10.0.0.1:0", "10.0.0.1:65536", "fd00::1:80", "[10.0.0.1]:80", ":80", "", "h1:80"])
def test_what_is_no_end_is_refused(text):
    with pytest.raises(AgentError):
        subflow.parse(text, V4[1])


def test_active_subflows_get_what_is_expected():
    assert wanted((*V4, 9.5, "active"), (*V6, 2.5, "active")) == {V4: 9.5, V6: 2.5}


@pytest.mark.parametrize("state, mbps", [("backup", 0), ("active", 0), ("active", 0.001)])
def test_none_stalls(state, mbps):
    assert wanted((*V4, mbps, state)) == {V4: limits.FLOOR_MBPS}


@pytest.mark.parametrize("state", ["down", "blocked"])
def test_what_has_no_path_has_no_limit(state):
    assert wanted((*V4, 0, state)) == {}


def test_rates_beyond_the_kernels_have_no_limit():
    assert wanted((*V4, 40_000, "active")) == {}


@pytest.mark.parametrize("answer", [None, [], {}, {"connections": 1}, {"connections": [{}]},
                                    {"connections": [connection([(*V4, -1.0, "active")])]},
                                    {"connections": [connection([(*V4, float("nan"), "active")])]},
                                    {"connections": [connection([("nowhere", V4[1], 1.0, "active")])]}])
def test_other_answers_are_refused(answer):
    with pytest.raises(AgentError):
        limits.wanted(answer)


@pytest.mark.parametrize("ends, mtu, payload, frame", [(V4, 1500, 1428, 1514), (V6, 1500, 1408, 1514), (V4, 9000, 8928, 9014)])
def test_payload_is_its_share_of_a_full_frame(ends, mtu, payload, frame):
    here = subflow.parse(*ends)
    assert limits.payload_rate(12, here, mtu) == int(12e6 / 8 * payload / frame)
    assert limits.wire_share(here, mtu) == frame / payload
