"""One count of advice: every screen and command has the same number of points at one moment of a host."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from tests.cli.fakes import Screen
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.user_config_file import Config
from zconsole.cli import run
from zconsole.cli.commands.state.advise import read_for_advice
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, ask_each, open_hosts
from zconsole.cli.readings_for_findings import kept_samples
from zconsole.cli.selected_hosts import HostSelection
from zconsole.model.host.host_state import HostState
from zconsole.reports.json.advice import advice_document
from zconsole.reports.monitoring_check import check_host
from zconsole.reports.text.advice import advice_report
from zconsole.reports.text.status import status_lines
from zconsole.views.findings import advice_page, finding_list_and_detail
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import plain
from zconsole.views.overview.sections_below_pools import Room, sections
from zconsole.views.pools import pool_list, pool_page
from zconsole.views.pools.pool_page import VdevHistory
from zconsole.views.pools.vdev_columns import IO

POINTS = re.compile(r"(\d+) points? of advice")
DEMO = HostSelection(is_demo=True)


@pytest.fixture(scope="module")
def view() -> View:
    """The practice host with all that advice is judged by."""
    config = Config()
    (place,) = open_hosts(DEMO, config, within_s=TIMEOUT_S)

    async def read() -> HostState:
        (state,) = await ask_each(
            (place,),
            lambda each: read_for_advice(each, kept_samples(DEMO), config, within_s=TIMEOUT_S),
            TIMEOUT_S,
        )
        assert isinstance(state, HostState)
        return state

    state, now = asyncio.run(read()), place.clock.now()
    return View((HostView(state, findings(state, now, config.thresholds)),), now, place.clock.monotonic())


def counted(text: str) -> int:
    """The points of advice that a text tells."""
    (told,) = POINTS.findall(text)
    return int(told)


def first_line(page: Page) -> str:
    return plain(page.answer)


def shown(view: View) -> dict[str, int]:
    """The number that each screen, command and document has."""
    (host,) = view.hosts
    state, found = host.state, host.findings
    advised = advice_page.page(view)
    rows = finding_list_and_detail.page(view).table.rows
    heading = next(at for at, row in enumerate(rows) if row.key == "advice")
    below = sections(view, (), Room(160, 50))
    return {
        "screen Advice": counted(first_line(advised)),
        "rows of Advice": sum(1 for row in advised.table.rows if row.is_selectable),
        "screen Findings": counted(first_line(finding_list_and_detail.page(view))),
        "rows of Findings": len(rows) - heading - 1,
        "screen Pools": counted("\n".join(plain(row.line) for row in below if row.line is not None)),
        "advise": counted(next(iter(advice_report(state, found, (), ())))),
        "advise --json": int(str(advice_document(state, found, ())["points"])),
        "status": counted(next(iter(status_lines(state, found, view.now)))),
        "lines of status": sum(line.startswith("Advice: ") for line in status_lines(state, found, view.now)),
        "check": counted(check_host(state, found).summary),
    }


def test_every_screen_and_command_counts_alike(view: View) -> None:
    told = shown(view)

    assert told == dict.fromkeys(told, told["advise"])
    assert told["advise"] > 3


def test_a_point_on_several_objects_is_one(view: View) -> None:
    """Without such a point the numbers would be equal however they are counted."""
    (host,) = view.hosts

    assert sum(each.is_advice for each in host.findings) > shown(view)["advise"]


def test_pools_and_host_have_together_what_the_host_has(view: View) -> None:
    (host,) = view.hosts
    sound = View(
        (HostView(host.state, tuple(each for each in host.findings if each.is_advice)),), view.now, 0
    )
    pages = [
        pool_page.page(about, sound, IO, VdevHistory())
        for pool in host.state.pools
        if (about := pool_page.subject(sound, host.state.host, pool.name)) is not None
    ]

    of_pools = [counted(text) for page in pages if POINTS.search(text := first_line(page))]
    assert shown(view)["advise"] == sum(of_pools)
    assert f"nothing wrong, {sum(of_pools)} points of advice" in first_line(pool_list.page(sound))


def test_a_command_that_reads_less_says_so_and_never_tells_more(capsys: Screen) -> None:
    assert 1 == run(["advise", "--demo", "--json"])
    whole = json.loads(capsys.readouterr().out)
    for name in ("status", "check"):
        run([name, "--demo"])
        first = capsys.readouterr().out.partition("\n")[0]
        assert "at least " in first
        assert "(zconsole advise --demo reads more)" in first
        assert 0 < counted(first) <= whole["points"]
    run(["status", "--demo", "--json"])
    told = {(each["id"], each["subject"]) for each in json.loads(capsys.readouterr().out)["findings"]}
    every = {(each["id"], each["subject"]) for each in whole["advice"]}
    assert {key for key in told if key[0] in {key[0] for key in every}} <= every
