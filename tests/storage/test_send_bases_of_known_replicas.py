"""What was found of copies is kept for plans, and a file that cannot be read is said to be so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan
from zconsole.analysis.replication.replicas_and_send_bases import Base
from zconsole.base.clock import ManualClock
from zconsole.execution.facts.fact_reader_context import SendBases
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.datasets.replication import SendBase
from zconsole.practice import PracticeHost
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal
from zconsole.storage.send_bases_of_known_replicas import (
    CopiesUnread,
    copies_path,
    known_bases,
    remember_bases,
)

HERE = Base("nas", "tank/home@b", 2**63 + 1, "vault:backup/home", "it starts from it")
THERE = Base("vault", "backup/home@b", 2**63 + 1, "nas:tank/home", "it builds on it", is_at_source=False)


def seen(base: Base, at: float) -> SendBase:
    return SendBase(
        base.host, base.name, base.guid, base.peer, base.reason, at, is_at_source=base.is_at_source
    )


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "new" / "copies.json"
    remember_bases([HERE, THERE], ["nas", "vault"], 100.0, file)

    assert (seen(HERE, 100.0), seen(THERE, 100.0)) == known_bases(file)
    assert ["copies.json"] == [each.name for each in file.parent.iterdir()]


def test_asking_some_hosts_leaves_what_is_known_of_others(tmp_path: Path) -> None:
    file = tmp_path / "copies.json"
    remember_bases([HERE, THERE], ["nas", "vault"], 100.0, file)
    local = replace(HERE, peer="nas:bulk/home")
    remember_bases([local], ["nas"], 200.0, file)
    assert {seen(HERE, 100.0), seen(THERE, 100.0), seen(local, 200.0)} == set(known_bases(file))

    remember_bases([], ["nas", "vault"], 300.0, file)
    assert () == known_bases(file)


def test_nothing_kept_is_nothing_known() -> None:
    assert () == known_bases()
    assert "copies.json" == copies_path().name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": 2, "bases": []}',
        '{"schema": 1, "bases": [{"host": 1}]}',
        '{"schema": 1, "bases": [3]}',
    ],
)
def test_a_damaged_file_is_no_knowledge(text: str, tmp_path: Path) -> None:
    file = tmp_path / "copies.json"
    file.write_text(text)

    with pytest.raises(CopiesUnread):
        known_bases(file)
    with pytest.raises(CopiesUnread):
        remember_bases([HERE], ["nas"], 1.0, file)


def test_a_file_that_cannot_be_written_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "in-the-way").write_text("")
    with pytest.raises(CopiesUnread, match="cannot be"):
        remember_bases([HERE], ["nas"], 1.0, tmp_path / "in-the-way" / "copies.json")


async def test_a_plan_for_a_host_knows_of_copies_and_says_where_it_cannot() -> None:
    """From the file to the plan, by the way that console and command line take."""
    host, clock = PracticeHost(), ManualClock(2e9)
    await host.connect()
    listed = await host.run(
        Command(("zfs", "list", "-Hp", "-t", "snapshot", "-o", "name,guid", "-r", "tank"))
    )
    name, guid = listed.stdout.decode().splitlines()[0].split("\t")
    base = SendBase("practice", name, int(guid), "vault:b/home", "it does", 2e9)

    def cannot() -> tuple[SendBase, ...]:
        raise CopiesUnread("the file is damaged")

    async def prepared(known: SendBases | None) -> Plan:
        journal = Journal(is_kept=False)
        policies = Policies(clock=clock)
        operator = Operator([host], clock=clock, policies=policies, journal=journal, send_bases=known)
        return await operator.prepare(host.label, Intent("destroy", name))

    plain, blind, told = [await prepared(known) for known in (None, cannot, lambda: (base,))]

    assert "send base" not in {each.kind for each in plain.dependents}
    assert "whether copies elsewhere build on it is not known: the file is damaged" in blind.warnings
    assert ["vault:b/home"] == [each.name for each in told.dependents if each.kind == "send base"]


class _Copied(PracticeHost):
    """A practice host whose pool bulk has a copy of a snapshot of tank; or none that could be listed."""

    def __init__(self, systems: str, snapshots: str) -> None:
        super().__init__()
        self._systems = systems
        self._snapshots = snapshots

    async def run(self, command: Command) -> Completed:
        if command.argv[-1] == "bulk" and any("receive_resume_token" in word for word in command.argv):
            return Completed(command, Outcome.DONE, 0, self._systems.encode(), b"")
        if command.argv[-1] == "bulk/copy":
            return Completed(command, Outcome.DONE, 0, self._snapshots.encode(), b"")
        return await super().run(command)


async def test_copies_on_other_pools_of_the_host_are_found_as_they_are_now() -> None:
    plain, clock = PracticeHost(), ManualClock(2e9)
    await plain.connect()
    listing = Command(("zfs", "list", "-Hp", "-t", "snapshot", "-o", "name,guid,creation", "-r", "tank"))
    name, guid, creation = (await plain.run(listing)).stdout.decode().splitlines()[0].split("\t")
    systems = (
        f"bulk\tfilesystem\t1\t1\t1\t98304\t-\nbulk/copy\tfilesystem\t2\t9\t{int(creation) + 99}\t98304\t-\n"
    )
    copied = f"bulk/copy@x\t{guid}\t10\n"

    async def prepared(host: PracticeHost) -> Plan:
        operator = Operator(
            [host], clock=clock, policies=Policies(clock=clock), journal=Journal(is_kept=False)
        )
        await host.connect()
        return await operator.prepare(host.label, Intent("destroy", name))

    found, cut = await prepared(_Copied(systems, copied)), await prepared(_Copied(systems, copied[:-1]))

    (base,) = [each for each in found.dependents if each.kind == "send base"]
    assert "practice:bulk/copy" == base.name
    assert f"on {name}: the next increment to practice:bulk/copy starts from it" in base.detail
    assert base.detail.endswith("seen now")
    assert any("whether bulk has copies that build on it is not known" in each for each in cut.warnings)
