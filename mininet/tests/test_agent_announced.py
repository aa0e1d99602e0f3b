# SPDX-License-Identifier: Apache-2.0
"""MP_ET at the host: what a segment announces, what is no announcement, and how long one holds."""

import socket
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mptcpagent import subflow
from mptcpagent.announced import FILTER, Announced, authenticator, decode, key_of
from mptcpagent.errors import AgentError

TOKEN = "a token"
KEY = key_of(TOKEN)
HOST, OTHER = ("10.0.0.1", 40_000), ("10.0.0.2", 5201)
ENDS = subflow.parse("10.0.0.1:40000", "10.0.0.2:5201")


def octets(address):
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)


def option(there, here, kbits=12_000, backup=False, seconds=15, sequence=1, key=KEY):
    """The option, from the document's text alone."""
    head = bytes([30, 24, 0xf1, 0x80 if backup else 0]) + b"ET" + struct.pack(">HII", seconds, kbits, sequence)
    ends = subflow.mapped(octets(there[0])) + subflow.mapped(octets(here[0])) + struct.pack(">HH", there[1], here[1])
    return head + authenticator(ends, head, key)


def packet(options, there=OTHER, here=HOST, flags=0):
    words = 5 + len(options) // 4
    tcp = struct.pack(">HHIIBBHHH", there[1], here[1], 0, 0, words << 4, flags, 0, 0, 0) + options
    if ":" in here[0]:
        return struct.pack(">IHBB", 6 << 28, len(tcp), 6, 64) + octets(there[0]) + octets(here[0]) + tcp
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0) + octets(there[0]) + octets(here[0]) + tcp


def test_the_authenticator_is_the_controllers():
    """The same as in the controller's test."""
    made = option(OTHER, HOST, backup=True, sequence=2 ** 32 - 2, key=bytes(31) + b"\x01")
    assert made[-8:].hex() == "fc97fb1226b08359"


@pytest.mark.parametrize("there, here", [(OTHER, HOST), (("fd00::2", 5201), ("fd00::1", 40_000))])
@given(kbits=st.integers(0, 2 ** 32 - 1), backup=st.booleans(), seconds=st.integers(0, 65535),
       sequence=st.integers(0, 2 ** 32 - 1))
def test_what_is_announced_is_read(there, here, kbits, backup, seconds, sequence):
    found = decode(packet(b"\x01" * 4 + option(there, here, kbits, backup, seconds, sequence), there, here), KEY)
    assert (found.mbps, found.backup, found.seconds, found.sequence) == (kbits / 1000, backup, seconds, sequence)
    assert subflow.addresses(found.ends) == (here[0], there[0]) and subflow.ports(found.ends) == (40_000, 5201)


@given(st.binary(max_size=120))
def test_any_packet_is_read_without_failure(data):
    assert decode(data, KEY) is None
    assert decode(packet(b"")[:-1] + data, KEY) is None


@given(st.integers(0, 63), st.integers(1, 255))
def test_nothing_can_be_changed(at, by):
    """But what routers change, and what is reserved."""
    whole = bytearray(packet(option(OTHER, HOST)))
    whole[at] ^= by
    found = decode(bytes(whole), KEY)
    assert found is None or found == decode(packet(option(OTHER, HOST)), KEY)


def test_others_are_no_announcements():
    whole = packet(option(OTHER, HOST))
    assert decode(whole, KEY).ends == ENDS
    assert decode(whole, key_of("another token")) is None
    assert decode(packet(option(OTHER, HOST), flags=0x10), KEY) is None
    assert decode(packet(option(OTHER, HOST), here=("10.0.0.3", 40_000)), KEY) is None
    for length in range(len(whole)):
        assert decode(whole[:length], KEY) is None


def passes(data):
    """Whether the filter passes a packet, as the kernel runs it."""
    at, value, index = 0, 0, 0
    while True:
        code, true, false, operand = FILTER[at]
        at += 1
        if code == 0x06:
            return operand > 0
        if code in (0x30, 0x28, 0x50):
            begin, size = operand + (index if code == 0x50 else 0), 2 if code == 0x28 else 1
            if begin + size > len(data):
                return False
            value = int.from_bytes(data[begin:begin + size], "big")
        elif code == 0x74:
            value >>= operand
        elif code == 0xb1:
            index = 4 * (data[operand] & 0xf)
        else:
            assert code in (0x15, 0x45)
            at += true if (value == operand if code == 0x15 else value & operand) else false


@pytest.mark.parametrize("there, here", [(OTHER, HOST), (("fd00::2", 5201), ("fd00::1", 40_000))])
def test_the_filter_passes_tcp_without_flags_alone(there, here):
    whole = packet(option(there, here), there, here)
    assert passes(whole)
    assert not any(passes(packet(b"", there, here, flags)) for flags in range(1, 256))
    protocol = 6 if ":" in here[0] else 9
    assert not passes(whole[:protocol] + b"\x11" + whole[protocol + 1:]), "UDP"
    assert not passes(b"\x00" + whole[1:]) and not passes(b"") and not passes(whole[:12])


def test_the_filter_passes_no_later_fragment_and_knows_options_of_ip():
    whole = packet(option(OTHER, HOST))
    assert not passes(whole[:7] + b"\x01" + whole[8:])
    longer = b"\x46" + whole[1:20] + bytes(4) + whole[20:]
    assert passes(longer) and not passes(longer[:37] + b"\x10" + longer[38:])


class Wire:
    def __init__(self):
        self.now, self.coming, self.token = 50.0, [], TOKEN
        self.announced = Announced(self.packets, lambda: self.token, lambda: self.now)

    def packets(self):
        coming, self.coming = self.coming, []
        return iter(coming)

    def limits(self, *options):
        self.coming += [packet(one) for one in options]
        return list(self.announced.limits().items())


def test_a_throughput_holds_for_its_lifetime():
    wire = Wire()
    assert wire.limits() == []
    assert wire.limits(option(OTHER, HOST)) == [(ENDS, 12.0)]
    wire.now += 14
    assert wire.limits() == [(ENDS, 12.0)]
    wire.now += 2
    assert wire.limits() == []


def test_the_newest_holds_also_when_numbers_begin_anew():
    wire = Wire()
    assert wire.limits(option(OTHER, HOST, 9000, sequence=2 ** 32 - 1), option(OTHER, HOST, 5000, sequence=3)) == [(ENDS, 5.0)]
    assert wire.limits(option(OTHER, HOST, 9000, sequence=2 ** 32 - 1)) == [(ENDS, 5.0)]
    wire.now += 16
    assert wire.limits(option(OTHER, HOST, 5000, sequence=3)) == [], "the same once more"


def test_a_backup_and_one_that_gets_nothing_keep_a_little():
    assert Wire().limits(option(OTHER, HOST, backup=True)) == [(ENDS, 0.1)]
    assert Wire().limits(option(OTHER, HOST, 0)) == [(ENDS, 0.1)]
    assert Wire().limits(option(OTHER, HOST, 40_000_000)) == [], "more than a kernel can limit to"


def test_without_a_token_nothing_holds():
    wire = Wire()

    def missing():
        raise AgentError
    wire.announced = Announced(wire.packets, missing, lambda: wire.now)
    assert wire.limits(option(OTHER, HOST)) == []
