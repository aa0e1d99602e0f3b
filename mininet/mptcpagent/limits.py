# SPDX-License-Identifier: Apache-2.0
"""Which subflows are limited to what rate, and what applies it."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, Protocol

from .errors import AgentError
from .subflow import Ends, is_ipv4, parse

FLOOR_MBPS = 0.1
"""A backup subflow, and one that is expected to get nothing, keeps this rate: data that is on it already must get through."""

MOST_MBPS = 30_000.0
"""Above this there is no limit: pacing rates in the kernel's interface have 32 bits."""

ETHERNET_MTU = 1500
_FRAME = 14
"""Bytes of Ethernet before each packet; switches count them."""

_HEADERS_V4, _HEADERS_V6 = 72, 92
"""Bytes of IP, TCP, its timestamps and MPTCP's data sequence signal (RFC 8684, section 3.3) in each full packet."""

Limits = dict[Ends, float]
"""Ends of a subflow → the rate that it may send on the wire, Mbit/s."""


@dataclass(frozen=True)
class Applied:
    """How many subflows have their limit now, and how many could not be found or refused it."""

    limited: int
    missing: int


class Backend(Protocol):
    """Applies limits. It belongs to the network namespace in which it is made."""

    name: str
    """As reports call it: ``bpf``, ``htb`` or ``none``."""

    def apply(self, limits: Limits, mtus: Mapping[Ends, int], came: Set[Ends] = frozenset()) -> Applied:
        """Makes these the limits, and takes away all others; rates that go up first. ``mtus``: of the paths, bytes, of those that
        are known; ``came``: subflows that are new, although one with the same ends may have had its limit. AgentError if that
        fails."""

    def release(self) -> None:
        """Takes all limits away, also those of an agent that was before and could not. AgentError if that fails."""


class Nothing:
    """The backend that only reports."""

    name = "none"

    def apply(self, limits: Limits, mtus: Mapping[Ends, int], came: Set[Ends] = frozenset()) -> Applied:
        """Limits nothing."""
        return Applied(0, 0)

    def release(self) -> None:
        """There is nothing to take away."""


def wanted(answer: Any) -> Limits:
    """The limits that the controller's answer asks for. AgentError if it is no answer of the protocol."""
    try:
        return {parse(subflow["local"], subflow["remote"]): max(FLOOR_MBPS, rate)
                for connection in answer["connections"] for subflow in connection["subflows"]
                # What is down or blocked has no path whose bandwidth could be shared.
                if subflow["state"] in ("active", "backup") and (rate := _rate(subflow)) <= MOST_MBPS}
    except (TypeError, KeyError, ValueError, AttributeError) as failure:
        raise AgentError(f"the controller's answer is not understood ({type(failure).__name__}: {failure})") from None


def _rate(subflow: Mapping[str, Any]) -> float:
    rate = float(subflow["expectedMbps"])
    if not rate >= 0:
        raise ValueError(f"rate {rate}")
    return rate


def payload_rate(mbps: float, ends: Ends, mtu: int) -> int:
    """Bytes of payload per second that take ``mbps`` Mbit/s on an Ethernet wire, in full packets."""
    payload = mtu - (_HEADERS_V4 if is_ipv4(ends) else _HEADERS_V6)
    return max(1, int(mbps * 1e6 / 8 * payload / (mtu + _FRAME)))


def wire_share(ends: Ends, mtu: int) -> float:
    """Bytes on the wire for each byte of payload, in full packets."""
    return (mtu + _FRAME) / (mtu - (_HEADERS_V4 if is_ipv4(ends) else _HEADERS_V6))
