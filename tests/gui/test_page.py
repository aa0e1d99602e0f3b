# SPDX-License-Identifier: Apache-2.0
"""The page in a headless Chromium with invented data (*.test.mjs): one pytest test for each of their tests."""

import os
import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_SUITES = sorted(HERE.glob("*.test.mjs"))
_SECONDS = 420


@pytest.fixture(scope="session")
def outcomes(node):
    """Test name → (passed, output), from one run of all files, one after the other."""
    done = subprocess.run([node, "--test", "--test-concurrency=1", "--test-reporter=tap", *map(str, _SUITES)],
                          capture_output=True, text=True, timeout=_SECONDS, stdin=subprocess.DEVNULL, env=dict(os.environ))
    found = {}
    for block in re.split(r"^(?=# Subtest: )", done.stdout, flags=re.M)[1:]:
        result = re.search(r"^(ok|not ok) \d+ - (.*?)( # .*)?$", block, flags=re.M)
        if result:
            found[result[2].replace("\\", "")] = (result[1] == "ok", block)
    assert found, done.stdout + done.stderr
    return found


def _names():
    text = "".join(suite.read_text(encoding="utf-8") for suite in _SUITES)
    plain = re.findall(r"^test\('([^']+)'", text, flags=re.M)
    return plain + [f"has no accessibility problem and looks as it should: {look}"
                    for look in ("light", "dark", "narrow")]


@pytest.mark.parametrize("name", _names())
def test_page(outcomes, name):
    assert name in outcomes, f"did not run; these did: {sorted(outcomes)}"
    passed, text = outcomes[name]
    print(text)
    assert passed, text
