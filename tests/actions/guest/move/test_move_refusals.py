"""What refuses a move, by facts that the practice host does not have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import guest_on
from tests.doubles.plan_worlds import GIB, filesystem, host, snapshot, volume
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.move_refusals import (
    common_snapshot,
    guest_of_system,
    refuse_new_target,
    refuse_source,
)
from zconsole.actions.plan import Risk
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import OutsideUse

OLD, NEW = filesystem("tank/web01"), filesystem("fast/web01", written_bytes=0)
ONE, TWO = snapshot("tank/web01@1", 20, guid=1), snapshot("tank/web01@2", 30, guid=2)


def draft() -> Draft:
    return Draft("move", "web01", Risk.CAUTION)


def rules(made: Draft) -> list[str]:
    return [each.rule for each in made.refusals]


def test_encrypted_data_is_refused() -> None:
    made = draft()

    refuse_source(made, replace(OLD, encryption="aes-256-gcm"), host([OLD]))

    assert ["encrypted"] == rules(made)


def test_a_place_below_encrypted_data_is_refused() -> None:
    made, above = draft(), replace(filesystem("fast"), encryption="aes-256-gcm")

    refuse_new_target(made, OLD, "fast/web01", host([OLD, filesystem("tank"), above]))

    assert ["encrypted"] == rules(made)


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        (replace(OLD, referenced_bytes=100 * GIB), []),
        (replace(OLD, referenced_bytes=100 * GIB + 1), ["space"]),
        (volume("tank/web01", referenced_bytes=GIB, refreservation_bytes=101 * GIB), ["space"]),
    ],
)
def test_what_does_not_fit_is_refused_to_the_byte(source: Dataset, refused: list[str]) -> None:
    made = draft()

    refuse_new_target(made, source, "fast/web01", host([source, filesystem("tank"), filesystem("fast")]))

    assert refused == rules(made)


@pytest.mark.parametrize(
    ("there", "common", "refused"),
    [
        ((NEW, snapshot("fast/web01@1", 5, guid=1)), "1", []),
        ((NEW, snapshot("fast/web01@x", 5, guid=2)), "2", []),
        ((NEW,), "", ["exists"]),
        ((NEW, snapshot("fast/web01@1", 5, guid=9)), "", ["exists"]),
        ((NEW, snapshot("fast/web01@1", 5, guid=1), snapshot("fast/web01@own", 6, guid=9)), "", ["newer"]),
        ((replace(NEW, written_bytes=1), snapshot("fast/web01@1", 5, guid=1)), "1", ["changed"]),
        ((replace(NEW, written_bytes=None), snapshot("fast/web01@1", 5, guid=1)), "1", ["changed"]),
        ((volume("fast/web01", written_bytes=0), snapshot("fast/web01@1", 5, guid=1)), "1", ["exists"]),
    ],
)
def test_a_target_goes_on_only_from_a_snapshot_that_both_have_by_guid(
    there: tuple[Dataset, ...], common: str, refused: list[str]
) -> None:
    made = draft()

    both = host([OLD, ONE, TWO, *there])
    found = common_snapshot(made, OLD, there[0], (both, both), is_cut=False)

    assert (common, refused) == (found, rules(made))


def test_what_a_first_receive_has_left_has_no_snapshot_yet() -> None:
    made = draft()

    both = host([OLD, ONE, NEW])
    assert "" == common_snapshot(made, OLD, NEW, (both, both), is_cut=True)
    assert [] == rules(made)


def test_a_dataset_with_a_running_container_is_not_moved() -> None:
    made = draft()
    runs = OutsideUse(OLD.name, "container", "web1", "", "incus stop web1")
    stopped = OutsideUse(OLD.name, "container data", "101 (files)")

    refuse_source(made, OLD, host([OLD], uses=(runs, stopped)))

    assert [("in-use", "incus stop web1, first")] == [(each.rule, each.instead) for each in made.refusals]
    assert ["101 (files)"] == [each.name for each in made.dependents]


def test_the_definitions_of_a_session_are_left_alone() -> None:
    system = guest_on("web01")
    own = replace(system, definition=replace(system.definition, connection="qemu:///session"))
    made, refused = draft(), draft()

    assert system == guest_of_system(made, "web01", replace(host(), guests=(system,)))
    assert guest_of_system(refused, "web01", replace(host(), guests=(own,))) is None
    assert ([], ["session"]) == (rules(made), rules(refused))
