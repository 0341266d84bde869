"""Guests, and what to do about findings, where a tall terminal has rows for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states, watched
from tests.ui.frames import frame, make_app
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.click_targets import target_at
from zconsole.views.layout.styled_text import line_width, plain
from zconsole.views.overview.guests_and_what_to_do import NARROWEST, guest_lines, read_at, to_do
from zconsole.views.repair.remedy_of_finding import remedies


def view_of(*hosts: HostState) -> View:
    views = tuple(HostView(each, findings(each, states.NOW, Thresholds())) for each in hosts)
    return View(views, states.NOW, states.TICKS)


def told(view: View) -> list[str]:
    return [plain(each.words) for each in to_do(view, lambda host: remedies(host.state, view.now))]


def test_what_to_do_is_what_the_repair_says_and_told_once() -> None:
    lines = told(view_of(states.degraded()))

    first = "✗ bulk raidz2-0: wait for the resilver (41%, about 5h40m left, 608 MiB/s)."
    assert lines[0].startswith(first)
    assert lines[-1].startswith("▲ vault: zpool scrub vault")
    words = [each.partition(": ")[2] for each in lines]
    assert len(set(words)) == len(words)


def test_reasons_have_the_meaning_and_the_known_numbers_and_lead_to_the_finding() -> None:
    view = view_of(watched.slow())

    (slow,) = (each for each in to_do(view, lambda host: remedies(host.state, view.now)) if each.reasons)

    reasons = [plain(each) for each in slow.reasons]
    assert any("ratio 5.36" in each for each in reasons)
    assert not any("unknown" in each for each in reasons)
    (finding,) = view.hosts[0].findings
    for each in (slow.words, *slow.reasons):
        target = target_at(each, 5)
        assert target is not None
        assert finding.id in target.finding


@pytest.mark.parametrize("cells", [NARROWEST, 160, 250])
def test_guests_are_those_read_last_and_the_time_is_told(cells: int) -> None:
    view = view_of(states.with_guests())

    lines = [plain(each) for each in guest_lines(view, cells, 3)]

    assert read_at(view)
    assert "db02" in lines[0]
    assert "paused by an I/O error" in lines[0]
    assert 3 == len(lines)
    assert all(line_width(each) <= cells for each in guest_lines(view, cells, 9))


def test_guests_that_nobody_has_read_are_not_told() -> None:
    view = view_of(states.degraded())

    assert "" == read_at(view)
    assert [] == list(guest_lines(view, 250, 9))


@pytest.mark.parametrize(("size", "most"), [((250, 70), 20), ((160, 50), 10)])
async def test_one_pool_uses_the_rows_of_a_tall_terminal(size: tuple[int, int], most: int) -> None:
    state = watched.slow_under_guests()
    app = make_app(replace(state, pools=tuple(each for each in state.pools if each.name == "tank")))

    async with app.run_test(size=size) as pilot:
        await pilot.pause()

        assert most > sum(not row.strip() for row in frame(app).splitlines())
