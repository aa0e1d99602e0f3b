# SPDX-License-Identifier: Apache-2.0
"""What a release says of itself, in one version; ``tests/release`` makes one and installs it."""

import re
import subprocess

import pytest

import mptcpagent
from mptcplab import cli, packages, release
from mptcplab.errors import UsageError
from mptcplab.settings import ROOT

DEBIAN = ROOT / "mininet" / "mptcpagent" / "debian"


def test_all_parts_have_the_version_of_the_poms():
    version = release.properties()["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert version.removesuffix("-SNAPSHOT") == mptcpagent.VERSION
    assert (DEBIAN / "changelog").read_text().startswith(f"mptcp-agent ({mptcpagent.VERSION}) ")


def test_the_package_has_the_files_that_the_wheel_has():
    told = (DEBIAN.parent / "pyproject.toml").read_text()
    [patterns] = re.findall(r"^include = \[(.*)\]", told, re.MULTILINE)
    in_wheel = {path.name for pattern in re.findall(r'"(.*?)"', patterns) for path in DEBIAN.parent.glob(pattern)}
    lines = [line.split()[0] for line in (DEBIAN / "install").read_text().splitlines()]
    in_package = {path.name for pattern in lines if "/" not in pattern for path in DEBIAN.parent.glob(pattern)}
    # Debian's tools install the unit.
    assert in_wheel == in_package | {"mptcp-agent.service"}


def test_the_image_installs_what_the_testbed_needs():
    recipe = (ROOT / "Containerfile").read_text()
    [wanted] = re.findall(r"packages\.require\((.*?)\)", recipe)
    assert {word.strip('"') for word in wanted.split(", ")} >= {"testbed", "agents"}
    assert set(re.findall(r'"([\w-]+)"', wanted)) <= set(packages._PACKAGES)
    assert recipe.startswith("# SPDX-License-Identifier: Apache-2.0\n")
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {".git", ".lab", "**/target", "**/node_modules"} <= set(ignored)


def test_sums_are_those_that_sha256sum_checks(tmp_path):
    (tmp_path / "a").write_text("one")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c d").write_text("two")
    (tmp_path / release.SUMS).write_text(release.sums(tmp_path))
    assert release.sums(tmp_path) == (tmp_path / release.SUMS).read_text(), "not of itself"
    done = subprocess.run(["sha256sum", "--check", "--strict", release.SUMS], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()) == (0, ["a: OK", "b/c d: OK"]), done.stderr


def test_a_folder_with_something_in_it_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "require", lambda *_: pytest.fail("nothing is installed for what cannot be done"))
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(UsageError, match="not an empty folder"):
        cli.outside(["release", "--out", str(tmp_path)])
    with pytest.raises(UsageError, match="not an empty folder"):
        cli.outside(["release", "--out", str(tmp_path / "mine")])
    assert (tmp_path / "mine").read_text() == "mine"
