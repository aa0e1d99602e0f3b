# SPDX-License-Identifier: Apache-2.0
"""Transfers that never end, so that whoever looks at a demonstration that stays up has something to see."""

from typing import NoReturn

from .processes import wait_for
from .testbed import Testbed
from .transfer import IPERF_PORT, Transfer

_SECONDS = 3600


def run(testbed: Testbed, connections: int) -> NoReturn:
    """As many transfers at once as were demonstrated, between the same hosts. One that ends, or fails, begins anew."""
    network = testbed.network
    running: list[Transfer | None] = [None] * connections
    while True:
        for index, transfer in enumerate(running):
            if transfer is None or not transfer.runs():
                if transfer:
                    transfer.stop()
                turn, pair = divmod(index, len(network.clients))
                running[index] = testbed.transfer(network.clients[pair], network.servers[pair], _SECONDS, IPERF_PORT + turn)
        wait_for("a transfer's end", lambda: not all(one and one.runs() for one in running), 2 * _SECONDS, every=1)
