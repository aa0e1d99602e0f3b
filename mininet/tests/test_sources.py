# SPDX-License-Identifier: Apache-2.0
"""The sources of the application: no package is too large, and no file is too long."""

from collections import Counter

from mptcplab.settings import ROOT

MOST_CLASSES = 20
MOST_LINES = 400
MODULES = ("app", "cli", "gui", "onos")
_NOT_SOURCES = {"target", "node_modules"}
_SUFFIXES = {".java", ".ts", ".mjs", ".js", ".css", ".html"}


def _sources():
    for module in MODULES:
        for path in sorted((ROOT / module).rglob("*")):
            inside = path.relative_to(ROOT)
            if path.suffix in _SUFFIXES and path.is_file() and not _NOT_SOURCES.intersection(inside.parts):
                yield inside


def _packages():
    return Counter(str(path.parent) for path in _sources()
                   if path.suffix == ".java" and "main" in path.parts and path.name != "package-info.java")


def test_every_module_has_packages():
    assert {package.split("/")[0] for package in _packages()} == set(MODULES)


def test_no_package_has_more_than_twenty_classes():
    large = {package: classes for package, classes in _packages().items() if classes > MOST_CLASSES}
    assert not large, f"divide these packages, so that each has {MOST_CLASSES} classes at most: {large}"


def test_no_file_has_more_than_400_lines():
    long = {str(path): lines for path in _sources()
            if (lines := len((ROOT / path).read_text(encoding="utf-8").splitlines())) > MOST_LINES}
    assert not long, f"move something out of these files, so that each has {MOST_LINES} lines at most: {long}"
