"""Silences are read strictly, and written without a change to what stands in the file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ConfigError
from zconsole.base.notifications.silences import (
    FILE,
    Silence,
    add_silence,
    entry_of,
    load_silences,
    parse_silences,
)
from zconsole.base.user_config_file import load_config

SILENCE = Silence(
    "nas1",
    "raidz-wide",
    "tank raidz2-0",
    "bought so",
    datetime(2026, 11, 23, tzinfo=UTC),
    datetime(2027, 6, 1, tzinfo=UTC),
)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60).filter(
    lambda each: each.strip()
)


def test_an_entry_is_added_to_the_end_and_all_before_it_stays(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("# of 2025, see the ticket")

    path = add_silence(tmp_path, SILENCE)

    text = path.read_text()
    assert text.startswith("# of 2025, see the ticket\n\n[[silence]]\n")
    assert (SILENCE,) == load_silences(tmp_path)
    add_silence(tmp_path, SILENCE)
    assert path.read_text().startswith(text)
    assert (SILENCE, SILENCE) == load_silences(tmp_path)


def test_the_first_entry_makes_the_folder_and_a_file_of_its_user_alone(tmp_path: Path) -> None:
    path = add_silence(tmp_path / "zconsole", SILENCE)

    assert 0o600 == path.stat().st_mode & 0o777
    assert entry_of(SILENCE) == path.read_text()


def test_the_configuration_has_the_silences_beside_it(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('theme = "dark"')
    add_silence(tmp_path, SILENCE)

    assert (SILENCE,) == load_config(tmp_path / "config.toml").silences


def test_a_file_that_is_wrong_is_a_problem_of_the_configuration_and_silences_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('theme = "dark"')
    (tmp_path / FILE).write_text(entry_of(SILENCE) + "[[silence")

    config = load_config(tmp_path / "config.toml")

    assert ("dark", ()) == (config.theme, config.silences)
    assert "is not valid TOML" in config.silences_problem


def test_it_ends_when_its_day_begins() -> None:
    assert SILENCE.holds(datetime(2027, 5, 31, 23, 59, tzinfo=UTC))
    assert not SILENCE.holds(datetime(2027, 6, 1, tzinfo=UTC))


@given(host=TEXTS, subject=TEXTS, reason=TEXTS)
def test_any_text_is_read_back_as_it_was(host: str, subject: str, reason: str) -> None:
    made = Silence(
        host, "x", subject, reason, datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    )

    assert (made,) == parse_silences(entry_of(made), FILE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[silence", "is not valid TOML"),
        ("theme = 1", "something else than"),
        ("silence = 3", "something else than"),
        ("silence = [3]", "entry 1 is no table"),
        (entry_of(SILENCE).replace('"bought so"', "7"), "has no text reason"),
        (entry_of(SILENCE).replace("2027-06-01", '"2027-06-01"'), "has no date until"),
        (entry_of(SILENCE).replace("2027-06-01", "08:00:00"), "has no date until"),
        (entry_of(SILENCE) + "why = 3", "unknown key why"),
        (entry_of(SILENCE).replace("2027-06-01", "2026-06-01"), "before it begins on 2026-11-23"),
    ],
)
def test_what_is_wrong_is_named(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse_silences(text, FILE)


@pytest.mark.parametrize(
    ("written", "ends"),
    [
        pytest.param("2027-06-01", "2027-06-01 00:00 UTC", id="a day, as older versions wrote it"),
        pytest.param("2027-06-01T08:30:00Z", "2027-06-01 08:30 UTC", id="a time"),
        pytest.param("2027-06-01T08:30:00", "2027-06-01 08:30 UTC", id="a time without a zone"),
        pytest.param("2027-06-01T08:30:00+02:00", "2027-06-01 06:30 UTC", id="a time of another zone"),
        pytest.param("0001-01-01T00:00:00+02:00", "beyond", id="a time before all calendars"),
    ],
)
def test_an_end_is_a_day_or_a_time_in_utc(written: str, ends: str) -> None:
    text = entry_of(SILENCE).replace("2027-06-01", written)

    if ends == "beyond":
        with pytest.raises(ConfigError, match="before it begins"):
            parse_silences(text, FILE)
    else:
        (made,) = parse_silences(text, FILE)
        assert ends == made.end


def test_a_time_of_day_is_kept_to_the_minute() -> None:
    made = replace(SILENCE, until=datetime(2027, 6, 1, 8, 31, tzinfo=UTC))

    assert "until = 2027-06-01T08:31:00Z\n" in entry_of(made)
    assert (made,) == parse_silences(entry_of(made), FILE)


def test_a_broken_file_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("[[silence")

    with pytest.raises(ConfigError, match="not valid TOML"):
        add_silence(tmp_path, SILENCE)

    assert "[[silence" == (tmp_path / FILE).read_text()


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()

    with pytest.raises(ConfigError, match="cannot be written"):
        add_silence(tmp_path, SILENCE)


def test_a_reason_that_is_not_utf_8_is_said_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not UTF-8"):
        add_silence(tmp_path, replace(SILENCE, reason="caf\udce9"))

    assert not (tmp_path / FILE).exists()
