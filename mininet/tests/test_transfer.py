# SPDX-License-Identifier: Apache-2.0
"""The goodput of a transfer, from iperf3's own figures."""

import pytest

from mptcplab.transfer import Transfer


def ended(*rates, seconds=None):
    """A transfer of which the server received these rates (Mbit/s), each for a second."""
    transfer = Transfer.__new__(Transfer)
    count = sum(rates) * 1e6 / 8
    transfer._results = {
        "server": {"intervals": [{"sum": {"start": second, "end": second + 1, "seconds": 1, "bytes": rate * 1e6 / 8}}
                                 for second, rate in enumerate(rates)],
                   "end": {"sum_received": {"bytes": count, "seconds": seconds or len(rates)}}},
        # What the sender's kernel has taken may never have arrived.
        "client": {"end": {"sum_received": {"bits_per_second": 9e9}, "sum_sent": {"bits_per_second": 9e9}}}}
    return transfer


def test_goodput_is_what_the_server_received_by_the_time_for_which_it_did():
    assert ended(10, 30, 20).goodput() == pytest.approx(20)
    assert ended(10, 30, 20, seconds=4).goodput() == pytest.approx(15)


def test_what_arrives_late_and_at_once_does_not_make_it_more_than_the_links_carry():
    assert ended(0, 10, 0, 40, 50).goodput() == pytest.approx(20)


def test_a_transfer_without_duration_carried_nothing():
    transfer = ended(10)
    transfer._results["server"]["end"]["sum_received"]["seconds"] = 0
    assert transfer.goodput() == 0
