# SPDX-License-Identifier: Apache-2.0
"""``python3 -m mptcplab``: what ``./lab`` calls, here and inside the namespace."""

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


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.exit(status)
