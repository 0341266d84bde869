"""What a host says is shown; it is never obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.escape_control_characters import visible


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("", ""),
        ("tank/with space", "tank/with space"),
        ("Müllers Platten 日本語 é", "Müllers Platten 日本語 é"),
        ("^[]0;pwned^G", "\x1b]0;pwned\x07"),
        ("a^Jb^Ic^Md^?", "a\nb\tc\rd\x7f"),
        ("\\x9b31m", "\u009b31m"),
        ("<U+202E>txt.exe", "\u202etxt.exe"),
        ("<U+2028><U+200B><U+FEFF>", "\u2028\u200b\ufeff"),
        ("a<U+00A0>b", "a\u00a0b"),
        ("caf\\xe9", b"caf\xe9".decode("utf-8", "surrogateescape")),
        ("<U+D800>", "\ud800"),
        ("<U+3164>", "\u3164"),
        ("<U+2800><U+FFFC>", "\u2800\ufffc"),
        ("e\u0301\u0301<U+0301>", "e\u0301\u0301\u0301"),
        ("<U+0301>e", "\u0301e"),
        ("[red]not markup[/red]", "[red]not markup[/red]"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_spelled_out(expected: str, text: str) -> None:
    assert expected == visible(text)


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_any_text_comes_out_printable_and_encodable(text: str) -> None:
    shown = visible(text)

    assert shown.isprintable()
    shown.encode("utf-8")
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_nothing_is_dropped_and_what_is_harmless_stays(text: str) -> None:
    shown = visible(text)

    assert len(text) <= len(shown)
    assert shown == visible(shown)
