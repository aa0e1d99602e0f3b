# SPDX-License-Identifier: Apache-2.0
"""What answers at a Unix socket of the testbed while a block runs, each connection on a thread of its own."""

from __future__ import annotations

import socketserver
import threading
from typing import TypeVar

_Serving = TypeVar("_Serving", bound="Serving")


class UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    # What they started ends with the testbed.
    block_on_close = False


class Serving:
    """A context manager; inside it a server answers, which listens already."""

    def __init__(self, server: UnixServer) -> None:
        self._serving = server
        self._thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True)

    def __enter__(self: _Serving) -> _Serving:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._serving.shutdown()
        self._serving.server_close()
