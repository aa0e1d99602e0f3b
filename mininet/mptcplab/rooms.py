# SPDX-License-Identifier: Apache-2.0
"""Draws which packages of the controller use which, for ``docs/architecture.md``, from the imports in their sources.

``PYTHONPATH=mininet python3 -m mptcplab.rooms`` writes the picture into that document. Packages below another one are drawn as
that one. An arrow that follows from others is left out: of a → b, b → c and a → c it draws two.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from .settings import ROOT

SOURCES = ROOT / "app" / "controller" / "src" / "main" / "java" / "org" / "subflow" / "mptcp"
DOCUMENT = ROOT / "docs" / "architecture.md"

_IMPORT = re.compile(r"^import (?:static )?org\.subflow\.mptcp\.(\w+)", re.MULTILINE)
_PICTURE = re.compile(r"(?<=```mermaid\n).*?(?=```)", re.DOTALL)

Uses = Mapping[str, set[str]]


def uses(sources: Path = SOURCES) -> Uses:
    """The packages of a source tree, each with those that it imports; itself left out."""
    found: dict[str, set[str]] = {}
    for file in sorted(sources.rglob("*.java")):
        package = file.relative_to(sources).parts[0]
        found.setdefault(package, set()).update(_IMPORT.findall(file.read_text(encoding="utf-8")))
    return {package: {other for other in imported if other in found and other != package}
            for package, imported in found.items()}


def essential(arrows: Uses) -> Uses:
    """Without the arrows that follow from others; there must be no circle."""
    below: dict[str, set[str]] = {}

    def reach(package: str) -> set[str]:
        if package not in below:
            below[package] = set().union(arrows[package], *(reach(other) for other in arrows[package]))
        return below[package]
    return {package: {other for other in used if not any(other in reach(one) for one in used)}
            for package, used in arrows.items()}


def picture(arrows: Uses) -> str:
    """A flow chart in Mermaid's words."""
    lines = [f"    {package} --> {other}" for package, used in sorted(essential(arrows).items()) for other in sorted(used)]
    return "\n".join(["flowchart TD", *lines, ""])


def drawn(text: str) -> str:
    """A document's picture."""
    found = _PICTURE.search(text)
    return found[0] if found else ""


def main() -> None:
    """Writes the picture."""
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(_PICTURE.sub(lambda _: picture(uses()), text, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
