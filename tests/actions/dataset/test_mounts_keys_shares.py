"""Mount, unmount, keys and shares."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import filesystem, host, images, linked, snapshot
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import OutsideUse

FACTS = host(images())
LOCKED = {"encryption": "aes-256-gcm", "keystatus": "unavailable", "is_mounted": False}
OPEN = {"encryption": "aes-256-gcm", "keystatus": "available"}


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


def _keyed(values: dict[str, object], **properties: str) -> tuple[tuple[str, str, str, str], ...]:
    return tuple(
        ("tank/s", key, value, "local") for key, value in {"encryptionroot": "tank/s", **properties}.items()
    )


def test_a_passphrase_is_asked_for_and_never_in_the_plan() -> None:
    facts = host(
        (filesystem("tank"), filesystem("tank/s", **LOCKED)),
        properties=_keyed({}, keylocation="prompt", keyformat="passphrase"),
    )

    made = planned(facts, "load-key", "tank/s")

    assert ["zfs load-key tank/s"] == commands(made)
    assert "passphrase of tank/s" == made.steps[0].wants_secret
    assert made.steps[0].stdin is None
    assert ("passphrase of tank/s",) == made.secrets


def test_a_key_in_a_file_is_not_asked_for() -> None:
    facts = host(
        (filesystem("tank"), filesystem("tank/s", **LOCKED)),
        properties=_keyed({}, keylocation="file:///root/key", keyformat="raw"),
    )

    made = planned(facts, "load-key", "tank/s")

    assert "" == made.steps[0].wants_secret
    assert not made.is_refused


@pytest.mark.parametrize(
    ("rule", "values", "properties"),
    [
        ("raw-key", LOCKED, {"keylocation": "prompt", "keyformat": "raw"}),
        ("loaded", OPEN, {"keylocation": "prompt"}),
        ("not-encrypted", {"encryption": "off"}, {}),
        ("not-root", LOCKED, {"encryptionroot": "tank"}),
    ],
)
def test_what_key_cannot_be_loaded(rule: str, values: dict[str, object], properties: dict[str, str]) -> None:
    facts = host((filesystem("tank"), filesystem("tank/s", **values)), properties=_keyed({}, **properties))

    assert [rule] == rules(planned(facts, "load-key", "tank/s"))


def test_a_key_is_not_forgotten_while_a_clone_elsewhere_is_mounted_with_it() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/s", **{**OPEN, "is_mounted": False}), snapshot("tank/s@a"),
        filesystem("tank/c", origin="tank/s@a", **OPEN),
    ))  # fmt: skip
    roots = tuple((name, "encryptionroot", "tank/s", "-") for name in ("tank/s", "tank/s@a", "tank/c"))

    made = planned(host(datasets, properties=roots), "unload-key", "tank/s")

    assert ["mounted"] == rules(made)
    assert "tank/c" in made.refusals[0].reason
    assert [] == rules(planned(host(datasets, properties=roots[:1]), "unload-key", "tank/s"))


def test_a_key_is_not_forgotten_under_what_runs() -> None:
    facts = host((filesystem("tank"), filesystem("tank/s", type="volume", **{**OPEN, "is_mounted": None})),
                 uses=(OutsideUse("tank/s", "guest", "web1"),))  # fmt: skip

    assert ["in-use"] == rules(planned(facts, "unload-key", "tank/s"))


def test_sharing_as_the_properties_say() -> None:
    facts = replace(
        FACTS,
        properties=(
            ("tank/home", "sharenfs", "rw=@10.0.0.0/8", "local"),
            ("tank/home", "sharesmb", "off", "default"),
        ),
    )

    made = planned(facts, "unshare", "tank/home")

    assert ["zfs unshare tank/home"] == commands(made)
    assert [("share", "nfs")] == [(each.kind, each.name) for each in made.dependents]
    assert ["zfs share tank/home"] == commands(planned(facts, "share", "tank/home"))
    assert Risk.CAUTION is made.risk


def test_what_is_not_to_be_shared_is_not() -> None:
    assert ["not-shared"] == rules(planned(FACTS, "share", "tank/home"))


@pytest.mark.parametrize(
    ("action", "target"),
    [
        ("mount", "tank/vm1"),
        ("unmount", "tank/home@daily-1"),
        ("load-key", "tank/home@daily-1"),
        ("share", "tank/vm1"),
    ],
)
def test_only_what_can_be(action: str, target: str) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, action, target)
