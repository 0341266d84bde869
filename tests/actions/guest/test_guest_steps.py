"""Steps on guests: they need libvirt alone, and are done when the guest has the state."""

from __future__ import annotations

import pytest

from zconsole.actions.guest.guest_steps import resume_step, shutdown_step, start_step, suspend_step
from zconsole.actions.plan import Step
from zconsole.model.guests.guest import (
    LIBVIRT_ACCESS,
    SESSION,
    SESSION_ACCESS,
    Guest,
    GuestDefinition,
    GuestState,
    GuestStatus,
    uuid_and_uri,
)

UUID = "8f14e45f-ceea-467f-a0e0-000000000001"
WEB = Guest(GuestDefinition(UUID, "web01"), GuestStatus("web01", GuestState.RUNNING))


@pytest.mark.parametrize(
    ("step", "verb", "states"),
    [
        (start_step(WEB), "start", "running|blocked"),
        (shutdown_step(WEB), "shutdown", "shut off"),
        (suspend_step(WEB), "suspend", "paused"),
        (resume_step(WEB), "resume", "running|blocked"),
    ],
    ids=lambda each: each.argv[4] if isinstance(each, Step) else "",
)
def test_a_step_names_its_guest_by_uuid_and_ends_with_its_state(step: Step, verb: str, states: str) -> None:
    assert ("virsh", "-q", "-c", "qemu:///system", verb, UUID) == step.argv
    assert [(UUID, "web01", states)] == [(each.object, each.key, each.value) for each in step.settled_by]
    assert (LIBVIRT_ACCESS,) == step.permissions


def test_a_shutdown_waits_as_long_as_it_says() -> None:
    step = shutdown_step(WEB, 90.0)
    assert 90.0 == step.waits_s
    assert "ask web01 to shut down, and wait at most 1m30s until it is shut off" == step.why


def test_a_guest_of_a_session_is_reached_at_its_socket_and_told_apart_from_one_of_the_system() -> None:
    uri = "qemu+unix:///session?socket=/run/user/7/libvirt/libvirt-sock"
    own = Guest(GuestDefinition(UUID, "web01", connection=SESSION, uri=uri), WEB.status)

    step = shutdown_step(own)

    assert ("virsh", "-q", "-c", uri, "shutdown", UUID) == step.argv
    assert (SESSION_ACCESS,) == step.permissions
    assert [(UUID, uri)] == [uuid_and_uri(each.object) for each in step.settled_by]
    assert UUID != step.settled_by[0].object
