"""`zconsole replicas`: copies among hosts and pools, and how far behind they are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.replication.comparison_of_one_host import comparison_of
from zconsole.analysis.replication.coverage_findings import coverage
from zconsole.analysis.replication.replicas_and_send_bases import Replica, bases, replicas
from zconsole.analysis.replication.stale_replicas_and_stopped_snapshots import stale
from zconsole.analysis.snapshots.sanoid_retention import retention
from zconsole.analysis.snapshots.schedule_periods_and_gaps import Taken, rhythms
from zconsole.base.errors import HostError, ParseError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain
from zconsole.cli.json_output import print_document
from zconsole.cli.open_and_ask_named_hosts import NamedHost, ask_each, named_when_late, open_hosts
from zconsole.cli.options import Parser, add_hosts, add_json, add_timeout, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.replication import ReplicationFacts, read_increment, read_replication
from zconsole.model.datasets.replication import CutReceive, ReplicatedDataset, ReplicatedHost
from zconsole.reports.json.replicas import DatasetReport, ReplicationReport, replicas_document
from zconsole.reports.text.replicas import replicas_lines
from zconsole.storage.replication_last_compared import ComparisonUnread, remember_comparison
from zconsole.storage.send_bases_of_known_replicas import CopiesUnread, remember_bases
from zconsole.zfs.sanoid_conf import SanoidPolicy
from zconsole.zfs.stream.resume_token import parse_resume_token


@dataclass(frozen=True, slots=True)
class ReplicasRequest:
    """`zconsole replicas`."""

    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    timeout_s: float | None = None


TIMEOUT_S: Final = 600.0  # per host: a million snapshots take minutes to list
NOT_READ: Final = 3

Sizes = dict[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class _Found:
    """Results of all hosts."""

    facts: Mapping[str, ReplicationFacts]
    replicas: tuple[Replica, ...]

    @property
    def lineages(self) -> tuple[ReplicatedHost, ...]:
        """Datasets of each host."""
        return tuple(each.lineages for each in self.facts.values())


class _Meeting:
    """Barrier for the hosts: the increments to measure depend on all listings."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._missing = len(labels)
        self._facts: dict[str, ReplicationFacts | None] = dict.fromkeys(labels)  # in the order of the hosts
        self._found: asyncio.Future[_Found] = asyncio.get_running_loop().create_future()

    async def bring(self, label: str, facts: ReplicationFacts | None) -> _Found:
        """Add one host's facts, or None, and wait for the others."""
        self._facts[label] = facts
        self._missing -= 1
        if self._missing <= 0:
            known = {name: each for name, each in self._facts.items() if each is not None}
            self._found.set_result(_Found(known, replicas([each.lineages for each in known.values()])))
        return await asyncio.shield(self._found)


def run_replicas(asked: ReplicasRequest, config: Config) -> int:
    """Print the copies; 3 when a host or a pool could not be read, else 0."""
    places = open_hosts(asked.where, config, within_s=asked.timeout_s or TIMEOUT_S)
    now = places[0].clock.now()
    found, sizes, failures = asyncio.run(_ask(places, asked.timeout_s or TIMEOUT_S))
    report = _report(found, sizes, now)
    if asked.is_json:
        print_document(replicas_document(report))
    else:
        for line in replicas_lines(report, now):
            print(line)
    if not asked.where.is_demo and asked.where.replay is None:
        _remember(found, report, now)
    for failure in failures:
        complain(failure)
    return NOT_READ if failures or report.problems else 0


async def _ask(places: Sequence[NamedHost], timeout_s: float) -> tuple[_Found, Sizes, list[ZConsoleError]]:
    meeting = _Meeting([place.host.label for place in places])
    sizes: Sizes = {}

    async def ask(place: NamedHost) -> _Found:
        facts = None
        try:
            facts = await _read(place, timeout_s)
        finally:
            found = await meeting.bring(place.host.label, facts)
        sizes.update(await _measure(place, found.replicas))
        return found

    answers = await ask_each(places, ask)
    failures = [answer for answer in answers if isinstance(answer, ZConsoleError)]
    return next((each for each in answers if isinstance(each, _Found)), _Found({}, ())), sizes, failures


async def _read(place: NamedHost, timeout_s: float) -> ReplicationFacts:
    try:
        with named_when_late(place.host.label, timeout_s):
            async with asyncio.timeout(timeout_s):
                await place.host.connect()
                return await read_replication(Asker(place.host))
    except TimeoutError:
        raise HostError(
            f"{place.host.label} gave no answer within {timeout_s:g} s", hint="--timeout waits longer."
        ) from None


async def _measure(place: NamedHost, found: Sequence[Replica]) -> Sizes:
    """Sizes of the increments that this host would send."""
    sizes: Sizes = {}
    asker = Asker(place.host)
    for one in found:
        if one.source.host == place.host.label and one.behind and one.newest is not None:
            known = await read_increment(asker, one.common.name, one.newest.name)
            if known is not None:
                sizes[one.source.name, one.copy.name] = known
    return sizes


def _report(found: _Found, sizes: Sizes, now: float) -> ReplicationReport:
    problems = [
        (f"{label} {pool}", why) for label, facts in found.facts.items() for pool, why in facts.problems
    ]
    problems += [
        (f"{label} sanoid.conf", facts.policy_problem)
        for label, facts in found.facts.items()
        if facts.policy_problem
    ]
    return ReplicationReport(
        tuple((label, tuple(_datasets(facts, now))) for label, facts in found.facts.items()),
        found.replicas,
        sizes,
        bases(found.replicas),
        (
            *stale(found.lineages, found.replicas, now),
            *coverage(found.lineages, found.replicas),
        ),
        tuple(problems),
    )


def _remember(found: _Found, report: ReplicationReport, now: float) -> None:
    """Save the send bases for plans and the findings; of unread hosts they stay as known."""
    whole = [label for label, facts in found.facts.items() if not facts.problems]
    try:
        remember_bases(report.bases, whole, now)
        remember_comparison(comparison_of(host, found.lineages, found.replicas, now) for host in whole)
    except (CopiesUnread, ComparisonUnread) as error:
        complain(error)


def _datasets(facts: ReplicationFacts, now: float) -> list[DatasetReport]:
    policies = {policy.dataset: policy for policy in facts.policies or ()}
    return [_dataset(each, policies.get(each.name), now) for each in facts.lineages.lineages]


def _dataset(lineage: ReplicatedDataset, policy: SanoidPolicy | None, now: float) -> DatasetReport:
    taken = [Taken(point.name, point.creation) for point in lineage.snapshots]
    kept = None if policy is None else retention(policy, taken, now)
    return DatasetReport(lineage, rhythms(taken, now), kept, _cut(lineage))


def _cut(lineage: ReplicatedDataset) -> CutReceive | None:
    if not lineage.resume_token:
        return None
    try:
        return parse_resume_token(lineage.resume_token)
    except ParseError:
        return None


def _add_arguments(parser: Parser) -> None:
    add_json(parser, "one object")
    add_timeout(parser, "10m")
    add_hosts(parser)


SUBCOMMAND: Final = Subcommand(
    "replicas",
    "Compare the snapshots of some hosts and of all their pools: which datasets are copies, how far "
    "behind they are, what their next increment builds on; and what has no snapshot or copy.",
    _add_arguments,
    lambda found: ReplicasRequest(where_of(found), found.json, found.timeout),
    run_replicas,
)
