# SPDX-License-Identifier: Apache-2.0
"""What the .oar carries besides programs: licences, notices and bills of materials. ``./lab test unit`` builds it just before."""

import io
import json
import re
import zipfile

import pytest

from mptcplab import build
from mptcplab.settings import ROOT

_OURS = "org/subflow/"
# Where a library's classes are, to its name in the bill of materials.
_PROMETHEUS = "io/prometheus/metrics/"
_LIBRARIES = {"org/jgrapht/": "jgrapht-core", "org/jheaps/": "jheaps",
              f"{_PROMETHEUS}config/": "prometheus-metrics-config", f"{_PROMETHEUS}model/": "prometheus-metrics-model",
              f"{_PROMETHEUS}expositionformats/": "prometheus-metrics-exposition-textformats"}


@pytest.fixture(scope="module")
def archive():
    with zipfile.ZipFile(build.oar()) as opened:
        yield opened


@pytest.fixture(scope="module")
def legal(archive):
    """The jar with what the archive says of licences: ONOS knows no other files."""
    return zipfile.ZipFile(io.BytesIO(archive.read("legal.jar")))


@pytest.fixture(scope="module")
def bundles(archive):
    """The bundles in the archive, by name without version."""
    return {re.sub(r"-\d.*", "", name.rsplit("/", 1)[1]): zipfile.ZipFile(io.BytesIO(archive.read(name)))
            for name in archive.namelist() if name.startswith("m2/") and name.endswith(".jar")}


def test_carries_licence_notice_and_the_texts_of_other_licences(legal):
    for name in ("LICENSE", "NOTICE", "licenses/EPL-2.0.txt", "licenses/LGPL-2.1.txt"):
        assert legal.read(name) == (ROOT / name).read_bytes()


def test_each_bundle_carries_licence_and_notice(bundles):
    assert sorted(bundles) == ["onos-mptcp-cli", "onos-mptcp-controller", "onos-mptcp-core", "onos-mptcp-gui"]
    for bundle in bundles.values():
        for name in ("LICENSE", "NOTICE"):
            assert bundle.read(f"META-INF/{name}") == (ROOT / name).read_bytes()


def test_the_core_carries_the_licences_of_the_libraries_inside_it(bundles):
    for name in ("licenses/EPL-2.0.txt", "licenses/LGPL-2.1.txt"):
        assert bundles["onos-mptcp-core"].read(f"META-INF/{name}") == (ROOT / name).read_bytes()


def test_every_library_inside_a_bundle_is_in_the_notice_and_in_the_bill_of_materials(legal, bundles):
    listed = {part["name"]: part for part in json.loads(legal.read("sbom/bundles.cdx.json"))["components"]}
    notice = (ROOT / "NOTICE").read_text()
    inside = set()
    for name, bundle in bundles.items():
        for entry in bundle.namelist():
            if entry.endswith(".class") and not entry.startswith(_OURS):
                library = [prefix for prefix in _LIBRARIES if entry.startswith(prefix)]
                assert library, f"{entry} in {name} is of a library that NOTICE does not name"
                inside.update(library)
    assert inside == set(_LIBRARIES), "NOTICE names a library that no bundle carries"
    for prefix in inside:
        part = listed[_LIBRARIES[prefix]]
        assert part["licenses"], part
        assert f"{part['group']}:{part['name']}" in notice
        assert f" {part['version']} (" in notice, f"NOTICE has another version of {part['name']} than {part['version']}"


def test_guava_may_be_that_of_any_onos_release(bundles):
    """ONOS 2.5 has 22, later releases newer ones: a bundle that asks for the one it was compiled with does not start there."""
    for name, bundle in bundles.items():
        manifest = bundle.read("META-INF/MANIFEST.MF").decode().replace("\r\n ", "")
        wanted = re.findall(r'com\.google\.common\.[a-z.]+;(?:resolution:=optional;)?version="([^"]+)"', manifest)
        assert not set(wanted) - {"[22,34)"}, name


def test_every_package_inside_the_page_is_in_its_licences_and_in_its_bill_of_materials(legal, bundles):
    texts = bundles["onos-mptcp-gui"].read("3rdpartylicenses.txt").decode()
    parts = json.loads(legal.read("sbom/page.cdx.json"))["components"]
    assert {part["name"] for part in parts} == set(re.findall(r"^Package: (.+)$", texts, re.MULTILINE))
    assert {"@angular/core", "d3-force", "uplot", "rxjs"} <= {part["name"] for part in parts}


def test_all_entries_of_an_archive_have_one_time_so_that_it_tells_nothing_of_the_build(archive, legal, bundles):
    for name, opened in [("oar", archive), ("legal", legal), *bundles.items()]:
        assert len({entry.date_time for entry in opened.infolist()}) == 1, name


def test_onos_finds_an_icon(archive):
    """Where ONOS looks for it: a PNG of 128 × 128 pixels."""
    icon = archive.read("app.png")
    assert icon.startswith(b"\x89PNG") and icon[16:24] == (128).to_bytes(4, "big") * 2
