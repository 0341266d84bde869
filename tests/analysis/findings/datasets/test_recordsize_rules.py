"""Actions and limits of advice on recordsize; when it speaks is in the cases of all findings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, disk, group, pool
from tests.analysis.findings.datasets.cases import INNODB, KIB, PG, filesystem, holding, opened
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.datasets.dataset_contents import ContentKind
from zconsole.model.finding import ProposedAction
from zconsole.model.pools.pool import Pool

MIRRORS = pool()
RAIDZ3 = replace(pool(group("raidz3-0", *(disk(f"sd{at}") for at in range(11)))), ashift=12)


@pytest.mark.parametrize(
    ("of", "kind", "proposed"),
    [
        (MIRRORS, PG, "8K"),
        (MIRRORS, INNODB, "16K"),
        (RAIDZ3, INNODB, "32K"),  # 32 KiB and 3 of parity: 12 sectors; 16 KiB takes 8 there
    ],
)
def test_a_record_of_a_page_is_proposed_unless_parity_makes_it_costly(
    of: Pool, kind: ContentKind, proposed: str
) -> None:
    (found,) = findings(holding(filesystem(), of=of, programs=opened(kind, "server")), NOW, Thresholds())

    assert found.advised is not None
    assert ProposedAction("set", "tank/a", (f"recordsize={proposed}",)) == found.advised.action


def test_a_program_without_files_of_its_kind_tells_nothing() -> None:
    state = holding(filesystem(recordsize_bytes=1024 * KIB))

    assert () == findings(state, NOW, Thresholds())
