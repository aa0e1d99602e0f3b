# SPDX-License-Identifier: Apache-2.0
"""The login of one run's ONOS. Whoever has it can install programs there, so each run makes its own."""

import base64
import os
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from . import namespace
from .errors import LabError
from .settings import port, progress

PAGE_USER, SHELL_USER = "onos", "karaf"
"""Who logs in on the page and in REST, and who on the command line."""

FILE = "login"
"""In a run's folder: where it keeps its login."""

_BYTES = 18
_LINE = re.compile(r"machine \S+ login (\S+) password (\S+)")


@dataclass(frozen=True)
class Login:
    """The passwords of ``PAGE_USER`` and of ``SHELL_USER``."""

    page: str = field(repr=False)
    shell: str = field(repr=False)

    @property
    def authorization(self) -> str:
        """The header with which REST and the page let somebody in."""
        return "Basic " + base64.b64encode(f"{PAGE_USER}:{self.page}".encode()).decode()

    @property
    def users(self) -> str:
        """Karaf's ``users.properties`` with these two users and no other."""
        return (f"{PAGE_USER} = {self.page},_g_:admingroup\n{SHELL_USER} = {self.shell},_g_:admingroup\n"
                "_g_\\:admingroup = group,admin,manager,viewer,systembundles,ssh\n")

    def keep(self, file: Path) -> None:
        """Writes it into a new file that its owner alone can read, as ``curl --netrc-file`` takes it."""
        write_private(file, f"machine 127.0.0.1 login {PAGE_USER} password {self.page}\n"
                            f"machine 127.0.0.1 login {SHELL_USER} password {self.shell}\n")


KNOWN = Login("rocks", "karaf")
"""``--login demo``: what every tutorial of ONOS and of Karaf tells."""


def read(file: Path) -> Login:
    """The login that a run has kept. OSError or LabError if it has not, or not yet."""
    found = dict(_LINE.findall(file.read_text(encoding="ascii")))
    if set(found) != {PAGE_USER, SHELL_USER}:
        raise LabError(f"{file} is no login")
    return Login(found[PAGE_USER], found[SHELL_USER])


def of_this_run(known: bool = False) -> Login:
    """Inside the namespace: the login of this run, made and kept when it is first asked for. ``known``: the known one."""
    file = namespace.run_folder() / FILE
    if not file.exists():
        password = secrets.token_urlsafe(_BYTES)
        (KNOWN if known else Login(password, password)).keep(file)
    return read(file)


def told() -> str:
    """Inside the namespace: where the page and the command line are, as they are seen from outside, and who may use them."""
    login = of_this_run()
    shell = "the same password" if login.shell == login.page else f"password {login.shell}"
    return (f"http://127.0.0.1:{port('MPTCPLAB_HTTP_PORT')}/onos/mptcp/ (user {PAGE_USER}, password {login.page}); "
            f"ssh -p {port('MPTCPLAB_SSH_PORT')} {SHELL_USER}@127.0.0.1 ({shell}); "
            f"kept in {namespace.run_folder() / FILE}")


def warn() -> None:
    """Says what ``--login demo`` means."""
    progress(f"warning: everybody knows {PAGE_USER}/{KNOWN.page} and {SHELL_USER}/{KNOWN.shell}. Who can reach this machine's "
             "127.0.0.1 can install programs in ONOS")


def write_private(file: Path, text: str) -> None:
    """Writes a new file that nobody but its owner has ever been able to read."""
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as opened:
        opened.write(text)
