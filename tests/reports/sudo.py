"""Sudo as far as its rules go: what a file of ours allows, by our own matcher and by the real program."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from zconsole.reports.sudoers import ELSEWHERE, RuledCommand, Rules, changing, reading, sudoers
from zconsole.reports.sudoers_patterns import Grants, patterns

EVERYTHING = Grants(
    mountpoints=("/srv", "/tank", "/new", "/mnt", "/x"),
    keys=("/var/keys",),
    commands=frozenset({"diff", "send", "receive", "import", "guests", "define"}),
)
_ASK = """\
import json, subprocess, sys
user, argvs = json.load(sys.stdin)
print(json.dumps([
    subprocess.run(["sudo", "-n", "-l", "-U", user, *argv], capture_output=True).returncode == 0
    for argv in argvs
]))
"""
_IN_A_NAMESPACE = 'mount --bind "$1" /etc/sudoers && exec "$2" -c "$3"'


def find_program(name: str) -> str | None:
    """Where a program of the system is, also one that only root has in the PATH."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


class Matcher:
    """Sudo's regular expressions: the words behind the program, joined by blanks, are matched as one text.

    Python and POSIX understand these alike: no class has an escape in it, and there is no `.`.
    """

    def __init__(self, grants: Grants, forms: Iterable[RuledCommand] = ()) -> None:
        words = patterns(grants)
        self.forms = tuple(forms) or (*reading(grants), *changing(grants))
        self.patterns = [(form.argv[0], form.pattern(words)) for form in self.forms]
        self._compiled = [(name, re.compile(pattern)) for name, pattern in self.patterns]

    def allows(self, *argv: str) -> bool:
        """Whether sudo would run that."""
        text = " ".join(argv[1:])
        return any(name == argv[0] and pattern.fullmatch(text) for name, pattern in self._compiled)


def has_real_sudo() -> bool:
    """Whether the sudo of this machine can be asked about a file of ours: by root, in a mount namespace."""
    if os.geteuid() != 0 or not (find_program("sudo") and find_program("unshare")):
        return False
    return 0 == subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode


def really_allowed(grants: Grants, argvs: Sequence[Sequence[str]], folder: Path) -> list[bool]:
    """What the real sudo says to each of these for a user with these rules alone. It runs none of them.

    It reads the file in the place of its own, in a mount namespace that only it is in; programs that are
    not there it would not allow, so they are made in a folder.
    """
    programs = folder / "programs"
    programs.mkdir()
    for name in {argv[0] for argv in argvs} - {*ELSEWHERE}:
        path = programs / name
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    file = folder / "sudoers"
    file.write_text(sudoers(Rules("nobody", str(programs), asks_password=False, grants=grants)))
    file.chmod(0o440)
    asked = [[ELSEWHERE.get(argv[0], f"{programs}/{argv[0]}"), *argv[1:]] for argv in argvs]
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", _IN_A_NAMESPACE, "sh", str(file), sys.executable, _ASK],
        input=json.dumps(["nobody", asked]),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[bool] = json.loads(done.stdout)
    return answers


_AS_NOBODY = """\
mount --bind "$1" /etc/sudoers && mount -t tmpfs none /run && shift &&
exec setpriv --reuid nobody --regid nogroup --clear-groups timeout 20 sudo -n "$@"
"""


def run_as_nobody(argv: Sequence[str], path: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command by the real sudo for a user with the default rules alone, and a PATH of that user's.

    It sees a /run of its own.
    """
    file = folder / "sudoers"
    file.write_text(sudoers(Rules("nobody", "/usr/sbin", asks_password=False)))
    file.chmod(0o440)
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", _AS_NOBODY, "sh", str(file), *argv],
        env={"PATH": path}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
