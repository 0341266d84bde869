"""Times of a move: from what is sent and how fast it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft
from tests.doubles.guests_on_storage import guest_on, on_volume
from tests.doubles.plan_worlds import GIB, MIB, NOW, host, snapshot, volume
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.expected_move_times import FAST, RemainingWork, tell_times, write_rates
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import GuestDiskRates

SOURCE = volume("tank/web01", referenced_bytes=100 * GIB)
HOUR = 3600.0


def writing(rate: float | None) -> GuestDiskRates:
    return GuestDiskRates(seconds=5.0, reads_per_s=0, writes_per_s=1, written_bytes_per_s=rate)


def taken(name: str, age_s: float, written: int | None = 0) -> Dataset:
    return snapshot(f"tank/web01@{name}", creation=int(NOW - age_s), written_bytes=written)


def told(
    written: int | None = 0,
    *snapshots: Dataset,
    now: float | None = None,
    shutdown_s: float | None = 120.0,
    to_send: int | None = 100 * GIB,
    starts: bool = True,
) -> Draft:
    made, source = draft(), replace(SOURCE, written_bytes=written)
    guest = guest_on("web01", replace(on_volume("tank/web01"), rates=None if now is None else writing(now)))
    tell_times(made, guest, source, host([source, *snapshots]), RemainingWork(to_send, shutdown_s, starts))
    return made


def test_the_last_increment_is_what_is_written_while_the_one_before_is_sent() -> None:
    """A tenth of the fast rate: 100 GiB, 10 GiB, 1 GiB, so 10 s; the slow one has 4 times of each step."""
    made = told(int(FAST // 10 * HOUR), taken("a", HOUR))

    assert made.downtime[0].startswith("about 10s to 15m, beside web01's own shutdown")
    assert "at most 2m" in made.downtime[0]
    assert made.downtime[0].endswith("its boot")


def test_of_a_mean_and_what_it_writes_now_the_larger_is_taken_and_both_are_named() -> None:
    quiet_night = told(int(1024 * HOUR), taken("a", HOUR), now=10.0 * MIB)
    quiet_now = told(int(10 * MIB * HOUR), taken("a", HOUR), now=1024.0)

    assert quiet_night.downtime[0] == quiet_now.downtime[0]
    assert quiet_night.downtime[1].startswith("web01 writes 10.0 MiB/s now, by libvirt's counters over 5s")
    assert "; tank/web01 was written at 1.00 KiB/s on average" in quiet_night.downtime[1]
    assert quiet_now.downtime[1].startswith("tank/web01 was written at 10.0 MiB/s on average over 1h")


def test_a_mean_is_not_taken_since_a_snapshot_of_minutes_nor_since_one_of_a_move() -> None:
    hourly, young, moves = taken("h", HOUR), taken("y", 100), taken("zconsole-move-1-live", 1800)

    (rate,) = write_rates(guest_on("web01"), SOURCE, host([SOURCE, hourly, moves, young]))

    assert rate.words.endswith("on average over 1h, since @h")


def test_what_newer_snapshots_hold_counts_as_written_since() -> None:
    hourly, young = taken("h", HOUR), taken("y", 100, int(HOUR) * MIB)
    source = replace(SOURCE, written_bytes=int(HOUR) * MIB)

    (rate,) = write_rates(guest_on("web01"), source, host([source, hourly, young]))

    assert 2 * MIB == rate.bytes_per_s


def test_without_an_older_one_the_young_snapshot_is_better_than_none() -> None:
    (rate,) = write_rates(guest_on("web01"), SOURCE, host([SOURCE, taken("y", 100)]))

    assert rate.words.endswith("since @y")


def test_nothing_written_is_no_downtime_of_one_second() -> None:
    made = told(0, taken("a", HOUR))

    assert made.downtime[0].startswith("a few seconds, beside web01's own shutdown")
    assert "1s" not in " ".join(made.downtime)


def test_writes_that_are_faster_than_the_sending_are_warned_of() -> None:
    made = told(int(FAST * HOUR), taken("a", HOUR))

    assert "do not become smaller" in made.warnings[0]
    assert made.downtime[0].startswith("not known")


@pytest.mark.parametrize(
    "snapshots", [(), (taken("a", -100),), (snapshot("tank/web01@a", creation=None),)], ids=str
)
def test_without_a_rate_the_downtime_is_not_known(snapshots: tuple[Dataset, ...]) -> None:
    assert told(1, *snapshots).downtime[0].startswith("not known, beside web01's own shutdown")


def test_without_written_the_counters_alone_decide() -> None:
    assert "web01 writes" in told(None, taken("a", HOUR), now=1.0).downtime[1]


def test_a_guest_that_is_off_has_no_shutdown() -> None:
    starting, staying = told(1, shutdown_s=None), told(1, shutdown_s=None, starts=False)

    assert "web01 is off already, until the last step: about 15m to 2h" == starting.downtime[0]
    assert "web01 is off already, and this plan does not start it" == staying.downtime[0]


def test_of_a_move_that_goes_on_the_rest_is_told() -> None:
    made = told(0, taken("a", HOUR), to_send=10 * GIB)

    assert made.downtime[-1].startswith(
        "10.0 GiB, about what remains of 100 GiB, are sent while it runs in about 1m to 7m"
    )


def test_where_nothing_is_sent_or_the_rest_is_not_known_no_time_is_told() -> None:
    made = told(to_send=None)

    assert ([], []) == (made.notes, made.downtime)
