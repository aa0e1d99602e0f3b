# SPDX-License-Identifier: Apache-2.0
"""``python3 -m mptcplab``: what ``./lab`` calls, here and inside the namespace."""

import os
import signal
import sys
from collections.abc import Sequence

from . import cli, namespace
from .errors import LabError


def main(arguments: Sequence[str]) -> int:
    """Runs one sub-command and returns the exit status; what goes wrong is one line on standard error."""
    try:
        if arguments[:1] == ["--inside"]:
            namespace.prepare()
            return cli.inside(arguments[1:])
        return cli.outside(arguments)
    except LabError as failure:
        print(f"lab: {failure}", file=sys.stderr)
        return failure.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read it, as ``head``, has enough. What Python still wants to write at its end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.exit(status)
