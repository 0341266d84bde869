"""Themes: one TOML file each, from a style (`ok`, `bad`, `dim`) to a colour; broken ones are reported.

title = "Dark"
dark = true

[styles] text = "#d6dde4 on #10151a" bad = "bold #ff7b72"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from rich.color import Color, ColorParseError
from rich.errors import StyleSyntaxError
from rich.style import Style
from textual.theme import BUILTIN_THEMES
from textual.theme import Theme as TextualTheme

from zconsole.base.bounded_user_file import LONGEST_BYTES, is_file, read_bounded
from zconsole.base.errors import ConfigError
from zconsole.base.lazy_dataclass import dataclass

STYLES: Final = (
    "text",  # normal text
    "dim",  # less important, or old; unknown values
    "title",  # the object of the screen
    "header",  # column titles
    "section",  # headings inside a list
    "key",  # a key to press
    "rule",  # lines and the branches of a tree
    "ok",
    "info",
    "warn",
    "bad",
    "strip",  # history, at rest
    "mark",  # matches of a filter
    "cursor",  # the row under the cursor: laid over the row's own styles
    "cursor_blurred",  # the same while another part has the focus
    "input",  # text fields
)
REQUIRED: Final = frozenset(STYLES) - {"mark", "cursor_blurred", "input"}
_ATTRIBUTES: Final = frozenset({"bold", "dim", "italic", "underline", "reverse", "not", "on", "default"})
HOST_STYLE: Final = "host-"  # prefix of a colour: the name of a host with a configured colour
_ON_DARK: Final = {
    "red": "#ff8a80",
    "green": "#7ee787",
    "yellow": "#f2cc60",
    "blue": "#79c0ff",
    "magenta": "#e2b5ff",
    "cyan": "#7fdbe6",
    "white": "#ffffff",
}
_ON_LIGHT: Final = {
    "red": "#b3161b",
    "green": "#116329",
    "yellow": "#7a4e00",
    "blue": "#0550ae",
    "magenta": "#86198f",
    "cyan": "#0b5f70",
    "white": "#4a5158",
}
DEFAULT_THEME: Final = "dark"
ANSI_THEME: Final = "ansi"
LIGHT_ANSI_THEME: Final = "ansi-light"


@dataclass(frozen=True, slots=True)
class Theme:
    """Usable theme."""

    name: str
    title: str
    styles: Mapping[str, Style]
    is_dark: bool = True
    is_ansi: bool = False  # the terminal's own 16 colours, and its background

    def style(self, name: str) -> Style:
        """The style of a word; an unknown word looks like text."""
        found = self.styles.get(name)
        if found is None and name.startswith(HOST_STYLE):
            return self._style_of_host(name.removeprefix(HOST_STYLE))
        return found if found is not None else self.styles["text"]

    def _style_of_host(self, colour: str) -> Style:
        """A colour of the configuration, as it can be read in this theme."""
        if not self.is_ansi:
            colour = (_ON_DARK if self.is_dark else _ON_LIGHT).get(colour, colour)
        return Style(color=colour, bold=True)

    def textual(self) -> TextualTheme:
        """The same for the stock widgets of Textual."""
        colors = {name: _css(self.styles[name].color) for name in ("text", "key", "warn", "bad", "ok")}
        background = _css(self.styles["text"].bgcolor)
        return TextualTheme(
            name=self.name,
            primary=colors["key"],
            accent=colors["key"],
            foreground=colors["text"],
            background=background,
            surface=_css(self.styles["input"].bgcolor),
            panel=background,
            warning=colors["warn"],
            error=colors["bad"],
            success=colors["ok"],
            dark=self.is_dark,
            ansi=self.is_ansi,
            variables=_ansi_variables(is_dark=self.is_dark) if self.is_ansi else {},
        )


def _ansi_variables(*, is_dark: bool) -> dict[str, str]:
    """Colours of stock widgets; the line under the cursor is underlined too: Textual reverses none."""
    ground, ink = ("ansi_white", "ansi_black") if is_dark else ("ansi_black", "ansi_white")
    return {
        **BUILTIN_THEMES["ansi-dark"].variables,
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "input-cursor-background": "ansi_default",
        "input-cursor-foreground": "ansi_default",
        "input-cursor-text-style": "reverse",
        "block-cursor-background": ground,
        "block-cursor-foreground": ink,
        "block-cursor-text-style": "bold underline",
    }


def _css(color: Color | None) -> str:
    """A colour in the notation of Textual's style sheets."""
    if color is None or color.is_default:
        return "ansi_default"
    return f"ansi_{color.name}" if color.triplet is None else color.triplet.hex


@dataclass(frozen=True, slots=True)
class BrokenTheme:
    """Theme file that cannot be used, with the reason."""

    path: Path
    reason: str


