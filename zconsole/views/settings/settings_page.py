"""Settings page: one row a setting with its value and where it comes from; then the user's own keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.storage.write_setting_to_config_file import SettingsFile
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.screen_key_registry import action, key_name
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of
from zconsole.views.settings.setting_catalogue import (
    SETTINGS,
    SETTINGS_BY_KEY,
    Setting,
    SettingKind,
    Value,
)

KEYS_ROW: Final = "keys"
OF_ACTION: Final = "key of "  # of the row of an action with an own key, before its id
NEXT_START: Final = "at the next start"


@dataclass(frozen=True, slots=True)
class OwnKeys:
    """Keys of the user's file, those that are in use, and what is wrong with the file."""

    path: Path
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ShownSettings:
    """Everything that the page is made of."""

    config: Config  # what is in effect
    theme: str
    interval_s: float  # which ( and ) change
    file: SettingsFile
    keys: OwnKeys
    home: Path | None = None  # of the user; paths in it are shown with ~

    def value(self, setting: Setting) -> Value | None:
        """The value in effect."""
        if setting.kind is SettingKind.THEME:
            return self.theme
        return self.interval_s if setting.key == "interval_s" else setting.of(self.config)


@dataclass(frozen=True, slots=True)
class _Shown:
    title: str
    value: str
    source: str
    help: str
    style: str = "text"


COLUMNS: Final[tuple[Column[_Shown], ...]] = (
    Column("title", "SETTING", 20, lambda each: Cell(each.title), is_right=False, grows_to=24),
    Column(
        "value", "VALUE", 13, lambda each: Cell(each.value, each.style), need=95, is_right=False, grows_to=20
    ),
    Column("source", "FROM", 34, lambda each: Cell(each.source, "dim"), need=90, is_right=False, grows_to=44),
    Column("help", "WHAT IT DOES", 40, lambda each: Cell(each.help), need=10, is_right=False, grows_to=200),
)


def page(shown: ShownSettings) -> Page:
    """The page of all settings."""
    rows = [Row(each.key, cells_of(COLUMNS, _row(shown, each))) for each in SETTINGS]
    answer = line(("Settings", "title"), (" · Enter changes one, and writes it to the file", "dim"))
    numbers = line((_path(shown.file.path, shown.home), "dim"))
    if shown.file.problem:
        numbers = line(("✗ ", "bad"), ("nothing can be written: the file has an error", "bad"))
    return Page(answer, EMPTY, numbers, Table(COLUMNS, (*rows, *_key_rows(shown.keys))))


def notes(shown: ShownSettings, key: str | None) -> Iterator[Line]:
    """The selected setting in full: its key in the file, its values, and when a change takes effect."""
    if shown.file.problem:
        yield line((shown.file.problem, "bad"))
    setting = SETTINGS_BY_KEY.get(key or "")
    if setting is None:
        yield from _key_notes(shown.keys, key or "")
        return
    yield line((setting.title, "title"), (f"  {setting.help}", "text"))
    values = ", ".join(map(setting.shown, setting.choices or ())) or (
        setting.range_words()
        if setting.unit or setting.kind is SettingKind.PERCENT
        else "those that Enter lists"
    )
    when = "at once" if takes_effect_at_once(setting, shown.config) else f"{NEXT_START} of zconsole"
    yield line((f"{setting.key} in the file: ", "dim"), values, (f" · takes effect {when}", "dim"))
    yield line(("now: ", "dim"), setting.shown(shown.value(setting)), (f" · {source(shown, setting)}", "dim"))


def takes_effect_at_once(setting: Setting, config: Config) -> bool:
    """Whether a change takes effect in this console; an exercise keeps its own interval."""
    return setting.is_live and not (
        setting.key == "interval_s" and config.by_option.get(setting.key) == "the exercise"
    )


def source(shown: ShownSettings, setting: Setting) -> str:
    """Where a value comes from, and what the file has for the next start where that is another."""
    value, written = shown.value(setting), shown.file.values.get(setting.key)
    place = _place(shown.file, setting.key)
    option = shown.config.by_option.get(setting.key)
    is_as_started = value == setting.of(shown.config)
    if option is not None and is_as_started:
        return option if written is None else f"{option}; {place}: {_as_written(setting, written)}"
    if written is not None:
        if _as_written(setting, written) == setting.shown(value):
            return place
        if not is_as_started:
            return f"this session; {place} has {_as_written(setting, written)}"
        return f"{place}: {_as_written(setting, written)} {NEXT_START}"
    return "default" if is_as_started or setting.kind is SettingKind.THEME else "this session"


def _path(path: Path, home: Path | None) -> str:
    return f"~/{path.relative_to(home)}" if home is not None and path.is_relative_to(home) else f"{path}"


def _place(file: SettingsFile, key: str) -> str:
    number = file.lines.get(key)
    return file.path.name if number is None else f"{file.path.name}, line {number}"


def _as_written(setting: Setting, written: object) -> str:
    """What the file has, as values are shown: a text of the grammar of quantities as its number."""
    if isinstance(written, bool) or (isinstance(written, str) and not _is_number(setting)):
        return setting.shown(written)
    if isinstance(written, str):
        return setting.shown(setting.read(written))
    return setting.shown(float(written)) if isinstance(written, int | float) else str(written)


def _is_number(setting: Setting) -> bool:
    return setting.kind in {SettingKind.TIME, SettingKind.PERCENT}


def _row(shown: ShownSettings, setting: Setting) -> _Shown:
    return _Shown(
        setting.title, setting.shown(shown.value(setting)), source(shown, setting), setting.help, "title"
    )


def _key_rows(keys: OwnKeys) -> Iterator[Row]:
    count = len(keys.used)
    own = counted(count, "action") if count else "the usual ones"
    told = _Shown("Own keys", own, keys.path.name, "Keys of your own, by the names of actions.", "title")
    yield Row(KEYS_ROW, cells_of(COLUMNS, told))
    if keys.problem:
        yield Row("keys problem", line=line(("✗ ", "bad"), (keys.problem, "bad")), is_selectable=False)
    for name in sorted({*keys.used, *keys.written}):
        yield Row(f"{OF_ACTION}{name}", cells_of(COLUMNS, _own_key(keys, name)))


def _own_key(keys: OwnKeys, name: str) -> _Shown:
    known = action(name)
    used, written = keys.used.get(name), keys.written.get(name)
    usual = f"usual: {_names(known.usual_keys)}"
    where = (
        usual if used == written or keys.problem else f"{_names(written or known.usual_keys)} {NEXT_START}"
    )
    return _Shown(f"  {name}", _names(used or known.usual_keys), where, known.help)


def _names(keys: tuple[str, ...]) -> str:
    return ", ".join(map(key_name, keys))


def _key_notes(keys: OwnKeys, row: str) -> Iterator[Line]:
    if row.startswith(OF_ACTION):
        known = action(row.removeprefix(OF_ACTION))
        yield line((known.title, "title"), (f"  {known.help}", "text"))
        yield line((f"usual: {_names(known.usual_keys)}", "dim"), (f" · {keys.path}", "dim"))
        return
    if keys.problem:
        yield line((keys.problem, "bad"))
    yield line((f"{keys.path}, read at the start: below [keys], such as ", "dim"), 'why = ["Q", "Ctrl+X"]')
    yield line(("The names of actions are in docs/keys.md, and `zconsole keys` prints them.", "dim"))
