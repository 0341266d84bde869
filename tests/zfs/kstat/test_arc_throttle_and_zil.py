"""Cache, throttle and intent log: every recorded file, and rates that follow from two of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from zconsole.model.pools.kernel_counters import Hits
from zconsole.zfs.kstat.arc_throttle_and_zil import arc_sample, throttle_sample, zil_sample
from zconsole.zfs.kstat.pool_state_and_kstat_parser import Kstat, parse_kstat

RECORDED = sorted(CAPTURES.glob("*/*/arcstats.txt"))
S = 1_000_000_000


def kstat(at_s: float, created_s: float = 1, **values: int) -> Kstat:
    return Kstat(int(created_s * S), int(at_s * S), values)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_every_recorded_cache_is_understood(path: Path) -> None:
    sample = arc_sample(parse_kstat(path.read_text()), None, 5.0)

    assert sample.interval_s is None
    assert 0 < sample.size_bytes
    assert sample.min_bytes <= sample.target_bytes <= sample.max_bytes
    assert 0 <= sample.data_bytes + sample.metadata_bytes <= sample.size_bytes
    assert sample.memory_bytes is not None
    assert sample.memory_free_bytes is not None
    assert 0 < sample.memory_free_bytes < sample.memory_bytes
    assert (sample.total.ratio is None) == (path.parent.name == "no-pools")
    statuses = [text.read_text() for text in path.parent.glob("zpool_status*_v.txt")]
    assert (sample.l2 is not None) == any("\tcache\n" in text for text in statuses)


def test_the_kinds_of_lookups_are_all_lookups() -> None:
    """The kernel counts each lookup in one of the four kinds, and in the total."""
    sample = arc_sample(parse_kstat((CAPTURES / "2.4/healthy-mirrors/arcstats.txt").read_text()), None, 0)

    kinds = (sample.demand_data, sample.demand_metadata, sample.prefetch_data, sample.prefetch_metadata)
    assert sum(kind.hits for kind in kinds) == pytest.approx(sample.total.hits)
    assert sum(kind.misses for kind in kinds) == pytest.approx(sample.total.misses)


def test_rates_are_between_two_readings_by_the_hosts_own_clock() -> None:
    before = kstat(10, hits=100, misses=10, demand_data_hits=50, size=1)
    now = kstat(12, hits=180, misses=30, demand_data_hits=90, size=7, deleted=6)

    sample = arc_sample(now, before, 99.0)

    assert (99.0, 2.0, 7) == (sample.at, sample.interval_s, sample.size_bytes)
    assert Hits(40.0, 10.0) == sample.total
    assert (0.8, 20.0, 3.0) == (sample.total.ratio, sample.demand_data.hits, sample.evicted)


def test_reads_under_way_are_hits_of_their_own() -> None:
    assert 0.8 == Hits(6, 2, 2).ratio
    assert Hits(0, 0).ratio is None


@pytest.mark.parametrize("before", [kstat(10, 9, hits=500), kstat(12, hits=500), kstat(13, hits=500)])
def test_a_module_that_was_loaded_anew_counts_from_then(before: Kstat) -> None:
    sample = arc_sample(kstat(12, 2, hits=50), before, 0)

    assert (None, 5.0) == (sample.interval_s, sample.total.hits)


def test_a_second_level_is_told_once_it_holds_anything() -> None:
    now = kstat(11, l2_size=300, l2_asize=200, l2_hits=30, l2_misses=10, l2_cksum_bad=2, l2_io_error=1)

    sample = arc_sample(now, kstat(1), 0)

    assert sample.l2 is not None
    assert (300, 200, 3) == (sample.l2.size_bytes, sample.l2.stored_bytes, sample.l2.errors)
    assert Hits(3.0, 1.0) == sample.l2.lookups


def test_the_throttle_tells_who_waited_for_what() -> None:
    now = kstat(
        3, dmu_tx_assigned=100, dmu_tx_dirty_delay=40, dmu_tx_memory_reserve=2, dmu_tx_memory_reclaim=4
    )

    sample = throttle_sample(now, kstat(1), 0, 4 << 30)

    assert (50.0, 20.0, 3.0, 0.0) == (
        sample.assigned,
        sample.dirty_delay,
        sample.memory,
        sample.dirty_over_max,
    )
    assert (None, 4 << 30) == (sample.log_delay, sample.dirty_max_bytes)
    assert 3 == throttle_sample(replace(now, values={"dmu_tx_wrlog_delay": 6}), kstat(1), 0, None).log_delay


def test_commits_of_the_intent_log_with_and_without_what_newer_versions_count() -> None:
    old = zil_sample(kstat(3, zil_commit_count=10, zil_itx_metaslab_slog_bytes=4096), kstat(1), 0)
    new = zil_sample(
        kstat(3, zil_commit_count=10, zil_commit_error_count=1, zil_commit_stall_count=3), None, 0
    )

    assert (5.0, 2048.0, None) == (old.commits, old.slog_bytes, old.errors)
    assert (5.0, 2.0) == (new.commits, new.errors)
