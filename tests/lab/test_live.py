"""What is watched on a real host over SSH: a slow disk named and cleared, and what is asked on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import OPTIONS, PatientHost
from tests.lab.guests import Guest
from tests.lab.waiting import STATE_S, until
from zconsole.base.clock import SystemClock
from zconsole.hosts.host_address import Address
from zconsole.hosts.open_host_or_recording import open_replay
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.kernel_counters import Txg
from zconsole.service.collecting_thread import Engine

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

NAMED_S: Final = 30.0  # of load, by the host's own clock
CLEARED_S: Final = 120.0
BASE_MS: Final = 10
SLOW_MS: Final = 150
BAYS: Final = 6
MAPPED: Final = "/dev/mapper/slow"
DELAY: Final = """\
table() { echo "0 $(blockdev --getsz $2) delay $2 0 $3 $2 0 $3"; }
delay() { dmsetup suspend --noflush slow$1; table $1 $2 $3 | dmsetup load slow$1; dmsetup resume slow$1; }
"""
LOAD: Final = (
    "fio --name=x --filename=/tank/data --size=96M --time_based --runtime=900 --ioengine=psync --bs=16k"
    " --rw=randrw --rwmixread=70 --numjobs=2 --rate_iops=12 --output=/dev/null"
)
CLEAN: Final = f"""\
pkill -x fio; for i in $(seq 50); do pgrep -x fio >/dev/null || break; sleep 0.2; done
zpool destroy -f tank 2>/dev/null; udevadm settle
for i in $(seq 0 {BAYS - 1}); do [ -e {MAPPED}$i ] && dmsetup remove --retry -f slow$i; done; true
"""


def set_delay(guest: Guest, bay: int, milliseconds: int) -> None:
    """Make a disk slower, or as fast as the others again."""
    guest.ssh(f"{DELAY} delay {bay} {guest.disk(bay)} {milliseconds}")


@pytest.fixture(params=["mirror {0} {1} mirror {2} {3} mirror {4} {5}", "raidz2 {0} {1} {2} {3} {4} {5}"])
def busy(bare_guest: Guest, request: pytest.FixtureRequest) -> Iterator[Guest]:
    """A guest whose pool is under load, on disks that can be slowed below ZFS."""
    guest = bare_guest
    guest.ssh(CLEAN)
    for bay in range(BAYS):
        made = f"table {bay} {guest.disk(bay)} {BASE_MS} | dmsetup create slow{bay}"
        guest.ssh(f"modprobe dm-delay; {DELAY} wipefs -aq {guest.disk(bay)}; {made}")
    layout = str(request.param).format(*(f"{MAPPED}{bay}" for bay in range(BAYS)))
    guest.ssh(
        "zpool create -f -o ashift=12 -O recordsize=16K -O compression=off -O primarycache=metadata"
        f" tank {layout}"
        " && dd if=/dev/urandom of=/tank/data bs=1M count=96 conv=fsync 2>/dev/null"
        f" && (setsid {LOAD} >/dev/null 2>&1 &)",
        timeout_s=600,
    )
    yield guest
    guest.ssh(CLEAN, timeout_s=300)
    guest.wipe()


@pytest.fixture
def watched(ssh_alias: str) -> Iterator[Engine]:
    """The collecting side of a console on that host."""
    engine = Engine([PatientHost(Address(ssh_alias), OPTIONS)])
    engine.start()
    yield engine
    engine.stop()


def wait_for(engine: Engine, holds: Callable[[PoolState], object]) -> tuple[HostState, PoolState]:
    """Wait until the pool is so."""

    def found(state: HostState) -> tuple[HostState, PoolState] | None:
        pool = state.pool("tank")
        return (state, pool) if pool is not None and holds(pool) else None

    return until(engine, found, known=_what_is_known)


def _what_is_known(state: HostState) -> str:
    """For whoever waited in vain."""
    pool = state.pool("tank")
    readings = {name: getattr(state, name) for name in ("arc", "throttle", "zil")}
    if pool is not None:
        asked = ("latencies", "sizes", "dataset_io", "txgs", "assign_waits")
        readings |= {name: getattr(pool, name) for name in asked}
    known = {name: reading.problem or bool(reading.value) for name, reading in readings.items()}
    return f"{state.link}, {known}, {pool and pool.judgement}"


def clock_of(guest: Guest) -> float:
    """Epoch seconds there."""
    return float(guest.ssh("date +%s.%N"))


def test_a_disk_that_gets_slow_is_named_and_cleared_again(busy: Guest, watched: Engine) -> None:
    """In a mirror and in a raidz2, over SSH; no healthy disk is named."""
    _, before = wait_for(watched, lambda pool: len(pool.samples) > 20)
    set_delay(busy, 3, BASE_MS + SLOW_MS)
    slowed_at = clock_of(busy)

    _, named = wait_for(watched, lambda pool: pool.slow)
    set_delay(busy, 3, BASE_MS)
    restored_at = clock_of(busy)
    _, cleared = wait_for(watched, lambda pool: not pool.slow)

    assert () == before.slow
    assert ["slow3"] == [verdict.disk for verdict in named.slow]
    assert named.sample is not None
    assert cleared.sample is not None
    assert named.sample.at - slowed_at <= NAMED_S
    assert cleared.sample.at - restored_at <= CLEARED_S
    assert named.slow[0].ratio > 2


def test_what_is_asked_on_demand_comes_from_a_real_host(busy: Guest, watched: Engine, tmp_path: Path) -> None:
    """Histograms, sizes, datasets, cache, throttle, log and txgs; and the hour so far is saved and played."""
    wait_for(watched, lambda pool: pool.pool.value)
    watched.want_latency("nas", "tank")
    watched.want_sizes("nas", "tank")
    watched.want_objsets("nas", "tank")
    watched.want_arc("nas", is_wanted=True)

    state, pool = wait_for(
        watched,
        lambda pool: (
            pool.latencies.value
            and pool.sizes.value
            and pool.dataset_io.value
            and pool.assign_waits.taken_at is not None
            and len(watched.newest()[0].zil.value or ()) > 2
        ),
    )
    for want in (watched.want_latency, watched.want_sizes, watched.want_objsets):
        want("nas", None)
    watched.want_arc("nas", is_wanted=False)

    assert pool.sample is not None
    names = [row.name for row in pool.sample.rows]
    for reading in (pool.latencies, pool.sizes):
        assert "" == reading.problem
        assert [row.name for row in (reading.value or ())[-1].rows] == names
    assert sum((pool.latencies.value or ())[-1].rows[0].histograms["disk_read"].counts) > 0
    assert pool.dataset_io.value is not None
    assert {"tank"} == {row.name for row in pool.dataset_io.value.rows}
    assert pool.dataset_io.value.rows[0].read_ops > 0
    assert (pool.dataset_io.value.rows[0].commits is None) == (busy.series == "2.1")
    groups: tuple[Txg, ...] = pool.txgs.value or ()
    assert any(group.state == "C" and group.written_bytes for group in groups)
    assert "" == pool.assign_waits.problem  # and no value as long as nothing had to wait
    for samples in (state.arc, state.throttle, state.zil):
        assert ("", True) == (samples.problem, bool(samples.value))
    last = (state.arc.value or ())[-1]
    assert last.interval_s is not None
    assert 0 < last.size_bytes <= 2 * last.max_bytes
    assert last.total.hits + last.total.misses > 0
    assert (state.throttle.value or ())[-1].dirty_max_bytes

    watched.mark("nas", "seen")
    wait_for(watched, lambda _: watched.newest()[0].marks)
    folder = watched.save("nas", tmp_path / "saved").result(STATE_S)
    played = Engine(open_replay(folder), clock=SystemClock())
    played.start()
    try:
        _, again = wait_for(played, lambda pool: len(pool.samples) > 3 and pool.pool.value)
        span = watched.span("nas", "tank")
        assert span is not None
        past = watched.at("nas", "tank", span.first)
        assert past is not None
        assert past.state.samples[0].rows == again.samples[0].rows
    finally:
        played.stop()
    busy.ssh("pgrep -f 'zpool iostat -T u -[wr]' && exit 1; true")


def test_a_kernel_that_keeps_no_txgs_is_told_from_one_that_has_none(busy: Guest, watched: Engine) -> None:
    path = "/sys/module/zfs/parameters/zfs_txg_history"
    kept = busy.ssh(f"cat {path}; echo 0 > {path}").strip()
    try:
        wait_for(watched, lambda pool: pool.pool.value)
        watched.want_arc("nas", is_wanted=True)

        _, pool = wait_for(watched, lambda pool: pool.txgs.problem)

        assert path in pool.txgs.problem
    finally:
        busy.ssh(f"echo {kept} > {path}")
