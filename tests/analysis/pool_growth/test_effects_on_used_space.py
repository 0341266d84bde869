"""Settings that save space, and a dedup table in memory."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.analysis.pool_growth.live_pools import GIB, TB, now
from zconsole.analysis.pool_growth import effects_on_used_space as effects
from zconsole.base.errors import UsageError
from zconsole.model.pools.space_samples import DatasetUse


def test_settings_and_snapshots() -> None:
    found = now("raidz2:6", used=0.5)
    used = found.pool.usable_used_bytes or 0

    uses = [DatasetUse("tank", 0, GIB), DatasetUse("tank/a", 5, 2 * GIB), DatasetUse("tank/ab", 5, None)]
    assert 3 * GIB == effects.without_snapshots(found, uses, "tank").freed_bytes
    assert 2 * GIB == effects.without_snapshots(found, uses, "tank/a").freed_bytes
    assert used == effects.without_snapshots(found, [DatasetUse("tank", 0, 2 * used)], "tank").freed_bytes
    with pytest.raises(UsageError, match="not known"):
        effects.without_snapshots(found, uses, "vault")
    assert used // 2 == pytest.approx(
        effects.compressed(found, used, Fraction(1), Fraction(2)).used_after, abs=1
    )
    assert 2 * used == effects.with_copies(found, used, 1, 2).used_after
    # From blocks of 128 KiB to 8 KiB on a raidz2 of six: from 2/3 to 1/3 of the disks.
    assert 2 * used == pytest.approx(effects.with_block_size(found, used, 131072, 8192).used_after, abs=1)
    assert used == effects.with_copies(found, used, 1, 1).used_after


def test_what_deduplication_saves_is_available_and_not_less_used() -> None:
    """USED counts each reference in full; spa_update_dspace adds what is saved to the space of the pool."""
    found = now("mirror:2", used=0.5)
    used = found.pool.usable_used_bytes or 0

    shared = effects.deduplicated(found, used, Fraction(3))

    assert used == shared.used_after
    assert found.usable_bytes + used - used // 3 == pytest.approx(shared.usable_bytes, abs=1)
    assert used - used // 3 == pytest.approx(shared.freed_bytes, abs=1)


def test_a_dedup_table_in_memory() -> None:
    """A TiB of unique blocks of 128 KiB is 8 Mi entries, 2.5 GiB."""
    assert 8 * 2**20 * 320 == effects.dedup_table_bytes(2**40, 131072)
    assert 4 * 2**20 * 320 == effects.dedup_table_bytes(2**40, 131072, Fraction(2))


def test_more_copies_are_called_no_redundancy() -> None:
    found = now("mirror:2", used=0.3)
    used = found.pool.usable_used_bytes or 0

    assert any("copies are no redundancy" in each for each in effects.with_copies(found, used, 1, 2).notes)
    assert not any("redundancy" in each for each in effects.with_copies(found, used, 2, 1).notes)


def test_what_is_needed_at_least_is_written_so() -> None:
    """In smaller blocks compression saves less: what the pool lacks is a lower bound."""
    found = now("raidz2:6", used=0.8)
    used = found.pool.usable_used_bytes or 0

    (smaller,) = (
        each for each in effects.with_block_size(found, used, 131072, 4096).notes if "too much" in each
    )
    (copied,) = (each for each in effects.with_copies(found, used, 1, 2).notes if "too much" in each)

    assert smaller.startswith("the pool does not hold it: at least ")
    assert smaller.endswith(" too much, if all of it is in blocks of 128 KiB now")
    assert "at least" not in copied


def test_impossible_settings_are_refused() -> None:
    found = now("mirror:2")
    for refused in (
        lambda: effects.compressed(found, 1, Fraction(1), Fraction(1, 2)),
        lambda: effects.with_copies(found, 1, 1, 4),
        lambda: effects.deduplicated(found, 1, Fraction(0)),
        lambda: effects.dedup_table_bytes(1, 512, Fraction(1, 2)),
        lambda: effects.with_copies(found, 10 * TB, 1, 2),
    ):
        with pytest.raises(UsageError):
            refused()
