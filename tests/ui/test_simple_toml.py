"""Plain lines of TOML are read as the standard library reads them, and all else by it."""

from __future__ import annotations

import tomllib

import pytest

from tests.ui.terminal.tty import ROOT
from zconsole.base.errors import ConfigError
from zconsole.ui import simple_toml

THEMES = sorted((ROOT / "themes").glob("*.toml"))


@pytest.mark.parametrize("path", THEMES, ids=lambda path: path.stem)
def test_the_themes_of_the_program_need_no_other_parser(path: object) -> None:
    text = path.read_text("utf-8")  # type: ignore[attr-defined]

    assert tomllib.loads(text) == simple_toml._simple(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        'a = "b"',
        'a = "b"\r\n',
        'a = "b" # said\n',
        'a = "b \\" c"\n',
        'a = """b"""\n',
        "a = 'b'\n",
        'a.b = "c"\n',
        "a = 1\nb = 2.5\n[c]\nd = true\n",
        "[a.b]\nc = false\n",
        "[[a]]\nb = true\n",
        'a = "ä"\n',
        "  [a]\n\tb = true\n  # c\n\n",
        '"a" = true\n',
        "a=true\n",
    ],
)
def test_what_is_read_is_what_toml_says(text: str) -> None:
    assert tomllib.loads(text) == simple_toml.parse_toml(text)


@pytest.mark.parametrize("text", ["a", "a = b", "[a]\n[a]\n", 'a = "b"\na = "c"\n', "a = true\n[a]\n", "\0"])
def test_what_is_wrong_is_refused_as_ever(text: str) -> None:
    with pytest.raises(ConfigError, match="not valid TOML"):
        simple_toml.parse_toml(text)


def test_control_characters_are_left_to_the_whole_parser() -> None:
    assert simple_toml._simple('a = "b\x7f"\n') is None
    assert simple_toml._simple("# \x00\n") is None
