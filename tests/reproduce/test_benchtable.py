# SPDX-License-Identifier: Apache-2.0
"""The table of benchmarks on data with known answers."""

import json

import benchtable


def _entry(name, ours, peer):
    return {"name": name, "ours": ours, "oursError": ours / 20, "oursN": 30, "peer": "a library", "peerScore": peer,
            "peerError": None, "peerN": 3, "ratio": peer / ours, "forks": 3, "seeds": 10}


def test_times_have_the_unit_and_the_digits_that_their_interval_is_worth():
    assert benchtable.time(87.31, 2.5, 30) == "87.3 ± 2.5 µs (30)"
    assert benchtable.time(40_123, 6_000, 6) == "40.1 ± 6.0 ms (6)"
    assert benchtable.time(8_300_000, 510_000, 6) == "8.30 ± 0.51 s (6)"
    assert benchtable.time(2.731, None, 1) == "2.73 µs (1)"
    assert benchtable.time(150, 40, 6) == "150 ± 40 µs (6)"


def test_a_table_of_benchmarks_replaces_the_one_before_and_nothing_else(tmp_path):
    document = tmp_path / "performance.md"
    document.write_text("before\n<!-- ./lab bench -->\nold\n<!-- end -->\nafter\n")
    growth_entry = {"name": "growth-max-min", "points": []}
    text = benchtable.table([_entry("max-min-1000", 20_000, 1e6), growth_entry], 0.4, "abc")
    assert benchtable.fill(document, text)
    written = document.read_text()
    assert written.startswith("before\n<!-- ./lab bench -->\n") and written.endswith("\n<!-- end -->\nafter\n")
    assert "old" not in written and "growth" not in written
    assert "commit abc" in written and "load average 0.4" in written and "machines for each: 3; seeds: 10." in written
    line, = [line for line in written.splitlines() if line.startswith("| `max-min-1000`")]
    assert [cell.strip() for cell in line.split("|")[3:7]] == ["20.0 ± 1.0 ms (30)", "a library", "1.00 s (3)", "50"]
    document.write_text("no place")
    assert not benchtable.fill(document, text)


def test_series_fill_places_of_their_own_with_both_exponents(tmp_path):
    document, measured = tmp_path / "performance.md", tmp_path / "bench.json"
    document.write_text("<!-- ./lab bench -->\nold\n<!-- end -->\n<!-- ./lab bench growth: nodes -->\n<!-- end -->\n")
    point = {"size": 50, "ours": 2.0, "oursError": 0.1, "oursN": 9, "peerScore": 80, "peerError": 4, "peerN": 9}
    entry = {"name": "growth-widest-disjoint", "peer": "a library", "size": "nodes", "forks": 3, "seeds": 3, "exponent": 0.984,
             "exponentError": 0.05, "points": [point, {"size": 5000, "ours": 200.0, "oursError": 10.0, "oursN": 9}]}
    measured.write_text(json.dumps([entry]))
    assert benchtable.main([str(measured), str(document), "0.4"]) == 0
    written = document.read_text()
    assert "old" in written, "no benchmark was measured"
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in written.splitlines() if line.startswith("|")]
    assert lines[0] == ["nodes", "50", "5,000", "exponent"]
    assert lines[2] == ["`widest-disjoint`", "2.00 ± 0.10 µs (9)", "200 ± 10 µs (9)", "0.98 ± 0.05"]
    assert lines[3] == ["a library", "80.0 ± 4.0 µs (9)", "–", "–"]
    entry["size"] = "connections"
    measured.write_text(json.dumps([entry]))
    assert benchtable.main([str(measured), str(document), "0.4"]) == 2, "no place"
