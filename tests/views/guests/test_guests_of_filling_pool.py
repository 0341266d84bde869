"""What a pool that fills will do to guests: by name and with the date, on the Guests screen."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.model.finding import Finding, Severity
from zconsole.views.guests.guests_of_filling_pool import filling_pool_lines
from zconsole.views.layout.styled_text import plain

SOON = Finding("full-soon", Severity.INFO, "tank", "", {"pool": "tank", "likely": 1_803_859_200})
HIGH = Finding("capacity-warning", Severity.WARNING, "tank", "", {"pool": "tank", "used_percent": 84.6})
CACHED = on_volume("tank/vm/db01")
ZVOL = guest_on("db01", replace(CACHED, disk=replace(CACHED.disk, cache="writeback")))
IMAGE = guest_on("web01", on_files("tank/vm/images"))
WORDS = "when it is full db01 would see write errors, web01 would be paused"


def told(*findings: Finding) -> list[str]:
    return [plain(each) for each in filling_pool_lines((ZVOL, IMAGE), findings)]


def test_the_date_comes_before_how_full_it_is_and_a_pool_is_told_once() -> None:
    assert [f"▲ tank full likely on 2027-03-01: {WORDS}"] == told(HIGH, SOON)
    assert [f"▲ tank 84% used: {WORDS}"] == told(HIGH)


def test_the_head_of_the_list_names_those_that_lose_most_and_counts_the_others() -> None:
    more = guest_on("web02", on_files("tank/vm/images"))

    (line,) = filling_pool_lines((ZVOL, IMAGE, more), (SOON,), is_brief=True)

    assert "▲ tank full likely on 2027-03-01: errors in db01, 2 paused" == plain(line)
    (line,) = filling_pool_lines((ZVOL, IMAGE, more), (HIGH,), is_brief=True)
    assert "▲ tank 84% used: when full errors in db01, 2 paused" == plain(line)


def test_nothing_is_said_of_other_findings_and_of_pools_without_guests() -> None:
    assert [] == told(
        replace(SOON, id="pool-degraded"), replace(HIGH, evidence={"pool": "bulk", "used_percent": 91})
    )
    assert [] == list(filling_pool_lines((), (SOON,)))
