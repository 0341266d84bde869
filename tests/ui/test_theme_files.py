"""Themes can be read, and what is broken is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color
from rich.style import Style

from tests.ui.terminal_palettes import BLACK, LINUX, TANGO, WHITE, XTERM, Palette, Rgb
from zconsole.base.errors import ConfigError
from zconsole.base.user_config_file import COLOURS
from zconsole.ui.theme_files import HOST_STYLE, STYLES, Themes, packaged_folder, parse_theme

ENOUGH = 4.5  # WCAG AA for text
COLOURED = [name for name, theme in Themes().usable.items() if not theme.is_ansi]
SIXTEEN = {
    "xterm": ("ansi", XTERM, BLACK, XTERM.colours[7]),
    "Linux console": ("ansi", LINUX, BLACK, LINUX.colours[7]),
    "white xterm": ("ansi-light", XTERM, WHITE, BLACK),
    "light Tango": ("ansi-light", TANGO, WHITE, BLACK),
}
DARK = (packaged_folder() / "dark.toml").read_text()


def test_all_themes_that_come_with_the_program_are_usable() -> None:
    themes = Themes()

    assert () == themes.broken
    assert {"dark", "light", "high-contrast", "colour-blind", "ansi", "ansi-light"} == set(themes.usable)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", COLOURED)
def test_every_style_can_be_read_also_under_the_cursor(name: str, style: str) -> None:
    theme = Themes().usable[name]
    look = theme.style("text") + theme.style(style) if style.startswith("cursor") else theme.style(style)

    assert contrast(look) >= ENOUGH
    assert contrast(look + theme.style("cursor")) >= ENOUGH


@pytest.mark.parametrize("name", COLOURED)
def test_what_is_bad_looks_other_than_what_is_well(name: str) -> None:
    theme = Themes().usable[name]

    assert 5 == len({theme.style(style) for style in ("text", "ok", "warn", "bad", "info")})


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("case", SIXTEEN)
def test_sixteen_colours_can_be_read_on_the_background_that_they_are_for(case: str, style: str) -> None:
    theme, palette, background, foreground = SIXTEEN[case]
    look = Themes().usable[theme].style("text") + Themes().usable[theme].style(style)

    assert contrast(as_shown(look, palette, foreground, background)) >= ENOUGH


def as_shown(style: Style, palette: Palette, foreground: Rgb, background: Rgb) -> Style:
    """A style in the colours of a terminal; how dim text is drawn is the terminal's choice."""
    color = foreground
    if style.color is not None and style.color.number is not None:
        is_bright = style.color.number < 8 and bool(style.bold) and palette.is_bold_bright
        color = palette.colours[style.color.number + (8 if is_bright else 0)]
    assert style.bgcolor is None or style.bgcolor.is_default
    return Style(color=Color.from_rgb(*color), bgcolor=Color.from_rgb(*background))


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("name", COLOURED)
def test_the_colour_of_a_host_can_be_read_in_every_theme(name: str, colour: str) -> None:
    theme = Themes().usable[name]
    look = theme.style("text") + theme.style(f"{HOST_STYLE}{colour}")

    assert contrast(look) >= ENOUGH
    assert contrast(look + theme.style("cursor")) >= ENOUGH


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("not valid TOML", "styles = ["),
        ("there is no table [styles]", 'title = "x"'),
        ("unknown key: colour", f'colour = "x"\n{DARK}'),
        ("unknown style: blink", f'{DARK}\nblink = "#ffffff"'),
        (
            "styles are missing: bad",
            "\n".join(each for each in DARK.split("\n") if not each.startswith("bad")),
        ),
        (
            "'link' is neither a colour nor an attribute",
            DARK.replace('ok = "#7ee787"', 'ok = "link http://x"'),
        ),
        ("must be text", DARK.replace('ok = "#7ee787"', "ok = 7")),
        ("as #rrggbb", DARK.replace('ok = "#7ee787"', 'ok = "green"')),
        ("must give a colour and a background", DARK.replace(" on #0f1419", "", 1)),
        ("dark must be true or false", DARK.replace("dark = true", 'dark = "yes"')),
    ],
)
def test_a_broken_theme_says_what_is_wrong(reason: str, text: str) -> None:
    with pytest.raises(ConfigError, match=_literal(reason)):
        parse_theme("mine", text)


def _literal(words: str) -> str:
    return words.replace("[", r"\[").replace("]", r"\]")


def test_a_users_theme_is_found_and_a_broken_one_is_skipped_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(DARK.replace('"Dark"', '"Mine"'))
    (tmp_path / "broken.toml").write_text("nonsense")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")

    themes = Themes(tmp_path)

    assert "Mine" == themes.usable["mine"].title
    assert ["binary.toml", "broken.toml"] == [broken.path.name for broken in themes.broken]
    assert "dark" in themes.usable


def test_a_users_theme_of_a_known_name_wins(tmp_path: Path) -> None:
    (tmp_path / "dark.toml").write_text(DARK.replace('"Dark"', '"My dark"'))

    assert "My dark" == Themes(tmp_path).get("dark").title


def test_an_unknown_name_gives_the_default() -> None:
    assert "dark" == Themes().get("no such theme").name


def test_no_folder_is_no_problem(tmp_path: Path) -> None:
    assert () == Themes(tmp_path / "nowhere").broken


def contrast(style: Style) -> float:
    """WCAG contrast ratio between a style's text and its background, 1 to 21."""
    if style.color is None or style.bgcolor is None:
        raise ValueError("a contrast needs both colours")
    lighter, darker = sorted((_luminance(style.color), _luminance(style.bgcolor)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: Color) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    triplet = color.get_truecolor()
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (component / 255 for component in triplet)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
