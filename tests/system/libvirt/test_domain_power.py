"""Commands that change the power state of a guest, and the answer that tells its state."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.guests.guest import GuestState
from zconsole.system.libvirt.domain_power import (
    Argv,
    is_answer_lost,
    parse_state,
    read_state,
    resume,
    shutdown,
    start,
    suspend,
)

UUID = "8f14e45f-ceea-467f-a0e0-000000000001"


@pytest.mark.parametrize(
    ("made", "verb"), [(start, "start"), (shutdown, "shutdown"), (suspend, "suspend"), (resume, "resume")]
)
def test_the_uuid_is_the_last_word(made: Callable[[str], Argv], verb: str) -> None:
    assert (verb, UUID) == made(UUID)[-2:]


def test_the_state_is_read_without_write_access() -> None:
    assert "-r" in read_state(UUID).argv


def test_one_guest_has_one_state() -> None:
    assert GuestState.SHUT_OFF is parse_state("Domain: 'a'\n  state.state=5\n  state.reason=1\n\n")


@pytest.mark.parametrize(
    "text", ["", "\n", "Domain: 'a'\n  state.state=5\n\nDomain: 'b'\n  state.state=1\n\n"]
)
def test_another_number_of_guests_is_no_answer(text: str) -> None:
    with pytest.raises(ParseError):
        parse_state(text)


@pytest.mark.parametrize(
    ("said", "is_lost"),
    [
        ("error: Disconnected from qemu:///system due to end of file", True),
        (
            "error: failed to connect to the hypervisor\nerror: Cannot recv data: Connection reset by peer",
            True,
        ),
        ("error: Failed to shutdown domain\nerror: End of file while reading data: Input/output error", True),
        ("error: failed to connect to the hypervisor\nerror: Failed to connect socket to '/run'", False),
        ("error: Requested operation is not valid: domain is not running", False),
    ],
)
def test_a_connection_that_ended_early_is_told_from_a_refusal(said: str, is_lost: bool) -> None:
    assert is_lost is is_answer_lost(said)
