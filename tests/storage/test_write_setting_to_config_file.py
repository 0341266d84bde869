"""A setting is written into the configuration; comments stay, and a file with errors is left alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ConfigError
from zconsole.storage.write_setting_to_config_file import with_setting, write_setting

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
