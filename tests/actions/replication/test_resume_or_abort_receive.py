"""A receive that was cut: it goes on by its token, or is given up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.actions.replication.ends import A_THERE, COPY, SOURCE, cut, fed, received, world
from tests.doubles.plan_worlds import guid_of
from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import intent
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN

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
