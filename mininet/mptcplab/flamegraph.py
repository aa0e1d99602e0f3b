# SPDX-License-Identifier: Apache-2.0
"""Flame graphs (B. Gregg, "The Flame Graph", 2016): which methods were running, and who had called them. A box is as wide as
the part of all samples in which its method was on the stack; callers are below."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

_WIDTH, _ROW, _TOP, _LETTER = 1200, 16, 40, 6.6
_LEAST = 2
"""Pixels: narrower boxes are left out."""
_COLOURS = {"application": "#f0b27a", "onos": "#aed6f1", "southbound": "#d2b4de", "other": "#d5d8dc"}
"""By whose code it is."""


@dataclass
class _Box:
    samples: int = 0
    callees: dict[str, "_Box"] = field(default_factory=dict)


def svg(title: str, stacks: Mapping[str, int]) -> str:
    """An SVG document.

    ``stacks``: how many samples had each stack; a stack is its frames, outermost first, with ``;`` between them, each
    ``owner:name``.
    """
    root = _Box()
    for stack, samples in sorted(stacks.items()):
        box = root
        box.samples += samples
        for name in stack.split(";"):
            box = box.callees.setdefault(name, _Box())
            box.samples += samples
    boxes: list[tuple[int, float, str, _Box]] = []
    _place(root, 0, 0.0, _WIDTH / max(1, root.samples), boxes)
    height = _TOP + _ROW * (1 + max((level for level, *_ in boxes), default=0)) + 4
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="11">',
             f'<title>{escape(title)}</title><text x="4" y="15" font-size="13">{escape(title)}</text>',
             *(f'<rect x="{4 + 110 * i}" y="21" width="10" height="10" fill="{colour}"/><text x="{18 + 110 * i}" y="30">{owner}'
               "</text>" for i, (owner, colour) in enumerate(_COLOURS.items()))]
    for level, x, name, box in boxes:
        owner, _, method = name.partition(":")
        width, y = _WIDTH * box.samples / root.samples, height - _ROW * (level + 1)
        letters = int((width - 4) / _LETTER)
        text = "" if letters < 4 else method if len(method) <= letters else f"{method[:letters - 1]}…"
        parts.append(f'<g><title>{escape(method)}: {100 * box.samples / root.samples:.1f} %</title>'
                     f'<rect x="{x:.1f}" y="{y}" width="{max(1.0, width - 0.5):.1f}" height="{_ROW - 1}" rx="1" '
                     f'fill="{_COLOURS.get(owner, _COLOURS["other"])}"/>'
                     f'<text x="{x + 2:.1f}" y="{y + 11}">{escape(text)}</text></g>')
    return "\n".join([*parts, "</svg>", ""])


def _place(box: _Box, level: int, x: float, pixels: float, boxes: list[tuple[int, float, str, _Box]]) -> None:
    for name, callee in box.callees.items():
        if callee.samples * pixels >= _LEAST:
            boxes.append((level, x, name, callee))
            _place(callee, level + 1, x, pixels, boxes)
        x += callee.samples * pixels
