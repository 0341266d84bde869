"""Incident: the findings of a disk with what its vdev and its pool lose by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import disk_id, folded
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev

OF_POOL: Final = frozenset({"pool-degraded", "pool-faulted", "pool-unavail", "pool-suspended"})
OF_VDEV: Final = frozenset({"vdev-no-redundancy", "vdev-lost", "vdev-incomplete"})
BY_MULTIHOST: Final = "is_multihost"  # evidence of a suspension that no device caused
_WITHOUT_DATA: Final = frozenset({"cache", "spare"})


@dataclass(frozen=True, slots=True)
class Incident:
    """Findings of one cause, the worst first; of others each is an incident of its own."""

    findings: tuple[Finding, ...]
    disk: str = ""  # empty: it is on no single disk

    @property
    def worst(self) -> Finding:
        """The finding that the incident is told as."""
        return self.findings[0]

    @property
    def sentence(self) -> str:
        """What all of them say, the pool once."""
        return "; ".join((self.worst.sentence, *(each.words for each in self.findings[1:])))

    @property
    def other_ids(self) -> tuple[str, ...]:
        """The ids of all findings but the worst, each once."""
        every = (each.id for of in self.findings for each in (of, *of.folded))
        return tuple(each for each in dict.fromkeys(every) if each != self.worst.id)


def incidents(state: HostState, found: Sequence[Finding]) -> tuple[Incident, ...]:
    """The findings as incidents, in the order of their worst.

    What a vdev or a pool lacks is told with a disk that is a cause of it, first with one that has findings
    itself; of several always with the same one, so that it does not go to and fro while all are out.
    """
    whole = folded(found)
    disks = {each.disk for each in whole if each.disk}
    groups: defaultdict[tuple[str, int], list[Finding]] = defaultdict(list)
    for at, each in enumerate(whole):
        causes = frozenset(_causes(state, each))
        cause = each.disk or min(disks & causes or causes, default="")
        groups[cause, -1 if cause else at].append(each)
    made = (
        Incident(tuple(sorted(group, key=lambda each: each.place)), disk)
        for (disk, _), group in groups.items()
    )
    return tuple(sorted(made, key=lambda each: each.worst.place))


def _causes(state: HostState, finding: Finding) -> Iterable[str]:
    """The disks because of which a pool or one of its vdevs lacks something."""
    if finding.id not in OF_POOL | OF_VDEV or finding.evidence.get(BY_MULTIHOST):
        return ()
    name = finding.evidence.get("pool")
    of = state.pool(name) if isinstance(name, str) else None
    pool = of.pool.value if of is not None else None
    if pool is None:
        return ()
    parts = _failed_parts(pool, finding) if finding.id in OF_VDEV else pool.vdevs
    return (
        disk_id(pool.name, leaf)
        for part in parts
        for leaf in part.leaves()
        if leaf.vdev_class not in _WITHOUT_DATA and leaf.state not in HEALTHY_STATES
    )


def _failed_parts(pool: Pool, finding: Finding) -> Iterator[Vdev]:
    """The parts of a vdev that failed; a single device is its own."""
    failed = finding.evidence.get("failed")
    names = frozenset(failed) if isinstance(failed, tuple) else frozenset()
    for top in pool.vdevs:
        if top.name == finding.evidence.get("vdev"):
            yield from (each for each in (top, *top.children) if each.name in names)
