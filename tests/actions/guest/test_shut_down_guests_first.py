"""Plans under running guests: refused, and offered again with the guests shut down as their first steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from tests.doubles.guests_on_storage import guest_on, on_volume
from tests.doubles.moving_guests import in_short
from tests.doubles.plan_worlds import filesystem, host, volume
from zconsole.actions.guest.shut_down_guests_first import without_guest_options
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.base.durations_in_words import lasting
from zconsole.model.guests.guest import SESSION, Guest, GuestDefinition, GuestState, GuestStatus
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF, ZVOL, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.world import dataset_writes_and_snapshots

UUID = "8f14e45f-ceea-467f-a0e0-000000000001"
WEB = Guest(GuestDefinition(UUID, "web01"), GuestStatus("web01", GuestState.RUNNING))
QEMU = "qemu-system-x86_64[812]"
BOTH = {"shut-down-guests": True}


def verbs(made: Plan) -> list[str]:
    return [in_short(step.argv) for step in made.steps]


def under(*uses: OutsideUse, **values: object) -> Plan:
    """A plan to destroy a volume that is used so."""
    facts = host([filesystem("tank"), volume("tank/web01")], uses=uses, guests=(WEB,))
    return plan(intent("destroy", "tank/web01", options=BOTH), replace(facts, **values))  # type: ignore[arg-type]


GUEST_USE = OutsideUse("tank/web01", "guest", "web01", "/dev/zvol/tank/web01")


@pytest.mark.parametrize(
    ("words", "after"),
    [
        (("destroy", "tank/web01"), ["program"]),
        (("rename", "tank/web01", "tank/web02"), ["rename", "define", "start"]),
        (("export", "tank"), ["export"]),
        (("destroy", "tank"), ["destroy"]),
    ],
    ids=" ".join,
)
async def test_the_same_plan_is_offered_with_the_guest_shut_down(
    nas: Acting,  # noqa: F811
    words: tuple[str, ...],
    after: list[str],
) -> None:
    refused = await nas.plan(*words)
    assert ["in-use"] == [each.rule for each in refused.refusals]
    words = "shut web01 down first, as a step of the same plan"
    again = ", and start it again at the end" if "start" in after else ""
    assert f"{words}{again}" == refused.alternatives[0][0]

    made = await nas.operator.prepare("nas", refused.alternatives[0][1])

    assert (Risk.CATASTROPHIC, ()) == (made.risk, made.refusals)
    assert ["shutdown", *after] == verbs(made)
    assert [("guest", "web01")] == [(e.kind, e.name) for e in made.dependents if e.kind == "guest"]
    ended = await run(nas, made)
    assert RunState.DONE is ended.state, ended.words
    assert (RUNNING if "start" in after else SHUT_OFF) == web01(nas).state


async def test_a_rollback_starts_the_guest_again(nas: Acting) -> None:  # noqa: F811
    answer(nas.host.world, ("zfs", "snapshot", "tank/web01@a"))
    made = await nas.plan("rollback", "tank/web01@a", shut_down_guests=True, start_guests_after=True)

    assert ["shutdown", "rollback", "start"] == verbs(made)
    ended = await run(nas, made)
    assert RunState.DONE is ended.state, ended.words
    assert RUNNING == web01(nas).state


@pytest.mark.parametrize("words", [("destroy", "tank/web01"), ("rollback", "tank/web01@a")], ids=" ".join)
async def test_what_the_guest_writes_until_then_does_not_outdate_the_plan(
    nas: Acting,  # noqa: F811
    words: tuple[str, ...],
) -> None:
    pool = nas.host.world.pools["tank"]
    if words[0] == "rollback":
        answer(nas.host.world, ("zfs", "snapshot", "tank/web01@a"))
        dataset_writes_and_snapshots.write(pool, pool.datasets["tank/web01"], 1 << 20)
    made = await nas.plan(*words, shut_down_guests=True)
    assert "what web01 writes until the shutdown" in made.not_binding

    dataset_writes_and_snapshots.write(pool, pool.datasets["tank/web01"], 300 << 20)
    ended = await run(nas, made)

    assert RunState.DONE is ended.state, ended.words


async def test_nothing_follows_a_guest_that_does_not_shut_down(nas: Acting) -> None:  # noqa: F811
    web01(nas).shuts_down_in_s = None

    ended = await run(
        nas, await nas.plan("destroy", "tank/web01", shut_down_guests=True, guests_within="20s")
    )

    assert RunState.FAILED is ended.state
    assert "still running" in ended.words
    assert ["failed", "waiting"] == [step.state for step in ended.steps]
    assert "tank/web01" in nas.host.world.pools["tank"].datasets


@contextmanager
def once_it_is_off(then: Callable[[], None]) -> Iterator[None]:
    """What happens at the moment at which a guest that shuts down is off."""

    def passing(guest: PracticeGuest, now: float) -> None:
        if guest.off_at is not None and now >= guest.off_at:
            guest.state, guest.off_at = SHUT_OFF, None
            then()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PracticeGuest, "pass_time", passing)
        yield


async def test_a_guest_that_came_meanwhile_stops_the_rest(
    nas: Acting,  # noqa: F811
    tmp_path: Path,
) -> None:
    """While one guest shuts down, another one is started on the same volume."""
    del tmp_path
    other = PracticeGuest("thief", [PracticeGuestDisk("vda", f"{ZVOL}tank/web01")], state=SHUT_OFF)
    nas.host.world.guests.append(other)
    made = await nas.plan("destroy", "tank/web01", shut_down_guests=True)

    def comes() -> None:
        other.state = RUNNING

    with once_it_is_off(comes):
        ended = await run(nas, made)

    assert RunState.FAILED is ended.state
    assert "guest thief is on tank/web01" in ended.words
    assert "web01 was shut down by this run, started again by zconsole plan guest-start web01" in ended.words
    assert "tank/web01" in nas.host.world.pools["tank"].datasets


async def test_who_stops_it_while_the_guest_shuts_down_has_nothing_destroyed(nas: Acting) -> None:  # noqa: F811
    made = await nas.plan("destroy", "tank/web01", shut_down_guests=True)

    with once_it_is_off(lambda: nas.operator.stop(next(iter(nas.operator._context.stops)))):
        ended = await run(nas, made)

    assert RunState.FAILED is ended.state
    assert "you stopped it; the steps from 2 on were not run" in ended.words
    assert "guest-start web01" in ended.words
    assert "tank/web01" in nas.host.world.pools["tank"].datasets


def test_the_process_of_a_guest_goes_with_it() -> None:
    made = under(GUEST_USE, OutsideUse("tank/web01", "process", QEMU, "/dev/zd0"))
    assert () == made.refusals
    assert "shutdown" == verbs(made)[0]


@pytest.mark.parametrize(
    "use",
    [
        OutsideUse("tank/web01", "process", "dd[813]", "/dev/zd0"),
        OutsideUse("tank/web01", "swap", "/dev/zd0"),
    ],
    ids=lambda use: use.kind,
)
def test_what_else_uses_it_refuses_it_still(use: OutsideUse) -> None:
    assert {"in-use"} == {each.rule for each in under(GUEST_USE, use).refusals}


def test_a_paused_guest_cannot_be_shut_down_for_it() -> None:
    paused = replace(WEB, status=GuestStatus("web01", GuestState.PAUSED, 5))
    assert {"guest-state"} == {each.rule for each in under(GUEST_USE, guests=(paused,)).refusals}


def test_without_an_answer_of_libvirt_it_stays_refused() -> None:
    assert {"in-use"} == {each.rule for each in under(GUEST_USE, guests=None).refusals}


def test_without_a_guest_the_option_changes_nothing() -> None:
    with_it, without = (
        under(),
        plan(
            intent("destroy", "tank/web01"),
            host([filesystem("tank"), volume("tank/web01")], uses=(), guests=(WEB,)),
        ),
    )
    assert without.steps == with_it.steps
    assert without.basis == with_it.basis


def test_the_options_are_taken_away_again() -> None:
    both = intent("rollback", "tank@a", options={**BOTH, "recursive": True, "start-guests-after": True})
    assert intent("rollback", "tank@a", options={"recursive": True}) == without_guest_options(both)


def test_of_two_guests_of_one_name_the_one_is_shut_down_that_is_on_the_storage() -> None:
    """The user's session may have a guest of the name of one of the system."""
    own = guest_on("web01", on_volume("tank/web01"))
    own = replace(
        own, definition=replace(own.definition, connection=SESSION, uri="qemu+unix:///session?socket=/s")
    )
    others = guest_on("web01", on_volume("tank/other"))

    made = under(GUEST_USE, OutsideUse("tank/web01", "process", QEMU), guests=(others, own))

    assert not made.is_refused
    assert ["qemu+unix:///session?socket=/s"] == [
        step.argv[3] for step in made.steps if step.argv[0] == "virsh"
    ]


