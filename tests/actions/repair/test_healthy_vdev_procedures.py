"""Procedures on sound vdevs: which vdev has which, and what is said of the others."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, group, in_class
from tests.doubles.repair_worlds import facts_of, trouble_at
from tests.doubles.shelves import leaf
from zconsole.actions.repair.healthy_vdev_procedures import asked_repair, procedures_of
from zconsole.base.errors import UsageError
from zconsole.model.repair import Procedure, ProcedureKind

TOPS = (
    leaf(0),
    group("mirror-1", leaf(1), leaf(2)),
    group("raidz1-2", leaf(3), leaf(4), leaf(5)),
    in_class(leaf(6), "cache"),
)
GROW, MIRROR = ProcedureKind.GROW, ProcedureKind.MIRROR


@pytest.mark.parametrize(("at", "expected"), [(0, [GROW, MIRROR]), (1, [GROW]), (2, [GROW]), (3, [])])
def test_what_a_vdev_can_be_asked_for(at: int, expected: list[ProcedureKind]) -> None:
    pool = facts_of(trouble_at(*TOPS)).pool

    assert expected == [each.kind for each in procedures_of(pool, pool.vdevs[at])]


@pytest.mark.parametrize(
    ("kind", "pool", "word", "said"),
    [
        (GROW, "none", "mirror-1", "no readable pool none"),
        (GROW, "tank", "mirror-9", "tank has no vdev mirror-9"),
        (GROW, "tank", "1006", "no data to copy"),
        (MIRROR, "tank", "raidz1-2", "is not a single disk"),
    ],
)
def test_what_is_not_there_is_refused_in_words(kind: ProcedureKind, pool: str, word: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        asked_repair(trouble_at(*TOPS), (), NOW, Procedure(kind, pool, word))


def test_a_vdev_may_be_named_by_one_of_its_disks() -> None:
    found = asked_repair(trouble_at(*TOPS), (), NOW, Procedure(GROW, "tank", leaf(4).name))

    assert "raidz1-2" == found.vdev
