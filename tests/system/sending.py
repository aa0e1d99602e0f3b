# SPDX-License-Identifier: Apache-2.0
"""How the programs in hosts begin to send."""

import fcntl
import socket
import sys
import termios
import time

_POLL = 0.002


def begin(connection: socket.socket, first: bytes, seconds: float = 60) -> None:
    """Sends the first octets and waits until the peer has acknowledged them. TimeoutError if it does not.

    A server that gets the second segment of data before the third ACK and the first segment falls back to TCP (RFC 8684,
    section 3.7). Segments that wait at the controller are overtaken.
    """
    connection.sendall(first)
    end = time.monotonic() + seconds
    while int.from_bytes(fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)), sys.byteorder):
        if time.monotonic() >= end:
            raise TimeoutError("the peer acknowledges nothing")
        time.sleep(_POLL)