@pytest.mark.parametrize(("within", "total"), [(None, "6m"), ("30s", "1m30s"), ("1h", "3h")])
async def test_several_guests_are_told_with_the_longest_time_that_their_shutdown_takes(
    nas: Acting,  # noqa: F811
    within: str | None,
    total: str,
) -> None:
    for name in ("db01", "db02"):
        assert 0 == answer(nas.host.world, ("zfs", "create", "-V", "16M", f"tank/{name}")).status
        nas.host.world.guests.append(PracticeGuest(name, [PracticeGuestDisk("vda", f"{ZVOL}tank/{name}")]))
    options = {"guests_within": within} if within else {}

    made = await nas.plan("export", "tank", shut_down_guests=True, **options)

    assert f"3 guests are shut down one after the other: at most {total} in all" in made.downtime
    waits = [step.waits_s for step in made.steps if step.argv[0] == "virsh"]
    assert 3 == len(waits)
    assert total == lasting(sum(waits))


@pytest.mark.parametrize(
    ("state", "way"),
    [
        (3, "it is paused, and hears nothing: resume it first"),
        (4, "it is shutting down: wait until it is off"),
        (6, "it has crashed, and its process is still there: virsh destroy"),
        (7, "it sleeps: wake it by virsh dompmwakeup"),
    ],
)
async def test_a_guest_that_hears_no_request_is_refused_with_what_ends_its_state(
    nas: Acting,  # noqa: F811
    state: int,
    way: str,
) -> None:
    web01(nas).state = state
    for options in (frozenset(), {"shut_down_guests"}):
        made = await nas.plan("destroy", "tank/web01", **dict.fromkeys(options, True))

        assert made.is_refused
        told = [f"{each.reason} {each.instead}" for each in made.refusals]
        assert any(f"web01: {way}" in each for each in told), told
        assert not any("shut web01 down first" in each for each in told)
