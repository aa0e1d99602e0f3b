# SPDX-License-Identifier: Apache-2.0
"""Errors whose message is one line for the user."""


class AgentError(Exception):
    """Something does not work; the message says what to do about it."""


class Unusable(AgentError):
    """This machine lacks what a backend or the agent needs."""
