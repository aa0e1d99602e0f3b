# SPDX-License-Identifier: Apache-2.0
"""The recipe of the image, carried out by hand: its base by debootstrap, its steps in that root, and the demonstration there.

What makes an image of it, podman or docker, would ask a registry of images for the base. This needs Debian's mirror alone.
"""

import json
import re
import shlex
import shutil
import socket
from pathlib import Path

import pytest

from clean_root import debian, run
from mptcplab.settings import ROOT

pytestmark = pytest.mark.long

_SUITES = {"debian:12": "bookworm"}
_WAYS_TO_REGISTRIES = ("/etc/apt/sources.list", "/etc/apt/sources.list.d", "/etc/apt/apt.conf.d", "/etc/apt/trusted.gpg.d",
                       "/etc/pip.conf", "/etc/resolv.conf", "/etc/ssl/certs", "/usr/local/share/ca-certificates",
                       "/etc/maven/settings.xml", "/root/.npmrc", "/root/.m2/settings.xml")
"""How this machine reaches packages, which a container would be told by its user."""
_AS_IN_A_CONTAINER = """\
set -e
mount --bind "$0" "$0"
cd "$0"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs run run
mount -t tmpfs tmp tmp
mkdir -p .outside
pivot_root . .outside
cd /
umount -l .outside
exec sh -c "$1"
"""
"""Runs a command in a root, in mounts of its own: those of a container that is privileged."""
_STEP_SECONDS = 3000


def free_port() -> int:
    """Its network is the machine's, where another demonstration may run."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def instructions(recipe: str) -> list[tuple[str, str]]:
    """The instructions of a recipe and their arguments, in order."""
    lines = [line for line in recipe.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A command in the image, as its recipe makes it."""
    steps = instructions((ROOT / "Containerfile").read_text())
    root = tmp_path_factory.mktemp("image")
    # ONOS has a user of its own there.
    root.chmod(0o755)
    folder = "/"
    assert steps[0][0] == "FROM"
    try:
        debian(root, _SUITES[steps[0][1]], ())
        for way in map(Path, _WAYS_TO_REGISTRIES):
            if way.is_dir():
                shutil.copytree(way, root / way.relative_to("/"), dirs_exist_ok=True, symlinks=True)
            elif way.exists():
                (root / way.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(way, root / way.relative_to("/"))

        def inside(command: str) -> str:
            return run("unshare", "--mount", "--propagation", "private", "sh", "-c", _AS_IN_A_CONTAINER, root,
                       f"cd {folder} && {command}", seconds=_STEP_SECONDS, HOME="/root", MPTCPLAB_HTTP_PORT=str(free_port()))
        for word, rest in steps[1:]:
            if word == "WORKDIR":
                folder = rest
                (root / rest.lstrip("/")).mkdir(parents=True)
            elif word == "COPY":
                assert rest == ". ."
                run("sh", "-c", 'git ls-files -z | tar -c --null -T - | tar -x -C "$0"', root / folder.lstrip("/"))
            elif word == "RUN":
                inside(rest)
        words = {word: json.loads(rest) for word, rest in steps if word in ("ENTRYPOINT", "CMD")}
        yield lambda *arguments: inside(shlex.join([*words["ENTRYPOINT"], *(arguments or words["CMD"])]))
    finally:
        shutil.rmtree(root)


def test_it_demonstrates_without_anything_more(image):
    told = image("demo", "--once", "--seconds", "8")
    assert "apt-get" not in told
    assert len(set(re.findall(r"(s1 s\d s5) .* active", told))) == 3
    assert float(re.search(r"goodput ([\d.]+) Mbit/s", told)[1]) > 0


def test_it_plans(image):
    [planned] = json.loads(image("plan", "--topology", "diamond", "--from", "1", "--to", "5"))["connections"]
    assert len(planned["subflows"]) == 3
