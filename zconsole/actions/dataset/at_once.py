"""Steps that are done to many snapshots at once, all or none: by a channel program, or by libzfs_core.

A program checks the guid of each snapshot in the txg in which it destroys them, and so comes first.
libzfs_core knows names only, but takes more of them, and has no name for a dataset where it destroys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.actions.dataset.ground import LONG_STEP_TIMEOUT_S, base_of, gone, needed
from zconsole.actions.plan import Rehearsal, Step
from zconsole.analysis.closure import Graph
from zconsole.model.dataset import Dataset
from zconsole.model.facts import Facts
from zconsole.zfs import channel_program, core_call


def core_for(facts: Facts, count: int) -> tuple[str, ...] | None:
    """What a call of libzfs_core on so many snapshots begins with; None where commands must serve."""
    return facts.core if count <= core_call.MOST_NAMES else None


def destroy_step(pool: str, snapshots: Sequence[Dataset], facts: Facts) -> Step | None:
    """Destroy snapshots of a pool in one txg; None where only commands can."""
    if _may_program(snapshots, facts):
        guids = [(each.name, each.guid) for each in snapshots if each.guid is not None]
        return Step(
            channel_program.destroy_snapshots(pool, guids),
            "check every guid and destroy, all or none, in one txg",
            stdin=channel_program.DESTROY_SNAPSHOTS,
            timeout_s=LONG_STEP_TIMEOUT_S,
            settled_by=gone(snapshots),
        )
    core = core_for(facts, len(snapshots))
    if core is None:
        return None
    call = core_call.destroy_snapshots(core, [each.name for each in snapshots])
    return Step(
        call.argv,
        "destroy, all or none, in one txg; a dataset cannot be hit",
        stdin=call.stdin,
        timeout_s=LONG_STEP_TIMEOUT_S,
        settled_by=gone(snapshots),
        permissions=needed("destroy,mount", snapshots[0].name),
    )


def measure(hung: Graph, names: Sequence[str], facts: Facts) -> Rehearsal | None:
    """How many bytes come free with these snapshots, whatever number of commands they take."""
    ranges = tuple(_ranges(hung, names))
    core = core_for(facts, len(ranges))
    if core is None:
        return None
    call = core_call.snaprange_space(core, ranges)
    return Rehearsal(call.argv, stdin=call.stdin, decides=False)


def _ranges(hung: Graph, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """First and last of each run of snapshots between which none stays."""
    wanted = set(names)
    for base in dict.fromkeys(map(base_of, names)):
        run: list[str] = []
        for name in hung.snapshots.get(base, ()):
            if name in wanted:
                run.append(name)
            elif run:
                yield run[0], run[-1]
                run = []
        if run:
            yield run[0], run[-1]


def _may_program(snapshots: Sequence[Dataset], facts: Facts) -> bool:
    """A channel program needs root, and a host that lets one run."""
    return (
        facts.may_run_programs is True
        and facts.privileges.is_root
        and len(snapshots) <= channel_program.MOST_SNAPSHOTS
        and all(each.guid is not None for each in snapshots)
    )
