# SPDX-License-Identifier: Apache-2.0
"""The parts of the papers' reproduction that are made by packets: name → what makes the rows of its table, from a number of
runs, and whether it is the quick form, with fewer parameters."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import emptcp, gomez, sheu, smptcp

PARTS: Mapping[str, Callable[[int, bool], Iterator[dict[str, Any]]]] = {
    "smptcp/tables": smptcp.tables, "smptcp/parameters": smptcp.parameters, "smptcp/by-delay": smptcp.delays,
    "smptcp/trajectories": smptcp.trajectories, "smptcp/all-collisions": smptcp.collisions,
    "emptcp/by-packets": emptcp.files, "emptcp/fairness": emptcp.fairness, "emptcp/incast": emptcp.incast,
    "gomez/radio": gomez.radio, "sheu/buffers": sheu.buffers}
