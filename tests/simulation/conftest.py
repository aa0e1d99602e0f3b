# SPDX-License-Identifier: Apache-2.0
"""Makes the packages importable however pytest is started."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "mininet")]
