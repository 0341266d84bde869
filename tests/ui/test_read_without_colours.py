"""What a screen reader gets: lines from top to bottom, without colours."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from textual.strip import Strip

from tests.ui import states
from tests.ui.frames import UTF8, frame, make_app
from tests.ui.test_frames import SCREENS, SIZES, whole
from zconsole.base.user_config_file import Config
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.theme_files import Themes
from zconsole.views.layout.styled_text import BLOCKS

DARK = Themes().get("dark")
JUDGING = {style.color: name for name in ("bad", "warn") if (style := DARK.style(name)).color is not None}
DRAWN = frozenset(f"{BLOCKS}░▒▓ ·─│├└")  # bars and lines: what they say is in their height, place and length
CELL = re.compile(r"\S+(?: \S+)*")
SEVERITIES = ("critical", "warning", "info", "advice")


def strips(app: ZConsoleApp) -> list[Strip]:
    return app.screen._compositor.render_strips(app.screen.size)


def cells(strip: Strip) -> Iterator[tuple[str, frozenset[str]]]:
    """The texts of a line that two blanks set apart, with the judging styles of their characters."""
    styled = [
        (character, JUDGING.get(segment.style.color, "") if segment.style is not None else "")
        for segment in strip
        for character in segment.text
    ]
    for found in CELL.finditer("".join(character for character, _ in styled)):
        part = styled[found.start() : found.end()]
        looks = frozenset(style for character, style in part if character not in DRAWN)
        if looks:
            yield found[0], looks


@pytest.mark.slow(after=20)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCREENS)
async def test_the_same_words_are_judged_the_same_so_that_no_colour_says_it_alone(
    name: str, size: str
) -> None:
    hosts, keys = SCREENS[name]
    app = make_app(*(make() for make in hosts), config=Config(theme="dark"))

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await whole(pilot, app)
        judged: dict[str, set[frozenset[str]]] = {}
        for strip in strips(app):
            if (
                "ONLINE SLOW" in strip.text
            ):  # of its numbers those that are slow are coloured; the note names them
                continue
            for text, looks in cells(strip):
                judged.setdefault(text, set()).add(looks)

    assert {} == {text: looks for text, looks in judged.items() if len(looks) > 1}


@pytest.mark.slow(after=4)
@pytest.mark.parametrize(
    "name", sorted(SCREENS.keys() - {"themes"})
)  # without colours there are none to choose
async def test_without_colours_every_screen_has_the_same_words(name: str) -> None:
    hosts, keys = SCREENS[name]
    shown = []
    for environment in (UTF8, {**UTF8, "NO_COLOR": "1"}):
        app = make_app(*(make() for make in hosts), environment=environment)
        async with app.run_test(size=SIZES["80x24"]) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            await whole(pilot, app)
            shown.append(frame(app))

    assert shown[0] == shown[1]


async def lines_of(*keys: str) -> list[str]:
    """The lines of a screen of a host in trouble, from top to bottom."""
    app = make_app(states.degraded())
    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await whole(pilot, app)
        return frame(app).split("\n")


async def test_the_first_line_says_what_is_worst_and_pools_follow_worst_first() -> None:
    first, _, header, *rows = await lines_of()

    assert "bulk: no redundancy left in raidz2-0" in first
    assert ["POOL", "STATE"] == header.split()[:2]
    assert [["bulk", "DEGRADED"], ["vault", "ONLINE"], ["tank", "ONLINE"]] == [
        each.split()[:2] for each in rows[:3]
    ]
    assert "▲" in rows[1]
    assert "▲" not in rows[2]


async def test_findings_are_read_worst_first_and_each_begins_with_its_severity() -> None:
    first, *lines = await lines_of("f")
    header = next(number for number, line in enumerate(lines) if line.split()[:1] == ["SEVERITY"])
    found = [
        line.split()[0] for line in lines[header + 1 :] if line.split()[:1] and line.split()[0] in SEVERITIES
    ]

    assert first.index("critical") < first.index("warning") < first.index("info")
    assert 7 <= len(found)
    assert sorted(found, key=SEVERITIES.index) == found


async def test_disks_are_read_worst_first() -> None:
    app = make_app(states.with_disks())
    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press("d")
        await pilot.pause()
        _, _, _, *rows = frame(app).split("\n")

    assert ["✗", "▲"] == [rows[0].split()[4], rows[1].split()[4]]
    assert ["ok"] == list(dict.fromkeys(each.split()[4].rstrip(",") for each in rows[2:8]))


@pytest.mark.parametrize(
    ("keys", "pairs"),
    [
        (("d", "enter"), ("model ST12000NM0127", "serial ZL2F0A91", "size 8.00 TiB", "bay A09")),
        (("f", "enter"), ("pool bulk", "vdev raidz2-0", "survives now 0")),
        (("R",), ("1 triage done:", "2 identify not needed:", "6 resilver now:", "7 after-care next:")),
        (("comma",), ("Theme dark",)),
    ],
    ids=["disk", "finding", "repair", "settings"],
)
async def test_a_label_is_read_before_its_value(keys: tuple[str, ...], pairs: tuple[str, ...]) -> None:
    app = make_app(states.with_disks() if keys[0] == "d" else states.degraded(), config=Config(theme="dark"))
    async with app.run_test(size=SIZES["160x50"]) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await whole(pilot, app)
        read = [" ".join(line.split()) for line in frame(app).split("\n")]

    assert [] == [pair for pair in pairs if not any(pair in line for line in read)]
