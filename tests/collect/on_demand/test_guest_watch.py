"""Guests are read for a screen and at libvirt's events; unasked only their states, rarely."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.collect.guests.test_read_guests import DB, VIRSH, WEB
from tests.collect.guests.test_read_guests import host as libvirt
from tests.collect.guests.test_read_statuses import ERROR, OFF, PAUSED
from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, ScriptedStream, failed
from tests.doubles.watched_host import Watched, watching
from zconsole.base.errors import CommandFailed
from zconsole.collect.host_session import HEALTH_AFTER_S
from zconsole.collect.on_demand.guest_watch import (
    AT_MOST_EVERY_S,
    EVERY_S,
    FIRST_RATES_S,
    RETRY_FROM_S,
    SHOWN_EVERY_S,
)
from zconsole.model.guests.guest import Guest, GuestState
from zconsole.storage.disks.disk_health_samples import DiskHealthStore

EVENTS, STATES = f"{VIRSH} event", f"{VIRSH} domstats"
SUSPENDED = b"1: event 'lifecycle' for domain 'db02': Suspended I/O Error\n"
DEFINED = b"2: event 'lifecycle' for domain 'web01': Defined Updated\n"
NOT_FOUND = failed("virsh", 127, b"virsh: command not found")


def host() -> ScriptedHost:
    made = host_of("2.4", "healthy-mirrors")
    made.answers |= libvirt().answers
    made.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    made.answers["smartctl"] = made.answers["dmesg"] = failed("smartctl", 127, b"not found")
    made.answers |= {STATES: OFF, f"{VIRSH} domblkerror {DB}": ERROR}
    made.files["/proc/mounts"] = libvirt().files["/proc/mounts"]
    made.answers["stat -c %d %i /run/zconsole/lock"] = failed("stat", 1, b"No such file or directory")
    made.streams[EVENTS] = ScriptedStream()
    return made


def asked(host: ScriptedHost, command: str) -> int:
    return sum(line.startswith(command) for line in host.commands)


@pytest.fixture
def health(tmp_path: Path) -> DiskHealthStore:
    return DiskHealthStore(tmp_path / "health.sqlite")


async def shown(watched: Watched[ScriptedHost]) -> None:
    watched.session.demand.want_guests(is_wanted=True)
    await watched.until(lambda state: state.guests.value is not None)


async def test_a_screen_has_all_guests_read_and_their_states_each_minute_then() -> None:
    async with watching(host()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(400, step_s=10)
        assert 0 == asked(watched.host, "virsh")

        await shown(watched)
        await watched.pass_time(3 * SHOWN_EVERY_S + 10)

        assert (5, 1) == (asked(watched.host, STATES), asked(watched.host, f"{VIRSH} dumpxml {WEB}"))
        assert 1 == watched.host.streams[EVENTS].starts
        assert ("db02", "web01") == tuple(each.name for each in watched.state.guests.value or ())


async def test_the_second_reading_has_the_io_of_the_disks_since_the_first() -> None:
    made = host()
    made.answers[STATES] = PAUSED
    async with watching(made) as watched:
        await shown(watched)
        assert [None] == [disk.rates for disk in first_guest(watched).disks]

        made.answers[STATES] = PAUSED.replace(b"wr.reqs=51", b"wr.reqs=171")
        await watched.pass_time(FIRST_RATES_S + 1)

        (rates,) = [disk.rates for disk in first_guest(watched).disks]
        assert rates is not None
        assert (FIRST_RATES_S, 24.0, 0.0) == (rates.seconds, rates.writes_per_s, rates.reads_per_s)

        await watched.pass_time(SHOWN_EVERY_S + 1)
        (rates,) = [disk.rates for disk in first_guest(watched).disks]
        assert rates is not None
        assert rates.seconds == SHOWN_EVERY_S


def first_guest(watched: Watched[ScriptedHost]) -> Guest:
    return (watched.state.guests.value or ())[0]


async def test_an_io_error_is_in_the_state_at_its_event_and_a_storm_is_read_every_two_seconds() -> None:
    async with watching(host()) as watched:
        await shown(watched)
        await watched.pass_time(10)
        before, watched.host.answers[STATES] = asked(watched.host, STATES), PAUSED

        watched.host.streams[EVENTS].feed(SUSPENDED)
        await watched.pass_time(1)
        db, _ = watched.state.guests.value or ()
        assert (True, "no space") == (db.status.is_paused_by_io_error, db.disks[0].error)
        assert 1 == asked(watched.host, f"{VIRSH} dumpxml {DB}"), "the state alone has changed"

        for _ in range(40):
            watched.host.streams[EVENTS].feed(SUSPENDED)
            await watched.pass_time(0.25, step_s=0.25)
        assert before + 7 >= asked(watched.host, STATES)


async def test_a_guest_that_is_defined_has_all_read_again() -> None:
    async with watching(host()) as watched:
        await shown(watched)
        await watched.pass_time(10)

        watched.host.streams[EVENTS].feed(DEFINED)
        await watched.pass_time(3)

        assert 2 == asked(watched.host, f"{VIRSH} dumpxml {WEB}")


async def test_guests_that_a_screen_has_shown_are_followed_when_it_is_gone() -> None:
    async with watching(host()) as watched:
        await shown(watched)
        watched.session.demand.want_guests(is_wanted=False)
        await watched.pass_time(10)
        before, watched.host.answers[STATES] = asked(watched.host, STATES), PAUSED
        await watched.pass_time(100)
        assert before == asked(watched.host, STATES)

        watched.host.streams[EVENTS].feed(SUSPENDED)
        await watched.pass_time(1)

        assert GuestState.PAUSED is (watched.state.guests.value or ())[0].status.state


async def test_unasked_only_the_states_are_read_until_a_guest_is_in_trouble(
    health: DiskHealthStore,
) -> None:
    async with watching(host(), health=lambda: health) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(HEALTH_AFTER_S + 2 * EVERY_S + 10, step_s=2)
        assert (3, 0) == (asked(watched.host, STATES), asked(watched.host, f"{VIRSH} dumpxml"))
        assert watched.state.guests.value is None

        watched.host.answers[STATES] = PAUSED
        watched.host.streams[EVENTS].feed(SUSPENDED)
        await watched.until(lambda state: state.guests.value)

        assert (watched.state.guests.value or ())[0].status.is_paused_by_io_error


async def test_guests_of_a_pool_that_suspends_are_followed_though_no_screen_shows_them() -> None:
    async with watching(host()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(HEALTH_AFTER_S + EVERY_S, step_s=2)
        assert 0 == asked(watched.host, STATES)

        watched.host.answers[STATES] = PAUSED
        watched.host.files["/proc/spl/kstat/zfs/tank/state"] = b"SUSPENDED\n"
        watched.session.refresh()
        await watched.pass_time(2 * EVERY_S, step_s=2)

        assert (watched.state.guests.value or ())[0].status.is_paused_by_io_error
        assert asked(watched.host, STATES) <= 3


async def test_a_host_without_libvirt_is_asked_once_until_a_screen_wants_its_guests(
    health: DiskHealthStore,
) -> None:
    made = host()
    made.answers[STATES] = NOT_FOUND
    made.streams[EVENTS].feed(CommandFailed("virsh ended", said="not found", status=127))
    async with watching(made, health=lambda: health) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(HEALTH_AFTER_S + 3 * EVERY_S, step_s=2)
        assert (1, "") == (asked(made, STATES), watched.state.guests.problem)

        watched.session.demand.want_guests(is_wanted=True)
        await watched.until(lambda state: state.guests.problem)

        assert "there is no virsh on this host" == watched.state.guests.problem


async def test_a_libvirtd_that_ends_leaves_the_guests_with_the_problem_and_its_return_ends_it() -> None:
    async with watching(host()) as watched:
        await shown(watched)
        await watched.pass_time(10)
        watched.host.answers[STATES] = failed("virsh", 1, b"error: failed to connect to the hypervisor")
        watched.host.streams[EVENTS].feed(CommandFailed("virsh ended", said="Disconnected", status=1))
        await watched.until(lambda state: "failed to connect" in state.guests.problem)
        assert 2 == len(watched.state.guests.value or ())

        watched.host.answers[STATES] = OFF
        await watched.pass_time(RETRY_FROM_S + AT_MOST_EVERY_S + 1)

        assert "" == watched.state.guests.problem
        assert 2 == watched.host.streams[EVENTS].starts
        assert 2 == asked(watched.host, f"{VIRSH} dumpxml {WEB}"), "events were missed meanwhile"


async def test_a_libvirtd_that_stays_away_is_asked_for_its_events_ever_more_rarely() -> None:
    made = host()
    for _ in range(50):
        made.streams[EVENTS].feed(CommandFailed("virsh ended", said="failed to connect", status=1))
    async with watching(made) as watched:
        await shown(watched)
        await watched.pass_time(610, step_s=2)

        assert 1 + 5 + 9 == made.streams[EVENTS].starts, "after 2, 4, 8, 16 and 32 s, then each minute"


async def test_while_guests_are_shown_it_is_known_who_else_carries_out_a_plan_here() -> None:
    """Another console may be moving one of them."""
    made = host()
    made.answers["stat -c %d %i /run/zconsole/lock"] = b"26 77\n"
    made.answers["head -c 2000 /run/zconsole/by"] = b"anna@desk, process 4711: move guest web01 from a to b\n"
    made.files["/proc/locks"] = b"1: FLOCK  ADVISORY  WRITE 4711 00:1a:77 0 EOF\n"
    async with watching(made) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        await watched.pass_time(400, step_s=10)
        assert 0 == asked(watched.host, "stat -c %d %i")

        await shown(watched)
        assert "anna@desk, process 4711: move guest web01 from a to b" == watched.state.lock_holder

        made.files["/proc/locks"] = b""
        await watched.pass_time(2 * SHOWN_EVERY_S)
        assert watched.state.lock_holder is None
