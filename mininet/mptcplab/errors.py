# SPDX-License-Identifier: Apache-2.0
"""Errors whose message the user reads."""


class LabError(Exception):
    """Something failed while running; the message is one line and says what to do about it."""

    status = 1


class UsageError(LabError):
    """Wrong options, wrong input or a machine that lacks what is needed: nothing was started."""

    status = 2


class EndedError(UsageError):
    """What somebody waits for never comes, because the process that would bring it has ended: no wait goes on after this."""
