"""Plans of receives: what is sent on what, what must not be, and how one that was cut goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import (
    GIB,
    HOST,
    MIB,
    ROOT,
    bookmark,
    filesystem,
    guid_of,
    host,
    snapshot,
    volume,
)
from zconsole.actions.action_spec import Needs
from zconsole.actions.catalogue import spec
from zconsole.actions.intent import Target, TargetKind, intent
from zconsole.actions.plan import SUDO_SECRET, ConditionKind, Plan, Risk
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import (
    Becoming,
    Delegation,
    MachineIdentity,
    OutsideUse,
    PlanFacts,
    Privileges,
    SendingSide,
)
from zconsole.practice.send_receive.streams import Sent, token
from zconsole.zfs.stream.send_receive_argv import TOKEN

NAS = MachineIdentity("nas1", "nas1", "fedcba9876543210fedcba9876543210", "SHA256:nas", "0")
SOURCE = (
    filesystem("tank", createtxg=1),
    filesystem("tank/home"),
    snapshot("tank/home@a", 21),
    snapshot("tank/home@b", 22),
    snapshot("tank/home@c", 23),
    bookmark("tank/home#a", 21, guid=guid_of("tank/home@a")),
)
VAULT = filesystem("vault", createtxg=1, guid=1)
COPY = filesystem("vault/home", guid=77, createtxg=50, written_bytes=0, is_mounted=False)


def there(name: str, createtxg: int, of: str) -> Dataset:
    """A snapshot that was received: it has the guid of the one that was sent."""
    return snapshot(name, createtxg, guid=guid_of(of))


A_THERE = there("vault/home@a", 51, "tank/home@a")
B_THERE = there("vault/home@b", 52, "tank/home@b")


def world(
    *target: Dataset,
    source: tuple[Dataset, ...] = SOURCE,
    properties: tuple[tuple[str, str, str, str], ...] = (),
    **sending: object,
) -> PlanFacts:
    """What the receiver has below vault, and the sender in tank; on one host unless it is said."""
    values: dict[str, object] = {
        "identity": HOST, "privileges": ROOT, "datasets": source, "size_bytes": 5 * GIB,
        "measured_by": ("zfs", "send", "-nvP"), "said": "size\t5", "status": 0, **sending,
    }  # fmt: skip
    side = SendingSide(**values)  # type: ignore[arg-type]
    return host((VAULT, *target), sending=side, properties=properties)


def received(facts: PlanFacts, source: str = "tank/home@b", **options: bool | str) -> Plan:
    return planned(facts, "receive", "vault/home", source, **options)


def fed(made: Plan) -> str:
    """What feeds the only step, as it would be typed."""
    (step,) = made.steps
    assert step.sender is not None
    return " ".join(step.sender.argv)


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


def test_of_a_dataset_the_newest_snapshot_is_sent() -> None:
    assert fed(received(world(), "tank/home")).endswith(" tank/home@c")


def test_a_bookmark_is_built_on_where_the_snapshot_is_gone() -> None:
    source = tuple(each for each in SOURCE if each.name != "tank/home@a")

    made = received(world(COPY, A_THERE, source=source), intermediates=True)

    assert "zfs send -L -e -c -i tank/home#a tank/home@b" == fed(made)
    assert any("is a bookmark" in note for note in made.notes)


def test_snapshots_between_go_along_when_that_is_asked_for() -> None:
    facts = world(COPY, A_THERE)

    assert fed(received(facts, "tank/home@c")).endswith("-i tank/home@a tank/home@c")
    assert any("--intermediates" in note for note in received(facts, "tank/home@c").notes)
    assert fed(received(facts, "tank/home@c", intermediates=True)).endswith("-I tank/home@a tank/home@c")


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


def test_what_has_no_room_is_refused_unless_it_may_compress() -> None:
    small = replace(VAULT, available_bytes=GIB)
    facts = replace(world(), datasets=(small,))
    plain = tuple(replace(each, compression="off") for each in SOURCE)

    assert ["space"] == rules(received(facts))
    made = received(replace(world(source=plain), datasets=(small,)))
    assert ([], 1) == (rules(made), len(made.warnings))


def test_what_is_open_there_is_not_changed_under_it() -> None:
    facts = replace(world(COPY, A_THERE), uses=(OutsideUse("vault/home", "guest", "mail"),))

    assert "in-use" in rules(received(facts))


@pytest.mark.parametrize(
    ("source", "target", "argv", "rule"),
    [
        ({"encryption": "aes-256-gcm", "keystatus": "unavailable"}, None, "-w", ""),
        ({"encryption": "aes-256-gcm"}, {"encryption": "aes-256-gcm", "keystatus": "unavailable"}, "-w", ""),
        ({"encryption": "aes-256-gcm", "keystatus": "available"}, {}, "-L", ""),
        ({"encryption": "aes-256-gcm", "keystatus": "unavailable"}, {}, "-L", "locked"),
        ({}, {"encryption": "aes-256-gcm", "keystatus": "unavailable"}, "-L", "locked"),
    ],
)
def test_what_is_encrypted_travels_as_it_is(
    source: dict[str, str], target: dict[str, str] | None, argv: str, rule: str
) -> None:
    sent = tuple(replace(each, **source) if each.name == "tank/home" else each for each in SOURCE)
    here = () if target is None else (replace(COPY, **target), A_THERE)

    made = received(world(*here, source=sent))

    assert argv == fed(made).split()[2]
    assert ([rule] if rule else []) == rules(made)


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
    wants = Privileges("bob", 1000, Becoming.SUDO_PASSWORD)

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
        ("vault/home", (), "needs to be told"),
        ("vault", ("tank/home@a",), "pool's name"),
        ("vault/home@x", ("tank/home@a",), "'@' cannot be"),
        ("nosuch/home", ("tank/home@a",), "no pool"),
        ("vault/home", ("tank/home@a", "more"), "more"),
    ],
)
def test_words_that_make_no_sense_are_said_so(target: str, words: tuple[str, ...], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        planned(world(), "receive", target, *words)


def test_only_what_it_needs_is_read() -> None:
    receive = spec("receive")
    wanted = intent("receive", "vault/home", "tank/home@c", options={"from": "nas1"})
    needs = receive.needs(wanted)
    assert receive.further is not None

    assert (("nas1", "tank"), ("vault",)) == (needs.sender, needs.datasets)
    further = receive.further(wanted, world(COPY, B_THERE))
    assert (("vault/home", "written@vault/home@b"),) == further.properties
    assert further.send[-2:] == ("tank/home@b", "tank/home@c")
    assert Needs() == receive.further(wanted, world(problem="it is suspended"))


def test_a_volume_is_received_like_a_file_system() -> None:
    source = (*SOURCE, volume("tank/v"), snapshot("tank/v@a", 30))

    made = planned(world(source=source), "receive", "vault/v", "tank/v@a")

    assert [] == rules(made)
    assert ["zfs receive -s -u -o readonly=on vault/v"] == commands(made)


# One that was cut


def cut(of: str = "tank/home@b", from_guid: int = 0) -> tuple[tuple[str, str, str, str], ...]:
    sent = Sent(of, guid_of(of), from_guid, 0, "filesystem", GIB)
    return (("vault/home", TOKEN, token(sent, 300 * MIB), "-"),)


FIRST = world(COPY, properties=cut())
NEXT = world(COPY, A_THERE, properties=cut(from_guid=guid_of("tank/home@a")))


@pytest.mark.parametrize("facts", [NEXT, FIRST])
def test_a_receive_that_was_cut_is_offered_to_go_on_or_to_be_given_up(facts: PlanFacts) -> None:
    made = received(facts)

    assert ["partial"] == rules(made)
    assert ["resume-receive", "abort-receive"] == [each.action for _, each in made.alternatives]


def test_it_goes_on_by_its_token() -> None:
    made = planned(NEXT, "resume-receive", "vault/home")

    token_ = NEXT.property("vault/home", TOKEN)
    assert ([], Risk.CAUTION) == (rules(made), made.risk)
    assert f"zfs send -t {token_}" == fed(made)
    assert ["zfs receive -s -u vault/home"] == commands(made)
    assert any("300 MiB of tank/home@b are there already" in note for note in made.notes)
    assert Risk.ROUTINE is planned(FIRST, "resume-receive", "vault/home").risk


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


def test_what_was_being_sent_may_be_gone() -> None:
    sending = NEXT.sending
    assert sending is not None
    for name in ("tank/home@b", "tank/home@a"):
        left = tuple(
            each for each in SOURCE if each.name != name and (name[-1] != "a" or each.type != "bookmark")
        )
        facts = replace(NEXT, sending=replace(sending, datasets=left))
        made = planned(facts, "resume-receive", "vault/home")
        assert ["gone"] == rules(made), name


def test_a_bookmark_is_enough_to_go_on_from() -> None:
    sending = NEXT.sending
    assert sending is not None
    left = tuple(each for each in SOURCE if each.name != "tank/home@a")

    assert [] == rules(planned(replace(NEXT, sending=replace(sending, datasets=left)), "resume-receive",
                               "vault/home"))  # fmt: skip


def test_to_give_up_a_first_receive_destroys_what_there_is() -> None:
    made = planned(FIRST, "abort-receive", "vault/home")

    assert ["zfs receive -A vault/home"] == commands(made)
    assert (("vault/home",), Risk.DESTRUCTIVE, "storage1:vault/home") == (
        made.destroys,
        made.risk,
        made.confirm,
    )
    assert [ConditionKind.DATASET_GONE] == [each.kind for each in made.steps[0].settled_by]


def test_to_give_up_an_increment_leaves_the_dataset() -> None:
    made = planned(NEXT, "abort-receive", "vault/home")

    assert ((), Risk.DESTRUCTIVE) == (made.destroys, made.risk)
    (told,) = made.steps[0].settled_by
    assert (ConditionKind.PROPERTY_IS, TOKEN, "-") == (told.kind, told.key, told.value)


@pytest.mark.parametrize("action", ["resume-receive", "abort-receive"])
def test_without_a_receive_that_was_cut_there_is_nothing_to_do(action: str) -> None:
    assert ["no-partial"] == rules(planned(world(COPY, A_THERE), action, "vault/home"))
    garbled = world(COPY, properties=(("vault/home", TOKEN, "1-abc", "-"),))
    assert ["token"] == rules(planned(garbled, action, "vault/home"))


def test_resuming_reads_the_sender_that_the_token_tells() -> None:
    resume = spec("resume-receive")
    wanted = intent("resume-receive", "vault/home", options={"from": "nas1"})
    assert resume.further is not None

    further = resume.further(wanted, NEXT)

    assert (("nas1", "tank"), "tank/home") == (further.sender, further.sends)
    assert Needs() == resume.further(wanted, world(COPY))


# Syncoid


def by_syncoid(facts: PlanFacts, source: str = "tank/home") -> Plan:
    return planned(replace(facts, missing_tools=frozenset()), "syncoid", "vault/home", source)


def test_syncoid_neither_rolls_back_nor_takes_snapshots() -> None:
    first, then = by_syncoid(world()), by_syncoid(world(COPY, A_THERE))

    always = "syncoid --no-sync-snap --no-rollback --pv-options=-n -b"
    assert [f"{always} --recvoptions=u o readonly=on tank/home vault/home"] == commands(first)
    assert [f"{always} --recvoptions=u tank/home vault/home"] == commands(then)
    assert (Risk.ROUTINE, Risk.CAUTION) == (first.risk, then.risk)
    (told,) = then.steps[0].settled_by
    assert (ConditionKind.RECEIVED, "c", str(guid_of("tank/home@c"))) == (told.kind, told.key, told.value)
    assert then.steps[0].is_followed


def test_what_syncoid_would_have_to_overwrite_is_refused_too() -> None:
    assert ["changed"] == rules(by_syncoid(world(replace(COPY, written_bytes=MIB), A_THERE)))
    assert ["no-common"] == rules(by_syncoid(world(COPY)))
    assert ["partial"] == rules(by_syncoid(NEXT))


def test_who_may_not_become_root_is_told_that_syncoid_takes_that_and_receive_does_not() -> None:
    facts = replace(world(), privileges=Privileges("ann", 1000, Becoming.PLAIN))

    (refused,) = by_syncoid(facts).refusals
    ((_, instead),) = by_syncoid(facts).alternatives

    assert "ann is not root, and syncoid cannot be delegated" == refused.reason
    assert refused.instead.startswith("zconsole sudoers has no rule for syncoid")
    assert intent("receive", "vault/home", "tank/home", options={"intermediates": True}) == instead
    assert not by_syncoid(world()).alternatives
    assert "zfs send -L -e -c tank/home@c" == fed(received(world(), "tank/home", intermediates=True))


def test_syncoid_sends_what_is_encrypted_as_it_is() -> None:
    sent = tuple(
        replace(each, encryption="aes-256-gcm") if each.name == "tank/home" else each for each in SOURCE
    )

    assert "--sendoptions=w" in commands(by_syncoid(world(source=sent)))[0]


def test_without_syncoid_it_is_refused_and_greyed() -> None:
    facts = replace(world(), missing_tools=frozenset({"syncoid"}))

    assert ["no-syncoid"] == rules(planned(facts, "syncoid", "vault/home", "tank/home"))
    assert spec("syncoid").why_not(Target(TargetKind.FILESYSTEM, "tank", "tank/home"), facts)
    assert ("syncoid",) == spec("syncoid").needs(intent("syncoid", "vault/home", "tank/home")).tools


@pytest.mark.parametrize("source", ["", "tank/home@a", "root@nas1:tank/home"])
def test_syncoid_sends_datasets_of_this_host(source: str) -> None:
    with pytest.raises(UsageError, match="syncoid sends a dataset of this host"):
        planned(world(), "syncoid", "vault/home", *([source] if source else []))


def test_to_run_syncoid_takes_root() -> None:
    facts = replace(world(), privileges=Privileges("bob", 1000), missing_tools=frozenset())

    assert "permission" in rules(planned(facts, "syncoid", "vault/home", "tank/home"))
