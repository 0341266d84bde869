"""The real program on a terminal, with one sound host over SSH and one that answers with the worst."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.scenarios.faults.hostile_sshd import ATTACKS
from tests.ui.terminal.tty import ROOT, Tty

FEW: Final = ("escapes",)
FEW_COMMANDS: Final = ("escapes",)
CODES: Final = {0, 1, 2, 3}  # that the manual tells
ANSWERS_WITHIN_S: Final = 5.0  # a key, on a machine that has other things to do
ENDS_WITHIN_S: Final = 8.0
COMMAND_S: Final = 90.0
OF_THE_HOST: Final = (b"owned", "\u202e".encode(), "\u200b".encode(), b"\x0e", b"\x9b31m")  # of its escapes
SHOWN_BYTES: Final = 2_000_000  # of what a command prints; a name may have 2000 letters
COMMANDS: Final = (
    "status --timeout 20 --host hostile --host sound",
    "status --timeout 20 --json --host hostile --host sound",
    "check --host hostile",
    "tree --timeout 20 --host hostile tank",
    "slow --host hostile --for 3",
    "plan --host hostile destroy tank/home",
    "plan --host hostile scrub tank",
    "forecast --host hostile tank",
    "replicas --timeout 20 --host hostile --host sound",
)

pytestmark = pytest.mark.timeout(600)


@contextmanager
def servers(kind: str, folder: Path) -> Iterator[dict[str, str]]:
    """Both hosts; gives the environment in which ssh's names lead to them."""
    serving = subprocess.Popen(
        [sys.executable, "-m", "tests.scenarios.faults.hostile_sshd", kind, str(folder)],
        stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    try:
        end = time.monotonic() + ANSWERS_WITHIN_S * 4
        while not (folder / "ready").exists():
            assert serving.poll() is None
            assert time.monotonic() < end
            serving.poll()
        yield {
            "HOME": str(folder / "home"),
            **{f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("STATE", "CONFIG", "CACHE")},
        }
    finally:
        serving.kill()
        serving.wait()
        assert serving.stdin is not None
        serving.stdin.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ATTACKS)
def test_the_console_stays_live_and_ends_when_asked(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The sound host is shown, keys are answered, and no escape of the other reaches the terminal."""
    if kind not in FEW and not request.config.getoption("--long"):
        pytest.skip("with --long")
    with (
        servers(kind, tmp_path) as environment,
        Tty("zconsole", "hostile", "sound", size=(150, 45), **environment) as tty,
    ):
        tty.until_shown("sound")
        tty.until_shown("bulk")
        for key, words in (("?", "Esc goes back"), ("\x1b", "USED OF USABLE")) * 4:
            tty.type(key)
            tty.until(lambda at, words=words: words in _text(at), seconds=ANSWERS_WITHIN_S)  # type: ignore[misc]
            tty.read(1.0)
        tty.type("\x03")
        code = tty.wait(ENDS_WITHIN_S)

        assert code is not None, "it did not end"
        assert b"Traceback" not in tty.sent
        assert [] == [each for each in OF_THE_HOST if each in tty.sent]
        assert [] == list((tmp_path / "state").rglob("crash-*"))


@pytest.mark.parametrize("kind", ATTACKS)
def test_each_command_ends_in_its_words_or_a_sentence(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """In time, with a code of the manual, no traceback, and not a byte that a terminal obeys."""
    is_long = request.config.getoption("--long")
    if kind not in FEW_COMMANDS and not is_long:
        pytest.skip("with --long")
    with servers(kind, tmp_path) as environment:
        for words in COMMANDS if is_long else COMMANDS[:2]:
            done = subprocess.run(
                [sys.executable, "-m", "zconsole", *words.split()],
                capture_output=True, check=False, timeout=COMMAND_S, cwd=ROOT, stdin=subprocess.DEVNULL,
                env={**os.environ, **environment},
            )  # fmt: skip

            said = done.stdout + done.stderr
            assert done.returncode in CODES, (words, done.returncode, done.stderr[-2000:])
            assert b"Traceback" not in said, (words, done.stderr[-2000:])
            assert said, words
            assert [] == _obeyed(said), words
            assert len(said) < SHOWN_BYTES, words
            assert "sound" not in words or b"tank" in done.stdout, words


def _obeyed(said: bytes) -> list[str]:
    """What is not text for people: control characters, and those that turn the direction around."""
    return sorted({each for each in said.decode() if each != "\n" and not each.isprintable()})


def _text(tty: Tty) -> str:
    return "\n".join(tty.screen.display)
