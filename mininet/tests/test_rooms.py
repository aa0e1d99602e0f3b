# SPDX-License-Identifier: Apache-2.0
from mptcplab import rooms


def test_the_picture_in_the_document_is_that_of_the_code():
    why = "draw it again: PYTHONPATH=mininet python3 -m mptcplab.rooms"
    assert rooms.drawn(rooms.DOCUMENT.read_text(encoding="utf-8")) == rooms.picture(rooms.uses()), why


def test_arrows_that_follow_from_others_are_left_out():
    assert rooms.essential({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {"a": {"b"}, "b": {"c"}, "c": set()}


def test_packages_below_another_one_are_drawn_as_that_one(tmp_path):
    for folder, name, imported in (("high/deep", "A", "low.B"), ("low", "B", "low.wide.C"), ("low/wide", "C", "elsewhere.D")):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / f"{name}.java").write_text(f"import org.subflow.mptcp.{imported};\n")
    assert rooms.uses(tmp_path) == {"high": {"low"}, "low": set()}
    assert rooms.picture(rooms.uses(tmp_path)) == "flowchart TD\n    high --> low\n"
