# SPDX-License-Identifier: Apache-2.0
"""The documents: what they refer to exists, and what they quote is what there is."""

import functools
import json
import os
import re
from pathlib import Path

import pytest

from mptcplab import usage
from mptcplab.settings import ROOT

_NOT_SOURCES = {"target", "node_modules", "reproduction"}


def _files(suffix):
    """Files of the project with that suffix, without what was built or downloaded."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in _NOT_SOURCES and not name.startswith(".")]
        found += [Path(folder, name) for name in files if name.endswith(suffix)]
    return sorted(found)


DOCUMENTS = {str(path.relative_to(ROOT)): path for path in _files(".md")}
JAVA = _files(".java")


def text(name):
    return DOCUMENTS[name].read_text(encoding="utf-8")


def test_the_java_example_is_that_of_the_javadoc():
    """The Javadoc of ``Placement`` has the same lines, so that whoever changes one changes the other."""
    example = re.search(r"```java\n(.*?)```", text("docs/architecture.md"), flags=re.S)[1]
    file = next(path for path in JAVA if str(path).endswith("mptcp/placement/search/Placement.java"))
    source = file.read_text(encoding="utf-8")
    javadoc = re.search(r" \* <pre>\{@code\n(.*?) \* \}</pre>", source, flags=re.S)[1]
    assert example == re.sub(r"^ \* ", "", javadoc, flags=re.M)


def without_code(markdown):
    return re.sub(r"```.*?```|`[^`\n]*`", "", markdown, flags=re.S)


def anchors(markdown):
    """The names by which a document's headings can be linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", markdown, flags=re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rows(markdown, head):
    """The cells of the rows of every table whose first heading is ``head``."""
    found, inside = [], False
    for line in markdown.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        inside = bool(cells) and (inside or cells[0] == head)
        if inside and cells[0] != head and not set(cells[0]) <= set("-:"):
            found.append(cells)
    return found


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_the_documents_are_there():
    names = ("operations", "policies", "rest-and-cli", "planner", "performance", "reproduction", "architecture", "glossary")
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "onos/README.md", *(f"docs/{name}.md" for name in names)} \
        <= set(DOCUMENTS)


def test_the_readme_is_short():
    assert len(text("README.md").splitlines()) <= 70


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_pictures_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text(name))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = DOCUMENTS[name] if not file else (DOCUMENTS[name].parent / file).resolve()
        assert path.exists(), f"{name}: {target}"
        assert path.is_relative_to(ROOT), f"{name}: {target} leads out of the project"
        if anchor:
            assert anchor in anchors(path.read_text(encoding="utf-8")), f"{name}: {target}"


def test_the_list_of_documents_has_each_and_the_readme_leads_there():
    listed = {(DOCUMENTS["docs/README.md"].parent / target).resolve()
              for target in re.findall(r"\]\(([^)\s#]+)", text("docs/README.md"))}
    assert {path for name, path in DOCUMENTS.items() if name not in ("README.md", "docs/README.md")} <= listed
    assert "](docs/README.md)" in text("README.md")


@functools.cache
def options_of_commands():
    """By sub-command, as their help lists them; those of planner and simulation from their source."""
    sources = {"plan": ("PlanOptions.java", "Planner.java"), "simulate": ("SimulateOptions.java", "Help.java")}
    options = {name: usage.options(name) for name in usage.names() if name not in sources}
    read = {name: "".join(path.read_text(encoding="utf-8") for path in JAVA if path.name in files)
            for name, files in sources.items()}
    return {**options, "--version": set(), **{name: set(re.findall(r"--[a-z][a-z0-9-]*", code)) for name, code in read.items()}}


def command_lines(markdown):
    return [line.split("#")[0].split(" | ")[0].split()[1:]
            for line in re.findall(r"^(\./lab .*)$", markdown, flags=re.M) + re.findall(r"`(\./lab [^`\n]+)`", markdown)]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_command_lines_are_understood(name):
    options = options_of_commands()
    for command, *arguments in command_lines(text(name)):
        assert command in options, f"{name}: ./lab {command}"
        for word in re.findall(r"(?<!\S)--[a-z][a-z0-9-]*", " ".join(arguments)):
            assert word in options[command], f"{name}: ./lab {command} {word}"
        if command == "test":
            known = {*usage.KINDS_OF_TESTS, "--onos", "HOME", "--runs", "N", "--help"}
            words = {word for word in arguments if not word.isdigit()}
            assert words <= known, f"{name}: ./lab test {arguments}"


@pytest.mark.parametrize("name", ["docs/operations.md", "docs/policies.md"])
def test_configuration_examples_have_only_fields_that_are_read(name):
    known = {field for row in rows(text("docs/policies.md"), "field") for field in quoted(row[0])}
    example = json.loads(re.search(r"-d '\n(.*?)'\n", text(name), flags=re.S)[1])
    for policy in example["apps"]["org.subflow.mptcp"]["mptcp"]["policies"]:
        assert set(policy) <= known


