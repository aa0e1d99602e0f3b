# SPDX-License-Identifier: Apache-2.0
import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def node():
    """The Node that built the page: the distribution's, or the one from npm where that is too old."""
    from_npm = REPOSITORY / "gui/target/node/node_modules/node/bin/node"
    return str(from_npm) if from_npm.exists() else shutil.which("node")
