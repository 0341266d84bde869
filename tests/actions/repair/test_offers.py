"""What a step offers is what its plan takes: on every captured state, and on made-up pools."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from tests.reports.captured import ALL, RECORDED_AT, captured
from zconsole.actions.known_facts import known_facts
from zconsole.actions.make_plan import plan
from zconsole.actions.repair.repairs_of_host import intent_of_offer, repairs
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import DiskLabel, HostPolicy, PlanFacts, PrivilegeMode, Privileges
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import RepairOffer, RepairStepKind, RepairStepState

ROOT = Privileges("root", 0, PrivilegeMode.ROOT)
NO_GUID = "no-guid"  # ZFS 2.1 captured without the guids of its devices
STATES = ["ONLINE", "FAULTED", "UNAVAIL", "REMOVED", "OFFLINE", "DEGRADED"]


def refused(state: HostState, now: float) -> list[str]:
    """Offers of the steps that are due whose plan is refused, with the reason."""
    facts = replace(known_facts(state, now, HostPolicy()), privileges=ROOT, missing_tools=frozenset())
    found = []
    for repair in repairs(state, (), now):
        for step in repair.steps:
            for offer in step.offers if step.state is RepairStepState.NOW else ():
                if not offer.wants_disk:
                    made = plan(intent_of_offer(offer), with_label(facts, offer))
                    found += [
                        f"{offer.words}: {each.reason}" for each in made.refusals if each.rule != NO_GUID
                    ]
    return found


def with_label(facts: PlanFacts, offer: RepairOffer) -> PlanFacts:
    """The facts with the label of an old disk, which is read for the plan that clears it."""
    if offer.action != "labelclear":
        return facts
    return replace(facts, labels=(DiskLabel(offer.target, "tank", facts.pools[0].guid, 1, "active"),))


@pytest.mark.parametrize(("series", "state"), ALL)
def test_of_a_captured_state_no_plan_of_a_due_step_is_refused(series: str, state: str) -> None:
    assert [] == refused(captured(series, state), RECORDED_AT)


@st.composite
def pools(draw: st.DrawFn) -> list[Vdev]:
    """One or two vdevs of every shape with members in every state, some replaced, some with spares."""
    tops = []
    for index in range(draw(st.integers(1, 2))):
        members: list[Vdev] = []
        for at in range(draw(st.integers(2, 4))):
            number = index * 20 + at * 3
            member = leaf(number, draw(st.sampled_from(STATES)))
            new = leaf(number + 1, draw(st.sampled_from(STATES)), is_resilvering=draw(st.booleans()))
            kind = draw(st.sampled_from(["", "", "", "replacing", "spare"]))
            members.append(group(f"{kind}-{at}", member, new) if kind else member)
        tops.append(group(draw(st.sampled_from([f"mirror-{index}", f"raidz2-{index}"])), *members))
    return tops


WORLDS = st.builds(
    lambda tops, gone, unused: trouble_at(*tops, gone=gone, unused=unused),
    pools(),
    st.lists(st.sampled_from([0, 1, 3, 6, 20, 23]), unique=True),
    st.integers(0, 2),
)


@settings(max_examples=40)
@given(WORLDS)
def test_whatever_happened_the_steps_are_whole_and_one_is_due(state: HostState) -> None:
    for repair in repairs(state, (), NOW):
        assert list(RepairStepKind) == [step.kind for step in repair.steps]
        assert repair.current is not None
        due = [step for step in repair.steps if step.state is RepairStepState.NOW]
        assert 1 >= len(due)
        if repair.not_now and repair.newcomer is None:
            assert "replace" not in [offer.action for step in due for offer in step.offers]


@settings(max_examples=40)
@given(WORLDS)
def test_whatever_happened_no_plan_of_a_due_step_is_refused(state: HostState) -> None:
    assert [] == refused(state, NOW)
