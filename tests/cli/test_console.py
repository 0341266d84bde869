"""The console needs a terminal, and loads little before its first frame."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.terminal import Terminal
from tests.cli.fakes import Screen
from zconsole.cli import run
from zconsole.cli.console import exit_code_of
from zconsole.model.run import Run, RunState

MOST_MODULES = 147  # of ours before the first frame; each costs about 0.2 ms
NOT_BEFORE_THE_FRAME = (
    "asyncssh",
    "sqlite3",
    "zconsole.analysis.search.query_terms",
    "zconsole.history.command_results_of_last_hour",
    "zconsole.hosts.local.local_host",
    "zconsole.storage.journal",
    "zconsole.practice",
    "zconsole.collect.host_session",
    "zconsole.analysis.findings.all_findings",
    "zconsole.analysis.repair",
    "zconsole.execution.facts",
    "zconsole.actions.action_catalogue",
    "zconsole.ui.screens.pool",
)
NOT_WITHOUT_A_KEY = (  # MiB that a console at which nobody touches a key does not have
    "urllib.request",
    "email",
    "xml",
    "zconsole.actions.action_catalogue",
    "zconsole.execution.prepare_plan",
    "zconsole.ui.screens.pool",
)
WITHOUT_TLS = """
import sys
from zconsole.cli.main import load_asyncio_without_tls
load_asyncio_without_tls()
import asyncio, asyncio.sslproto
print("ssl" in sys.modules, asyncio.sslproto.ssl)
asyncio.run(asyncio.sleep(0))
import ssl, urllib.request
print(bool(ssl.create_default_context()), hasattr(urllib.request, "HTTPSHandler"))
"""
SHOWN = """
import sys
import zconsole.ui.app, zconsole.ui.screens.pools, zconsole.ui.repair_watch, zconsole.practice
import zconsole.analysis.findings.all_findings, zconsole.collect.host_session
import zconsole.service.collecting_thread
print(*sys.modules)
"""
UNTIL_THE_FRAME = """
import os, sys
from pathlib import Path
from zconsole.service.collecting_thread import Engine

def begin(engine):
    Path(sys.argv.pop(1)).write_text("\\n".join(sys.modules))
    os._exit(0)

Engine.begin = begin
from zconsole.cli import run
from zconsole.cli.console import exit_code_of
from zconsole.model.run import Run, RunState
run(sys.argv[2:])
"""


def test_the_console_needs_a_terminal(capsys: Screen) -> None:
    assert 2 == run([])
    err = capsys.readouterr().err
    assert "needs a terminal: its keys are read from standard input, which is none here" in err
    assert "zconsole status" in err


class IsTerminal:
    def isatty(self) -> bool:
        return True


def test_a_terminal_without_a_cursor_gets_no_screen(capsys: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Emacs's shell, an editor's, a screen reader's log: control sequences would be read out."""
    monkeypatch.setattr(sys, "__stdin__", IsTerminal())
    monkeypatch.setattr(sys, "__stderr__", IsTerminal())
    monkeypatch.setenv("TERM", "dumb")

    assert 2 == run(["--demo"])

    err = capsys.readouterr().err
    assert "TERM is dumb" in err
    assert "`zconsole status` prints lines" in err
    assert "\x1b" not in err


def test_a_redirected_screen_is_named(capsys: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stdin__", IsTerminal())
    assert 2 == run(["--demo"])
    assert "its screen is drawn on standard error, which is none here" in capsys.readouterr().err


def test_a_theme_that_there_is_not_is_an_error_which_names_those_that_there_are(capsys: Screen) -> None:
    assert 2 == run(["--demo", "--theme", "nope"])
    err = capsys.readouterr().err
    assert "there is no theme 'nope'" in err
    assert "ansi, ansi-light, colour-blind, dark, high-contrast, light" in err


def test_a_theme_that_cannot_be_used_is_an_error_with_its_reason(
    capsys: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "zconsole/themes"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text("title = 3\n")

    assert 2 == run(["--demo", "--theme", "mine"])

    assert "mine.toml: there is no table [styles]" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--demo",), ()])
def test_little_is_loaded_before_the_first_frame(words: tuple[str, ...], tmp_path: Path) -> None:
    seen = tmp_path / "modules"
    argv = [sys.executable, "-c", UNTIL_THE_FRAME, str(seen), *words]
    with Terminal(argv, columns=80, rows=24) as terminal:
        while terminal.process.poll() is None:
            terminal.read_for(0.05)

    loaded = set(seen.read_text().split())

    assert "textual.app" in loaded
    assert "zconsole.ui.screens.pools" in loaded
    assert [] == [name for name in NOT_BEFORE_THE_FRAME if name in loaded]
    ours = sorted(name for name in loaded if name.partition(".")[0] == "zconsole")
    assert len(ours) <= MOST_MODULES, (len(ours), ours)


def test_asyncio_is_loaded_without_tls_and_others_have_it() -> None:
    told = subprocess.run([sys.executable, "-c", WITHOUT_TLS], capture_output=True, check=True, text=True)

    assert ["False None", "True True"] == told.stdout.splitlines()


def test_what_only_keys_need_is_not_in_memory_before() -> None:
    told = subprocess.run([sys.executable, "-c", SHOWN], capture_output=True, check=True, text=True)

    loaded = set(told.stdout.split())

    assert "zconsole.actions.repair.repairs_of_host" in loaded
    assert [] == [name for name in NOT_WITHOUT_A_KEY if name in loaded]


@pytest.mark.parametrize(
    ("code", "ends"),
    [
        (0, ()),
        (0, (RunState.DONE,)),
        (3, (RunState.DONE, RunState.REFUSED)),
        (4, (RunState.REFUSED, RunState.FAILED)),
        (4, (RunState.UNKNOWN,)),
        (4, (RunState.RUNNING,)),
    ],
)
def test_the_exit_code_tells_of_changes_that_were_in_progress(code: int, ends: tuple[RunState, ...]) -> None:
    assert code == exit_code_of([Run("1", "nas1", "scrub tank", "tank", each) for each in ends])
