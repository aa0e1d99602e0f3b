# SPDX-License-Identifier: Apache-2.0
"""What ONOS says of its troubles, on its output and in its log: the line that tells the cause."""

import re

_ERROR = re.compile(r"\b(?:ERROR|FATAL)\b|(?:Exception|Error)\b|^(?:[Cc]ould not|[Cc]annot|[Uu]nable to|[Ee]rror|[Ff]atal)|"
                    r": (?:not found|No such file)")
_EXCEPTION = re.compile(r"^[\w.$]+(?:Exception|Error)\b(?:: )?(.*)")
_CAUSE = "caused by: "
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def plain(said: str) -> str:
    """The same without colours."""
    return _COLOURS.sub("", said)


def first_error(said: str) -> str:
    """The first line that tells of an error, else the last one: what follows is a consequence."""
    lines = [line.strip() for line in plain(said).splitlines() if line.strip()]
    return next((line for line in lines if _ERROR.search(line)), lines[-1] if lines else "it said nothing")


def refusal(said: str, application: str) -> str | None:
    """Why ONOS has not installed, started or stopped an application's bundles, in its own words; None if it has not said that.

    ONOS then calls the application active all the same.
    """
    lines = plain(said).splitlines()
    begin = next((number for number, line in enumerate(lines)
                  if f"Unable to perform operation on application {application}" in line), None)
    if begin is None:
        return None
    told = next(filter(None, (_EXCEPTION.match(line) for line in lines[begin + 1:begin + 3])), None)
    if not told:
        return lines[begin].strip()
    # The resolver tells what could not be resolved for want of what, in brackets; the innermost one is the cause.
    return told[1].rpartition(_CAUSE)[2].rstrip("]").strip() if _CAUSE in told[1] else told[0]
