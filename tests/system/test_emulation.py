# SPDX-License-Identifier: Apache-2.0
"""How true the emulated links are: their delay, loss, queue and rate, as pings and transfers measure them."""

import math
import re
import statistics

import pytest

from conftest import tell
from mptcplab import Testbed
from mptcplab.settings import ROOT
from test_demo import temporary_files

pytestmark = [pytest.mark.long, pytest.mark.timed]
"""A minute that shows what kernel and Open vSwitch do, more than what we do."""

DELAY_MILLIS, LOST, QUEUE_FRAMES, MBPS = 15.0, 0.03, 20, 10.0
FRAME_MILLIS = 1514 * 8e-3 / MBPS


@pytest.fixture(scope="module")
def bed(tmp_path_factory):
    with temporary_files(tmp_path_factory.mktemp("emulation")), \
            Testbed(str(ROOT / "tests/system/emulated.json"), agents=False) as bed:
        yield bed


def ping(bed, source, target, count, every):
    """Of pings that were answered: milliseconds; and the part that was not."""
    # An interval below 0.2 s is root's.
    told = bed.host(source).run("sh", "-c", f"ping -n -c {count} -i {every} -W 2 {bed.host(target).addresses[0]} || true",
                                seconds=120)
    answered = [float(millis) for millis in re.findall(r"time=([\d.]+) ms", told)]
    return answered, 1 - len(answered) / count


def test_a_delay_is_what_the_file_says(bed, capsys):
    millis, lost = ping(bed, "h1", "h2", 200, 0.02)
    tell(capsys, f"{2 * DELAY_MILLIS:g} ms there and back: median {statistics.median(millis):.2f} ms, least {min(millis):.2f}")
    assert not lost
    assert min(millis) >= 2 * DELAY_MILLIS > statistics.median(millis) - 5


def test_as_many_frames_are_lost_as_the_file_says(bed, capsys):
    count = 2000
    _, lost = ping(bed, "h3", "h4", count, 0.005)
    expected = 1 - (1 - LOST) ** 2
    tell(capsys, f"{100 * LOST:g} % each way, {100 * expected:.2f} % of pings: {100 * lost:.2f} % of {count}")
    assert lost == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / count))


def test_a_queue_is_as_long_as_the_file_says(bed, capsys):
    transfer = bed.transfer("h5", "h6", seconds=8, tcp=True)
    bed.host("h5").run("sh", "-c", "until ss -tniH state established | grep -q 'bytes_acked:[0-9]\\{7\\}'; do :; done", seconds=8)
    millis, _ = ping(bed, "h5", "h6", 100, 0.03)
    got = transfer.results()["goodputMbps"]
    most = QUEUE_FRAMES * FRAME_MILLIS
    tell(capsys, f"{QUEUE_FRAMES} frames are {most:.1f} ms: the slowest of 100 pings beside a transfer of {got:.2f} Mbit/s took "
                 f"{max(millis):.1f} ms")
    # The usual queue would be 100 frames; a host's own one at its access link is not limited by the file.
    assert most / 2 < max(millis) < 3 * most


def test_a_rate_is_what_the_file_says(bed, capsys):
    got = bed.transfer("h1", "h2", seconds=8, tcp=True).results()["samples"]
    late = statistics.mean(one["goodputMbps"] for one in got[2:])
    tell(capsys, f"{MBPS:g} Mbit/s are {MBPS * 1448 / 1514:.2f} of payload: {late:.2f}")
    assert late == pytest.approx(MBPS * 1448 / 1514, rel=0.08)