class Themes:
    """Themes of the program and of the user; the user's win where names are equal.

    A file is read when its theme is requested, and all of them for a list.
    """

    def __init__(self, *user_folders: Path) -> None:
        self._folders = (packaged_folder(), *user_folders)

    def get(self, name: str | None) -> Theme:
        """The theme with a name; the default where no usable theme has it."""
        wanted = name or DEFAULT_THEME
        for folder in reversed(self._folders) if Path(wanted).name == wanted else ():
            path = folder / f"{wanted}.toml"
            found = _read(path) if is_file(path) else None
            if isinstance(found, Theme):
                return found
        if wanted == DEFAULT_THEME:
            raise ConfigError(f"the theme {wanted} is missing in {self._folders[0]}: install zconsole again")
        return self.get(DEFAULT_THEME)

    @property
    def usable(self) -> Mapping[str, Theme]:
        """Usable themes by name."""
        return {each.name: each for each in self._all if isinstance(each, Theme)}

    @property
    def broken(self) -> tuple[BrokenTheme, ...]:
        """Unusable theme files."""
        return tuple(each for each in self._all if isinstance(each, BrokenTheme))

    @cached_property
    def _all(self) -> tuple[Theme | BrokenTheme, ...]:
        return tuple(map(_read, _files(self._folders)))


def packaged_folder() -> Path:
    """The folder of packaged themes: inside the package, or beside it in a source tree."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def _read(path: Path) -> Theme | BrokenTheme:
    try:
        return parse_theme(path.stem, read_bounded(path, LONGEST_BYTES).decode("utf-8"))
    except (OSError, UnicodeDecodeError, ConfigError) as error:
        return BrokenTheme(path, str(error))


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        try:
            yield from sorted(folder.glob("*.toml"))
        except OSError:
            continue


def parse_theme(name: str, text: str) -> Theme:
    """Parse a theme from TOML. Raises ConfigError, which names the key."""
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not valid TOML: {error}") from error
    unknown = values.keys() - {"title", "dark", "ansi", "styles"}
    if unknown:
        raise ConfigError(f"unknown key: {', '.join(sorted(unknown))}")
    is_ansi = _flag(values, "ansi", default=False)
    styles = values.get("styles")
    if not isinstance(styles, dict):
        raise ConfigError("there is no table [styles]")
    title = values.get("title", name)
    if not isinstance(title, str):
        raise ConfigError("title must be text")
    return Theme(name, title, _styles(styles, is_ansi=is_ansi), _flag(values, "dark", default=True), is_ansi)


def _flag(values: Mapping[str, object], key: str, *, default: bool) -> bool:
    value = values.get(key, default)
    if not isinstance(value, bool):
        raise ConfigError(f"{key} must be true or false")
    return value


def _styles(values: Mapping[str, object], *, is_ansi: bool) -> dict[str, Style]:
    unknown = values.keys() - set(STYLES)
    if unknown:
        raise ConfigError(f"unknown style: {', '.join(sorted(unknown))}")
    missing = REQUIRED - values.keys()
    if missing:
        raise ConfigError(f"styles are missing: {', '.join(sorted(missing))}")
    base = _style("text", values["text"], is_ansi=is_ansi)
    if not is_ansi and (base.color is None or base.bgcolor is None):
        raise ConfigError("styles.text must give a colour and a background")
    styles = {name: _style(name, value, is_ansi=is_ansi) for name, value in values.items()}
    overlays = {"cursor", "cursor_blurred"}
    whole = {name: style if name in overlays else base + style for name, style in styles.items()}
    whole.setdefault("mark", whole["warn"] + Style(underline=True))
    whole.setdefault("cursor_blurred", Style(bold=True))
    whole.setdefault("input", whole["title"])
    return whole


def _style(name: str, value: object, *, is_ansi: bool) -> Style:
    """Parse one style; only colours and attributes, since a style could otherwise carry a link."""
    if not isinstance(value, str):
        raise ConfigError(f"styles.{name} must be text")
    for word in value.split():
        if word not in _ATTRIBUTES:
            _check_color(name, word, is_ansi=is_ansi)
    try:
        return Style.parse(value)
    except StyleSyntaxError as error:
        raise ConfigError(f"styles.{name}: {error}") from error


def _check_color(name: str, word: str, *, is_ansi: bool) -> None:
    try:
        color = Color.parse(word)
    except ColorParseError as error:
        raise ConfigError(f"styles.{name}: {word!r} is neither a colour nor an attribute") from error
    if is_ansi and (color.number is None or color.number >= 16):
        raise ConfigError(f"styles.{name}: {word!r} is not one of the terminal's 16 colours")
    if not is_ansi and color.triplet is None:
        raise ConfigError(f"styles.{name}: write {word!r} as #rrggbb, so that it looks the same everywhere")
