"""Answers asked for ahead: with the first question, used once, and for some datasets of a longer listing."""

from __future__ import annotations

import asyncio

import pytest

from tests.doubles.scripted_host import HANG, Answer, ScriptedHost
from zconsole.collect.answers_ahead import AskerAhead, ExpectedQuestion
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command
from zconsole.zfs.listing.snapshots_and_their_datasets import list_details_in, list_snapshots_of

FIRST = Command(("zfs", "list", "tank"))
DRY_RUN = Command(("zfs", "destroy", "-nvp", "tank/a@1"))
LISTING = list_snapshots_of(("tank/a", "tank/ab", "tank/b"))
LINES = b"tank/a@1\t1\t1\ntank/ab@1\t2\t2\ntank/b@1\t3\t3\n"


def asked(**more: Answer) -> tuple[ScriptedHost, AskerAhead]:
    host = ScriptedHost()
    host.answers = {
        " ".join(FIRST.argv): b"tank\n",
        " ".join(DRY_RUN.argv): more.get("dry_run", b"reclaim\t7\n"),
        " ".join(LISTING.argv): more.get("listing", LINES),
        " ".join(list_snapshots_of(("tank/a",)).argv): b"tank/a@1\t1\t1\n",
        " ".join(list_snapshots_of(("tank/c",)).argv): b"tank/c@1\t4\t4\n",
    }
    expected = [ExpectedQuestion(each, kind, "tank") for each, kind in ((DRY_RUN, "dry-run"), (LISTING, "s"))]
    return host, AskerAhead(Asker(host), expected)


def count(host: ScriptedHost, command: Command) -> int:
    return host.commands.count(" ".join(command.argv))


async def test_what_is_expected_is_asked_with_the_first_question_and_used_once() -> None:
    host, asker = asked()
    assert [] == host.commands

    await asker.ask(FIRST, kind="list")
    await asyncio.sleep(0)
    assert {" ".join(each.argv) for each in (FIRST, DRY_RUN, LISTING)} == set(host.commands)

    assert b"reclaim\t7\n" == await asker.ask(DRY_RUN, kind="dry-run", pool="tank")
    assert 1 == count(host, DRY_RUN)
    await asker.ask(DRY_RUN, kind="dry-run", pool="tank")
    assert 2 == count(host, DRY_RUN)


async def test_a_listing_answers_for_each_of_its_datasets_once() -> None:
    host, asker = asked()

    some = list_snapshots_of(("tank/b", "tank/a"))
    assert b"tank/a@1\t1\t1\ntank/b@1\t3\t3\n" == await asker.ask(some, kind="s", pool="tank")
    assert b"tank/ab@1\t2\t2\n" == await asker.ask(list_snapshots_of(("tank/ab",)), kind="s", pool="tank")
    assert 1 == len(set(host.commands) - {" ".join(DRY_RUN.argv)})
    assert b"tank/a@1\t1\t1\n" == await asker.ask(list_snapshots_of(("tank/a",)), kind="s", pool="tank")
    assert b"tank/c@1\t4\t4\n" == await asker.ask(list_snapshots_of(("tank/c",)), kind="s", pool="tank")
    assert 1 == count(host, LISTING)


@pytest.mark.parametrize("answer", [ended(Command(()), 1, LINES, b"cannot open tank/b"), HANG])
async def test_a_listing_that_failed_answers_for_none(answer: Answer) -> None:
    host, asker = asked(listing=answer)

    assert b"tank/a@1\t1\t1\n" == await asker.ask(list_snapshots_of(("tank/a",)), kind="x", pool="tank")
    assert 1 == count(host, list_snapshots_of(("tank/a",)))


async def test_what_nobody_asked_for_is_dropped_and_its_error_with_it() -> None:
    host, asker = asked(dry_run=HANG)
    await asker.ask(FIRST, kind="list")
    await asyncio.sleep(0)

    asker.forget()

    await asker.ask(LISTING, kind="s", pool="tank")
    assert 2 == count(host, LISTING)


async def test_a_listing_of_all_columns_answers_for_its_datasets_too() -> None:
    host = ScriptedHost()
    whole = list_details_in("tank/a", "tank/ab", "tank/b")
    host.answers = {
        " ".join(whole.argv): b"tank/a@1\tsnapshot\ntank/b@1\tsnapshot\n",
        " ".join(LISTING.argv): LINES,
    }
    expected = [ExpectedQuestion(each, "s", "tank") for each in (whole, LISTING)]
    asker = AskerAhead(Asker(host), expected)

    assert b"tank/a@1\tsnapshot\n" == await asker.ask(list_details_in("tank/a", "tank/ab"), kind="s")
    assert b"tank/b@1\tsnapshot\n" == await asker.ask(list_details_in("tank/b"), kind="s")
    assert b"tank/b@1\t3\t3\n" == await asker.ask(list_snapshots_of(("tank/b",)), kind="s")
    assert 2 == len(host.commands)
