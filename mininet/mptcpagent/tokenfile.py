# SPDX-License-Identifier: Apache-2.0
"""The file with the token by which this host logs in."""

import os
import stat
from pathlib import Path

from .errors import AgentError


def read(file: Path) -> str:
    """The token. AgentError if there is none, or if others than the file's owner and group have any right to it."""
    try:
        with file.open(encoding="ascii") as opened:
            if stat.S_IMODE(os.fstat(opened.fileno()).st_mode) & stat.S_IRWXO:
                raise AgentError(f"every user of this host can get at the token in {file}: chmod o= {file}, and register the "
                                 "host again if one may have read it")
            token = opened.read().strip()
    except (OSError, ValueError) as failure:
        raise AgentError(f"no token can be read from {file}: {failure}") from None
    if not token or len(token.split()) != 1:
        raise AgentError(f"{file} has no token: it must have one line, as the controller gave it")
    return token
