"""States in which sentences are said: every capture, the practice world, and states made for a rule."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache

from tests.analysis.build import NOW
from tests.analysis.findings import test_all_findings, test_shared_cause_rules, test_smart_rules
from tests.practice.exercises.learner import EPOCH, Learner
from tests.reports.captured import ALL, RECORDED_AT, advised
from tests.sentences import made_states, speed_and_forecast_texts
from tests.sentences.practised.all_scenes import practised
from tests.sentences.repair_states import asked_states, parts, variants
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.base.clock import ManualClock
from zconsole.base.finding_thresholds import Thresholds
from zconsole.collect.on_demand.read_dataset_contents import with_contents
from zconsole.collect.read_host import gather
from zconsole.collect.streams.dataset_and_host_settings import with_settings
from zconsole.model.exercise_names import EXERCISES
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.practice.practice_host import PracticeHost
from zconsole.reports.text.repair import repair_report
from zconsole.reports.text.status import status_lines
from zconsole.views.disks.disk_detail import disk_document
from zconsole.views.findings.advice_list import AdvicePoint, plan_words
from zconsole.views.findings.finding_list_and_detail import details
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.pools import pool_page
from zconsole.views.pools.vdev_columns import IO
from zconsole.views.repair.markdown_report import ticket

HOP_S = 900.0
HOPS = 12


class Source(Enum):
    """Where a state comes from, the strongest first; the value stands in the manual."""

    CAPTURE = "a capture of OpenZFS"
    PRACTICE = "the practice host"
    RECORDED = "the practice host with recorded SMART data or growth"
    MADE = "a state made for the rule"


@dataclass(frozen=True, slots=True)
class Scene:
    """A state with its origin, and the time on its host's clock."""

    source: Source
    name: str
    state: HostState | None  # None: `texts` are of something else, which rests on `basis`
    now: float
    texts: tuple[str, ...] = ()
    basis: str = ""
    has_disks: bool = False  # whether the disks are shown, too

    def lines(self) -> tuple[str, ...]:
        """Everything that is said of the state."""
        return self.texts if self.state is None else self.said_of(self.state)

    def said_of(self, state: HostState) -> tuple[str, ...]:
        """Everything that is said of that state, or of one with less in it."""
        return (*lines_of(state, self.now), *(disk_lines(state, self.now) if self.has_disks else ()))


def lines_of(state: HostState, now: float) -> tuple[str, ...]:
    """The findings as lists and details show them, their plans, the head of each pool, `zconsole status`."""
    found = findings(state, now, Thresholds())
    host = HostView(state, found)
    shown = [plain(each) for finding in found for each in details(AdvicePoint((finding,)))]
    view = View((host,), now, 0.0)
    for pool in state.pools:
        if (about := pool_page.subject(view, state.host, pool.name)) is not None:
            head = pool_page.page(about, view, IO, pool_page.VdevHistory())
            shown += [plain(head.answer), plain(head.numbers)]
    parts = (words for each in found for words in (each.brief, plan_words(each)))
    return (*shown, *parts, *status_lines(state, found, now), *_repairs(state, now))


def disk_lines(state: HostState, now: float) -> Iterator[str]:
    """What the page of each disk with a complaint says."""
    disks = (disk for disk in host_disks(state) if disk.complaints)
    yield from (plain(each) for disk in disks for each in disk_document(disk, now))


def _repairs(state: HostState, now: float) -> Iterator[str]:
    """`zconsole repair`, and its report."""
    due = repairs(state, (), now)
    if due:
        yield from repair_report(state.host, due, None)
        for each in due:
            yield from ticket(each, state.host, now)
    yield from parts(state, now)


def findings_of(scene: Scene) -> tuple[Finding, ...]:
    """What is found in a scene."""
    return () if scene.state is None else findings(scene.state, scene.now, Thresholds())


def words_of(finding: Finding) -> Iterator[str]:
    """The words of one finding."""
    yield finding.summary
    yield finding.brief
    if finding.advised is not None:
        yield finding.advised.found
        yield finding.advised.limit
    yield plan_words(finding)
    yield from (str(value) for value in finding.evidence.values())


@cache
def scenes() -> tuple[Scene, ...]:
    """Every scene, those of real hosts first."""
    return (*_captured(), *asyncio.run(_practised()), *_driven(), *_made())


def _driven() -> Iterator[Scene]:
    """The practice world, driven into the states in which sentences are said."""
    for each in asyncio.run(practised()):
        source = Source.PRACTICE if each.name.startswith("practice: ") else Source.RECORDED
        yield Scene(source, each.name, each.state, each.now, each.texts, each.basis, has_disks=True)


def _captured() -> Iterator[Scene]:
    for series, state in ALL:
        yield Scene(Source.CAPTURE, f"{series}/{state}", advised(series, state), RECORDED_AT)
    for name, texts in speed_and_forecast_texts.recorded():
        yield Scene(Source.CAPTURE, name, None, 0.0, texts, speed_and_forecast_texts.SPEED)


async def _practised() -> list[Scene]:
    """The host of `--demo`, and each exercise from its beginning on, while nobody does anything."""
    clock = ManualClock(EPOCH)
    demo = PracticeHost(clock=clock)
    await demo.connect()
    settled = await with_settings(await gather(demo, clock), demo, clock, timeout_s=9)
    seen = await with_contents(settled, demo, clock, timeout_s=9)
    found = [Scene(Source.PRACTICE, "the practice host", seen, clock.now())]
    for name in EXERCISES:
        learner = await Learner.begin(name)
        for _ in range(HOPS):
            state = await gather(learner.host, learner.clock)
            found.append(Scene(Source.PRACTICE, f"exercise {name}", state, learner.clock.now()))
            await learner.wait(HOP_S)
    return found


def _made() -> Iterator[Scene]:
    cases = (*test_all_findings.SPEAKING, *test_smart_rules.SPEAKING)
    for finding_id, _, _, state in cases:
        yield Scene(Source.MADE, finding_id, state, NOW)
    yield Scene(Source.MADE, "shared-cause", test_shared_cause_rules.erring(1, 3), NOW)
    for asked, now in asked_states():
        yield Scene(Source.MADE, "", asked, now)
        for state in variants(asked):
            yield Scene(Source.MADE, "", state, now)
    for state in made_states.states():
        yield Scene(Source.MADE, "", state, NOW)
    for basis, texts in (*made_states.texts(), *speed_and_forecast_texts.made()):
        yield Scene(Source.MADE, "", None, NOW, texts, basis)
