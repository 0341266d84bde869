"""What a person is told of states that come, stay, go, and come again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.alerts.damping import FLAPS, SETTLED_AFTER_S, Damper, Damping, with_acknowledged
from zconsole.analysis.alerts.states_and_events_of_host import LINK_LOST, BySmart, HostAlerts
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Severity

KEY = AlertKey("nas1", "pool-degraded", "tank")
LINK = AlertKey("nas1", LINK_LOST, "nas1")
WARNING, CRITICAL = Severity.WARNING, Severity.CRITICAL
RAISED, WORSE, OVER = AlertPhase.RAISED, AlertPhase.WORSE, AlertPhase.OVER


def seen(severity: Severity | None, key: AlertKey = KEY, **more: object) -> HostAlerts:
    if severity is None:
        return HostAlerts("nas1", **more)  # type: ignore[arg-type]
    return HostAlerts(
        "nas1", {key: Alert(key, severity, "tank is DEGRADED", 0.0, key.kind, key.about, "tank")}, **more
    )  # type: ignore[arg-type]


def told(damper: Damper, *moments: tuple[float, HostAlerts]) -> list[tuple[float, AlertPhase]]:
    return [(now, alert.phase) for now, found in moments for alert in damper.take(found, now)]


def test_a_warning_is_told_once_it_has_held_and_then_its_end() -> None:
    damper = Damper(Damping())
    moments = [(at, seen(WARNING if at < 200 else None)) for at in range(0, 400, 10)]

    assert [(60, RAISED), (260, OVER)] == told(damper, *moments)


def test_a_critical_state_is_told_at_once() -> None:
    assert [(0.0, RAISED)] == told(Damper(Damping()), (0.0, seen(CRITICAL)), (9.0, seen(CRITICAL)))


def test_what_did_not_hold_is_not_told() -> None:
    moments = [(at, seen(WARNING if at < 50 else None)) for at in range(0, 400, 10)]
    assert [] == told(Damper(Damping()), *moments)


def test_a_gap_shorter_than_the_time_to_clear_is_neither_an_end_nor_a_beginning() -> None:
    moments = [(at, seen(None if 100 <= at < 150 else WARNING)) for at in range(0, 400, 10)]
    assert [(60, RAISED)] == told(Damper(Damping()), *moments)


def test_what_gets_worse_is_told_again_also_when_it_was_acknowledged() -> None:
    damper = Damper(Damping())
    assert [(60, RAISED)] == told(damper, (0, seen(WARNING)), (60, seen(WARNING)))

    damper.acknowledge([KEY], 70)
    assert [(80, WORSE)] == told(damper, (80, seen(CRITICAL)), (90, seen(CRITICAL)))


def test_a_critical_state_is_told_again_each_day_until_it_is_acknowledged() -> None:
    damper, day = Damper(Damping()), 86_400.0
    phases = told(damper, *((hour * 3600.0, seen(CRITICAL)) for hour in range(50)))
    assert [(0.0, RAISED), (day, AlertPhase.REMINDER), (2 * day, AlertPhase.REMINDER)] == phases

    damper.acknowledge([KEY], 50 * 3600.0)
    assert [] == told(damper, *((hour * 3600.0, seen(CRITICAL)) for hour in range(50, 100)))


@pytest.mark.parametrize("period", [20, 100, 200, 600])
def test_flapping_is_one_message_until_it_stays(period: int) -> None:
    damper = Damper(Damping())
    moments = [(at, seen(CRITICAL if at // period % 2 == 0 else None)) for at in range(0, 36_000, 10)]

    phases = [phase for _, phase in told(damper, *moments)]

    assert AlertPhase.FLAPPING in phases
    assert len(phases) <= 2 * FLAPS + 1, "then silence for ten hours"
    stays = [(36_000 + at, seen(CRITICAL)) for at in range(0, 3600, 10)]
    assert [RAISED] == [phase for _, phase in told(damper, *stays)]
    ends = [(39_600 + at, seen(None)) for at in range(0, 3600, 10)]
    assert [OVER] == [phase for _, phase in told(damper, *ends)]


def test_flapping_that_ends_is_told_once() -> None:
    damper = Damper(Damping())
    told(damper, *((at, seen(CRITICAL if at // 20 % 2 == 0 else None)) for at in range(0, 400, 10)))

    ends = told(damper, *((400 + at, seen(None)) for at in range(0, 7200, 10)))
    assert [OVER] == [phase for _, phase in ends]
    assert ends[0][0] >= 400 + SETTLED_AFTER_S - 20
    assert {} == damper.states


def test_what_is_not_known_is_not_over() -> None:
    for unknown in (
        seen(None, is_known=False),
        seen(None, unknown_pools=frozenset({"tank"})),
        seen(CRITICAL, LINK, is_known=False),
    ):
        damper = Damper(Damping())
        damper.take(seen(CRITICAL), 0.0)
        phases = [(alert.id, alert.phase) for at in range(0, 4000, 100) for alert in damper.take(unknown, at)]
        assert ("pool-degraded", OVER) not in phases


def test_the_link_is_told_when_it_is_lost_for_a_time_and_when_it_is_back() -> None:
    moments = [
        (at, seen(CRITICAL, LINK, is_known=False) if at < 300 else seen(None)) for at in range(0, 600, 20)
    ]
    assert [(120, RAISED), (360, OVER)] == told(Damper(Damping()), *moments)


def test_nothing_is_over_before_a_restarted_watch_can_know_it() -> None:
    before = Damper(Damping())
    told(before, (0, seen(CRITICAL)))
    after = Damper(Damping(grace_s=300), dict(before.states))

    assert [] == told(after, *((at, seen(None)) for at in range(10, 300, 10)))
    assert [] == told(after, (320, seen(CRITICAL))), "it was told before the restart"
    assert [OVER] == [phase for _, phase in told(after, *((at, seen(None)) for at in range(400, 500, 10)))]


def test_what_a_single_reading_cannot_tell_stays() -> None:
    damper = Damper(Damping())
    damper.take(seen(CRITICAL), 0.0)

    for at in range(10, 5000, 100):
        assert () == damper.take(seen(None), at, but=("pool-degraded",))
    assert KEY in damper.states


def test_an_acknowledgement_from_elsewhere_counts_for_what_it_was_of() -> None:
    damper = Damper(Damping())
    damper.take(seen(CRITICAL), 100.0)

    assert 150.0 == with_acknowledged(damper.states, {KEY: 150.0})[KEY].acknowledged_at
    assert with_acknowledged(damper.states, {KEY: 50.0})[KEY].acknowledged_at is None, "of the time before"


@given(st.lists(st.tuples(st.integers(1, 2000), st.sampled_from([None, WARNING, CRITICAL]), st.booleans())))
def test_raised_and_over_alternate_whatever_happens(steps: list[tuple[int, Severity | None, bool]]) -> None:
    damper, now, is_open = Damper(Damping()), 0, False
    for wait, severity, is_known in steps:
        now += wait
        for alert in damper.take(seen(severity, is_known=is_known or severity is not None), now):
            if alert.phase is OVER:
                assert is_open
            is_open = alert.phase is not OVER
    assert is_open == any(damper.active())


def test_another_finding_of_the_same_disk_is_told() -> None:
    damper, disk = Damper(Damping()), AlertKey("nas1", "disk", "tank/7")

    def with_others(*others: str) -> HostAlerts:
        return HostAlerts(
            "nas1", {disk: Alert(disk, WARNING, "x", 0.0, "slow-ios", "tank sda", "tank", others=others)}
        )

    moments = [(at, with_others(*(("disk-slow",) if at >= 100 else ()))) for at in range(0, 400, 10)]
    assert [(60, RAISED), (160, WORSE)] == told(damper, *moments)
    moments = [(at, with_others(*(("disk-slow",) if at % 20 else ()))) for at in range(400, 900, 10)]
    assert [] == told(damper, *moments)


WORLDS = st.lists(
    st.tuples(st.sampled_from([1, 20, 70, 400, 1000, 4000]), st.sampled_from([None, WARNING, CRITICAL])),
    min_size=1,
    max_size=12,
)


@given(WORLDS, st.sampled_from([Damping(), Damping(grace_s=120), Damping(remind_s=900)]))
def test_who_looks_only_when_something_changes_or_is_due_is_told_the_same(
    spans: list[tuple[int, Severity | None]], damping: Damping
) -> None:
    each_second, when_due = Damper(damping), Damper(damping)
    now, looks = 0, 0
    for span, severity in spans:
        found = seen(severity)
        for second in range(now, now + span):
            due = when_due.take(found, second) if second == now or second >= when_due.due_at("nas1") else ()
            looks += second >= when_due.due_at("nas1")
            assert each_second.take(found, second) == due
        now += span

    assert looks <= 12 * len(spans)
    assert float("inf") == when_due.due_at("another")


def test_what_was_gone_before_the_grace_ended_is_not_looked_at_again_and_again() -> None:
    """Found by the property above: 60 looks, a second each, until the end of the grace."""
    damper = Damper(Damping(grace_s=120))
    damper.take(seen(WARNING), 0)
    damper.take(seen(None), 60)

    assert 120 == damper.due_at("nas1")


def of_disk(at: int, *others: str, severity: Severity = WARNING) -> HostAlerts:
    """A disk that has failed, with further findings of SMART data of that time."""
    key = AlertKey("nas1", "disk", "tank/7")
    alert = Alert(key, severity, "disk", 0.0, "device-faulted", "disk", "tank", others=others)
    by_smart = tuple(BySmart(each, "S1", at) for each in others)
    return HostAlerts("nas1", {key: alert}, smart_at={"S1": at}, by_smart={key: by_smart})


@pytest.mark.parametrize(
    ("expected", "moments"),
    [
        ((), ((100, of_disk(90, "pending-sectors")), (300, of_disk(90, "pending-sectors")))),
        (
            ((360, WORSE),),
            (
                (100, of_disk(90)),
                (300, of_disk(290, "pending-sectors")),
                (360, of_disk(290, "pending-sectors")),
            ),
        ),
        (((100, WORSE),), ((100, of_disk(90, "smart-failing", severity=CRITICAL)),)),
    ],
)
def test_only_what_the_first_smart_data_adds_is_not_told_again(
    expected: tuple[tuple[float, AlertPhase], ...], moments: tuple[tuple[float, HostAlerts], ...]
) -> None:
    damper = Damper(Damping())
    key = AlertKey("nas1", "disk", "tank/7")
    unread = HostAlerts("nas1", {key: of_disk(0).holding[key]})
    assert [(60, RAISED)] == told(damper, (0, unread), (60, unread))

    assert list(expected) == told(damper, *moments)
