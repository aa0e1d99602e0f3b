# SPDX-License-Identifier: Apache-2.0
"""Room in the sockets of another process."""

import os
import socket
import subprocess
import sys

import pytest

from mptcplab import sendbuffers

_PROGRAM = "import socket, sys; s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); print(1, flush=True); " \
           "sys.stdin.readline(); print(s.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF))"


@pytest.mark.skipif(os.geteuid() != 0, reason="packet sockets are root's")
def test_the_packet_sockets_of_a_process_get_room():
    with subprocess.Popen([sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        other.stdout.readline()
        assert sendbuffers.widen(other.pid, 1 << 20) == 1
        told, _ = other.communicate("\n")
    assert int(told) == 2 << 20  # the kernel doubles it


def test_other_sockets_stay_as_they_are():
    with socket.socketpair()[0] as one:
        before = one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert sendbuffers.widen(os.getpid(), 1 << 20) == 0
        assert one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == before
