"""Programs that print without end: the console refuses in words, and stays small."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from typing import Final

import pytest

from tests.scenarios.faults.endless_programs import (
    ENDLESS,
    SSHD,
    EndlessPrograms,
    may_bind,
    peak_bytes,
)
from tests.ui.terminal.tty import ROOT

MOST_BYTES: Final = 200 * 1024 * 1024
COMMAND_S: Final = 120.0
FEW: Final = {  # on the run of a folder; the rest with --long
    ("rows", "tree tank", False),
    ("rows", "tree tank", True),
    ("a line", "status", False),
}
CASES: Final = (
    *((kind, "zfs", "'list -Hp -t filesystem'*", "tree tank") for kind in ENDLESS),
    *((kind, "zfs", "list*", "status") for kind in ENDLESS),
    *((kind, "zpool", "status*", "status") for kind in ENDLESS),
    *((kind, "zpool", "iostat*", "slow --for 3") for kind in ENDLESS),
    *((kind, "zpool", "history*", "forecast tank") for kind in ENDLESS),
    *((kind, "zfs", "list*", "plan destroy tank/home") for kind in ENDLESS),
    *((kind, "zfs", "list*", "replicas") for kind in ENDLESS),
)

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(not may_bind() or SSHD is None, reason="no mount namespace, or no OpenSSH server"),
]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> EndlessPrograms:
    return EndlessPrograms(tmp_path_factory.mktemp("endless"))


@pytest.mark.parametrize("is_far", [False, True], ids=["local", "ssh"])
@pytest.mark.parametrize(("kind", "program", "pattern", "command"), CASES, ids=map("-".join, CASES))
def test_an_endless_answer_takes_less_than_200_mib(  # noqa: PLR0917 - a case of the table
    kind: str, program: str, pattern: str, command: str, is_far: bool,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    """Whatever it is an answer to, and wherever the program runs."""
    if (kind, command, is_far) not in FEW and not request.config.getoption("--long"):
        pytest.skip("with --long")
    patience = () if command.startswith(("slow", "plan", "forecast")) else ("--timeout", "60")
    programs: EndlessPrograms = request.getfixturevalue("programs")
    programs.attack(program, pattern, kind)
    argv = [sys.executable, "-m", "zconsole", *command.split(), *patience]
    with ExitStack() as stack:
        environment = {
            f"XDG_{each}_HOME": str(programs.folder / each) for each in ("STATE", "CONFIG", "CACHE")
        }
        if is_far:
            environment |= stack.enter_context(programs.sshd())
            argv += ["--host", "nas"]
        console = stack.enter_context(subprocess.Popen(
            argv if is_far else programs.inside(*argv),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT,
            env={**os.environ, **environment},
        ))  # fmt: skip

        peak = peak_bytes(console, COMMAND_S)
        assert console.stdout is not None
        said = console.stdout.read()

    assert console.returncode in {0, 1, 2, 3}, said[-2000:]
    assert said
    assert b"Traceback" not in said, said[-2000:]
    assert peak < MOST_BYTES, said[-2000:]
