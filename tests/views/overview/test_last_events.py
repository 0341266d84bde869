"""What happened last: changes and runs, without ZFS's own bookkeeping."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from zconsole.model.pools.event import Event
from zconsole.model.run import Run, RunState, StepRun
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.overview.last_events import last_events

NOW = states.NOW


def event(ago_s: float, event_class: str, **fields: str) -> Event:
    return Event(NOW - ago_s, event_class, "tank", None, tuple(fields.items()))


def told(*events: Event, runs: tuple[Run, ...] = (), most: int = 10) -> list[str]:
    state = replace(states.host("nas"), events=events, runs=runs)
    view = View((HostView(state),), NOW, states.TICKS)
    return [plain(each).partition("  ")[2] for each in last_events(view, most)]


def test_the_newest_is_first_and_bookkeeping_is_left_out() -> None:
    assert ["tank  scrub_finish", "tank  scrub_start"] == told(
        event(900, "sysevent.fs.zfs.scrub_start"),
        event(800, "sysevent.fs.zfs.config_sync"),
        event(100, "sysevent.fs.zfs.scrub_finish"),
    )


def test_of_the_history_only_what_destroys_or_moves() -> None:
    history = "sysevent.fs.zfs.history_event"

    assert ["tank  history_event rollback tank/a"] == told(
        event(30, history, history_internal_name="snapshot", history_dsname="tank/a@1"),
        event(20, history, history_internal_name="destroy", history_dsname="tank/a@0"),
        event(10, history, history_internal_name="rollback", history_dsname="tank/a"),
    )


def test_the_features_of_a_new_pool_are_one_line() -> None:
    history = "sysevent.fs.zfs.history_event"
    names = ("feature@lz4_compress=enabled", "feature@blake3=enabled", "feature@fast_dedup=enabled")

    assert ["tank  history_event set feature@, 3 times", "tank  pool_create"] == told(
        event(40, "sysevent.fs.zfs.pool_create"),
        *(event(30, history, history_internal_name="set", history_internal_str=name) for name in names),
    )


def test_equal_ones_in_a_row_are_one_with_their_number() -> None:
    error = "ereport.fs.zfs.io"

    assert ["tank  ereport io sda, 3 times", "tank  ereport io sdb"] == told(
        event(40, error, vdev_path="/dev/sdb"),
        *(event(30 - at, error, vdev_path="/dev/sda") for at in range(3)),
    )


def test_a_run_of_this_console_is_told_with_its_outcome() -> None:
    step = StepRun(("zfs", "destroy", "tank/a"), "done", 0, started=NOW - 9, ended=NOW - 5)
    run = Run("1", "nas", "destroy tank/a", "tank/a", RunState.DONE, (step,))

    assert ["destroy tank/a: done", "tank  scrub_start"] == told(
        event(7, "sysevent.fs.zfs.scrub_start"), runs=(run, replace(run, steps=()))
    )


def test_no_more_than_asked_for() -> None:
    assert 2 == len(told(*(event(at, f"sysevent.fs.zfs.x{at}") for at in range(9)), most=2))
