"""An image with machines that were cloned from it."""

from __future__ import annotations

from tests.analysis.build import DAY, NOW
from tests.doubles.plan_worlds import GIB, filesystem, linked, snapshot
from zconsole.analysis.dependencies.affected_objects import Graph, build_graph


def machines(**clone: object) -> Graph:
    """An image of 40 GiB, a machine made of it, and a test of that."""
    return build_graph(linked((
        filesystem("tank/images", referenced_bytes=GIB),
        snapshot("tank/images@gold", 20, used_bytes=40 * GIB, referenced_bytes=41 * GIB,
                 creation=int(NOW - 400 * DAY)),
        filesystem("tank/vm", origin="tank/images@gold", referenced_bytes=50 * GIB,
                   used_by_dataset_bytes=49 * GIB, creation=int(NOW - 200 * DAY), **clone),
        snapshot("tank/vm@now", 40, referenced_bytes=50 * GIB, written_bytes=48 * GIB),
        filesystem("tank/test", origin="tank/vm@now", used_by_dataset_bytes=0, referenced_bytes=50 * GIB),
    )))  # fmt: skip
