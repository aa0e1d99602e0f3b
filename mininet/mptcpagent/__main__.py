# SPDX-License-Identifier: Apache-2.0
"""``mptcp-agent``: options, what the machine must have, and the choice of the backend."""

import argparse
import ipaddress
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from . import VERSION, capabilities, congestion, htb, netlink, sockets, tokenfile
from .agent import Agent, release
from .announced import Announced, Listener
from .controller import Controller
from .controllers import Controllers
from .errors import AgentError, Unusable
from .limits import Backend, Limits, Nothing
from .pacing import Pacing
from .pathmanager import PathManager
from .paths import Paths
from .watchdog import Watchdog
from .windows import NEED_RATES, OURS, Windows

_NET_ADMIN = 12
_MPTCP = Path("/proc/sys/net/mptcp/enabled")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Unusable(f"{message}; see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the agent. Returns 0 after SIGTERM or SIGINT, 2 for wrong usage or a machine that lacks something."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments[:1] == ["congestion"]:
            return _alone(_congestion_options(arguments[1:]))
        options = _options(arguments)
        _require_machine()
        backend = (Windows(options.congestion, _cache()) if options.congestion is not None
                   else choose(options.backend, options.host, options.interface, _cache()))
        if isinstance(backend, Windows) and not options.release:
            backend.require_alone()
        paths = Paths(_path_manager(), say, time.monotonic)
        if options.release:
            release(paths, backend)
            return 0
        return _run(options, backend, paths)
    except AgentError as failure:
        say(str(failure))
        return 2 if isinstance(failure, Unusable) else 1
    except (_Ended, KeyboardInterrupt):
        return 0


def choose(wanted: str, host: str | None, interface: str | None, cache: Path | None) -> Backend:
    """The backend of that name; for ``auto`` the first that works here. Unusable, with the reason, if the one named does not."""
    makers: dict[str, Callable[[], Backend]] = {
        "bpf": lambda: Pacing(cache),
        "htb": lambda: htb.Htb(interface or htb.interface_of(host or "")),
        "none": Nothing,
    }
    if wanted != "auto":
        return makers[wanted]()
    for name in makers:
        try:
            return makers[name]()
        except AgentError as failure:
            say(f"not {name}: {failure}")
    raise Unusable("no backend")


def say(line: str) -> None:
    """A line for people, on standard error."""
    print(f"mptcp-agent: {line}", file=sys.stderr, flush=True)


def _path_manager() -> PathManager | None:
    try:
        return PathManager()
    except Unusable as failure:
        say(f"the kernel's own path manager stays, with the endpoints that it has: {failure}")
        return None


def _announced(token_file: Path) -> Callable[[], Limits]:
    try:
        listener = Listener()
    except Unusable as failure:
        say(f"announcements of the controller in segments are not heard: {failure}")
        return dict
    return Announced(listener.packets, lambda: tokenfile.read(token_file), time.monotonic).limits


def _run(options: argparse.Namespace, backend: Backend, paths: Paths) -> int:
    controller = Controllers([Controller(url, options.host, options.token_file, options.ca) for url in options.controller])
    announced = _announced(options.token_file)
    capabilities.keep_few()
    # Before anything is limited, and before there is a connection that it would hold open.
    watchdog = Watchdog(lambda: release(paths, backend), backend.withdraw if isinstance(backend, Windows) else lambda: None)
    diag = netlink.Netlink(netlink.SOCK_DIAG)
    agent = Agent(controller, backend, paths, lambda: sockets.read(diag), watchdog.beat, say,
                  announced=announced)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _end(agent))
    say(f"{VERSION}, {'windows' if options.congestion else 'limits'} by {backend.name}, reports to "
        f"{' or '.join(options.controller)}")
    try:
        agent.run()
    except _Ended:
        release(paths, backend)
    return 0


def _alone(options: argparse.Namespace) -> int:
    congestion.require_usable(options.name)
    _require_machine()
    windows = Windows(options.name, _cache())
    if options.release:
        windows.release()
        return 0
    windows.require_alone()
    news, diag = congestion.events(), netlink.Netlink(netlink.SOCK_DIAG)
    capabilities.keep_few()
    watchdog = Watchdog(windows.release, windows.withdraw)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end_once)
    say(f"{VERSION}, MPTCP subflows get {options.name}, {windows.given} for the kernel, in place of {windows.before}")
    congestion.Giver(windows, lambda: sockets.read(diag), news, watchdog.beat, say).run()
    return 0


def _end_once(*_: object) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    raise _Ended


class _Ended(BaseException):
    """Breaks a wait for the controller's answer, or for news."""


def _end(agent: Agent) -> NoReturn:
    agent.end()
    raise _Ended


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(prog="mptcp-agent", description="Limits each MPTCP subflow of this host to the throughput that the "
                     "controller onos-mptcp expects it to get, and opens the subflows that it has paths for.",
                     epilog="Without a controller, mptcp-agent congestion NAME gives all MPTCP subflows of this host a "
                     "congestion control; see mptcp-agent congestion --help.")
    parser.add_argument("--controller", metavar="URL", action="extend", nargs="+",
                        help="https://HOST:PORT of ONOS's REST interface, one for each node of a cluster; "
                        "http:// only to 127.0.0.1")
    parser.add_argument("--host", metavar="IP", type=_address, help="the address under which this host is registered there")
    parser.add_argument("--token-file", metavar="FILE", type=Path,
                        help="has the token that the registration gave; no other user may read it")
    parser.add_argument("--ca", metavar="FILE", type=Path, help="certificates to trust instead of the system's (PEM)")
    parser.add_argument("--backend", choices=["auto", "bpf", "htb", "none"], default="auto",
                        help="what limits the subflows; auto, the default: the first that works, in this order")
    parser.add_argument("--congestion", metavar="NAME", help="in place of limits, the congestion control of subflows: "
                        f"{', '.join(OURS)}, or one that the kernel has")
    parser.add_argument("--interface", metavar="IF", help="for htb; unless given, the one that has the address of --host")
    parser.add_argument("--release", action="store_true", help="only takes away what an agent has left behind")
    parser.add_argument("--version", action="version", version=f"mptcp-agent {VERSION}")
    options = parser.parse_args(arguments)
    missing = [name for name in ("controller", "host", "token_file") if getattr(options, name) is None]
    if missing and not options.release:
        parser.error(f"--{missing[0].replace('_', '-')} is missing")
    if options.congestion is not None and options.backend != "auto":
        parser.error(f"--congestion {options.congestion} does without --backend")
    return options


def _congestion_options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(prog="mptcp-agent congestion", description="Gives all MPTCP subflows of this host a congestion control, "
                     "without a controller, until it is ended. Plain TCP is left alone.")
    parser.add_argument("name", metavar="NAME", help=f"{', '.join(one for one in OURS if one not in NEED_RATES)}, or one "
                        "that the kernel has")
    parser.add_argument("--release", action="store_true", help="only takes away what one that was killed has left behind")
    return parser.parse_args(arguments)


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no IP address") from None


def _require_machine() -> None:
    if not _MPTCP.exists():
        raise Unusable(f"this kernel ({os.uname().release}) has no MPTCP: use one with CONFIG_MPTCP")
    if not capabilities.effective() >> _NET_ADMIN & 1:
        raise Unusable("run it as root, or with the capabilities NET_ADMIN, BPF and PERFMON: it sets rates of sockets")


def _cache() -> Path | None:
    """The folder that systemd makes for the service (CacheDirectory=)."""
    folder = os.environ.get("CACHE_DIRECTORY")
    return Path(folder) if folder else None


if __name__ == "__main__":
    sys.exit(main())
