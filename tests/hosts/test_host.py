"""Commands as values, and what a host may be able to do."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost
from zconsole.hosts.host import (
    Command,
    Completed,
    Outcome,
    PassesNoStreams,
    SocketRefused,
    connection_of,
    forward_socket,
    forwards_sockets,
    is_here,
    pipe,
    runs_any_command,
)
from zconsole.hosts.host_wrapper import HostWrapper
from zconsole.hosts.local.local_host import LocalHost

COMMAND = Command(("zfs", "load-key"), stdin=b"swordfish")


def test_what_goes_to_stdin_is_not_shown() -> None:
    assert "swordfish" not in repr(COMMAND)


@pytest.mark.parametrize(
    ("expected", "stdout", "stderr"),
    [("no such pool", b"x", b"no such pool\n"), ("x", b"x\n", b""), ("\ufffd", b"", b"\xff")],
)
def test_what_a_command_said_is_its_errors_or_else_its_output(
    expected: str, stdout: bytes, stderr: bytes
) -> None:
    assert expected == Completed(COMMAND, Outcome.FAILED, 1, stdout, stderr).said


def test_only_status_nought_that_was_seen_is_done() -> None:
    assert Completed(COMMAND, Outcome.DONE, 0, b"", b"").is_done
    assert not Completed(COMMAND, Outcome.UNKNOWN, None, b"", b"").is_done


def test_a_host_that_cannot_pass_streams_says_so() -> None:
    class Plain:
        label = "nas1"

    with pytest.raises(PassesNoStreams, match="nas1 does not support streams"):
        pipe(Plain(), COMMAND)  # type: ignore[arg-type]


def test_a_host_without_a_connection_or_a_place_has_none() -> None:
    class Counted(ScriptedHost):
        connection = 3
        is_here = True

    plain = object()

    assert connection_of(plain) is None  # type: ignore[arg-type]
    assert not is_here(plain)  # type: ignore[arg-type]
    assert 3 == connection_of(Counted("nas1"))
    assert is_here(Counted("nas1"))


async def test_sockets_of_this_machine_are_there_as_they_are_and_other_hosts_may_have_none() -> None:
    wrapped, plain = HostWrapper(LocalHost()), HostWrapper(ScriptedHost("nas1"))

    assert forwards_sockets(wrapped)
    async with forward_socket(wrapped, "/run/libvirt/libvirt-sock-ro") as path:
        assert "/run/libvirt/libvirt-sock-ro" == path
    assert not forwards_sockets(plain)
    with pytest.raises(SocketRefused, match="nas1 does not forward sockets"):
        forward_socket(plain, "/run/libvirt/libvirt-sock-ro")


def test_a_host_in_wrappers_is_asked_once_what_it_runs() -> None:
    class Counting(ScriptedHost):
        asked = 0

        @property
        def runs_any_command(self) -> bool:
            self.asked += 1
            return True

    inner = Counting("nas1")

    assert runs_any_command(HostWrapper(HostWrapper(HostWrapper(inner))))
    assert 1 == inner.asked
    assert not runs_any_command(ScriptedHost("nas1"))
