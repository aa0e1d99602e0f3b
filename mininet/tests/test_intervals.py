# SPDX-License-Identifier: Apache-2.0
"""What ``./lab bench windows`` makes of its measurements."""

import pytest

from mptcplab import intervals, windowload


def test_fairness_is_jain_s_index():
    assert intervals.fairness([4.0, 4.0, 4.0]) == 1
    assert intervals.fairness([9.0, 0.0, 0.0]) == pytest.approx(1 / 3)
    assert intervals.fairness([0.0]) == 0


def test_intervals_are_student_s():
    # Mean 10, standard deviation 1: 4.30 / sqrt(3).
    assert intervals.interval([9.0, 10.0, 11.0], 2) == "10.00 ± 2.48"
    assert intervals.interval([9.0], 1) == "9.0"


@pytest.mark.parametrize("count, quantile", [(11, 2.228), (16, 2.131), (30, 2.045), (101, 1.984)])
def test_intervals_of_many_are_student_s_too(count, quantile):
    values = [float(number) for number in range(count)]
    error = (count * (count + 1) / 12 / count) ** 0.5
    assert intervals.half_width(values) == pytest.approx(quantile * error, rel=0.015)


def test_the_table_has_a_line_for_each_window_control():
    result = {"topology": "fig1", "transfers": 3, "seconds": 12, "udpMbps": 2.0, "load": 1.0, "windows": [
        {"name": name, "goodputMbps": [30.0, 30.0], "rttMillis": [5.0, 5.0], "retransmittedPercent": [0.0, 0.0],
         "fairness": [1.0, 1.0]} for name in windowload.CONTROLS]}
    lines = windowload.text(result).splitlines()
    assert "2 runs" in lines[0]
    assert [line.split()[0] for line in lines[2:]] == list(windowload.CONTROLS)
    assert lines[2].split()[1:] == ["30.0", "±", "0.0", "5.0", "±", "0.0", "0.00", "±", "0.00", "1.000", "±", "0.000"]


class Host:
    name = "h1"

    def pexec(self, command):
        return ("Tcp: RtoAlgorithm OutSegs RetransSegs\nTcp: 1 100 7\nUdp: InDatagrams\nUdp: 5\n", "", 0)


def test_segments_are_those_of_the_kernel():
    assert windowload._segments(Host()) == (100, 7)
