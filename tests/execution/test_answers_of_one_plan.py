"""Answers that are kept for one plan: of what was read well, and for nothing that has to be as it is now."""

from __future__ import annotations

import asyncio

import pytest

from tests.doubles.scripted_host import ScriptedHost
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.answers_of_one_plan import AskerForOnePlan
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Effect

LIST = Command(("virsh", "list"))
LINE = "virsh list"


def asking(answer: object) -> tuple[ScriptedHost, AskerForOnePlan]:
    host = ScriptedHost()
    host.answers = {LINE: answer}  # type: ignore[dict-item]
    return host, AskerForOnePlan(Asker(host))


async def test_one_answer_is_for_all_who_ask_at_once_or_later() -> None:
    host, asker = asking(b"web01\n")

    both = await asyncio.gather(asker.ask(LIST, kind="a"), asker.ask(LIST, kind="b"))
    host.answers[LINE] = b"db01\n"

    assert [b"web01\n", b"web01\n"] == both
    assert b"web01\n" == await asker.ask(LIST, kind="a")
    assert [LINE] == host.commands


async def test_what_has_to_be_as_it_is_now_is_asked_again() -> None:
    host, asker = asking(b"web01\n")
    await asker.ask(LIST, kind="a")
    host.answers[LINE] = b"db01\n"

    assert b"db01\n" == await asker.anew.ask(LIST, kind="a")


async def test_a_failure_is_not_kept() -> None:
    host, asker = asking(ended(LIST, 1, b"", b"error: no connection\n"))
    assert not (await asker.run(LIST, kind="a")).is_done
    host.answers[LINE] = b"web01\n"

    assert b"web01\n" == await asker.ask(LIST, kind="a")


async def test_a_change_is_sent_each_time() -> None:
    host, asker = asking(b"")
    change = Command(LIST.argv, Effect.CHANGE)

    await asker.run(change, kind="a")
    await asker.run(change, kind="a")

    assert [LINE, LINE] == host.commands


async def test_who_stops_waiting_does_not_end_the_answer_of_another() -> None:
    host, asker = asking(b"web01\n")
    first = asyncio.create_task(asker.ask(LIST, kind="a"))
    second = asyncio.create_task(asker.ask(LIST, kind="a"))
    await asyncio.sleep(0)

    first.cancel()

    assert b"web01\n" == await second
    assert [LINE] == host.commands


async def test_files_and_folders_are_read_once_and_a_folder_that_is_not_there_too() -> None:
    host = CountedFolders()
    host.files["/proc/swaps"] = b"Filename\n"
    asker = AskerForOnePlan(Asker(host))
    for _ in range(2):
        assert b"Filename\n" == await asker.read_file("/proc/swaps")
        assert ("libvirt-sock",) == await asker.list_folder("/run/user/0/libvirt")
        with pytest.raises(FileNotFoundError):
            await asker.list_folder("/run/user/1000/libvirt")
        host.files["/proc/swaps"] = b"changed\n"

    assert ["/run/user/0/libvirt", "/run/user/1000/libvirt"] == host.listed
    assert b"changed\n" == await asker.anew.read_file("/proc/swaps")


class CountedFolders(ScriptedHost):
    """Has one folder, and knows how often it was asked for any."""

    lists_folders = True

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[str] = []

    async def list_folder(self, path: str) -> tuple[str, ...]:
        self.listed.append(path)
        if path != "/run/user/0/libvirt":
            raise FileNotFoundError(path)
        return ("libvirt-sock",)
