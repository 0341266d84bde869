"""Space for a snapshot, held against the practice host."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.doubles.plan_worlds import GIB, filesystem, volume
from tests.practice.zfs.stage import MIB, Stage
from zconsole.analysis.dependencies.space_to_take_snapshot import snapshot_need
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.zfs.listing.datasets import list_datasets, parse_datasets


@given(
    written=st.integers(1, 700),
    reserve=st.sampled_from(("none", "auto", "200M")),
    quota=st.integers(900, 2000),
)
def test_a_snapshot_is_possible_exactly_when_the_practice_host_takes_it(
    written: int, reserve: str, quota: int
) -> None:
    stage = Stage("zfs create -V 800M tank/v", f"zfs set refreservation={reserve} tank/v")
    dataset_writes_and_snapshots.write(stage.pool, stage.dataset("tank/v"), written * MIB)
    stage.run(f"zfs set quota={quota}M tank")
    listed = stage.does(" ".join(list_datasets("tank").argv))
    (found,) = (each for each in parse_datasets(listed) if each.name == "tank/v")

    need = snapshot_need(found)

    assert need.is_possible == (stage.run("zfs snapshot tank/v@1").status == 0)


def test_what_is_not_known_is_not_refused() -> None:
    need = snapshot_need(volume("tank/v", available_bytes=None, refreservation_bytes=GIB))

    assert (None, True) == (need.room_bytes, need.is_possible)
    full = filesystem("tank/a", refreservation_bytes=3 * GIB, written_bytes=2 * GIB,
                      refquota_bytes=2 * GIB, available_bytes=0)  # fmt: skip
    assert snapshot_need(full).is_possible, "its own quota says nothing of the pool"
