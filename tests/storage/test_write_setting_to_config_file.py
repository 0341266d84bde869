"""A setting is written into the configuration; comments stay, and a file with errors is left alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ConfigError
from zconsole.storage.write_setting_to_config_file import read_settings, with_setting, write_setting

COMMENTED = """# mine
theme = "dark"  # at night
interval_s = 2

[hosts.nas1]
label = "theme = none"
"""


def test_the_old_line_has_the_new_value_and_everything_else_stays(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(COMMENTED)

    written = write_setting("theme", "light", tmp_path)

    assert COMMENTED.replace('"dark"', '"light"') == written.read_text()


def test_without_a_line_or_a_file_it_is_the_first_line(tmp_path: Path) -> None:
    assert 'theme = "light"\n[hosts.nas1]\n' == with_setting("[hosts.nas1]\n", "theme", "light")

    written = write_setting("theme", "light", tmp_path / "new")

    assert 'theme = "light"\n' == written.read_text()
    assert 0o600 == written.stat().st_mode & 0o777


def test_a_link_stays_a_link_and_its_file_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.toml").write_text(COMMENTED)
    (tmp_path / "dotfiles.toml").chmod(0o644)
    (tmp_path / "config.toml").symlink_to("dotfiles.toml")

    write_setting("theme", "light", tmp_path)

    assert (tmp_path / "config.toml").is_symlink()
    assert 'theme = "light"  # at night' in (tmp_path / "dotfiles.toml").read_text()
    assert 0o644 == (tmp_path / "dotfiles.toml").stat().st_mode & 0o777


def test_a_file_with_errors_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("theme = \n")

    with pytest.raises(ConfigError):
        write_setting("theme", "light", tmp_path)

    assert "theme = \n" == (tmp_path / "config.toml").read_text()
    assert ["config.toml"] == [each.name for each in tmp_path.iterdir()]


@given(st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc"))))
def test_any_name_is_read_back(name: str) -> None:
    assert name == tomllib.loads(with_setting(COMMENTED, "theme", name))["theme"]


FORMS = {
    "below its table": ("[alerts]\nbell = true  # loud\n", "[alerts]\nbell = false  # loud\n"),
    "below another table's key of that name": (
        "[hosts.a]\nbell = true\n",
        "[hosts.a]\nbell = true\n\n[alerts]\nbell = false\n",
    ),
    "table without the key": ("[alerts]\ntitle = true\n", "[alerts]\nbell = false\ntitle = true\n"),
    "header without an end of line": ("[alerts]", "[alerts]\nbell = false\n"),
    "dotted key": ("alerts.bell = true\n", "alerts.bell = false\n"),
    "dotted key of the table": (
        "alerts.title = true\n[hosts.a]\n",
        "alerts.bell = false\nalerts.title = true\n[hosts.a]\n",
    ),
    "inline table": ("alerts = { bell = true, title = true }\n", "alerts = { bell = false, title = true }\n"),
    "no file": ("", "[alerts]\nbell = false\n"),
    "other ends of lines": ("theme = 'a'\r\n", "theme = 'a'\r\n\r\n[alerts]\r\nbell = false\r\n"),
    "the words in a text": (
        'theme = """\n[alerts]\nbell = true\n"""\n',
        'theme = """\n[alerts]\nbell = true\n"""\n\n[alerts]\nbell = false\n',
    ),
    "a comment with the words": ("# bell = true\n", "# bell = true\n\n[alerts]\nbell = false\n"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_setting_of_a_table_is_written_whatever_form_the_file_has(form: str) -> None:
    before, after = FORMS[form]

    assert after == with_setting(before, "alerts.bell", value=False)


def test_a_form_that_cannot_be_edited_is_left_and_said() -> None:
    with pytest.raises(ConfigError) as told:
        with_setting("alerts = { title = true }\n", "alerts.bell", value=False)

    assert "alerts.bell stays as it was" in told.value.message
    assert "Write alerts.bell = false yourself." == told.value.hint


@pytest.mark.parametrize(
    ("value", "literal"), [(True, "true"), (2, "2"), (0.5, "0.5"), (90.0, "90"), ('a"b', '"a\\"b"')]
)
def test_texts_numbers_and_flags_are_written_as_toml_has_them(value: str | float, literal: str) -> None:
    assert f"interval_s = {literal}\n" == with_setting("interval_s = 3\n", "interval_s", value)


def test_a_value_out_of_range_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(COMMENTED)

    with pytest.raises(ConfigError):
        write_setting("interval_s", 0.0, tmp_path)

    assert COMMENTED == (tmp_path / "config.toml").read_text()


def test_the_file_tells_the_value_and_the_line_of_each_setting_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f"{COMMENTED}read_only = false\n[alerts]\nbell = false\n")

    found = read_settings(("theme", "interval_s", "read_only", "alerts.bell"), tmp_path)

    assert {"theme": "dark", "interval_s": 2, "alerts.bell": False} == found.values
    assert {"theme": 2, "interval_s": 3, "alerts.bell": 9} == found.lines
    assert not found.problem


def test_without_a_file_there_is_no_setting_and_a_broken_one_has_a_problem(tmp_path: Path) -> None:
    assert {} == read_settings(("theme",), tmp_path).values

    (tmp_path / "config.toml").write_text("theme = \n")

    found = read_settings(("theme",), tmp_path)
    assert {} == found.values
    assert "not valid TOML" in found.problem


def test_what_the_file_has_already_is_not_written_again(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(COMMENTED)
    before = (tmp_path / "config.toml").stat().st_ino

    write_setting("theme", "dark", tmp_path)

    assert before == (tmp_path / "config.toml").stat().st_ino
