# SPDX-License-Identifier: Apache-2.0
"""An agent with several controllers, of which one hears agents at a time."""

from typing import Any

import pytest

from mptcpagent.controller import Refused
from mptcpagent.controllers import Controllers
from mptcpagent.errors import AgentError


class Node:
    """A controller that answers with its number while ``leads``."""

    secret = False

    def __init__(self, number: int, leads: bool) -> None:
        self.url, self.number, self.leads = f"http://node{number}", number, leads
        self.heard: list[dict[str, Any]] = []
        self.refuses = False

    def report(self, content: dict[str, Any], _wait: float, _news: object = None) -> Any:
        self.heard.append(content)
        if self.refuses:
            raise Refused("no such token")
        if not self.leads:
            raise AgentError(f"node {self.number} does not answer")
        return {"revision": self.number}

    def close(self) -> None:
        """Nothing is open."""


def test_the_one_that_answers_is_asked_first_the_next_time():
    nodes = [Node(0, False), Node(1, False), Node(2, True)]
    controllers = Controllers(nodes)
    assert controllers.report({"since": 7}, 1.0) == {"revision": 2}
    assert controllers.report({"since": 2}, 1.0) == {"revision": 2}
    assert controllers.url == "http://node2"
    assert [len(node.heard) for node in nodes] == [1, 1, 2]
    assert "since" not in nodes[2].heard[0]  # a number of another controller
    assert nodes[2].heard[1] == {"since": 2}


def test_when_it_goes_the_next_one_is_asked():
    nodes = [Node(0, True), Node(1, False)]
    controllers = Controllers(nodes)
    controllers.report({}, 1.0)
    nodes[0].leads, nodes[1].leads = False, True
    assert controllers.report({}, 1.0) == {"revision": 1}


def test_none_answers():
    with pytest.raises(AgentError, match="node 0 does not answer; node 1 does not answer"):
        Controllers([Node(0, False), Node(1, False)]).report({}, 1.0)


def test_a_refused_token_is_refused_everywhere():
    nodes = [Node(0, True), Node(1, True)]
    nodes[0].refuses = True
    with pytest.raises(Refused):
        Controllers(nodes).report({}, 1.0)
    assert nodes[1].heard == []
