"""What every receive has: a sender that may send, room, and the way of the data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import planned, rules
from tests.actions.replication.ends import A_THERE, COPY, NAS, SOURCE, VAULT, cut, received, world
from tests.doubles.plan_worlds import GIB, HOST, guid_of
from zconsole.actions.plan import SUDO_SECRET
from zconsole.base.errors import UsageError
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import Delegation, PrivilegeMode, Privileges


def test_what_has_no_room_is_refused_unless_it_may_compress() -> None:
    small = replace(VAULT, available_bytes=GIB)
    facts = replace(world(), datasets=(small,))
    plain = tuple(replace(each, compression="off") for each in SOURCE)

    assert ["space"] == rules(received(facts))
    made = received(replace(world(source=plain), datasets=(small,)))
    assert ([], 1) == (rules(made), len(made.warnings))


def test_from_another_host_it_rests_on_that_machine_too() -> None:
    facts = world(identity=NAS, is_elsewhere=True)
    made = received(facts, **{"from": "nas1"})

    assert "receive tank/home@b of nas1 into vault/home" == made.title
    assert "nas1" == made.steps[0].sender.identity.label  # type: ignore[union-attr]
    basis = dict(made.basis.parts)
    assert (NAS.machine_id, NAS.host_key) == (basis["machine-id of nas1"], basis["host key of nas1"])
    assert "nas1" == made.rehearsals[0].host
    assert HOST == made.identity


def test_the_sender_needs_a_right_to_send() -> None:
    bob = Privileges("bob", 1000)
    may = replace(bob, delegations=(Delegation("tank/home", frozenset({"send"})),))

    assert ["permission"] == rules(received(world(privileges=bob)))
    assert [] == rules(received(world(privileges=may)))


def test_a_password_for_sudo_is_asked_for_where_the_sender_wants_one() -> None:
    wants = Privileges("bob", 1000, PrivilegeMode.SUDO_PASSWORD)

    assert (SUDO_SECRET,) == received(world(privileges=wants)).secrets
    elsewhere = world(privileges=wants, identity=NAS, is_elsewhere=True)
    assert (f"{SUDO_SECRET} on nas1",) == received(elsewhere).secrets


def test_what_zfs_would_not_send_is_refused() -> None:
    assert ["dry-run"] == rules(received(world(status=1, said="cannot open", size_bytes=None)))


@pytest.mark.parametrize("problem", ["it is suspended", "nas9 is none of our hosts here"])
def test_a_sender_that_cannot_be_read_refuses_it(problem: str) -> None:
    assert ["unread"] == rules(received(world(problem=problem)))
    assert ["unread"] == rules(received(replace(world(), sending=None)))


@pytest.mark.parametrize(
    ("target", "words", "part"),
    [
        ("vault/home", ("tank/nosuch@x",), "there is no"),
        ("vault/home", ("tank/home#a",), "bookmark"),
        ("vault/home", ("tank",), "no snapshot"),
        ("vault/home", (), "needs the snapshot or dataset"),
        ("vault", ("tank/home@a",), "pool's name"),
        ("vault/home@x", ("tank/home@a",), "'@' cannot be"),
        ("nosuch/home", ("tank/home@a",), "no pool"),
        ("vault/home", ("tank/home@a", "more"), "more"),
    ],
)
def test_words_that_make_no_sense_are_said_so(target: str, words: tuple[str, ...], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        planned(world(), "receive", target, *words)


@pytest.mark.parametrize(("action", "words"), [("receive", ("tank/home@c",)), ("resume-receive", ())])
@pytest.mark.parametrize(
    ("here", "sender", "said"),
    [
        (HOST, {}, "the link to storage1 carries it twice"),
        (HOST, {"identity": NAS, "is_elsewhere": True}, "both links carry it"),
        (replace(HOST, host_key=None), {}, ""),
    ],
)
def test_which_way_the_data_goes_is_told_where_it_is_over_a_link(
    action: str, words: tuple[str, ...], here: MachineIdentity, sender: dict[str, object], said: str
) -> None:
    properties = cut(from_guid=guid_of("tank/home@a")) if action != "receive" else ()
    facts = replace(world(COPY, A_THERE, properties=properties, **sender), identity=here)

    told = [each for each in planned(facts, action, "vault/home", *words).notes if "link" in each]

    assert ([said] if said else []) == [said for each in told if said in each] == [said for _ in told]
