"""What copies build on is the same whether all of every snapshot was read, or names and guids."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.doubles.plan_worlds import bookmark, filesystem, snapshot
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.replication.replicas_and_send_bases import bases, replicas
from zconsole.analysis.replication.send_bases import GuidSketch, bases_of, oldest_common, sketch_of
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost, SendPoint

HOST = "nas"
DAY_S = 86400


@st.composite
def families(draw: st.DrawFn) -> tuple[ReplicatedDataset, ...]:
    """A dataset, copies of it and copies of those, each with snapshots of its own and some of them gone."""
    made = [_lineage(draw, "tank/home", 1, None)]
    for number in range(draw(st.integers(0, 3))):
        name = draw(st.sampled_from([f"tank/copy{number}", f"bulk/copy{number}"]))
        made.append(_lineage(draw, name, number + 2, draw(st.sampled_from(made))))
    return tuple(made)


def _lineage(draw: st.DrawFn, name: str, guid: int, source: ReplicatedDataset | None) -> ReplicatedDataset:
    """What was received, up to some day, and what was taken since."""
    got = source.snapshots[: draw(st.integers(0, len(source.snapshots)))] if source is not None else ()
    last = got[-1].creation if got else 0
    created = last + draw(st.integers(1, DAY_S)) if got else guid
    if source is not None and got and draw(st.booleans()):
        created = got[0].creation + 1  # it has gone on receiving since then
    points = [
        SendPoint(f"{name}@{point.name.partition('@')[2]}", point.guid, 1000 * guid + at, point.creation)
        for at, point in enumerate(got)
    ]
    for at in range(draw(st.integers(0, 4))):
        made = max(last, created) + (at + 1) * DAY_S + guid
        points.append(SendPoint(f"{name}@own{at}", 100 * guid + at, 1000 * guid + 100 + at, made))
    kept = draw(st.sets(st.sampled_from(range(len(points))))) if points else set()
    marked = draw(st.sets(st.sampled_from(range(len(points))))) if points else set()
    return ReplicatedDataset(
        name,
        "filesystem",
        guid,
        created,
        snapshots=tuple(each for at, each in enumerate(points) if at in kept),
        bookmarks=tuple(
            replace(each, name=each.name.replace("@", "#")) for at, each in enumerate(points) if at in marked
        ),
    )


def sketched(lineage: ReplicatedDataset) -> GuidSketch:
    """The same without the times of its snapshots."""
    points = tuple((each.name, each.guid, each.createtxg) for each in lineage.snapshots)
    return GuidSketch(replace(lineage, snapshots=()), points)


@given(families(), st.integers(1, 3))
def test_the_age_of_the_oldest_common_snapshot_is_enough(
    family: tuple[ReplicatedDataset, ...], ours: int
) -> None:
    times = {each.name: (each.guid, each.creation) for lineage in family for each in lineage.snapshots}
    own, others = map(sketched, family[:ours]), map(sketched, family[ours:])
    mine, theirs = tuple(own), tuple(others)
    names = {each.lineage.name for each in mine}

    asked = oldest_common(mine, theirs)
    found = bases_of(HOST, mine, theirs, dict(times[name] for name in asked))

    every = bases(replicas([ReplicatedHost(HOST, family)]))
    assert {each.partition("@")[0] for each in asked} <= names
    assert {each for each in every if each.name.partition("@")[0].partition("#")[0] in names} == set(found)


def test_a_dataset_is_sketched_with_what_was_listed_of_it() -> None:
    graph = build_graph([
        filesystem("tank/a", creation=5), snapshot("tank/a@2", 22), snapshot("tank/a@1", 21, creation=None),
        bookmark("tank/a#1", 21, creation=7), filesystem("tank/b", guid=None),
    ])  # fmt: skip

    sketch = sketch_of(graph, "tank/a")

    assert sketch is not None
    assert ["tank/a@1", "tank/a@2"] == [name for name, _, _ in sketch.snapshots]
    assert (5, [7]) == (sketch.lineage.creation, [mark.creation for mark in sketch.lineage.bookmarks])
    assert sketch_of(graph, "tank/b") is None
