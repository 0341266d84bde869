"""A number that is old never looks live."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states
from zconsole.analysis.findings.all_findings import in_order
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, Reading
from zconsole.views.findings import finding_list_and_detail
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.pools import pool_list
from zconsole.views.pools.pool_columns import columns

T = states.TICKS


def view(state: HostState) -> View:
    return View((HostView(state),), states.NOW, T)


def with_io_at(at: float) -> HostState:
    return states.host("nas", states.pool_state(states.tank(), io_at=at))


@pytest.mark.parametrize(
    ("expected", "age_s"), [("live", 0.5), ("live", 2.9), ("I/O 3s old", 3.1), ("I/O 1m02s old", 62)]
)
def test_after_two_missed_samples_the_age_is_shown(expected: str, age_s: float) -> None:
    assert expected == plain(pool_list.page(view(with_io_at(T - age_s))).fresh)


def test_a_status_that_is_old_says_so() -> None:
    pool = states.pool_state(states.tank(), pool=Reading(states.tank(), T - 40))

    assert "status 40s old" == plain(pool_list.page(view(states.host("nas", pool))).fresh)


def test_what_a_lost_host_last_said_is_old_and_dim_and_its_traffic_is_gone() -> None:
    state = replace(with_io_at(T - 1), link=LinkStatus(LinkState.DOWN, "gone"))

    page = pool_list.page(view(state))

    assert "1s old" == plain(page.fresh)
    assert "read" not in plain(page.numbers)
    row = page.table.rows[0]
    assert "dim" == row.cells[[column.id for column in page.table.columns].index("read")].style


def test_unknown_is_a_dot_never_a_zero() -> None:
    bare = replace(
        states.tank(), usable_used_bytes=None, fragmentation_percent=None, error_count=None, scan=None
    )
    pool = states.pool_state(bare, samples=(), io_at=None)

    row = pool_list.page(view(states.host("nas", pool))).table.rows[0]

    shown = dict(zip([column.id for column in columns()], row.cells, strict=True))
    assert "·" == shown["used"].text == shown["frag"].text == shown["errors"].text == shown["read"].text
    assert "0" not in {cell.text for cell in row.cells}


def degraded(*found: Finding) -> View:
    host = HostView(states.host("nas", states.pool_state(states.bulk())), tuple(found))
    return View((host,), states.NOW, T)


FAULTED = Finding(
    "vdev-faulted", Severity.WARNING, "bulk", "ata-ST4000-1V4_ZC13A0R7 is FAULTED (too many errors)",
    {"pool": "bulk", "vdev": "ata-ST4000-1V4_ZC13A0R7"}, disk="bulk/1",
)  # fmt: skip
DEGRADED = Finding(
    "pool-degraded", Severity.WARNING, "bulk", "DEGRADED for 8h: ata-ST4000-1V4_ZC13A0R7 FAULTED",
    {"pool": "bulk", "causes": ("ata-ST4000-1V4_ZC13A0R7 FAULTED",)},
)  # fmt: skip


def test_now_names_the_failed_disk_by_its_serial_number_and_once() -> None:
    row = pool_list.page(degraded(DEGRADED, FAULTED)).table.rows[0]

    assert "ZC13A0R7 FAULTED, 2 data errors" == row.cells[-1].text


def test_now_says_in_a_word_that_a_disk_was_taken_offline() -> None:
    taken = "ata-ST4000-1V4_ZC13A0R7 taken OFFLINE by an administrator"
    offline = replace(DEGRADED, evidence={"pool": "bulk", "causes": (taken,)})

    assert "ZC13A0R7 OFFLINE, 2 data errors" == pool_list.page(degraded(offline)).table.rows[0].cells[-1].text


@pytest.mark.parametrize(("expected", "count"), [(" · 2 guests paused · ", 2), (" · 1 guest paused · ", 1)])
def test_the_second_line_counts_the_guests_that_an_io_error_has_paused(expected: str, count: int) -> None:
    paused = Finding("guest-paused-io-error", Severity.CRITICAL, "tank", "paused", {"pool": "tank"})
    other = Finding("space-pool-full", Severity.CRITICAL, "tank", "full", {"pool": "tank"})
    state = states.host("nas", states.pool_state(states.tank()))
    page = pool_list.page(View((HostView(state, (other, *[paused] * count)),), states.NOW, T))

    assert expected in plain(page.numbers)
    assert "bad" in {span.style for span in page.numbers if "paused" in span.text}
    assert "paused" not in plain(pool_list.page(View((HostView(state, (other,)),), states.NOW, T)).numbers)


def test_the_first_line_names_disks_by_their_serial_numbers() -> None:
    answer = plain(pool_list.page(degraded(FAULTED)).answer)

    assert "nas · 1 pool · bulk: ZC13A0R7 is FAULTED (too many errors)" == answer


def test_the_details_of_a_pool_tell_a_failed_disk_once() -> None:
    notes = pool_list.notes(degraded(DEGRADED, FAULTED), pool_list.key_of("nas", "bulk"))

    assert ["▲ bulk: ZC13A0R7 is FAULTED (too many errors)"] == [plain(each) for each in notes]


@pytest.mark.parametrize(("first", "is_advice"), [("bulk", True), ("tank", False)])
def test_advice_moves_no_row(first: str, *, is_advice: bool) -> None:
    state = states.host("nas", states.pool_state(states.bulk()), states.pool_state(states.tank()))
    found = Finding("x", Severity.INFO, "tank", "x", {"pool": "tank"}, is_advice=is_advice)

    rows = pool_list.page(View((HostView(state, (found,)),), states.NOW, T)).table.rows

    assert pool_list.key_of("nas", first) == rows[0].key


def test_pools_of_an_earlier_console_are_dim_and_say_how_old_they_are() -> None:
    pool = states.pool_state(states.tank(), samples=(), io_at=None, pool=Reading(states.tank(), T - 7200))
    known = replace(
        states.host("nas", pool),
        link=LinkStatus(LinkState.CONNECTING),
        pools_at=None,
        recalled_at=states.NOW - 7200,
    )

    page = pool_list.page(view(known))

    assert "last known 2h ago" == plain(page.fresh)
    assert "nothing to report" not in plain(page.answer)
    (row,) = page.table.rows
    drawn = {column.id: cell for column, cell in zip(page.table.columns, row.cells, strict=True)}
    assert ("ONLINE", "dim") == (drawn["state"].text, drawn["state"].style)
    assert "dim" == drawn["pool"].style
    (told,) = pool_list.notes(view(known), row.key)
    assert "The pools of nas as they were 2h ago; it has not answered since." == plain(told)


def test_where_hosts_are_lost_it_is_not_said_that_there_is_nothing_to_report() -> None:
    lost = replace(with_io_at(T - 1), link=LinkStatus(LinkState.DOWN, "gone"))
    both = View((HostView(lost), HostView(with_io_at(T - 0.5))), states.NOW, T)

    assert "2 hosts · 1 down" == plain(pool_list.page(both).answer)
    assert "nothing to report" not in plain(pool_list.page(view(lost)).answer)


def test_a_failed_disk_comes_before_a_slow_one_in_heading_and_list_whatever_pool_was_judged_first() -> None:
    state = states.host("nas", states.pool_state(states.bulk()), states.pool_state(states.tank()))
    slow = Finding("disk-slow", Severity.WARNING, "bulk sda", "sda is slow", {"pool": "bulk"})
    failed = Finding("device-faulted", Severity.WARNING, "tank sdb", "sdb is FAULTED", {"pool": "tank"})
    shown = View((HostView(state, in_order((slow, failed))),), states.NOW, T)

    page = pool_list.page(shown)

    assert "tank: sdb is FAULTED" in plain(page.answer)
    assert ["nas\0tank", "nas\0bulk"] == [row.key for row in page.table.rows]
    findings = finding_list_and_detail.page(shown).table.rows
    assert ["device-faulted", "disk-slow"] == [row.key.split("\0")[1] for row in findings]
