# SPDX-License-Identifier: Apache-2.0
"""The testbed of onos-mptcp: real Open vSwitch, real kernel MPTCP hosts and a real ONOS in one network namespace.

For programs of one's own: ``from mptcplab import Testbed``, which is ``api``.

Modules, from the outside in (each uses only those below it):

    api             for programs of one's own: a testbed, by the console of a demonstration
    cli             sub-commands of ``./lab`` and their options
    checks commands lint results    the tests, the linters and what they say; programs of other folders
    demo load       one demonstration: transfers, what was seen, verdict; a benchmark of short connections
    report shares transfer short_connections failure    what ``demo`` runs, prints and writes
    testbed         switches, hosts and ONOS together, until all of them see each other
    sampling rulewatch  counters and rules of switches, subflows of kernels
    network hosts openvswitch onos netcfg rest      the parts of a testbed
    namespace forwards          a network and process namespace of its own, and the ways into it
    build packages kernel       what has to be there before anything starts
    topology        node-link data → switches, links, capacities
    processes settings errors   the floor

Rates are Mbit/s (10⁶ bit/s) unless a name says otherwise.
"""

from .api import Testbed
from .errors import LabError, UsageError

__all__ = ["LabError", "Testbed", "UsageError"]
