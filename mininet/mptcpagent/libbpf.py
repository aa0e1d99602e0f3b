# SPDX-License-Identifier: Apache-2.0
"""The part of libbpf that loads BPF iterators and a congestion control and fills a map, by ``ctypes``; versions 0.5 and later,
1.x."""

import atexit
import ctypes
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import capabilities
from .errors import AgentError, Unusable

_BTF = Path("/sys/kernel/btf/vmlinux")
_NAMES = ("libbpf.so.1", "libbpf.so.0")
_FIRST_ERROR = 2 ** 64 - 4095
_READ = 1 << 16
_BPF_F_LINK = 1 << 13
_BPF_STRUCT_OPS = 44
_LINKED = (6, 4)
"""From this version of Linux on a link registers a congestion control. Before, one stays until it is told to go."""
_ONLY_KEY = bytes(4)
_LINKS_BY_ITSELF = (1, 2)
"""From this version on, libbpf makes the link of a congestion control."""


class Program:
    """A loaded object with one map and some iterators. What the process holds of it goes when the process ends; before Linux 6.4
    a congestion control goes with ``withdraw``, which a process that ends in order has done."""

    def __init__(self, code: bytes, iterators: Sequence[str], map_name: str, congestion_control: str | None = None) -> None:
        """``congestion_control``: the variable that describes it, if the object has one. Unusable if there is no libbpf, or if
        the kernel does not take the object or refuses it to this user."""
        self._lib = _library()
        self._code = code  # libbpf reads it until it is loaded
        self._object = _pointer(self._lib.bpf_object__open_mem(code, ctypes.c_size_t(len(code)), None), "opening the BPF object")
        self._linked = capabilities.release() >= _LINKED
        described = self._described(congestion_control) if congestion_control else None
        status = self._lib.bpf_object__load(self._object)
        if status:
            raise Unusable(f"the kernel does not take the BPF programs: {_reason(status)}" + _lacking())
        self._unlinked = -1
        self._control = self._registered(described) if described else None
        self._map = self._lib.bpf_object__find_map_fd_by_name(self._object, map_name.encode())
        if self._map < 0:
            raise Unusable(f"the BPF object has no map {map_name}")
        self._links = {name: self._attached(name) for name in iterators}

    def run(self, iterator: str) -> bytes:
        """Walks the sockets of this network namespace once; what the iterator wrote."""
        descriptor = self._lib.bpf_iter_create(self._links[iterator])
        if descriptor < 0:
            raise AgentError(f"cannot walk the sockets: {_reason(descriptor)}")
        parts = []
        try:
            while part := os.read(descriptor, _READ):
                parts.append(part)
        except OSError as failure:
            raise AgentError(f"cannot walk the sockets: {failure.strerror}") from None
        finally:
            os.close(descriptor)
        return b"".join(parts)

    def put(self, key: bytes, value: bytes) -> None:
        """Sets an entry of the map."""
        status = self._lib.bpf_map_update_elem(self._map, key, value, ctypes.c_uint64(0))
        if status:
            raise AgentError(f"the BPF map takes no more entries: {_reason(status)}")

    def remove(self, key: bytes) -> None:
        """Removes an entry of the map, if it is there."""
        self._lib.bpf_map_delete_elem(self._map, key)

    def withdraw(self) -> None:
        """No subflow gets the congestion control any more."""
        if self._unlinked >= 0:
            self._lib.bpf_map_delete_elem(self._unlinked, _ONLY_KEY)
        if self._control is not None:
            os.close(self._control)
            self._control = None

    def _described(self, name: str) -> ctypes.c_void_p:
        """What describes the congestion control, such that a link registers it: then it goes with this process, too."""
        found = _pointer(self._lib.bpf_object__find_map_by_name(self._object, name.encode()), f"finding {name}")
        status = self._lib.bpf_map__set_map_flags(found, ctypes.c_uint32(_BPF_F_LINK)) if self._linked else 0
        if status:
            raise Unusable(f"libbpf does not take the congestion control: {_reason(status)}")
        return found

    def _registered(self, described: ctypes.c_void_p) -> int | None:
        """The descriptor of the link that keeps the congestion control; None where there are no links."""
        what = "registering the congestion control (Linux 5.6 and later can)"
        link = _pointer(self._lib.bpf_map__attach_struct_ops(described), what)
        if not self._linked:
            self._unlinked = self._lib.bpf_map__fd(described)
            atexit.register(self.withdraw)
            return None
        if (self._lib.libbpf_major_version(), self._lib.libbpf_minor_version()) >= _LINKS_BY_ITSELF:
            return self._lib.bpf_link__fd(link)
        # Until here it has only written the map.
        made = self._lib.bpf_link_create(self._lib.bpf_map__fd(described), 0, _BPF_STRUCT_OPS, None)
        if made < 0:
            raise Unusable(f"{what} failed: {_reason(made)}")
        return made

    def _attached(self, name: str) -> int:
        program = _pointer(self._lib.bpf_object__find_program_by_name(self._object, name.encode()), f"finding program {name}")
        link = _pointer(self._lib.bpf_program__attach_iter(program, None), f"attaching program {name}")
        return self._lib.bpf_link__fd(link)


def _library() -> Any:
    for name in _NAMES:
        try:
            library = ctypes.CDLL(name, use_errno=True)
        except OSError:
            continue
        for function in ("bpf_object__open_mem", "bpf_object__find_program_by_name", "bpf_program__attach_iter",
                         "bpf_object__find_map_by_name", "bpf_map__attach_struct_ops"):
            getattr(library, function).restype = ctypes.c_void_p
        # Its messages are for developers; the kernel's error number says enough.
        library.libbpf_set_print(None)
        return library
    raise Unusable("there is no libbpf: install libbpf1 (Debian 12, Ubuntu 24.04) or libbpf0")


def _lacking() -> str:
    return "" if _BTF.exists() else " (it has no BTF: use one with CONFIG_DEBUG_INFO_BTF)"


def _pointer(value: int | None, what: str) -> ctypes.c_void_p:
    """Versions before 1.0 return a negative error number where later ones return NULL."""
    if not value or value >= _FIRST_ERROR:
        raise Unusable(f"{what} failed: {_reason(value - 2 ** 64 if value else 0)}")
    return ctypes.c_void_p(value)


def _reason(status: int) -> str:
    # -1 tells nothing; then errno does.
    number = -status if status < -1 else ctypes.get_errno()
    return os.strerror(number) if number else "it does not say why"
