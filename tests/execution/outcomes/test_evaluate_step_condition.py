"""Facts that tell whether a step happened: each kind, what held before, and the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.plan_worlds import filesystem, host, snapshot
from tests.execution.outcomes.tellings import (
    FALSE,
    LEAF,
    LEAF_GUID,
    SNAP,
    TANK,
    TANK_GUID,
    TRUE,
    UNKNOWN,
    K,
)
from zconsole.actions.plan import Condition, ConditionKind
from zconsole.execution.outcomes.evaluate_step_condition import holds, since, telling
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_contents import FileLookup, FileState, FileType
from zconsole.model.guests.guest import GuestState
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import DiskLabel, Hold, PlanFacts, SendingSide
from zconsole.model.pools.pool import Count, Scan
from zconsole.zfs.listing.history import HistoryRecord

HOME = filesystem("tank/home", origin="tank/gold@a", keystatus="available")
WORLD: PlanFacts = host(
    [HOME, SNAP],
    pools=(TANK,),
    holds=(Hold("tank/home@a", "keep"),),
    properties=(("tank/home", "compression", "lz4", "local"), ("tank", "autotrim", "on", "local")),
    labels=(DiskLabel("/dev/disk/by-id/ata-X", "old"),),
    guest_states=(("uuid-1", GuestState.SHUT_OFF),),
    stored=(
        StoredDefinition("uuid-1", ""),
        StoredDefinition("uuid-3", "<domain/>", is_started_at_boot=True),
    ),
    labels_unread=frozenset({"/dev/disk/by-id/ata-U"}),
    files=FileLookup(
        asked=frozenset({"/tank/home/x", "/tank/home/y"}),
        found=(FileState("/tank/home/x", FileType.FILE, 5, 6, 10, 1_795_000_000_000_000_000),),
    ),
)


def _name(condition: Condition) -> str:
    return f"{condition.kind.value} {condition.object} {condition.key} {condition.value}"


@pytest.mark.parametrize("condition", TRUE, ids=_name)
def test_what_is_so_holds(condition: Condition) -> None:
    assert holds(ConditionCheck(condition), WORLD) is True


@pytest.mark.parametrize("condition", FALSE, ids=_name)
def test_what_is_not_so_does_not_hold(condition: Condition) -> None:
    assert holds(ConditionCheck(condition), WORLD) is False


@pytest.mark.parametrize("condition", UNKNOWN, ids=_name)
def test_what_was_not_read_is_not_known(condition: Condition) -> None:
    assert holds(ConditionCheck(condition), WORLD) is None


@pytest.mark.parametrize(("guid", "is_so"), [(SNAP.guid, True), (99, False)])
def test_a_snapshot_of_another_host_is_compared_by_guid(guid: int, is_so: bool) -> None:
    side = SendingSide(MachineIdentity("nas1"), True, datasets=(snapshot("far/home@a", 1, guid=guid),))
    condition = Condition(K.SAME_SNAPSHOT, "tank/home@a", "tank", "nas1", "far/home@a")

    assert is_so is holds(ConditionCheck(condition), replace(WORLD, sending=side))


def test_every_kind_is_tried() -> None:
    assert set(ConditionKind) == {condition.kind for condition in (*TRUE, *FALSE, *UNKNOWN)}


def test_errors_anywhere_in_a_vdev_are_errors() -> None:
    sick = replace(TANK, vdevs=(replace(group("mirror-0", replace(LEAF, read_errors=Count(3))), guid=77),))

    for name in ("77", LEAF_GUID, TANK_GUID):
        assert (
            holds(ConditionCheck(Condition(K.ERRORS_ZERO, name, "tank")), replace(WORLD, pools=(sick,)))
            is False
        )


def test_a_pool_of_unknown_guid_may_be_any() -> None:
    graph = replace(WORLD, pools=(replace(TANK, guid=None, name="other"),))

    assert holds(ConditionCheck(Condition(K.POOL_GONE, TANK_GUID)), graph) is None


def test_a_pool_of_which_only_the_state_is_known_tells_nothing_of_its_vdevs() -> None:
    graph = replace(WORLD, pools=(replace(TANK, vdevs=()),))

    assert holds(ConditionCheck(Condition(K.VDEV_GONE, LEAF_GUID, "tank")), graph) is None


def test_what_held_before_the_step_tells_nothing_after_it() -> None:
    there = Condition(K.HOLD_THERE, "tank/home@a", value="keep")
    new = Condition(K.HOLD_THERE, "tank/home@a", value="new")

    assert (ConditionCheck(new),) == telling((there, new), WORLD)


def test_what_could_not_be_known_before_tells_nothing_after() -> None:
    assert () == telling((Condition(K.PROPERTY_IS, "tank/home", "tank", "atime", "on"),), WORLD)


def test_in_a_pool_that_was_not_there_nothing_was() -> None:
    leaf = Condition(K.LEAF_THERE, "/dev/disk/by-id/ata-N", "fresh")

    assert (ConditionCheck(leaf),) == telling((leaf,), WORLD)


def test_a_scan_that_ran_before_is_not_the_one_that_was_asked_for() -> None:
    """The last scrub had finished, and the new one has finished as well."""
    finished = replace(WORLD, pools=(replace(TANK, scan=Scan("scrub", "finished", start=1000)),))
    condition = Condition(K.SCAN_IS, TANK_GUID, "tank", "scrub", "scanning|finished")

    (told,) = telling((condition,), finished)

    assert holds(told, finished) is False
    assert holds(told, WORLD) is True
    again = replace(WORLD, pools=(replace(TANK, scan=Scan("scrub", "finished", start=2000)),))
    assert holds(told, again) is True


def test_a_command_that_the_history_had_before_is_not_the_one_that_was_sent() -> None:
    """In the same second somebody else may have typed the very same."""
    line = "zpool clear tank"
    condition = Condition(K.HISTORY, "tank", "tank", value=line)
    once, twice = (
        (HistoryRecord(1000, line, "root"),),
        (HistoryRecord(1000, line, "root"), HistoryRecord(1000, line, "ann")),
    )

    (told,) = telling((condition,), WORLD, once)
    (blind,) = telling((condition,), WORLD)

    assert holds(told, WORLD, once, sent=1000.2) is False
    assert holds(told, WORLD, twice, sent=1000.2) is True
    assert holds(blind, WORLD, once, sent=1000.2) is True
    assert holds(blind, WORLD, once, sent=1001.2) is False


def test_a_rollback_is_told_by_what_the_kernel_did_not_by_who_asked_for_it() -> None:
    condition = Condition(K.ROLLED_BACK, "tank", "tank", value="tank/home@a")
    text = "(3ms) ioctl rollback\n    input:\n        target: 'tank/home@{}'\n    output:\n"
    other, this = HistoryRecord(1000, text.format("b"), "root"), HistoryRecord(1000, text.format("a"), "root")

    (told,) = telling((condition,), WORLD, (this,))
    (blind,) = telling((condition,), WORLD)

    assert holds(told, WORLD, (this, other), sent=1000.2) is False
    assert holds(told, WORLD, (this, this), sent=1000.2) is True
    assert holds(blind, WORLD, (other,), sent=1000.2) is False
    assert holds(blind, WORLD, (this,), sent=1000.2) is True
    assert holds(blind, WORLD, (this,), sent=1001.2) is False


def test_only_commands_since_the_step_was_sent_count() -> None:
    old, new = HistoryRecord(990, "zpool clear tank", "root"), HistoryRecord(1000, "zpool clear tank", "root")
    inner, ioctl = HistoryRecord(1000, "clear", txg=5), HistoryRecord(1001, "(3ms) ioctl clear", "root")

    assert (new,) == since((old, new, inner, ioctl), 1000.5)


def test_a_snapshot_is_the_same_by_its_guid_and_not_by_its_name() -> None:
    condition = Condition(K.SAME_SNAPSHOT, "vault/home@a", "vault", value="tank/home@a")
    ours = snapshot("tank/home@a", guid=5)

    def seen(*copies: Dataset) -> bool | None:
        return holds(ConditionCheck(condition), host([ours, filesystem("vault/home"), *copies]))

    assert (True, False, False, None) == (
        seen(snapshot("vault/home@a", guid=5)),
        seen(snapshot("vault/home@a", guid=6)),
        seen(),
        seen(snapshot("vault/home@a", guid=None)),
    )


def test_a_disk_is_where_the_stored_definition_has_it() -> None:
    xml = "<domain><devices><disk><source file='/a'/><target dev='vda'/></disk></devices></domain>"

    def seen(path: str, text: str = xml) -> bool | None:
        facts = host([HOME], stored=(StoredDefinition("uuid", text),))
        return holds(ConditionCheck(Condition(K.GUEST_DISK, "uuid", key="vda", value=path)), facts)

    assert (True, False, None) == (seen("/a"), seen("/b"), seen("/a", "<domain>"))


def test_a_property_of_what_an_earlier_step_makes_is_not_so_before() -> None:
    new = Condition(K.PROPERTY_IS, "tank/new", "tank", "readonly", "off")

    assert [new] == [each.condition for each in telling((new,), WORLD)]
