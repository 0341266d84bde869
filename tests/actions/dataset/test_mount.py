"""Mounting and unmounting file systems."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import filesystem, host, images
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.model.host.plan_facts import OutsideUse

FACTS = host(images())
LOCKED = {"encryption": "aes-256-gcm", "keystatus": "unavailable", "is_mounted": False}


def test_mounting() -> None:
    facts = host((filesystem("tank"), filesystem("tank/a", is_mounted=False)))

    made = planned(facts, "mount", "tank/a")

    assert ["zfs mount tank/a"] == commands(made)
    assert Risk.ROUTINE is made.risk
    (settled,) = made.steps[0].settled_by
    assert (ConditionKind.PROPERTY_IS, "mounted", "yes") == (settled.kind, settled.key, settled.value)


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("mounted", {"is_mounted": True}),
        ("canmount", {"is_mounted": False, "canmount": "off"}),
        ("no-mountpoint", {"is_mounted": False, "mountpoint": None}),
        ("legacy", {"is_mounted": False, "mountpoint": "legacy"}),
        ("locked", LOCKED),
    ],
)
def test_what_cannot_be_mounted(rule: str, values: dict[str, object]) -> None:
    assert [rule] == rules(
        planned(host((filesystem("tank"), filesystem("tank/a", **values))), "mount", "tank/a")
    )


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("its mountpoint is none", {"mountpoint": None}),
        ("its mountpoint is legacy", {"mountpoint": "legacy"}),
        ("its canmount is noauto", {"canmount": "noauto"}),
        ("its key is not loaded", LOCKED),
        ("its mountpoint is /etc: the running system needs it", {"mountpoint": "/etc"}),
    ],
)
def test_what_stays_unmounted_below_is_named_with_the_reason(said: str, values: dict[str, object]) -> None:
    odd = filesystem("tank/a", **{"is_mounted": False, **values})

    made = planned(host((filesystem("tank"), odd, filesystem("tank/b", is_mounted=False))), "mount", "tank",
                   below=True)  # fmt: skip

    assert (f"tank/a stays unmounted: {said}",) == made.warnings
    assert ["zfs mount tank/b"] == commands(made)
    assert not made.is_refused


def test_with_nothing_below_that_can_be_mounted_there_is_no_plan() -> None:
    off = filesystem("tank/off", is_mounted=False, canmount="off")

    assert ["nothing"] == rules(planned(host((filesystem("tank"), off)), "mount", "tank", below=True))


def test_unmounting_takes_those_below_along() -> None:
    made = planned(FACTS, "unmount", "tank/home")

    assert ["zfs unmount tank/home"] == commands(made)
    assert "zfs mount tank/home; zfs mount tank/home/ann" == made.undo
    assert ["/tank/home", "/tank/home/ann"] == [each.name for each in made.dependents]


def test_what_is_open_is_not_unmounted() -> None:
    facts = replace(FACTS, uses=(OutsideUse("tank/home/ann", "process", "1234 bash"),))

    assert ["in-use"] == rules(planned(facts, "unmount", "tank/home"))


def test_a_file_system_that_is_mounted_inside_by_another_name_blocks() -> None:
    facts = host((*images(), filesystem("tank/odd", mountpoint="/tank/home/odd")))

    made = planned(facts, "unmount", "tank/home")

    assert ["mounted-below"] == rules(made)
    assert "tank/odd" in made.refusals[0].reason


@pytest.mark.parametrize(
    ("rule", "values"), [("unmounted", {"is_mounted": False}), ("legacy", {"mountpoint": "legacy"})]
)
def test_what_cannot_be_unmounted(rule: str, values: dict[str, object]) -> None:
    assert [rule] == rules(
        planned(host((filesystem("tank"), filesystem("tank/a", **values))), "unmount", "tank/a")
    )
