"""The list of pools: the worst on top, the filter, what changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from tests.ui import states, watched
from tests.ui.frames import frame, make_app, source_of
from tests.ui.typists import one_by_one
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.slow_disk_evidence import WhyScreen

SIZE = (80, 24)


def _listed(shown: str) -> list[str]:
    """Names of the pools in the rows of the list, without what is said of them elsewhere on the screen."""
    rows = (line.split() for line in shown.splitlines())
    return [words[0] for words in rows if words[1:2] in (["ONLINE"], ["DEGRADED"])]


def _below(shown: str, section: str) -> set[str]:
    """Names of the pools that a section has lines of."""
    lines = shown.partition(section)[2].partition("\n ── ")[0].splitlines()[1:]
    return {line.split()[0] for line in lines if line.startswith((" bulk ", " tank ", " vault "))}


async def test_the_pool_under_the_cursor_is_opened() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "enter")

        assert frame(app).startswith(" storage1 · vault ONLINE")


async def test_the_worst_is_on_top_and_the_cursor_stands_on_it() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert "bulk" in frame(app).split("\n")[3]
        assert "no redundancy left" in frame(app).split("\n")[0]


async def test_a_filter_works_while_it_is_typed_and_escape_clears_it() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"vau")
        assert ["vault"] == _listed(frame(app))

        await pilot.press("enter")
        assert "1 of 3, Esc clears" in frame(app)

        await pilot.press("escape")
        assert ["bulk", "vault", "tank"] == _listed(frame(app))


async def test_keys_typed_into_the_filter_are_letters_not_commands() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", "q", "f", "e")

        assert PoolsScreen is type(app.screen)
        assert not app._exit


async def test_a_host_is_called_what_the_configuration_calls_it() -> None:
    config = Config(hosts=(HostConfig("storage1", "root@10.0.0.7", label="Rack 4", is_production=True),))
    app = make_app(states.healthy(), config=config)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert frame(app).startswith(" Rack 4 PRODUCTION · 1 pool")


SIZE = (80, 24)


async def test_the_first_screen_says_how_many() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert "1 slow disk ▲" in frame(app)


SIZE: Final = (80, 24)


def only(state: HostState, *names: str) -> HostState:
    """The same host with these pools."""
    pools = tuple(pool for pool in state.pools if pool.name in names)
    return replace(state, pools=pools, revision=state.revision + 1)


async def test_an_untouched_cursor_goes_with_its_pool_when_another_has_trouble() -> None:
    app = make_app(only(states.degraded(), "tank"))
    source = source_of(app)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        stood_on = app.front().rows.key  # type: ignore[union-attr]
        source.replace(states.degraded(), now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()

        assert "storage1\0tank" == stood_on
        assert app.front().rows.cursor > 0  # type: ignore[union-attr]
        assert stood_on == app.front().rows.key  # type: ignore[union-attr]


async def test_an_untouched_cursor_stands_on_the_worst_pool_once_all_were_read() -> None:
    """What is the matter with a pool comes after its name: until then the order of the rows means nothing."""
    state = states.degraded()
    named = replace(state, pools=tuple(PoolState(each.name, each.kstat_state) for each in state.pools))
    one_read = replace(named, pools=(*state.pools[:1], *named.pools[1:]), revision=state.revision + 1)
    app = make_app(named)
    source = source_of(app)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        source.replace(one_read, now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()
        source.replace(
            replace(state, revision=state.revision + 2), now=states.NOW + 2, monotonic=states.TICKS + 2
        )
        await pilot.pause()
        rows = app.front().rows  # type: ignore[union-attr]

        assert 0 < [each.name for each in state.pools].index((rows.key or "").partition("\0")[2])
        assert rows.cursor == rows._selectable(0, 1)


async def test_no_key_is_for_the_row_that_took_the_place_of_another() -> None:
    app = make_app(states.degraded())
    source = source_of(app)

    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.pause()
        rows = app.front().rows  # type: ignore[union-attr]
        gone = (rows.key or "").partition("\0")[2]
        left = tuple(pool.name for pool in states.degraded().pools if pool.name != gone)
        source.replace(only(states.degraded(), *left), now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()
        assert f"{gone} is not in the list any more" in frame(app)

        await one_by_one(pilot, "a")
        assert isinstance(app.screen, PoolsScreen)
        await one_by_one(pilot, "a")
        assert isinstance(app.screen, MenuDialog)


async def test_details_are_told_in_full_where_the_list_leaves_rows_free() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()

        shown = frame(app)
        assert "14 read and 210 write errors" in shown.replace("\n", "")
        assert "resilver 41%, about 5h40m left" in shown
        assert "…" not in shown.split("─" * 80)[1]


async def test_details_are_cut_where_the_list_needs_its_rows() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()

        assert "…" in frame(app).split("─" * 80)[1]


async def test_a_disk_of_the_wall_is_chosen_and_opened_with_three_keys() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=(118, 30)) as pilot:
        await pilot.press("right", "right", "right")
        assert "mirror-1 ▸▲▅" in frame(app)
        assert "ata-ST8000NM000A-2KE101_ZL2F0C44 · ONLINE · mirror-1" in frame(app)

        await pilot.press("enter")

        assert isinstance(app.screen, PoolScreen)
        assert "data/1/0" == app.screen.rows.key


async def test_the_wall_goes_round_and_leaves_the_choice_to_each_pool() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(118, 40)) as pilot:
        await pilot.press("left")
        assert "raidz2-0 ✗◆▲▅▅▅▸▅" in frame(app)

        await pilot.press("down")
        assert "WCC4E" not in frame(app)

        await pilot.press("right")
        assert "mirror-0 ▸▅▅" in frame(app)
        assert "▸▅\n" not in frame(app)


async def test_of_rows_that_match_a_filter_the_graphs_and_the_wall_stay() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(118, 40)) as pilot:
        assert {"bulk", "tank", "vault"} == _below(frame(app), "── load") == _below(frame(app), "── disks")

        await pilot.press("slash", *"tank")
        assert {"tank"} == _below(frame(app), "── load") == _below(frame(app), "── disks")
        await pilot.press("enter")
        assert "filter tank 1 of 3" in frame(app)

        await pilot.press("escape")
        assert {"bulk", "tank", "vault"} == _below(frame(app), "── disks")


async def test_a_filter_without_a_match_leaves_no_section() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(118, 40)) as pilot:
        await pilot.press("slash", *"anna")

        assert "── " not in frame(app)
        assert "0 of 3" in frame(app)


@pytest.mark.parametrize(
    ("expected", "keys"),
    [
        (["bulk", "vault", "tank"], ()),
        (["bulk", "tank", "vault"], ("o",)),
        (["vault", "tank", "bulk"], ("o", "O")),
    ],
)
async def test_the_sections_follow_the_order_of_the_pools(expected: list[str], keys: tuple[str, ...]) -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        shown = frame(app)

    assert expected == _listed(shown)
    for section in ("── load", "── disks"):
        below = shown.partition(section)[2].splitlines()[1:]
        begins = [each.split()[0] for each in below if each.startswith((" bulk ", " tank ", " vault "))]
        assert expected == begins[:3], section


async def test_after_a_filter_without_a_match_the_cursor_is_where_it_was() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "down", "slash", *"anna", "enter", "n")
        assert "no row matches the filter" in frame(app)
        await pilot.press("escape")

        assert "no row matches" not in frame(app)
        assert "storage1\0tank" == app.front().rows.key  # type: ignore[union-attr]


async def test_hosts_without_trouble_fold_where_rows_are_few_and_enter_unfolds_one() -> None:
    hosts = [replace(states.healthy(), host=f"nas{at:02}") for at in range(20)]
    app = make_app(states.degraded(), *hosts)

    async with app.run_test(size=SIZE) as pilot:
        shown = frame(app)
        assert "DEGRADED" in shown
        assert "▸ nas00    ONLINE      ███████░░░│░  61%" in shown
        assert ["storage1", "bulk", "vault", "tank"] == _listed(shown)

        await pilot.press("down", "down", "down", "down", "enter")

        assert "▸ nas00" not in frame(app)
        assert "▸ nas01" in frame(app)

        await pilot.press("slash", *"nas07")
        assert ["tank"] == _listed(frame(app))


def _in_groups(count: int) -> tuple[list[HostState], Config]:
    """Hosts in three groups of the configuration, two of them in trouble."""
    hosts = [replace(states.healthy(), host=f"nas{at:02}") for at in range(count)]
    hosts += [replace(states.degraded(), host="storage7"), replace(states.down(), host="storage9")]
    groups = [HostConfig(each.host, each.host, group=f"rack {at % 3}") for at, each in enumerate(hosts)]
    return hosts, Config(hosts=tuple(groups))


async def test_of_many_hosts_each_group_in_trouble_shows_it_and_one_row_of_the_others() -> None:
    hosts, config = _in_groups(60)
    app = make_app(*hosts, config=config)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        rows = [each.split() for each in frame(app).splitlines()[3:10]]

        assert ["rack", "0", "DEGRADED", "✗"] == rows[0][:4]
        assert ["▸", "storage7", "DEGRADED", "✗"] == rows[1][:4]
        assert ["▸", "20", "quiet", "ONLINE"] == rows[2][:4]
        assert ["rack", "1", "1", "down", "✗"] == rows[3][:5]
        assert ["storage9", "·", "DOWN", "✗"] == rows[4][:4]
        assert ["▸", "rack", "2", "ONLINE"] == rows[6][:4]

        await pilot.press("down", "down", "enter")
        assert "▸ nas00" in frame(app)
        await pilot.press("home", "enter")
        assert "▸ nas00" not in frame(app)


async def test_a_group_of_which_all_hosts_are_down_is_one_row_that_names_them() -> None:
    lost = [replace(states.down(), host=f"nas{at:02}") for at in range(40)]
    config = Config(hosts=tuple(HostConfig(each.host, each.host, group="attic") for each in lost))
    app = make_app(*lost, states.degraded(), config=config)

    async with app.run_test(size=(120, 35)) as pilot:
        await pilot.pause()
        shown = frame(app)
        assert "▸ attic" in shown
        assert "40 down ✗" in shown
        assert "40 hosts down: nas00, nas01" in shown
        assert "nas00  " not in shown

        await pilot.press("enter")
        assert "nas00" in frame(app)
        assert "▸ attic" not in frame(app)
        await pilot.press("enter")
        assert "▸ attic" in frame(app)


async def test_the_hosts_of_a_group_that_are_down_are_one_row() -> None:
    hosts, _ = _in_groups(60)
    hosts = [*hosts, *(replace(states.down(), host=f"lost{at}") for at in range(8))]
    groups = (HostConfig(each.host, each.host, group=f"rack {at % 3}") for at, each in enumerate(hosts))
    app = make_app(*hosts, config=Config(hosts=tuple(groups)))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        rows = [each.split()[:3] for each in frame(app).splitlines()]

        assert ["▸", "3", "down"] in rows
        assert ["▸", "20", "quiet"] in rows


@pytest.mark.parametrize(("rows", "size"), [(3, (40, 8)), (3, (60, 15))])
async def test_on_a_small_terminal_the_rows_have_the_room(rows: int, size: tuple[int, int]) -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=size) as pilot:
        await pilot.pause()

        assert rows == len(_listed(frame(app)))
        assert "no redundancy left" in frame(app).splitlines()[0]


async def test_a_host_in_the_list_has_the_space_of_its_pools() -> None:
    app = make_app(states.degraded(), replace(states.healthy(), host="nas"))

    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        row = next(each for each in frame(app).splitlines()[3:] if each.startswith(" storage1 "))

        assert "│" in row
        assert ["63%", "47.0", "TiB"] == row.split("░ ")[-1].split()[:3]


@pytest.mark.parametrize(("is_there", "keys"), [(True, ()), (False, ("down",))])
async def test_the_evidence_is_in_the_footer_where_the_row_has_a_slow_disk(
    is_there: bool, keys: tuple[str, ...]
) -> None:
    slow, others = watched.slow(), states.degraded()
    app = make_app(replace(slow, pools=(*slow.pools[:1], others.pools[2])))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)
        await pilot.pause()

        assert is_there == ("w why slow" in frame(app).splitlines()[-1])


async def test_w_opens_the_evidence_for_the_slow_disk_of_the_pool_under_the_cursor() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        await pilot.pause()

        assert isinstance(app.screen, WhyScreen)
        assert watched.SLOW_DISK in " ".join(frame(app).split())


async def test_w_on_a_pool_without_a_slow_disk_says_so_and_stays() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        await pilot.pause()

        assert isinstance(app.screen, PoolsScreen)
        assert "no disk of this pool is known to be slow" in frame(app)


@pytest.mark.parametrize(("key", "words"), [("w", "that was read"), ("F", "no pool under the cursor")])
async def test_keys_about_a_pool_say_where_there_is_none(key: str, words: str) -> None:
    app = make_app(states.empty())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key)
        await pilot.pause()

        assert isinstance(app.screen, PoolsScreen)
        assert words in frame(app)


@pytest.mark.parametrize("host", ["nas02", "nas04", "storage7"])
async def test_a_host_that_is_gone_to_is_shown_though_its_group_is_folded(host: str) -> None:
    hosts, config = _in_groups(60)
    app = make_app(*hosts, config=config)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "enter")  # the group of storage7
        await pilot.press("slash", *"rack 9", "enter")
        app.to_first_screen(host)
        await pilot.pause()

        assert host in frame(app)
        assert (app.front().rows.key or "").startswith(host)  # type: ignore[union-attr]


async def test_a_group_has_no_actions_and_says_so() -> None:
    hosts, config = _in_groups(60)
    app = make_app(*hosts, config=config)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "a")
        await pilot.pause()

        assert "there is no host under the cursor" in frame(app)
