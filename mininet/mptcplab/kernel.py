# SPDX-License-Identifier: Apache-2.0
"""What the kernel of this machine can do. Called inside the testbed's namespace, so that probing changes nothing."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .errors import UsageError
from .settings import progress

_MPTCP = Path("/proc/sys/net/mptcp/enabled")
_ALLOWED = Path("/proc/sys/net/ipv4/tcp_allowed_congestion_control")


def become_root(command: Sequence[str]) -> None:
    """The testbed makes namespaces, interfaces and queues, which only root can: for anybody else, runs ``command``
    again through sudo and does not return. UsageError where that is not possible."""
    if os.geteuid() == 0:
        return
    sudo = shutil.which("sudo")
    # Without a terminal sudo cannot ask for a password; only a try shows whether it needs one.
    if not sudo or not (sys.stdin.isatty() or subprocess.run([sudo, "-n", "true"], capture_output=True).returncode == 0):
        raise UsageError("the testbed needs root for its network namespaces: run it as root, or with sudo")
    progress(f"as root, with sudo: {' '.join(command)}")
    kept = [f"{name}={value}" for name, value in os.environ.items()
            if name.startswith("MPTCPLAB_") or name in ("JAVA_HOME", "CI")]
    os.execv(sudo, [sudo, "env", *kept, *command])


def require_mptcp() -> None:
    """UsageError if the kernel has no MPTCP: nothing here works without it."""
    if not _MPTCP.exists():
        raise UsageError(f"this kernel ({os.uname().release}) has no MPTCP: "
                         "use 5.15 or later built with CONFIG_MPTCP (Debian's and Ubuntu's are)")


def require_rate_limits() -> None:
    """UsageError if the kernel has no HTB: without it links have no capacity, and no measured rate means anything."""
    if not _accepts_qdisc("htb", "default", "1"):
        raise UsageError(f"this kernel ({os.uname().release}) has no HTB queueing discipline (CONFIG_NET_SCH_HTB): "
                         "links cannot be limited to their capacity")


def fair_congestion_control() -> str:
    """The congestion control the hosts use: cubic, else reno.

    Both fill a drop-tail queue and share it with others of their kind; BBR, a common default, estimates each subflow's
    rate on its own and takes more than its part from loss-based neighbours. Inside a namespace a host may only use
    what the machine allows (net.ipv4.tcp_allowed_congestion_control), and that setting is not ours to change.
    """
    allowed = _ALLOWED.read_text(encoding="ascii").split()
    if "cubic" in allowed:
        return "cubic"
    progress("this machine does not allow cubic inside a namespace: hosts use reno")
    return "reno"


def congestion_control(name: str) -> str:
    """That name, if hosts in a namespace may use that congestion control. UsageError says which they may, and what to do."""
    allowed = _ALLOWED.read_text(encoding="ascii").split()
    if name not in allowed:
        raise UsageError(f"this machine allows hosts {', '.join(allowed)}, not {name}: load its module, and add it to "
                         "net.ipv4.tcp_allowed_congestion_control (sysctl, as root)")
    return name


def _accepts_qdisc(*qdisc: str) -> bool:
    command = ["tc", "qdisc", "replace", "dev", "lo", "root", *qdisc]
    accepted = subprocess.run(command, capture_output=True).returncode == 0
    if accepted:
        subprocess.run(["tc", "qdisc", "del", "dev", "lo", "root"], capture_output=True)
    return accepted
