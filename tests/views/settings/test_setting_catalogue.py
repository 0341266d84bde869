"""The settings that can be changed are those of the file, with its limits and its defaults."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.base.errors import ConfigError, UsageError
from zconsole.base.user_config_file import Config, parse_config
from zconsole.storage.write_setting_to_config_file import with_setting
from zconsole.views.settings.setting_catalogue import SETTINGS, SETTINGS_BY_KEY, Setting, SettingKind, Value

NUMBERS = [each for each in SETTINGS if each.kind in {SettingKind.TIME, SettingKind.PERCENT}]


def other_values(setting: Setting) -> list[Value]:
    """Values other than the default."""
    if setting.kind is SettingKind.THEME:
        return ["light"]
    if setting.choices is not None:
        return [each for each in setting.choices if each != setting.of(Config())]
    return [85.0]


@pytest.mark.parametrize("key", SETTINGS_BY_KEY)
def test_each_value_is_read_back_from_the_file_and_taken_over_alone(key: str) -> None:
    setting = SETTINGS_BY_KEY[key]
    for value in other_values(setting):
        other = parse_config(with_setting("", key, value), "config.toml")

        assert value == setting.of(other)
        assert other == setting.taken_over(Config(), other)
        assert Config(theme="mine") == setting.taken_over(replace(other, theme="mine"), Config(theme="mine"))


@pytest.mark.parametrize("setting", NUMBERS, ids=lambda each: each.key)
def test_the_limits_of_a_number_are_those_of_the_file(setting: Setting) -> None:
    least, most = setting.limits
    for value in (least, most):
        typed = setting.read(setting.shown(value))
        assert value == pytest.approx(typed)
    for value in (least - 1, most + 1):
        with pytest.raises(ConfigError):
            parse_config(with_setting("", setting.key, value), "config.toml")
    with pytest.raises(UsageError, match="out of range"):
        setting.read(setting.shown(most + 1))


def test_a_time_is_typed_in_any_unit() -> None:
    assert 120.0 == SETTINGS_BY_KEY["history_minutes"].read("2h")
    assert 0.5 == SETTINGS_BY_KEY["interval_s"].read("500ms")
    assert 2.0 == SETTINGS_BY_KEY["interval_s"].read("2")
