"""The command line knows snapshots, themes and a silence, and begins with pools and disks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.command import CommandList

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.actions.intent import TargetKind
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.host_state import HostState, Reading
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.command_line.named_place import NamedPlace
from zconsole.ui.command_line.names_on_demand import findings_under_cursor, snapshots, suggested
from zconsole.ui.command_line.places_and_actions import best_places
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

SIZE = (120, 30)
NAMES = ("tank/home/anna", "tank/home/anna@daily-1", "tank/home/anna@daily-2", "tank/vm@daily-1")


def with_snapshots() -> HostState:
    """A host of which the datasets of one pool were listed."""
    state = states.healthy()
    listed = tuple(
        Dataset(name, "snapshot" if "@" in name else "filesystem", createtxg=at, guid=at)
        for at, name in enumerate(NAMES, start=1)
    )
    first, *others = state.pools
    return replace(state, pools=(replace(first, datasets=Reading(listed, states.TICKS)), *others))


def prompts(app: ZConsoleApp) -> list[str]:
    """The lines of the command line."""
    found = app.screen.query_one(CommandList)
    return [str(found.get_option_at_index(at).prompt) for at in range(found.option_count)]


@pytest.mark.parametrize(
    ("expected", "query"),
    [
        (["tank/home/anna@daily-2", "tank/home/anna@daily-1"], "tank/home/anna@"),
        (["tank/home/anna@daily-2", "tank/home/anna@daily-1"], "ANNA@"),
        (["tank/vm@daily-1"], "destroy tank/vm@dai"),
        (["tank/vm@daily-1", "tank/home/anna@daily-1"], "@daily-1"),
        ([], "anna"),
        ([], ""),
    ],
)
async def test_snapshots_are_found_by_their_dataset_and_name(expected: list[str], query: str) -> None:
    app = make_app(with_snapshots())
    async with app.run_test(size=SIZE):
        found = list(snapshots(app, query))

    assert expected == [each.name for each in found]
    assert {TargetKind.SNAPSHOT} >= {each.target.kind for each in found if each.target is not None}


async def test_enter_on_a_snapshot_goes_there() -> None:
    app = make_app(with_snapshots())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"anna@daily-2", "enter")
        await pilot.pause()

        assert isinstance(app.screen, DatasetsScreen)
        assert "tank/home/anna@daily-2" == app.screen.full_name()


async def test_a_theme_is_applied_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"theme light", "enter")
        await pilot.pause()

        assert "light" == app.paint.theme.name
        assert "theme light is kept in" in frame(app)
    assert 'theme = "light"\n' == (tmp_path / "zconsole" / "config.toml").read_text()


async def test_what_is_under_the_cursor_can_be_silenced() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ConsoleScreen)
        found = findings_under_cursor(screen)
        assert found is not None
        pools = {each.evidence.get("pool") for each in found[1]}
        assert {screen.subject()[1]} == pools
        await pilot.press("colon", *"silence", "enter")
        await pilot.pause()

        assert isinstance(app.screen, MenuDialog)
        assert "Silence" in frame(app)


async def test_without_findings_nothing_can_be_silenced() -> None:
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"silence")
        await pilot.pause()

        assert not any(each.startswith("silence ") for each in prompts(app))


async def test_an_empty_line_begins_with_pools_and_disks() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon")
        await pilot.pause()
        shown = prompts(app)

    kinds = [each.split()[0] for each in shown]
    assert ["pool"] * kinds.count("pool") + ["disk"] * kinds.count("disk") == [
        each for each in kinds if each in {"pool", "disk"}
    ]
    assert "pool" == kinds[0]
    assert "disk" in kinds
    assert any("(" in each for each in shown[kinds.count("pool") + kinds.count("disk") :]), "then the keys"


def test_those_in_trouble_are_suggested_first() -> None:
    known = tuple(NamedPlace(kind, name, lambda: None) for kind in ("disk", "pool", "host") for name in "abc")

    names = [f"{each.kind} {each.name}" for each in suggested(known, frozenset("c"))]

    assert ["pool c", "pool a", "pool b", "disk c", "disk a", "disk b"] == names


def test_a_theme_is_found_with_its_kind() -> None:
    known = [NamedPlace("theme", "light", lambda: None), NamedPlace("screen", "themes", lambda: None)]

    assert ["light"] == [each.name for each, _ in best_places(known, "theme light")]
