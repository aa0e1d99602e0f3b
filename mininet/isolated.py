# SPDX-License-Identifier: Apache-2.0
"""``python3 -I isolated.py MODULE [ARGUMENT…]``: as ``python3 -m MODULE``, with this folder's packages and the system's alone.

``-m`` looks in the folder that it is called in first. Here root runs what it finds, and that folder may be anybody's.
"""

import os
import runpy
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
