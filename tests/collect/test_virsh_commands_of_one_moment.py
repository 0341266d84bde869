"""Questions to one libvirt: one process for those of one moment, and each answer by itself."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.doubles.scripted_host import HANG, ScriptedHost
from tests.doubles.virsh_host import ERROR, URI, VirshHost, asked
from zconsole.base.errors import CommandFailed, LinkLost, Stuck
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.system.libvirt.several_commands_in_one_virsh import MOST


def host(**domains: bytes | object | None) -> VirshHost:
    made = VirshHost()
    made.domains = {f"dumpxml {name}": answer for name, answer in domains.items()}
    return made


async def all_asked(asker: Asker, *names: str) -> list[Completed]:
    return await asyncio.gather(*(asker.run(asked("dumpxml", each), kind=f"guest {each}") for each in names))


async def test_those_of_one_moment_need_one_process() -> None:
    virsh = host(a=b"<a/>\n", b=b"<b/>\n", c=b"<c/>\n")

    found = await all_asked(Asker(virsh), "a", "b", "c")

    assert [b"<a/>\n", b"<b/>\n", b"<c/>\n"] == [each.stdout for each in found]
    assert [asked("dumpxml", each) for each in "abc"] == [each.command for each in found]
    assert 1 == len(virsh.commands)


async def test_one_alone_is_asked_as_ever() -> None:
    virsh = host(a=b"<a/>\n")

    await all_asked(Asker(virsh), "a")

    assert [" ".join(asked("dumpxml", "a").argv)] == virsh.commands


async def test_one_that_fails_has_its_own_words_and_the_others_their_answers() -> None:
    virsh = host(a=b"<a/>\n", gone=None, b=b"<b/>\n")

    first, gone, last = await all_asked(Asker(virsh), "a", "gone", "b")

    assert (b"<a/>\n", b"<b/>\n") == (first.stdout, last.stdout)
    assert (1, ERROR) == (gone.status, gone.stderr)
    assert 2 == len(virsh.commands)


async def test_an_empty_answer_is_none_where_nothing_failed() -> None:
    virsh = host(a=b"<a/>\n")
    virsh.domains["list --uuid"] = b""
    asker = Asker(virsh)

    _, listed = await asyncio.gather(
        asker.run(asked("dumpxml", "a"), kind="a"), asker.run(asked("list", "--uuid"), kind="b")
    )

    assert (0, b"") == (listed.status, listed.stdout)
    assert 1 == len(virsh.commands)


async def test_one_that_hangs_costs_itself() -> None:
    virsh = host(a=b"<a/>\n", hangs=HANG, b=b"<b/>\n", c=b"<c/>\n")
    asker = Asker(virsh)

    first, hangs, *last = await all_asked(asker, "a", "hangs", "b", "c")

    assert [b"<a/>\n", b"<b/>\n", b"<c/>\n"] == [each.stdout for each in (first, *last)]
    assert (Outcome.UNKNOWN, "no answer within 10 s") == (hangs.outcome, hangs.reason)
    assert asked("dumpxml", "hangs") == hangs.command
    with pytest.raises(Stuck):
        await asker.run(asked("dumpxml", "hangs"), kind="guest hangs")
    assert (await asker.run(asked("dumpxml", "b"), kind="guest b")).is_done


async def test_answers_that_are_too_large_together_are_read_one_by_one() -> None:
    virsh = host(a=b"a" * 60, b=b"b" * 60, c=b"c" * 20)
    asker = Asker(virsh)

    found = await asyncio.gather(
        *(asker.run(replace(asked("dumpxml", each), max_bytes=100), kind=each) for each in "abc")
    )

    assert [b"a" * 60, b"b" * 60, b"c" * 20] == [each.stdout for each in found]


async def test_a_host_has_several_processes_for_more_than_one_takes() -> None:
    names = [f"g{at}" for at in range(MOST + 3)]
    virsh = host(**dict.fromkeys(names, b"<x/>\n"))

    found = await all_asked(Asker(virsh), *names)

    assert all(each.is_done for each in found)
    assert 2 == len(virsh.commands)


async def test_without_a_virsh_each_has_failed_and_none_is_asked_again() -> None:
    class Without(VirshHost):
        async def run(self, command: Command) -> Completed:
            self.commands.append(command.argv[-1])
            return ended(command, 127, b"", b"env: virsh: No such file or directory\n")

    virsh = Without()

    found = await all_asked(Asker(virsh), "a", "b")

    assert [127, 127] == [each.status for each in found]
    assert 1 == len(virsh.commands)


async def test_a_lost_link_is_told_to_all() -> None:
    class Lost(VirshHost):
        async def run(self, command: Command) -> Completed:
            raise LinkLost("the link to nas1 was lost")

    asker = Asker(Lost())
    found = await asyncio.gather(
        *(asker.ask(asked("dumpxml", each), kind=each) for each in "ab"), return_exceptions=True
    )

    assert [LinkLost, LinkLost] == [type(each) for each in found]


async def test_nobody_who_waits_ends_the_process() -> None:
    started, ended_early = asyncio.Event(), asyncio.Event()

    class Slow(VirshHost):
        async def run(self, command: Command) -> Completed:
            started.set()
            try:
                await asyncio.Future()
            finally:
                ended_early.set()
            raise AssertionError

    both = asyncio.create_task(all_asked(Asker(Slow()), "a", "b"))
    await started.wait()

    both.cancel()

    async with asyncio.timeout(5):
        await ended_early.wait()


async def test_another_libvirt_and_what_changes_something_have_processes_of_their_own() -> None:
    virsh = host(a=b"<a/>\n")
    virsh.answers = {"virsh": b"\n"}
    session = Command(("virsh", "-r", "-q", "-c", "qemu:///session", "dumpxml", "a"))
    asker = Asker(virsh)

    await asyncio.gather(
        asker.run(asked("dumpxml", "a"), kind="a"),
        asker.run(session, kind="b"),
        asker.run(Command(("virsh", "-q", "-c", URI, "uri")), kind="c"),
    )

    assert 3 == len(virsh.commands)


async def test_a_host_that_answers_only_what_was_recorded_is_asked_by_each_command() -> None:
    recorded = ScriptedHost()
    recorded.answers = {"virsh": b"<x/>\n"}
    asker = Asker(recorded)

    await all_asked(asker, "a", "b")

    assert not asker.asks_virsh_at_once
    assert 2 == len(recorded.commands)


async def test_each_answer_is_kept_by_its_own_command() -> None:
    kept: dict[tuple[str, ...], bytes] = {}

    class Keeping(VirshHost):
        def keep_answer(self, command: Command, printed: bytes) -> None:
            kept[command.argv] = printed

    virsh = Keeping()
    virsh.domains = {"dumpxml a": b"<a/>\n", "dumpxml b": b"<b/>\n"}

    await all_asked(Asker(virsh), "a", "b")

    assert {asked("dumpxml", "a").argv: b"<a/>\n", asked("dumpxml", "b").argv: b"<b/>\n"} == kept


async def test_a_failure_raises_as_ever() -> None:
    virsh = host(a=b"<a/>\n", gone=None)
    asker = Asker(virsh)

    found = await asyncio.gather(
        *(asker.ask(asked("dumpxml", each), kind=each) for each in ("a", "gone")), return_exceptions=True
    )

    assert b"<a/>\n" == found[0]
    assert isinstance(found[1], CommandFailed)
    assert "virsh dumpxml on nas1 failed (exit 1)" == found[1].message
