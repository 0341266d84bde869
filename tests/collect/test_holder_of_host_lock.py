"""The lock of a host as another console sees it."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.collect.holder_of_host_lock import LONGEST_WORDS, read_holder
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker

HELD = b"1: FLOCK  ADVISORY  WRITE 710 00:1a:77 0 EOF\n"
STAT, BY = "stat -c %d %i /run/zconsole/lock", "head -c 2000 /run/zconsole/by"


def host(locks: bytes = HELD, by: bytes | None = b"anna@desk, process 1: scrub tank\n") -> ScriptedHost:
    made = ScriptedHost()
    made.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    made.answers[STAT] = b"26 77\n"
    made.answers[BY] = failed("head", 1, b"cannot open") if by is None else by
    made.files["/proc/locks"] = locks
    return made


async def held(made: ScriptedHost) -> str | None:
    return await read_holder(made, Privilege(Asker(made)))


async def test_the_holder_has_written_who_it_is_and_what_it_carries_out() -> None:
    assert "anna@desk, process 1: scrub tank" == await held(host())


@pytest.mark.parametrize("locks", [b"", HELD.replace(b"FLOCK", b"POSIX"), HELD.replace(b":77 ", b":78 ")])
async def test_a_lock_that_the_kernel_does_not_list_is_free_whatever_is_written(locks: bytes) -> None:
    assert await held(host(locks)) is None


async def test_without_a_lock_nothing_more_is_asked() -> None:
    made = host()
    made.answers[STAT] = failed("stat", 1, b"No such file or directory")

    assert await held(made) is None
    assert [STAT] == made.commands


async def test_who_it_is_may_not_be_readable() -> None:
    assert "" == await held(host(by=None))


async def test_what_is_written_is_of_bounded_length_and_controls_nothing() -> None:
    said = await held(host(by=b"\x1b]0;x\x07" + b"a" * 1000 + b"\nmore"))

    assert said is not None
    assert said.isprintable()
    assert LONGEST_WORDS == len(said)
