"""Loading and unloading encryption keys."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import filesystem, host, linked, snapshot
from zconsole.model.host.plan_facts import OutsideUse

LOCKED = {"encryption": "aes-256-gcm", "keystatus": "unavailable", "is_mounted": False}
OPEN = {"encryption": "aes-256-gcm", "keystatus": "available"}


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
