"""Completion and the manual page, as users see them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests import generated
from zconsole.cli import run
from zconsole.cli.commands import SUBCOMMANDS
from zconsole.cli.commands.setup.completion import SHELLS


def test_the_manual_page_names_every_subcommand() -> None:
    page = generated.PAGE.read_text(encoding="utf-8")
    assert [] == [name for name in SUBCOMMANDS if f"zconsole {name}" not in page]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_is_given_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["completion", shell])
    assert "forecast" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_subcommands() -> None:
    script = f"""
        source {generated.FOLDER / "bash"}
        COMP_WORDS=(zconsole sta) COMP_CWORD=1 COMP_LINE="zconsole sta" COMP_POINT=12
        _shtab_zconsole
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert ["status"] == done.stdout.split()
