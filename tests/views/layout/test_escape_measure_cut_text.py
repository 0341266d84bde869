"""What a text from a host may look like on the screen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from zconsole.base.escape_control_characters import visible
from zconsole.views.layout.escape_measure_cut_text import (
    clean,
    cut,
    cut_at_word,
    is_plain,
    middle,
    whole_clauses,
    width,
)

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("expected", "hostile"),
    [
        ("^[]0;PWNED^G", "\x1b]0;PWNED\x07"),
        ("\\x9b31m", "\x9b31m"),
        ("a^Ib^Jc^M", "a\tb\nc\r"),
        ("<U+202E>gnp.exe", "\u202egnp.exe"),
        ("a<U+200B>b", "a\u200bb"),
        ("a<U+00A0>b", "a\u00a0b"),
        ("<U+2028>", "\u2028"),
        ("\\xff", "\udcff"),
        ("<U+D800>", "\ud800"),
        ("^?", "\x7f"),
        ("\u2764<U+FE0F>", "\u2764\ufe0f"),
        ("e\u0301\u0301<U+0301>", "e\u0301\u0301\u0301"),
        ("<U+0301>e", "\u0301e"),
    ],
)
def test_what_steers_or_hides_is_spelt_out(expected: str, hostile: str) -> None:
    assert expected == clean(hostile)


@pytest.mark.parametrize(
    "honest", ["tank/home", "Müller", "日本語", "[red]x[/red]", "naïve e\u0301", "हिन्दी"]
)
def test_honest_text_stays_as_it_is(honest: str) -> None:
    assert honest == clean(honest)


@given(ANY_TEXT)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    cleaned = clean(text)

    assert cleaned == clean(cleaned)
    assert not {unicodedata.category(character) for character in cleaned} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not any(character.isspace() and character != " " for character in cleaned)


@given(ANY_TEXT, st.integers(0, 30))
def test_cut_and_middle_never_take_more_room_than_given(text: str, cells: int) -> None:
    cleaned = clean(text)

    assert width(cut(cleaned, cells)) <= cells
    assert width(middle(cleaned, cells)) <= cells


def test_every_character_that_is_not_escaped_takes_a_cell_or_is_a_mark() -> None:
    hidden = [
        character
        for character in map(chr, (*range(0x3400), *range(0xA000, 0x20000), *range(0xE0000, 0xE0200)))
        if character.isprintable()
        and cell_len(character) == 0
        and unicodedata.category(character) not in {"Mn", "Mc"}
    ]

    assert not [character for character in hidden if visible(character) == character]


@given(ANY_TEXT)
def test_the_screen_escapes_what_the_command_line_escapes(text: str) -> None:
    assert visible(text) == clean(text)


def test_the_middle_goes_so_that_the_serial_stays() -> None:
    assert "ata-ST80…_ZL2F0C44" == middle("ata-ST8000NM000A-2KE101_ZL2F0C44", 18)


def test_a_text_without_end_is_ended() -> None:
    assert 4097 == len(clean("x" * 100_000))


def test_plain_characters_are_harmless_visible_and_take_one_cell_each() -> None:
    plain = [character for character in map(chr, range(0x110000)) if is_plain(character)]

    assert set(" ~·…│█▁▲▼") <= set(plain)
    assert all(character.isprintable() and visible(character) == character for character in plain)
    assert {1} == set(map(cell_len, plain))


CUTS = {
    "words that fill the room": ("24 pending sectors (unreadable)", 20, "24 pending sectors…"),
    "clauses that fill the room": ("DEGRADED since noon, resilver", 24, "DEGRADED since noon…"),
    "a clause, for the next word says nothing alone": ("locked, not mounted", 14, "locked…"),
    "no separator at the end": ("477 MiB/s · zfs-2.4.4", 14, "477 MiB/s…"),
    "no count of what is cut": ("1 with warnings · 2 in no pool", 25, "1 with warnings…"),
    "a word that ends with its clause": ("clone 98% own, of tank/vm", 14, "clone 98% own…"),
    "a name without a blank": ("tank/vm/images/win2025", 10, "tank/vm/i…"),
    "no room": ("tank", 0, ""),
    "less than no room": ("", -1, ""),
    "all of it": ("tank", 4, "tank"),
}


@pytest.mark.parametrize("case", CUTS)
def test_a_sentence_is_cut_behind_a_word(case: str) -> None:
    text, cells, expected = CUTS[case]

    assert expected == cut_at_word(text, cells)


def test_clauses_of_a_cell_that_end_with_it_need_no_ellipsis() -> None:
    told = "VLGX4P7Y FAULTED, resilver 98%, about 9m left"

    assert "VLGX4P7Y FAULTED, resilver 98%" == whole_clauses(told, 30)
    assert "VLGX4P7Y FAULTED, resilver…" == whole_clauses(told, 29)
    assert told == whole_clauses(told, 45)
