# SPDX-License-Identifier: Apache-2.0
"""The kernel's path manager: messages to it octet by octet, its events, and its setting; no kernel is asked."""

import struct

import pytest

from mptcpagent import netlink, pathmanager, subflow
from mptcpagent.errors import AgentError, Unusable
from mptcpagent.pathmanager import Event, PathManager, What

FIRST = subflow.parse("10.0.0.1:40000", "10.0.0.2:5201")
MORE = subflow.parse("10.0.0.1:61000", "10.0.0.2:5201")
TOKEN = 0x01020304


def request(text):
    return bytes.fromhex(text.replace(" ", ""))


def test_a_subflow_is_created_from_an_address_and_a_port():
    """Attributes as ``linux/mptcp_pm.h`` numbers them; of one, its length comes first."""
    assert pathmanager.subflow_created(TOKEN, 7, MORE, backup=True) == request(
        "0800 0400 04030201"
        "2c00 0180  0600 0100 0200 0000  0800 0300 0a000001  0600 0500 48ee 0000  0500 0200 07 000000  0800 0600 06000000"
        "1c00 0680  0600 0100 0200 0000  0800 0300 0a000002  0600 0500 5114 0000")


def test_a_subflow_is_destroyed_by_its_ends():
    assert pathmanager.subflow_destroyed(TOKEN, MORE) == request(
        "0800 0400 04030201"
        "1c00 0180  0600 0100 0200 0000  0800 0300 0a000001  0600 0500 48ee 0000"
        "1c00 0680  0600 0100 0200 0000  0800 0300 0a000002  0600 0500 5114 0000")


def test_a_priority_of_ipv6_subflows():
    ends = subflow.parse("[fd00::1]:61000", "[fd00::2]:5201")
    assert pathmanager.priority_set(TOKEN, ends, backup=False) == request(
        "0800 0400 04030201"
        "3000 0180  0600 0100 0a00 0000  1400 0400 fd000000000000000000000000000001  0600 0500 48ee 0000  0800 0600 00000000"
        "2800 0680  0600 0100 0a00 0000  1400 0400 fd000000000000000000000000000002  0600 0500 5114 0000")


def test_an_address_is_announced():
    assert pathmanager.address_announced(TOKEN, 9, MORE[16:32]) == request(
        "0800 0400 04030201"
        "2400 0180  0600 0100 0200 0000  0800 0300 0a000002  0500 0200 09 000000  0800 0600 01000000")


def message(command, *attributes):
    return memoryview(bytes([command, 1, 0, 0]) + b"".join(netlink.attribute(*one) for one in attributes))


ENDS = ((5, bytes([10, 0, 0, 1])), (7, bytes([10, 0, 0, 2])), (9, struct.pack(">H", 40000)), (10, struct.pack(">H", 5201)))


def test_events():
    token = (1, struct.pack("=I", TOKEN))
    assert pathmanager.decode(message(1, token, *ENDS)) == Event(What.CREATED, TOKEN, FIRST, False, False)
    assert pathmanager.decode(message(2, token, *ENDS, (18, b"\1"))) == Event(What.ESTABLISHED, TOKEN, FIRST, True, False)
    assert pathmanager.decode(message(2, token, (13, b"\2\0"))) == Event(What.ESTABLISHED, TOKEN, None, True, False)
    assert pathmanager.decode(message(13, token, *ENDS, (11, b"\1"))) == Event(What.SUB_PRIORITY, TOKEN, FIRST, False, True)
    assert pathmanager.decode(message(6, token, (4, b"\3"), ENDS[1])) == Event(
        What.ANNOUNCED, TOKEN, None, False, False, 3, subflow.mapped(bytes([10, 0, 0, 2])))
    assert pathmanager.decode(message(7, token, (4, b"\3"))) == Event(What.REMOVED, TOKEN, None, False, False, 3)
    assert pathmanager.decode(message(15, token)) is None, "of a listener: not of interest"
    assert pathmanager.decode(message(3)) is None, "without a token"


@pytest.mark.parametrize("name, before, during", [("path_manager", "kernel", "userspace"), ("pm_type", "0", "1")])
def test_the_setting_is_the_kernels_again_afterwards(tmp_path, monkeypatch, name, before, during):
    monkeypatch.setattr(pathmanager, "Family", lambda *_: Family())
    setting = tmp_path / name
    setting.write_text(before + "\n")
    manager = PathManager(tmp_path)
    manager.release()
    assert setting.read_text() == before + "\n"
    manager.take()
    assert setting.read_text() == during + "\n"
    manager.release()
    assert setting.read_text() == before + "\n"


def test_another_path_manager_of_the_kernel_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(pathmanager, "Family", lambda *_: Family())
    (tmp_path / "path_manager").write_text("of-bpf\n")
    PathManager(tmp_path).take()
    assert (tmp_path / "path_manager").read_text() == "of-bpf\n"


def test_a_kernel_without_the_setting_is_told_in_one_line(tmp_path):
    with pytest.raises(Unusable, match="Linux 5.19"):
        PathManager(tmp_path)


class Family:
    """Takes requests; ``refuses``: errors for the next ones."""

    def __init__(self):
        self.asked, self.refuses = [], []

    def listen(self, group):
        return self

    def ask(self, command, content):
        self.asked.append((command, content))
        if self.refuses:
            raise self.refuses.pop(0)


def test_address_identifiers_that_are_taken_are_passed_over(tmp_path, monkeypatch):
    family = Family()
    monkeypatch.setattr(pathmanager, "Family", lambda *_: family)
    (tmp_path / "pm_type").write_text("1\n")
    manager = PathManager(tmp_path)
    family.refuses = [OSError(22, "did not match address and id")] * 2
    manager.create(TOKEN, MORE, backup=False)
    assert [content for _, content in family.asked] == [pathmanager.subflow_created(TOKEN, n, MORE, False) for n in (1, 2, 3)]
    family.refuses = [OSError(98, "Address already in use")]
    with pytest.raises(AgentError, match="already in use"):
        manager.create(TOKEN, MORE, backup=False)
