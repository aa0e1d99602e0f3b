# SPDX-License-Identifier: Apache-2.0
"""Every command in the documents is one that there is, with arguments that it takes.

What REST and the Karaf commands take is read from the references, which are written from the code. ``test_documents`` does the
same for ``./lab``; a system test runs those of the tutorial.
"""

import json
import re
import shlex

import pytest

from mptcpagent import __main__ as agent
from mptcpagent.windows import OURS
from mptcplab import packages
from mptcplab.settings import ROOT
from test_documents import DOCUMENTS, JAVA, text

PROGRAMS = ("curl", "ssh", "onos-app", "onos>", "karaf@root", "mptcp-", "./lab", "mvn", "apt-get", "pip", "PYTHONPATH=", "sed")
APPLICATION_VERBS = {"install!", "deactivate", "activate", "reinstall!", "uninstall"}
OF_ONOS = {("org.onosproject.provider.of.flow.impl.OpenFlowRuleProvider", "flowPollFrequency"),
           ("org.onosproject.provider.of.device.impl.OpenFlowDeviceProvider", "portStatsPollFrequency")}
"""Components and properties of ONOS 2.5 to 2.7, from its source."""
MANY = 99
SHELL = "ssh -p 8101 karaf@127.0.0.1"
COMMAND = re.compile(r"^## (mptcp-[a-z-]+)\n\n.*?```text\n(.*?)\n```", flags=re.S | re.M)


