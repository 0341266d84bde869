"""In the C locale subcommands print ASCII, as the screen does; JSON keeps what names are."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from zconsole.reports.text.ascii_stdout import print_ascii_if_asked


def printed(*words: str, **environment: str) -> bytes:
    """What a command line on the practice host prints."""
    done = subprocess.run(
        [sys.executable, "-m", "zconsole", *words, "--demo"],
        capture_output=True,
        env={**os.environ, "LC_ALL": "", "LC_CTYPE": "", "LANG": "", **environment},
        check=False,
        timeout=120,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("subcommand", ["repair", "tree"])
def test_the_c_locale_gets_ascii_and_another_one_the_glyphs(subcommand: str) -> None:
    told = printed(subcommand, LC_ALL="C")

    assert told.isascii()
    assert not printed(subcommand, LC_ALL="C.UTF-8").isascii()
    assert b"\\u" not in told, "each glyph of ours has a stand-in"


def test_what_is_no_glyph_of_ours_is_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", stdout)

    print_ascii_if_asked({})
    stdout.write("tank · 池 é ✓ \udcff")

    assert b"tank . \\u6c60 \\xe9 + \\udcff" == stdout.buffer.getvalue()  # type: ignore[attr-defined]
