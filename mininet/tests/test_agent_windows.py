# SPDX-License-Identifier: Apache-2.0
"""The backend that gives subflows a congestion control, against a kernel that only remembers."""

import struct

import pytest

from mptcpagent import __main__ as command
from mptcpagent import compiling, subflow, windows
from mptcpagent.errors import Unusable

ONE = subflow.parse("10.0.0.1:1001", "10.0.0.2:80")
TWO = subflow.parse("10.0.0.1:1002", "10.0.0.2:80")


class Kernel:
    """Has the subflows ``there``."""

    def __init__(self):
        self.rates, self.ran, self.there, self.control = {}, [], {ONE, TWO}, None

    def __call__(self, code, iterators, map_name, congestion_control=None):
        self.code, self.control = code, congestion_control
        return self

    def put(self, key, value):
        self.rates[key] = struct.unpack("=I", value)[0]

    def remove(self, key):
        self.rates.pop(key, None)

    def run(self, iterator):
        self.ran.append(iterator)
        return b"".join(struct.pack("=36si", ends, 0) for ends in sorted(self.rates.keys() & self.there))


@pytest.fixture
def kernel(monkeypatch):
    running = Kernel()
    monkeypatch.setattr(windows, "Program", running)
    return running


@pytest.fixture
def settings(tmp_path):
    for name, value in (("tcp_congestion_control", "reno"), ("tcp_ecn", "2"), ("tcp_available_congestion_control", "reno bbr")):
        (tmp_path / name).write_text(value + "\n")
    return tmp_path


def marks(settings):
    return (settings / "tcp_ecn").read_text().strip()


def test_subflows_are_given_windows_once_and_told_their_rates(kernel, settings):
    backend = windows.Windows("smptcp", None, settings)
    assert backend.apply({ONE: 12.0}, {}).limited == 1
    assert kernel.rates == {ONE: int(12e6 / 8 * 1428 / 1514)}
    backend.apply({ONE: 6.0}, {})
    assert kernel.ran == ["choose"]
    assert backend.apply({ONE: 6.0, TWO: 6.0}, {}).limited == 2
    backend.apply({TWO: 6.0}, {})
    assert (list(kernel.rates), kernel.ran) == ([TWO], ["choose", "choose"])
    assert marks(settings) == "2"


def test_a_subflow_that_is_not_there_yet_is_looked_for_again(kernel, settings):
    backend = windows.Windows("smptcp", None, settings)
    kernel.there = {ONE}
    assert backend.apply({ONE: 6.0, TWO: 6.0}, {}).missing == 1
    kernel.there = {ONE, TWO}
    assert backend.apply({ONE: 6.0, TWO: 6.0}, {}).missing == 0


def test_release_gives_back_what_was_before(kernel, settings):
    backend = windows.Windows("emptcp", None, settings)
    backend.apply({ONE: 6.0}, {})
    assert marks(settings) == "1"
    backend.release()
    assert (kernel.rates, kernel.ran[-1], marks(settings)) == ({}, "leave", "2")


def test_names_are_written_into_the_object(kernel, settings):
    backend = windows.Windows("emptcp-published", None, settings)
    assert kernel.control == "control"
    assert backend.given.startswith("emptcp_") and len(backend.given) == 15
    assert kernel.code.count(backend.given.encode()) == 2
    assert b"reno\0" in kernel.code and not any(place in kernel.code for place in (b"OWN.", b"OLD."))
    with pytest.raises(Unusable, match="cache"):
        windows.named(b"something else", "a", "b")


def test_one_that_the_kernel_has_is_only_given(kernel, settings):
    windows.Windows("bbr", None, settings)
    assert kernel.control is None and b"bbr\0" in kernel.code
    for name, said in (("vegas", "vegas.*reno, bbr.*smptcp"), ("", "without a name")):
        with pytest.raises(Unusable, match=said):
            windows.Windows(name, None, settings)


def test_another_agent_of_the_same_host_is_refused(kernel, settings):
    backend = windows.Windows("lia", None, settings)
    namespace, own = backend.given[-8:-4], backend.given[-4:]
    other = f"{(int(own, 16) + 1) & 0xffff:04x}"
    available = settings / "tcp_available_congestion_control"
    for alone in ("reno", backend.given, f"lia_{(int(namespace, 16) + 1) & 0xffff:04x}{other}", "dctcp"):
        available.write_text(f"reno bbr {alone}\n")
        backend.require_alone()
    available.write_text(f"reno emptcp_{namespace}{other} {backend.given}\n")
    with pytest.raises(Unusable, match=f"emptcp_{namespace}{other}: end it first"):
        backend.require_alone()


@pytest.mark.parametrize("control", windows.OURS)
def test_each_compiles_under_a_name_that_the_kernel_takes(control, kernel, settings):
    backend = windows.Windows(control, None, settings)
    assert len(backend.given) <= 15 and kernel.code.count(backend.given.encode()) == 2


def test_both_readings_of_tau_are_kept_apart(tmp_path):
    ours = compiling.compiled("emptcp", tmp_path)
    published = compiling.compiled("emptcp", tmp_path, ["-DPUBLISHED=1"])
    assert ours != published
    assert len(list(tmp_path.glob("emptcp-*.bpf.o"))) == 2
    assert compiling.compiled("emptcp", tmp_path) == ours


def test_a_kernel_that_takes_no_congestion_control_is_one_line_and_nothing_is_left(settings, monkeypatch, capsys):
    def refuses(*_):
        raise Unusable("not today")
    monkeypatch.setattr(windows, "Program", refuses)
    monkeypatch.setattr(command, "_require_machine", lambda: None)
    monkeypatch.setattr(command, "Windows", lambda control, cache: windows.Windows(control, cache, settings))
    assert command.main(["--release", "--congestion", "emptcp"]) == 2
    assert capsys.readouterr().err == "mptcp-agent: not today\n"
    assert marks(settings) == "2"


def test_a_congestion_control_goes_without_a_backend(capsys):
    for name in ("smptcp", ""):
        assert command.main(["--release", "--congestion", name, "--backend", "htb"]) == 2
    assert "--backend" in capsys.readouterr().err