def blocks(markdown):
    """Blocks that begin with a command, or are marked as such."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", markdown, flags=re.S | re.M)
    return [block for kind, block in found if kind == "sh" or not kind and block.startswith(PROGRAMS)]


def commands(markdown):
    """The commands of these blocks, with their continued lines, without comments."""
    found = []
    for block in blocks(markdown):
        for line in block.replace("\\\n", " ").splitlines():
            if found and found[-1].count("'") % 2:
                found[-1] += "\n" + line
            elif line.strip():
                found.append(re.sub(r"\s{2,}# .*", "", line))
    return found


COMMANDS = [(name, command) for name in DOCUMENTS for command in commands(text(name))]


def of(*beginnings):
    chosen = [(name, command) for name, command in COMMANDS if command.startswith(beginnings)]
    return pytest.mark.parametrize("name, command", chosen, ids=[command[:60] for _, command in chosen])


def routes():
    """(method, path) of the reference of REST, the path as a regular expression."""
    found = re.findall(r"^## (GET|PUT|POST|DELETE) /(\S+)$", text("docs/reference/rest.md"), flags=re.M)
    return {(method, re.sub(r"\{\w+\}", "[^/]+", path)) for method, path in found}


def assert_there_is(method, path):
    assert any(method == known and re.fullmatch(regex, path) for known, regex in routes()), f"{method} {path}"


def usages():
    """Command → its words in the reference, such as ``mptcp-links [-j] [-u]``."""
    return dict(COMMAND.findall(text("docs/reference/commands.md")))


def assert_karaf_takes(words):
    """That a Karaf command has these options, and arguments in this number."""
    name, *given = words
    if name.removeprefix("onos:") == "cfg":
        verb, component, setting, value = given
        assert verb == "set" and value
        if (component, setting) in OF_ONOS:
            return
        assert component == "org.subflow.mptcp.config.MptcpSettings"
        lines = next(ROOT.glob("app/controller/src/main/resources/**/MptcpSettings.cfgdef")).read_text(encoding="utf-8")
        assert f"\n{setting}|" in lines, words
        return
    usage = usages()[name]
    section = text("docs/reference/commands.md").split(f"## {name}\n", 1)[1].split("\n## ", 1)[0]
    options = {option: f"[{option} VALUE" in usage or f"[{rows[0]} VALUE" in usage
               for rows in (re.findall(r"`(-{1,2}\w[\w-]*)`", line.split("|")[1]) for line in section.splitlines()
                            if line.startswith("| `-")) for option in rows}
    options |= {"-j": False, "--json": False, "--help": False}
    arguments = re.sub(r"\[-[^\]]*\]", "", usage).split()[1:]
    free = 0
    while given:
        word = given.pop(0)
        if word.startswith("-"):
            assert word in options, f"{name} has no option {word}"
            given = given[1:] if options[word] else given
        else:
            free += 1
    names = [word for word in arguments if word not in ("…", "…]")]
    least = len([word for word in names if not word.startswith("[")])
    most = len(names) if names == arguments else MANY
    assert least <= free <= most, f"{words}: {usage}"


def test_every_block_of_commands_has_commands_that_are_checked_here():
    assert len(COMMANDS) > 30, COMMANDS
    assert [command for _, command in COMMANDS if not command.startswith(PROGRAMS)] == []


@of("curl")
def test_curl_asks_for_what_rest_has(name, command):
    words = shlex.split(command.split(" | ")[0])
    method = words[words.index("-X") + 1] if "-X" in words else "GET"
    address = next(word for word in words if word.startswith("http"))
    host, path = re.fullmatch(r"http://([\w.]+:8181)/onos/v1/([^?]+)(?:\?.*)?", address).groups()
    assert host.endswith(":8181")
    if path.startswith("mptcp/"):
        assert_there_is(method, path.removeprefix("mptcp/"))
    else:
        assert re.fullmatch(r"network/configuration(/apps/org\.subflow\.mptcp/mptcp)?", path)
    if "-d" in words:
        assert isinstance(json.loads(words[words.index("-d") + 1]), dict)


@of("ssh", "onos>", "karaf@root", *(f"mptcp-{letter}" for letter in "bcdefghijklmnopqrstuvwxyz"))
def test_karaf_has_the_command(name, command):
    words = shlex.split(re.sub(r"\[(\w+) …\]", r"\1", re.sub(r"^(ssh .*? karaf@127\.0\.0\.1|onos>|karaf@root >)", "", command)))
    if command.startswith("ssh"):
        assert command.startswith(SHELL)
    if words:
        assert_karaf_takes(words)


@of("mptcp-agent ")
def test_the_agent_takes_the_options(name, command):
    words = shlex.split(command)[1:]
    if words[0] == "congestion":
        assert agent._congestion_options(words[1:]).name in OURS
    else:
        assert agent._options(words).host


@of("onos-app", "mvn", "apt-get", "pip", "PYTHONPATH=")
def test_other_programs_are_told_what_there_is(name, command):
    program, *words = shlex.split(command)
    if program == "onos-app":
        assert words[0] == "HOST" and words[1] in APPLICATION_VERBS
        assert words[2] == "org.subflow.mptcp" or words[2].startswith("app/target/onos-mptcp-")
    elif program == "mvn":
        test = next(word.removeprefix("-Dtest=") for word in words if word.startswith("-Dtest="))
        assert test in {path.stem for path in JAVA}
    elif program == "PYTHONPATH=mininet":
        assert all((ROOT / word).exists() for word in words if word.endswith((".py", ".ini")) and "/" in word)
    elif program == "apt-get":
        known = {package for purpose in packages._PACKAGES.values() for package in purpose}
        assert words[0] == "install" and set(words[1:]) <= known
    else:
        assert words[0] == "install" and (ROOT / words[1] / "pyproject.toml").is_file()


@of("sed")
def test_what_is_to_be_replaced_is_there(name, command):
    _, option, script, file = shlex.split(command)
    assert option == "-i" and script.split("/")[1] in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", ["rest-and-cli", "operations", "policies", "metrics", "cluster"])
def test_routes_that_the_text_names_are_those_of_rest(document):
    name = f"docs/{document}.md"
    named = re.findall(r"`(GET|PUT|POST|DELETE) (?:/onos/v1/mptcp/)?([a-z][\w/-]*)(?:\?[^`]*)?`", text(name))
    assert named
    for method, path in named:
        assert_there_is(method, path)


def test_every_route_and_every_command_is_in_the_guide():
    guide = text("docs/rest-and-cli.md")
    assert [command for command in usages() if f"`{command}" not in guide] == []
    assert [f"{method} {path}" for method, path in routes() if not re.search(rf"`[A-Z`, ]*{path.split('/')[0]}\b", guide)] == []


def test_the_check_of_commands_refuses_what_there_is_not():
    for wrong in ("mptcp-links --nosuch", "mptcp-paths 10.0.0.1", "mptcp-paths -k 2 10.0.0.1 10.0.0.2 10.0.0.3",
                  "mptcp-strategies x", "cfg set org.subflow.mptcp.config.MptcpSettings nosuch 1"):
        with pytest.raises(AssertionError):
            assert_karaf_takes(wrong.split())
    with pytest.raises(AssertionError):
        assert_there_is("DELETE", "links")
