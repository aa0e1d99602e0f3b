# SPDX-License-Identifier: Apache-2.0
"""An Open vSwitch of our own: database and daemon in a run folder of their own, switching in user space.

User space, because it needs no kernel module and lives in the namespace like everything else.
"""

import os

from .processes import run, wait_for

_SCHEMAS = ("/usr/share/openvswitch/vswitch.ovsschema", "/usr/local/share/openvswitch/vswitch.ovsschema")


class OpenVSwitch:
    """Database server and switch daemon. While it runs, ``ovs-*`` tools of this process talk to it."""

    def __init__(self, folder, processes):
        self._folder = folder / "openvswitch"
        self._processes = processes

    def start(self):
        """Starts both daemons and waits until the switch daemon answers."""
        self._folder.mkdir()
        os.environ.update(OVS_RUNDIR=str(self._folder), OVS_DBDIR=str(self._folder), OVS_LOGDIR=str(self._folder),
                          OVS_SYSCONFDIR=str(self._folder))
        database, socket = self._folder / "conf.db", self._folder / "db.sock"
        schema = next((path for path in _SCHEMAS if os.path.exists(path)), _SCHEMAS[0])
        run(["ovsdb-tool", "create", str(database), schema], "making Open vSwitch's database")
        self._daemon("ovsdb-server", str(database), f"--remote=punix:{socket}")
        wait_for("Open vSwitch's database", socket.exists, 20)
        run(["ovs-vsctl", "--no-wait", "init"], "initialising Open vSwitch")
        # The network goes first where processors are short: what is measured shall be the links, not the machine.
        self._daemon("nice", "-n", "-10", "ovs-vswitchd", f"unix:{socket}")
        run(["ovs-vsctl", "--timeout=20", "show"], "starting Open vSwitch")
        wait_for("Open vSwitch", lambda: run(["ovs-appctl", "-T", "5", "version"], "asking Open vSwitch"), 20)

    def _daemon(self, *command):
        # ovs-appctl finds the switch daemon by its pid file in the run folder.
        self._processes.start([*command, "--pidfile", "--log-file", "-vconsole:off"],
                              self._folder / "daemons.out")
