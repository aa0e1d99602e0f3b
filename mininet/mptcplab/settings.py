# SPDX-License-Identifier: Apache-2.0
"""The repository's folder, ports, and the environment variables that change the ports."""

import os
import sys
import time
from pathlib import Path

from .errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""

ISOLATED = ("-I", "-B", str(ROOT / "mininet" / "isolated.py"))
"""Options of Python before a module and its arguments: nothing is imported from the working directory or the environment."""

HTTP_PORT, SSH_PORT, OPENFLOW_PORT = 8181, 8101, 6653
"""Ports of ONOS inside the testbed; the defaults outside as well."""

_PORTS = {
    "MPTCPLAB_HTTP_PORT": (HTTP_PORT, "page and REST"),
    "MPTCPLAB_SSH_PORT": (SSH_PORT, "ONOS command line (ssh)"),
    "MPTCPLAB_OPENFLOW_PORT": (OPENFLOW_PORT, "OpenFlow, `./lab onos` only"),
}

_started = time.monotonic()


def port(variable: str) -> int:
    """The port on 127.0.0.1 that an environment variable asks for, else its default.

    Raises UsageError if it is not a number from 1 to 65535.
    """
    default, _ = _PORTS[variable]
    text = os.environ.get(variable, "").strip()
    if not text:
        return default
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise UsageError(f"{variable}={text} is not a port: give a number from 1 to 65535")
    return int(text)


def port_variable(number: int) -> str:
    """The environment variable that decides about a port on 127.0.0.1."""
    return next((variable for variable in _PORTS if port(variable) == number), "MPTCPLAB_HTTP_PORT")


def ports_help() -> str:
    """Lines for ``./lab help``: every variable, its default and what it is for."""
    return "\n".join(f"  {name:<24} {default:<6} {what}" for name, (default, what) in _PORTS.items())


def progress(message: str) -> None:
    """A line about what is going on, with the seconds since the start, on standard error."""
    print(f"[{time.monotonic() - _started:6.1f} s] {message}", file=sys.stderr, flush=True)
