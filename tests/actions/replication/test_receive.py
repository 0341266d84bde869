"""Plans of receives: what is sent on what, what must not be, and how one that was cut goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.actions.replication.ends import A_THERE, B_THERE, COPY, SOURCE, VAULT, fed, received, world
from tests.doubles.plan_worlds import GIB, MIB, guid_of, snapshot, volume
from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import intent
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import OutsideUse


def test_a_first_receive_is_of_all_and_makes_a_dataset_that_nobody_writes_to() -> None:
    made = received(world())

    assert ([], Risk.ROUTINE, None) == (rules(made), made.risk, made.confirm)
    assert "zfs send -L -e -c tank/home@b" == fed(made)
    assert ["zfs receive -s -u -o readonly=on vault/home"] == commands(made)
    assert "zfs destroy -r vault/home" == made.undo
    assert 5 * GIB == made.steps[0].sender.size_bytes  # type: ignore[union-attr]


def test_the_next_one_builds_on_the_last_snapshot_that_both_have() -> None:
    made = received(world(COPY, A_THERE, B_THERE), "tank/home@c")

    assert "zfs send -L -e -c -i tank/home@b tank/home@c" == fed(made)
    assert ["zfs receive -s -u vault/home"] == commands(made)
    assert (Risk.CAUTION, "vault/home") == (made.risk, made.confirm)
    assert "zfs rollback -r vault/home@b" == made.undo


def test_it_happened_when_the_snapshot_is_there_by_its_guid() -> None:
    (told,) = received(world()).steps[0].settled_by

    assert (ConditionKind.RECEIVED, "vault/home", "b", str(guid_of("tank/home@b"))) == (
        told.kind,
        told.object,
        told.key,
        told.value,
    )


@pytest.mark.parametrize(
    ("target", "source", "rule"),
    [
        ((COPY, A_THERE, B_THERE), "tank/home@b", "already-there"),
        ((COPY, A_THERE, B_THERE), "tank/home@a", "already-there"),
        ((COPY, B_THERE), "tank/home@a", "older"),
        ((COPY, snapshot("vault/home@x", 51)), "tank/home@b", "no-common"),
        ((COPY,), "tank/home@b", "no-common"),
        ((replace(COPY, written_bytes=MIB), A_THERE), "tank/home@b", "changed"),
        ((replace(COPY, written_bytes=None), A_THERE), "tank/home@b", "changed"),
        ((COPY, A_THERE, snapshot("vault/home@own", 52)), "tank/home@b", "changed"),
        ((COPY, A_THERE, snapshot("vault/home@b", 52, guid=9)), "tank/home@b", "snapshot-exists"),
    ],
)
def test_what_zfs_would_have_to_overwrite_is_refused(
    target: tuple[Dataset, ...], source: str, rule: str
) -> None:
    made = received(world(*target), source)

    assert rule in rules(made)
    assert "-F" not in [word for step in made.steps for word in step.argv]


def test_a_target_that_changed_is_said_how_to_bring_back_and_left_as_it_is() -> None:
    facts = world(COPY, A_THERE, snapshot("vault/home@own", 52),
                  properties=(("vault/home", "written@vault/home@a", str(3 * MIB), "-"),))  # fmt: skip
    made = received(facts)

    (refusal,) = made.refusals
    assert "3.00 MiB were written" in refusal.reason
    assert "vault/home@own" in refusal.reason
    (alternative,) = made.alternatives
    assert intent("rollback", "vault/home@a", options={"recursive": True}) == alternative[1]


def test_own_snapshots_that_changed_nothing_are_in_nobodys_way() -> None:
    facts = world(COPY, A_THERE, snapshot("vault/home@own", 52),
                  properties=(("vault/home", "written@vault/home@a", "0", "-"),))  # fmt: skip

    assert [] == rules(received(facts))


def test_a_new_place_must_have_something_above_it() -> None:
    assert ["no-parent"] == rules(planned(world(), "receive", "vault/x/y", "tank/home@b"))


def test_what_is_open_there_is_not_changed_under_it() -> None:
    facts = replace(world(COPY, A_THERE), uses=(OutsideUse("vault/home", "guest", "mail"),))

    assert "in-use" in rules(received(facts))


def test_only_what_it_needs_is_read() -> None:
    receive = spec("receive")
    wanted = intent("receive", "vault/home", "tank/home@c", options={"from": "nas1"})
    needs = receive.needs(wanted)
    assert receive.further is not None

    assert (("nas1", "tank"), ("vault",)) == (needs.sender, needs.datasets)
    further = receive.further(wanted, world(COPY, B_THERE))
    assert (("vault/home", "written@vault/home@b"),) == further.properties
    assert ("tank/home@b", "tank/home@c") == further.send[-2:]
    assert Needs() == receive.further(wanted, world(problem="it is suspended"))


def test_a_volume_is_received_like_a_file_system() -> None:
    source = (*SOURCE, volume("tank/v"), snapshot("tank/v@a", 30))

    made = planned(world(source=source), "receive", "vault/v", "tank/v@a")

    assert [] == rules(made)
    assert ["zfs receive -s -u -o readonly=on vault/v"] == commands(made)


@pytest.mark.parametrize(
    ("says", "root"),
    [("inherits its key from vault", "vault"), ("may inherit its key", None), ("", "vault/home")],
)
def test_a_raw_increment_into_a_dataset_with_a_local_key_is_warned_of(says: str, root: str | None) -> None:
    """It brings the wrapped key of the sender: openzfs/zfs#12614."""
    sent = tuple(replace(each, encryption="aes-256-gcm") for each in SOURCE)
    facts = world(replace(COPY, encryption="aes-256-gcm"), A_THERE, source=sent)
    if root is not None:
        read = (COPY.name, "encryptionroot", root.replace("vault/home", COPY.name), "-")
        facts = replace(facts, properties=(*facts.properties, read))

    made = received(facts)
    found = [each for each in made.warnings if "12614" in each]

    assert bool(says) == bool(found)
    assert all(says in each for each in found)


@pytest.mark.parametrize(("encryption", "warned"), [("aes-256-gcm", 1), ("off", 0), (None, 0)])
def test_a_copy_that_its_parent_encrypts_needs_the_key_after_a_reboot(
    encryption: str | None, warned: int
) -> None:
    facts = world()
    vault = replace(VAULT, encryption=encryption, keystatus="available" if warned else None)

    made = received(replace(facts, datasets=(vault, *facts.datasets[1:])))

    found = [each for each in made.warnings if "vault is encrypted, and so is vault/home" in each]
    assert warned == len(found)
    assert all("must be loaded before anything, a guest included" in each for each in found)


def test_one_that_brings_its_own_key_is_not_warned_of() -> None:
    sent = tuple(replace(each, encryption="aes-256-gcm") for each in SOURCE)
    facts = world(source=sent)
    vault = replace(VAULT, encryption="aes-256-gcm", keystatus="available")

    made = received(replace(facts, datasets=(vault, *facts.datasets[1:])))

    assert " -w " in f"{fed(made)} "
    assert not [each for each in made.warnings if "and so is vault/home" in each]
