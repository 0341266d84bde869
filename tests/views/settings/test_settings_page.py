"""Where each value comes from, and what the file has for the next start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zconsole.base.user_config_file import Config
from zconsole.storage.write_setting_to_config_file import SettingsFile
from zconsole.views.layout.styled_text import plain
from zconsole.views.settings.setting_catalogue import SETTINGS_BY_KEY
from zconsole.views.settings.settings_page import (
    KEYS_ROW,
    OF_ACTION,
    OwnKeys,
    ShownSettings,
    notes,
    page,
    source,
    takes_effect_at_once,
)

FILE = SettingsFile(
    Path("config.toml"),
    {"interval_s": "2s", "read_only": True, "alerts.bell": False, "thresholds.scrub_overdue_days": 40},
    {"interval_s": 3, "read_only": 4},
)


def shown(config: Config | None = None, *, interval_s: float | None = None) -> ShownSettings:
    config = config or Config()
    keys = OwnKeys(Path("keys.toml"), {"why": ("Q",), "themes": ("f9",)}, {"themes": ("f9",)})
    return ShownSettings(config, "dark", interval_s or config.interval_s, FILE, keys)


WITH_OPTION = Config().with_option("interval_s", "--interval", interval_s=0.5)
SOURCES = {
    "of the file": (shown(Config(interval_s=2.0)), "interval_s", "config.toml, line 3"),
    "of the file, without a known line": (
        shown(replace(Config(), calls=replace(Config().calls, has_bell=False))),
        "alerts.bell",
        "config.toml",
    ),
    "default": (shown(), "alerts.title", "default"),
    "option in place of the file": (shown(WITH_OPTION), "interval_s", "--interval; config.toml, line 3: 2s"),
    "option, then changed by a key": (
        shown(WITH_OPTION, interval_s=5.0),
        "interval_s",
        "this session; config.toml, line 3 has 2s",
    ),
    "changed by a key": (
        replace(shown(interval_s=5.0), file=SettingsFile(Path("config.toml"))),
        "interval_s",
        "this session",
    ),
    "written since the start": (shown(), "read_only", "config.toml, line 4: on at the next start"),
    "theme of the terminal": (shown(), "theme", "default"),
}


@pytest.mark.parametrize("case", SOURCES)
def test_each_value_says_where_it_comes_from(case: str) -> None:
    of, key, expected = SOURCES[case]

    assert expected == source(of, SETTINGS_BY_KEY[key])


def test_an_exercise_keeps_its_own_interval() -> None:
    interval = SETTINGS_BY_KEY["interval_s"]
    exercise = Config().with_option("interval_s", "the exercise", interval_s=20.0)

    assert takes_effect_at_once(interval, Config())
    assert not takes_effect_at_once(interval, exercise)


def test_own_keys_are_told_with_the_usual_ones_and_those_of_the_next_start() -> None:
    rows = {row.key: [cell.text for cell in row.cells] for row in page(shown()).table.rows if row.cells}

    assert ["Own keys", "1 action", "keys.toml"] == rows[KEYS_ROW][:3]
    assert ["  themes", "F9", "usual: T"] == rows[f"{OF_ACTION}themes"][:3]
    assert ["  why", "w", "Q at the next start"] == rows[f"{OF_ACTION}why"][:3]


def test_the_notes_name_the_key_in_the_file_its_values_and_when_a_change_counts() -> None:
    told = "\n".join(plain(each) for each in notes(shown(), "alerts.notification"))

    assert "alerts.notification in the file: auto, off, osc9, osc777 · takes effect at once" in told
    assert "at the next start of zconsole" in "".join(map(plain, notes(shown(), "history_minutes")))
    assert 'why = ["Q", "Ctrl+X"]' in "".join(map(plain, notes(shown(), KEYS_ROW)))


@pytest.mark.parametrize(
    ("told", "path"),
    [
        ("~/.config/zconsole/config.toml", "/home/ops/.config/zconsole/config.toml"),
        ("/etc/z/config.toml", "/etc/z/config.toml"),
    ],
)
def test_a_file_of_the_users_home_is_told_from_there(told: str, path: str) -> None:
    of_ops = replace(shown(), file=SettingsFile(Path(path)), home=Path("/home/ops"))

    assert told == "".join(span.text for span in page(of_ops).numbers)
