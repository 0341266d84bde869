"""A plan: what must be typed, what is lost, and by what it is known to be stale."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.plan_worlds import HOST
from zconsole.actions.byte_count_tolerance import Figure, FigureMeasure
from zconsole.actions.intent import Intent
from zconsole.actions.plan import (
    COMMAND_CHARACTERS,
    FIRST,
    SUDO_SECRET,
    Plan,
    PlanBasis,
    RefusalReason,
    Risk,
    Sender,
    Step,
    permissions_on,
    split_command,
    split_long,
)
from zconsole.model.host.plan_facts import PrivilegeMode

PLAN = Plan(
    Intent("destroy", "tank/a"), "destroy tank/a", "tank/a", HOST, Risk.DESTRUCTIVE, 1.0,
    steps=(Step(("zfs", "destroy", "tank/a"), "destroy it"),), destroys=("tank/a", "tank/a@1"),
    live=("tank/a@1",), basis=PlanBasis((("guid of tank/a", "7"),)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "risk"),
    [
        (None, Risk.ROUTINE),
        ("tank/a", Risk.CAUTION),
        ("storage1:tank/a", Risk.DESTRUCTIVE),
        ("storage1:tank/a 2", Risk.CATASTROPHIC),
        (None, Risk.REFUSED),
    ],
)
def test_the_higher_the_risk_the_more_is_typed(expected: str | None, risk: Risk) -> None:
    assert expected == replace(PLAN, risk=risk).confirm


def test_risks_are_in_order() -> None:
    assert [0, 1, 2, 3, 4] == [risk.rank for risk in Risk]


def test_what_is_alive_is_told_first_and_a_refused_plan_loses_nothing() -> None:
    refused = replace(PLAN, refusals=(RefusalReason("held", "it is held"),))

    assert ("tank/a@1", "tank/a") == PLAN.lost
    assert () == refused.lost
    assert refused.is_refused


def test_advice_that_several_refusals_share_stands_once_behind_the_last() -> None:
    held = [RefusalReason("held", f"{name} is held", "release it") for name in "ab"]
    refused = replace(PLAN, refusals=(*held, RefusalReason("full", "no space", "free some")))

    assert ["", "release it", "free some"] == [instead for _, instead in refused.refusals_with_remedies]


def test_each_secret_is_asked_for_once() -> None:
    nas = replace(HOST, label="nas1")
    sender = Sender(nas, ("zfs", "send", "x"), PrivilegeMode.SUDO_PASSWORD, is_elsewhere=True)
    keyed = Step(("zfs", "load-key"), "load it", wants_secret="passphrase of tank/a")
    made = replace(PLAN, steps=(keyed, keyed, Step(("zfs", "receive"), "receive", sender=sender)))

    assert ("passphrase of tank/a", "password for sudo on nas1") == made.secrets
    assert SUDO_SECRET == replace(made, privilege_mode=PrivilegeMode.SUDO_PASSWORD).secrets[0]
    assert "" == replace(sender, privilege_mode=PrivilegeMode.SUDO).secret


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAN, basis=PlanBasis((("guid of tank/a", "8"),))),
        replace(PLAN, steps=(Step(("zfs", "destroy", "-r", "tank/a"), "destroy it"),)),
        replace(PLAN, steps=(replace(PLAN.steps[0], stdin="more"),)),
        replace(PLAN, destroys=("tank/a",)),
    ],
)
def test_a_plan_that_rests_on_or_does_something_else_has_another_fingerprint(other: Plan) -> None:
    assert PLAN.fingerprint != other.fingerprint


def test_words_about_it_are_no_part_of_the_fingerprint() -> None:
    assert PLAN.fingerprint == replace(PLAN, notes=("new words",), made_at=2.0).fingerprint


def test_differences_name_what_changed_went_and_came() -> None:
    figure = Figure("referenced by tank/a", FigureMeasure.REFERENCED, 1 << 30)
    before = PlanBasis((("state", "ONLINE"), ("label", "none")), (figure,))
    now = PlanBasis((("state", "DEGRADED"), ("tank/b", "guid 1")), (replace(figure, bytes=2 << 30),))

    assert (
        "state was ONLINE, is DEGRADED",
        "label is gone (was none)",
        "tank/b is new (guid 1)",
        "referenced by tank/a was 1.00 GiB, is 2.00 GiB",
    ) == before.differences(now)
    assert () == before.differences(before)


def test_a_figure_within_its_tolerance_changes_neither_digest_nor_words() -> None:
    figure = Figure("referenced by tank/a", FigureMeasure.REFERENCED, 1 << 30)
    before, now = PlanBasis((), (figure,)), PlanBasis((), (replace(figure, bytes=(1 << 30) + 4096),))

    assert () == before.differences(now)


@pytest.mark.parametrize(("first", "count"), [(FIRST, FIRST), (FIRST + 1, FIRST + 1), (FIRST, FIRST + 2)])
def test_of_a_long_list_the_first_few_stand_before_the_rest(first: int, count: int) -> None:
    head, rest = split_long(range(count))

    assert first == len(head)
    assert list(range(count)) == [*head, *rest]


def test_a_command_is_quoted_and_cut_at_whole_words() -> None:
    long = ["zfs", "destroy", *("tank/" + "x" * 90 for _ in range(9))]

    shown, left_out = split_command(long)

    assert ("zfs destroy 'tank/a b'", 0) == split_command(("zfs", "destroy", "tank/a b"))
    assert COMMAND_CHARACTERS >= len(shown)
    assert long[: len(long) - left_out] == shown.split(" ")
    assert left_out > 0


def test_each_permission_is_wanted_once_on_each() -> None:
    assert (("a", "x"), ("b", "x"), ("a", "y"), ("b", "y")) == permissions_on("a,b", "x", "y", "x")


def test_what_libvirt_does_not_tell_of_a_guest_is_not_gone() -> None:
    was = PlanBasis((("guest web01", "ab-1"), ("guid of tank", "1")))
    now = PlanBasis((), guests_unread="libvirt does not answer")

    assert (
        "guest web01 was ab-1, and is not known now: libvirt does not answer",
        "guid of tank is gone (was 1)",
    ) == was.differences(now)
    assert "guest web01 is gone (was ab-1)" in was.differences(PlanBasis(()))
