# SPDX-License-Identifier: Apache-2.0
"""Names of strategies and allocators: Java registers them; all other places ask for the names or have the same ones."""

import json
import re
import subprocess

import pytest

from mptcplab import build, packages, usage
from mptcplab.settings import ROOT

_PAGE = ROOT / "gui" / "page" / "app"
_DRAWN = ROOT / "tests" / "reproduce" / "plots.py"
_INVENTED = ROOT / "app" / "controller" / "src" / "test" / "resources" / "golden" / "settings.json"


@pytest.fixture(scope="module")
def registered():
    """Option → the names that the planner takes for it, in their order: the planner lists what Java registers."""
    build.build()
    jar = ROOT / "cli" / "target" / "onos-mptcp-plan.jar"
    told = subprocess.run([f"{packages.java_home()}/bin/java", "-jar", str(jar), "--help"], capture_output=True,
                          encoding="utf-8", check=True, timeout=60).stdout
    return {option: tuple(re.split(r",\s+", re.search(rf"\n  --{option} \w+\s+(.*?)\s*\n  --", told, re.DOTALL)[1]))
            for option in ("strategy", "allocator")}


def test_the_command_takes_all_that_java_registers_in_the_same_order(registered):
    assert registered["strategy"] == usage.STRATEGIES
    assert registered["allocator"] == usage.ALLOCATORS


def test_the_page_takes_the_names_from_rest_and_has_none_of_its_own(registered):
    sources = [path for suffix in ("ts", "html") for path in _PAGE.rglob(f"*.{suffix}")]
    assert sources, "the page has moved"
    quoted = re.compile("|".join(f"['\"`]{name}['\"`]" for names in registered.values() for name in names))
    assert not [(path.name, found[0]) for path in sources for found in quoted.finditer(path.read_text(encoding="utf-8"))]


_BASELINES = {"first-k-max"}
"""Of papers, for comparison with their figures; nobody can choose them."""


def test_invented_connections_and_drawings_use_names_that_there_are(registered):
    listed = json.loads(_INVENTED.read_text(encoding="utf-8"))["strategies"]
    styled = re.search(r"^_STYLES\b.*?\{(.*?)^\}", _DRAWN.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]
    used = set(listed) | set(re.findall(r'"([a-z-]+)":', styled)) - {"limit"} - _BASELINES
    assert used and used <= set(registered["strategy"])
