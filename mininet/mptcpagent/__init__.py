# SPDX-License-Identifier: Apache-2.0
"""The host agent of onos-mptcp: limits each MPTCP subflow of this host to what the controller expects it to get.

The kernel's congestion control shares a link subflow by subflow. The controller knows what each connection is to get, and a
host that keeps to it leaves the others their shares.

``sockets`` reads the kernel's subflows by netlink (``netlink``), ``words`` turns two readings into a report, ``controller``
sends it and takes the answer, ``agent`` is the loop. A ``limits.Backend`` applies the rates: ``pacing`` (BPF, ``libbpf``) or
``htb``. ``paths`` opens and closes the subflows that the answer names, by ``pathmanager`` (``generic`` netlink). ``watchdog`` is
a process of its own that takes all of this back when the agent is gone.
"""

VERSION = "0.1.0"