def test_the_recipe_for_a_setting_names_the_files_where_one_is():
    recipe = text("CONTRIBUTING.md").split("\n## Add a setting\n")[1].split("\n## ")[0]
    steps = re.findall(r"^\d+\. `([^`]+/[^`]+)`", recipe, re.MULTILINE)
    assert len(steps) == 2
    for step in steps:
        path = ROOT / step.replace("controller/", "app/controller/src/main/java/org/subflow/mptcp/", not step.startswith("app/"))
        assert re.search("backgroundPlan", path.read_text(encoding="utf-8")), f"{step} names no setting"


def test_settings_are_those_of_the_application():
    lines = next(path for path in _files(".cfgdef") if path.name == "MptcpSettings.cfgdef").read_text(encoding="utf-8")
    defined = {line.split("|")[0]: line.split("|")[2] for line in lines.splitlines() if not line.startswith("#")}
    assert {quoted(row[0])[0]: row[1].strip("`") for row in rows(text("docs/settings.md"), "setting")} == defined


@pytest.mark.parametrize("shown", [path for path in _files(".cfgdef") if path.is_relative_to(ROOT / "onos")],
                         ids=lambda path: path.stem)
def test_properties_of_the_embedded_onos_have_the_defaults_of_their_component(shown):
    """ONOS applies what stands in the .cfgdef file, whatever the annotation says."""
    source = next(path for path in JAVA if path.stem == shown.stem).read_text(encoding="utf-8")
    constants = dict(re.findall(r'static final \w+ (\w+) = "?([\w.]+)"?;', source))
    component = re.search(r"@Component\((.*?)\)\n(?:public|@)", source, flags=re.S)[1]
    properties = re.findall(rf'{shown.stem}\.(\w+) \+ ":(\w+)=(\w*)"(?:\s*\+ {shown.stem}\.(\w+))?', component)
    assert properties
    lines = [line.split("|") for line in shown.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert {(name, kind, default) for name, kind, default, _ in lines} == {
        (constants[name], kind.upper(), value or constants[constant].replace("_", ""))
        for name, kind, value, constant in properties}


def test_policy_fields_are_those_that_are_read():
    reader, policy, settings = (next(path for path in JAVA if path.name == name).read_text(encoding="utf-8")
                                for name in ("PolicyReader.java", "Policy.java", "Settings.java"))
    names = dict(re.findall(r'Setting<\w+> (\w+) = Setting\.\w+\(\s*"(\w+)"', settings))
    decided = re.findall(r"Settings\.(\w+)", re.search(r" SETTINGS = List\.of\((.*?)\);", policy, flags=re.S)[1])
    own = re.search(r" TERMS = .*?;.*? FIELDS = .*?;", reader, flags=re.S)[0]
    fields = set(re.findall(r'"(\w+)"', own)) | {names[setting] for setting in decided}
    assert {field for row in rows(text("docs/policies.md"), "field") for field in quoted(row[0])} == fields


def test_rest_fields_are_those_that_are_written():
    sources = "".join(path.read_text(encoding="utf-8") for path in JAVA if {"rest", "main"} <= set(path.parts))
    written = set(re.findall(r'(?:put|putNull|putArray|set)\("(\w+)"', sources))
    fields = [field for row in rows(text("docs/rest-and-cli.md"), "field") for field in quoted(row[0])]
    assert len(fields) > 30
    assert not set(fields) - written


def test_counters_are_those_that_count():
    sources = "".join(path.read_text(encoding="utf-8") for path in JAVA if "main" in path.relative_to(ROOT).parts)
    counters = [name for row in rows(text("docs/operations.md"), "counter") for name in quoted(row[0]) if "…" not in name]
    assert len(counters) > 10
    assert not [name for name in counters if f'"{name}"' not in sources]


def test_strategies_and_allocators_are_those_that_there_are():
    names = {name for row in rows(text("docs/planner.md"), "name") for name in quoted(row[0])}
    assert names == {*usage.STRATEGIES, *usage.ALLOCATORS}


def test_classes_in_the_glossary_exist():
    classes = {path.stem for path in JAVA}
    named = {name.partition(".")[0] for row in rows(text("docs/glossary.md"), "term") for name in quoted(row[-1])
             if re.fullmatch(r"[A-Z][a-z]\w*(\.[A-Z_]+)?", name)}
    assert len(named) > 20
    assert not named - classes


def log_lines():
    """What the application writes into ONOS's log, with … for what varies."""
    found = set()
    for path in JAVA:
        inside = path.relative_to(ROOT).parts
        if inside[0] == "app" and "main" in inside or inside[:3] == ("gui", "src", "main"):
            source = path.read_text(encoding="utf-8")
            for literals in re.findall(r'\bLOG\.(?:info|warn|error)\(\s*((?:"(?:[^"\\]|\\.)*"[\s+]*)+)', source):
                found.add("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace("{}", "…"))
    return found


def test_every_line_of_the_log_is_explained_and_no_other():
    explained = {re.search(r"`(.*)`", row[0])[1] for row in rows(text("docs/troubleshooting.md"), "line")}
    assert len(explained) > 30
    assert explained == log_lines()
