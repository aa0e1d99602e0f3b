# SPDX-License-Identifier: Apache-2.0
"""An Open vSwitch of our own: database and daemon in a run folder of their own, switching in user space.

User space, because it needs no kernel module and lives in the namespace like everything else.
"""

import contextlib
import os
from pathlib import Path

from .errors import LabError
from .processes import Process, Processes, run, wait_for

_SCHEMAS = ("/usr/share/openvswitch/vswitch.ovsschema", "/usr/local/share/openvswitch/vswitch.ovsschema")

_NICENESS = -20

_ONOS_TABLE = 1
"""Of a switch: its table 0 is the southbound's own."""


class OpenVSwitch:
    """Database server and switch daemon. While it runs, ``ovs-*`` tools of this process talk to it."""

    def __init__(self, folder: Path, processes: Processes) -> None:
        self._folder = folder / "openvswitch"
        self._processes = processes
        self._switching: Process | None = None

    def start(self) -> None:
        """Starts both daemons and waits until the switch daemon answers."""
        self._folder.mkdir()
        os.environ.update(OVS_RUNDIR=str(self._folder), OVS_DBDIR=str(self._folder), OVS_LOGDIR=str(self._folder),
                          OVS_SYSCONFDIR=str(self._folder))
        database = self._folder / "conf.db"
        schema = next((path for path in _SCHEMAS if os.path.exists(path)), _SCHEMAS[0])
        run(["ovsdb-tool", "create", str(database), schema], "making Open vSwitch's database")
        self._daemon("ovsdb-server", str(database), f"--remote=punix:{self._socket()}")
        wait_for("Open vSwitch's database", self._socket().exists, 20)
        run(["ovs-vsctl", "--no-wait", "init"], "initialising Open vSwitch")
        self.start_switching()

    def start_switching(self) -> None:
        """Starts the switch daemon and waits until it answers: it makes the switches that the database has, without rules."""
        # The network goes first where processors are short: what is measured shall be the links, not the machine.
        self._switching = self._daemon("nice", "-n", str(_NICENESS), "ovs-vswitchd", f"unix:{self._socket()}")
        _prefer(self._switching.pid)
        run(["ovs-vsctl", "--timeout=20", "show"], "starting Open vSwitch")
        wait_for("Open vSwitch", lambda: run(["ovs-appctl", "-T", "5", "version"], "asking Open vSwitch"), 20)

    def stop_switching(self) -> None:
        """Ends the switch daemon, and with it all switches and their rules; the database keeps how they are made."""
        if self._switching:
            self._processes.stop(self._switching)
            self._switching = None

    def pid(self) -> int:
        """The switch daemon's process; LabError if it does not run."""
        if not self._switching:
            raise LabError("Open vSwitch does not run")
        return self._switching.pid

    def _socket(self) -> Path:
        return self._folder / "db.sock"

    def _daemon(self, *command: str) -> Process:
        # ovs-appctl finds the switch daemon by its pid file in the run folder.
        return self._processes.start([*command, "--pidfile", "--log-file", "-vconsole:off"],
                                     self._folder / "daemons.out")


def _prefer(pid: int) -> None:
    """Gives the session of a process its part of the processors: where the kernel groups processes by session
    (CONFIG_SCHED_AUTOGROUP), niceness counts only among those of one."""
    with contextlib.suppress(OSError):  # a kernel without it
        Path(f"/proc/{pid}/autogroup").write_text(str(_NICENESS), encoding="ascii")


def limit_rules(switch: str, most: int | None) -> None:
    """Lets ONOS's first table in a switch take no more rules than these; None: as many as there is memory for."""
    limited = ["--", "--id=@table", "create", "Flow_Table", f"flow_limit={most}", "overflow_policy=refuse",
               "--", "set", "Bridge", switch, f"flow_tables:{_ONOS_TABLE}=@table"]
    run(["ovs-vsctl", *(limited if most else ["clear", "Bridge", switch, "flow_tables"])], f"limiting {switch}'s rules")


def keeps_syns(switch: str) -> bool:
    """Whether a switch sends SYNs to the controller alone, which so may refuse an MP_JOIN."""
    return any("tcp_flags" in rule and "CONTROLLER" in rule and "goto_table" not in rule for rule in first_table(switch))


def first_table(switch: str) -> list[str]:
    """The rules of the table that ONOS does not see, as ``ovs-ofctl`` prints them, with their counters."""
    return run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch, "table=0"], f"reading {switch}'s first table").splitlines()
