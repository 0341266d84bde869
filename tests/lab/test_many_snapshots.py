"""A pool of many snapshots on a real host over SSH: listed by names, opened from the index, kept fresh."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import OPTIONS, PatientHost
from tests.lab.guests import Guest
from tests.lab.trees import pool_on_a_file
from tests.lab.waiting import until
from zconsole.collect.on_demand.pool_dataset_watch import FEW
from zconsole.history.host_timeline import STATE_EVERY_S
from zconsole.hosts.host_address import Address
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.service.collecting_thread import Engine
from zconsole.storage.snapshot_cache import SnapshotIndex

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]

DATASETS: Final = 80
EACH: Final = FEW // DATASETS + 2
PLANT: Final = f"""\
for i in $(seq {DATASETS - 1}); do zfs create -o mountpoint=none many/d$i; done
for i in $(seq {EACH}); do zfs snapshot -r many@auto-$i; done
zfs clone -o mountpoint=none many/d1@auto-2 many/copy
"""
AGAIN_S: Final = 1500.0  # 2.1 lists all anew, and what takes long is done more rarely
NAMES: Final = "zfs list -Hp -t snapshot -o name,guid,createtxg -r many"


@pytest.fixture
def planted(bare_guest: Guest) -> Iterator[Guest]:
    """A pool with more snapshots than are read whole."""
    pool_on_a_file(bare_guest, name="many")
    bare_guest.ssh(PLANT, timeout_s=900)
    yield bare_guest
    bare_guest.wipe()


@contextmanager
def looking(alias: str, index: Path) -> Iterator[Engine]:
    """Somebody looks at the pool's datasets."""
    engine = Engine([PatientHost(Address(alias), OPTIONS)], indexes=lambda: SnapshotIndex(index))
    engine.start()
    try:
        engine.want_datasets(alias, "many", is_wanted=True)
        yield engine
    finally:
        engine.stop()


def listing_in(state: HostState) -> Listing | None:
    pool = state.pool("many")
    return None if pool is None else pool.listing.value


def whole(state: HostState) -> Listing | None:
    """The listing once it is whole, and kept in the index."""
    listing = listing_in(state)
    return listing if listing is not None and listing.is_whole and listing.as_of is not None else None


def names(listing: Listing) -> set[str]:
    return {listing.table.name(row) for row in range(len(listing.table))}


def test_all_are_listed_and_known_again_and_only_what_changed_is_listed_anew(
    planted: Guest, ssh_alias: str, tmp_path: Path
) -> None:
    real = {line.split("\t")[0] for line in planted.ssh(NAMES, timeout_s=600).splitlines()}
    assert len(real) > FEW
    with looking(ssh_alias, tmp_path) as engine:
        listing = until(engine, whole)
        assert real == names(listing)
        assert "many/d1@auto-2" == listing.systems["many/copy"].origin

    with looking(ssh_alias, tmp_path) as engine:
        known = until(engine, listing_in)
        assert real == names(known)
        assert known.as_of is not None
        before = until(engine, whole)

        planted.ssh("zfs snapshot many/d7@new; zfs destroy many/d8@auto-3")
        wanted = real - {"many/d8@auto-3"} | {"many/d7@new"}
        now = until(
            engine, lambda state: (found := whole(state)) and names(found) == wanted and found, AGAIN_S
        )
        until(engine, is_kept_of_the_past)

        same = [
            one.name
            for one, other in zip(before.table.datasets, now.table.datasets, strict=True)
            if one.snapshots is other.snapshots
        ]
        if planted.series != "2.1":  # which does not tell when snapshots changed
            assert {f"many/d{number}" for number in range(1, DATASETS)} - {"many/d7", "many/d8"} <= set(same)
        assert LinkState.UP is engine.newest()[0].link.state


def is_kept_of_the_past(state: HostState) -> bool:
    """Whether samples came for so long that the pool's state was packed away while the listing was there."""
    samples = state.pools[0].samples
    return bool(samples) and samples[-1].at - samples[0].at > 2 * STATE_EVERY_S
