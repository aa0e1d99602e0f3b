# SPDX-License-Identifier: Apache-2.0
"""Sends files of zeros, and takes them; runs alone in a host, with Python's own modules only.

``serve PORT ADDRESS`` answers each file with one byte once it is complete, until it is ended; the address tells IPv4 or IPv6.
``send PROTOCOL ADDRESS PORT BYTES HOLD`` sends one, over ``mptcp`` or ``tcp``, holds the connection for so many seconds before it
ends the file, and prints JSON: ``begun`` by the machine's monotonic clock, ``seconds`` from then, before it connects, until the
answer, and ``subflows`` at the end.
"""

import json
import socket
import struct
import sys
import threading
import time

_PROTOCOLS = {"mptcp": 262, "tcp": 0}
_SOL_MPTCP, _MPTCP_INFO = 284, 1
_CHUNK = 1 << 16
_SECONDS = 600.0
"""A transfer that makes no progress for so long has failed."""


def serve(port: int, family: int) -> None:
    """Takes files at all of this host's addresses of a family, over either protocol."""
    listener = socket.socket(family, socket.SOCK_STREAM, _PROTOCOLS["mptcp"])
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("", port))
    listener.listen(64)
    while True:
        threading.Thread(target=_take, args=(listener.accept()[0],), daemon=True).start()


def _take(connection: socket.socket) -> None:
    buffer = bytearray(_CHUNK)
    with connection:
        connection.settimeout(_SECONDS)
        while connection.recv_into(buffer):
            pass
        connection.sendall(b".")


def send(protocol: str, address: str, port: int, size: int, hold: float = 0.0) -> dict[str, float]:
    """Sends ``size`` bytes, and holds the connection for ``hold`` seconds. OSError if it does not go well."""
    chunk = bytes(_CHUNK)
    begun = time.monotonic()
    with socket.socket(_family(address), socket.SOCK_STREAM, _PROTOCOLS[protocol]) as connection:
        connection.settimeout(_SECONDS)
        connection.connect((address, port))
        left = size
        while left:
            left -= connection.send(chunk[:min(left, _CHUNK)])
        time.sleep(hold)
        subflows = _subflows(connection) if protocol == "mptcp" else 1
        connection.shutdown(socket.SHUT_WR)
        if connection.recv(1) != b".":
            raise OSError("the receiver did not answer")
    return {"begun": begun, "seconds": time.monotonic() - begun, "subflows": subflows}


def _family(address: str) -> int:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _subflows(connection: socket.socket) -> int:
    """How many the kernel has: the first octet of its ``struct mptcp_info`` counts those beside the first. 0 if the connection
    has fallen back to TCP."""
    try:
        told: int = struct.unpack_from("B", connection.getsockopt(_SOL_MPTCP, _MPTCP_INFO, 256))[0]
    except OSError:
        return 0
    return told + 1


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]), _family(sys.argv[3]))
    print(json.dumps(send(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), float(sys.argv[6]))))
