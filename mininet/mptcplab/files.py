# SPDX-License-Identifier: Apache-2.0
"""Files that a command leaves for its user."""

import os
from pathlib import Path


def write(path: Path, content: str | bytes) -> None:
    """Writes a file that is the user's, also as root by way of sudo."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if "SUDO_UID" in os.environ:
        os.chown(path, int(os.environ["SUDO_UID"]), int(os.environ["SUDO_GID"]))
