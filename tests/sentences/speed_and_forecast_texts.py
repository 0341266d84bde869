"""What is said of slow disks, in recordings of real pools and of verdicts made for it, and of forecasts."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.analysis.build import disk
from tests.analysis.forecast import test_estimated_history as estimated
from tests.analysis.forecast import test_forecast_sentences as forecasts
from tests.analysis.slow_disks import test_exemptions as exempt
from tests.analysis.slow_disks import test_pauses_again_and_again as again
from tests.analysis.slow_disks import test_slow_episodes as episodes
from tests.analysis.slow_disks import test_trims_and_first_io_after_rest as trims
from tests.analysis.slow_disks import test_zfs_slow_disk_evidence as zfs_evidence
from tests.analysis.slow_disks.bucketed_pool import Pool as BucketedPool
from tests.analysis.slow_disks.bucketed_pool import watch
from tests.analysis.slow_disks.media import test_media_by_latency as media
from tests.analysis.slow_disks.media import test_media_by_reads as hybrids
from tests.analysis.slow_disks.slightly_slower import test_recordings_of_slightly_slow_disks as slightly
from tests.analysis.slow_disks.slightly_slower import test_vdevs_slower_in_most_seconds as vdevs
from tests.analysis.slow_disks.slow_together import test_all_slow_alike as alike
from tests.analysis.slow_disks.streams import HEALTHY, IDLE, MIRRORS, RAIDZ, Did, judge, slow
from tests.analysis.slow_disks.test_recordings import judged
from tests.analysis.slow_disks.without_queues import test_quiet_disks as quiet
from tests.conftest import CAPTURES
from tests.doubles.guests_on_storage import guest_on, on_volume
from tests.reports.json import test_slow_disks as slow_cases
from tests.ui import watched
from zconsole.analysis.forecast.estimated_history import guess
from zconsole.analysis.forecast.trend import lacks
from zconsole.analysis.slow_disks.verdict_sentence import slowness_in_short
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import NOTHING, ZfsFacts
from zconsole.cli.commands.state.slow import judge_recording
from zconsole.model.forecast import (
    DatasetGrowth,
    Forecast,
    GrowingDatasets,
    GrowthShape,
    HistorySource,
    LevelReached,
    SpaceHistory,
    SpaceJump,
)
from zconsole.model.pools.pool import VdevProgress
from zconsole.model.pools.slow_disk import (
    READ,
    SLOW,
    SYNC,
    WRITE,
    WRITE_COLLAPSE,
    Comparison,
    Judgement,
    SitOuts,
    SlowDiskVerdict,
    Undecided,
)
from zconsole.views.capacity.forecast import forecast_lines, pace_words, summary_line
from zconsole.views.findings import slow_disk_phrases as phrases
from zconsole.views.findings.slow_disk_document import judgement_lines, verdict_lines
from zconsole.views.layout.styled_text import Line, line, plain
from zconsole.zfs.listing.history import HistoryRecord

SPEED = "`zpool iostat -l`, second by second ([slow-disks.md](slow-disks.md))"
SPACE = "space samples, or ages and sizes of datasets and snapshots ([forecast.md](forecast.md))"
DAY = 86400.0
MOST_RECORDINGS = 12  # of a kind: the others say the same of other disks
CHOSEN = ("b03", "b10", "f09", "f17", "g03", "g04", "g13", "h01", "s01")  # that say what no other one says
GIB = 1 << 30


def recorded() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each recording of `zpool iostat` by name, with what is said of it."""
    for folder, judgement_of in (("slow", judged), ("slightly_slow", slightly.judged)):
        paths = sorted((CAPTURES / folder).glob("*/label.json"))
        for path in (*paths[:MOST_RECORDINGS], *(path for path in paths if path.parent.name in CHOSEN)):
            found = judgement_of(path)
            yield f"{folder}/{path.parent.name}", (*_of(found), *_phrases(found.verdicts))
    for path in sorted((CAPTURES / "hanging").glob("*.tsv.gz")):
        with gzip.open(path) as stream:
            found = judge_recording(io.BytesIO(stream.read()))
        yield f"hanging/{path.name.partition('.')[0]}", (*_of(found), *_phrases(found.verdicts))
    yield "hanging/one without queues", _of(quiet.recorded_hang())


def made() -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is said of verdicts and forecasts made for it, with what it rests on."""
    for verdict in _verdicts():
        judgement = Judgement("tank", 60, 5, (verdict,))
        yield SPEED, (*_of(judgement), *_phrases((verdict,)))
    for shape in ("raidz", "mirror"):
        verdict = replace(zfs_evidence.verdict(), shape=shape)
        for known in _zfs_facts():
            for slow_ios in (None, 0, 1, 3):
                of = zfs_evidence.pool(slow_ios)
                lines = verdict_lines(verdict, "tank", of=of, inventory=None, known=known)
                yield SPEED, tuple(map(plain, lines))
    for of in (
        zfs_evidence.marked("DEGRADED", "too many slow I/Os", slow_ios=3),
        zfs_evidence.marked("FAULTED", ""),
    ):
        yield SPEED, tuple(map(plain, verdict_lines(verdict, "tank", of=of, inventory=None)))
    guests = (guest_on("web01", on_volume("tank/vm/web01")),)
    for _, act in slow_cases.CASES:
        judgement = judge(MIRRORS, act)
        for watched_pool in (None, slow_cases.mirrors()):
            yield SPEED, tuple(map(plain, judgement_lines(judgement, pool=watched_pool, guests=guests)))
    for judgement in _judgements():
        yield SPEED, _of(judgement)
    busier = (watched.verdict(did=105.0, peers_did=70.0),)
    yield SPEED, (*_of(Judgement("tank", 60, 5, busier)), *_phrases(busier))
    two = (watched.verdict(), watched.verdict(disk="other"))
    yield SPEED, (*_of(Judgement("tank", 60, 5, two)), *_phrases(two))
    again = tuple(
        replace(watched.verdict(), is_ongoing=False, first_at=at, last_at=at + 9.0) for at in (0.0, 40.0)
    )
    yield SPEED, _of(Judgement("tank", 60, 5, again))
    undecided = tuple(Undecided(f"d{at}", "raidz2-0", "too little I/O") for at in range(12))
    yield SPEED, _of(Judgement("tank", 60, 20, undecided=undecided))
    for forecast in _forecasts():
        shown = (summary_line(forecast), *forecast_lines(forecast, 80, 9, guests))
        yield SPACE, (*map(plain, shown), pace_words(forecast))
    yield SPACE, tuple(_guesses())


def _guesses() -> Iterator[str]:
    """The evidence of a history that is guessed from what datasets and `zpool history` tell."""
    at, now = estimated.at, estimated.NOW
    deeds = (
        HistoryRecord(at(500), "zpool create tank mirror a b"),
        HistoryRecord(at(300), "zpool add tank mirror c d"),
        HistoryRecord(at(200), "zfs destroy tank/old"),
    )
    traces = [estimated.dataset("tank", 500, GIB), estimated.snapshot("tank@1", 3, GIB, written=30 * GIB)]
    for history in (deeds, (), None):
        yield from guess(traces, history, now=now, used=GIB).history.evidence
        yield from guess(traces[:1], history, now=now, used=GIB).history.evidence


def _of(judgement: Judgement) -> tuple[str, ...]:
    return tuple(map(plain, judgement_lines(judgement)))


def _phrases(verdicts: Sequence[SlowDiskVerdict]) -> tuple[str, ...]:
    """The short forms of the screens."""
    said: list[Line] = [phrases.headline(verdicts)]
    for each in verdicts:
        said += [phrases.why(each), phrases.since(each, each.last_at + 60), phrases.costs(each, "tank")]
        said += [line(phrases.in_few_words(each)), line(slowness_in_short(each))]
        said += [phrases.busy(each), phrases.sure(each), phrases.next_steps(each, "/dev/sda")]
    return tuple(map(plain, said))


def _after_a_minute_of_rest() -> Iterator[Judgement]:
    """A disk whose first I/O does not end, or ends after six seconds."""
    waiting = dict.fromkeys(range(62, 72), Did(active=1))
    for did in (waiting, {**waiting, 68: Did(1, 6000), 69: IDLE, 70: IDLE, 71: IDLE}):
        yield judge(MIRRORS, lambda at, name, did=did: HEALTHY if name != "d" else did.get(at, IDLE), 72)  # type: ignore[misc]


def _silences_and_pools_that_are_slow_alike() -> Iterator[Judgement]:
    """A disk that completes nothing, with and without late answers, and disks that all take long."""
    for late_ns in (None, 3_000_000_000):
        yield quiet.silenced(20, 35, late_ns)
    for did in (Did(2, 600, 2, 700), Did(60, 300, 60, 300)):
        yield alike.judged(did)
    yield trims.of_held_trim(21)


def _judgements() -> Iterator[Judgement]:
    """Pools of which no single disk is named, or a disk is not judged, or half of a kind is slow."""
    yield judge(RAIDZ, lambda number, name: IDLE if name == "d3" and number >= 20 else HEALTHY, 60)
    away = {"is_resilvering": True}, {"activities": (VdevProgress("initialize", "active", 12.0),)}
    for values in away:
        yield judge(MIRRORS, lambda *_: HEALTHY, pool=exempt.mirrors(b=disk("b", **values)))
    mixed = exempt.inventory(a=False, b=True, c=False, d=True, e=False, f=True)
    yield judge(MIRRORS, lambda *_: HEALTHY, pool=exempt.mirrors(), inventory=mixed)
    yield judge(MIRRORS, hybrids.hybrid())
    yield judge(("mirror-0", "a", "b"), hybrids.hybrid())
    yield judge(MIRRORS, lambda number, name: IDLE if name == "b" and number >= 20 else HEALTHY, 60)
    source, target = Did(90, 28, 30, 8, scrub=True), Did(0, None, 90, 9)
    yield judge(MIRRORS, lambda _, name: {"a": source, "b": target}.get(name, HEALTHY))
    yield again.recording(MIRRORS, again.pauses_of("b", 60, 8), 600)
    yield judge(("a",), lambda number, _: again.HELD if 20 <= number < 40 else HEALTHY, 44)
    yield replace(watch(BucketedPool(6, 0.5, 8e6)), has_queues=False)
    yield judge(MIRRORS, media.of_these("a b"))
    yield judge(MIRRORS, media.of_these("b d f"))
    yield episodes.seen(episodes.at_times(30, 3, 20))
    yield episodes.seen(episodes.at_times(30, 2, 10), seconds=90)
    yield vdevs.seen(vdevs.THREE, vdevs.times("cd", 1.5))
    little = watch(replace(BucketedPool(6, 0.5, 8e6), own_ns=16e6, operations=60), seconds=9)
    yield little
    yield replace(judge(MIRRORS, lambda *_: HEALTHY), has_tails=True)
    apart = judge(MIRRORS, lambda _, name: slow(6) if name == "d" else HEALTHY)
    yield replace(apart, undecided=(Undecided("a", "mirror-0", "too little I/O"),))
    wide, narrow = BucketedPool(6, 0.5, 8e6, 12e6, 8e6), BucketedPool(6, 0.01, 8.2e6, 8.6e6)
    for each in (wide, narrow, replace(narrow, own_ns=9e6, sigma=0.1), replace(wide, is_vdev_slow=True)):
        yield watch(each)
    yield replace(watch(replace(wide, own_ns=0.0)), vdevs=2)
    yield judge(("a",), lambda *_: slow(40))
    one_more = {"c": 5.0, "d": 15.0}
    yield judge(MIRRORS, lambda _, name: slow(one_more[name]) if name in one_more else HEALTHY)
    late, usual = Did(3, 1010, 3, 12), Did(3, 10, 3, 12)
    yield judge(RAIDZ, lambda at, name: late if name == "d2" and at % 20 in {5, 6, 7} else usual, 90)
    yield judge(RAIDZ, lambda _, name: replace(HEALTHY, trim=name == "d2"))
    written, read = Did(0, None, 60, 90, rebuild=True), Did(60, 10, 5, 12, rebuild=True)
    yield judge(MIRRORS, lambda _, name: {"c": read, "d": written}.get(name, HEALTHY))
    yield from _after_a_minute_of_rest()
    half = judge(MIRRORS, lambda _, name: exempt.BUSY if name in "bdf" else Did(30, 3, 30, 3))
    yield half
    for fast in ({"d0"}, {"d0", "d7"}):
        yield judge(RAIDZ, lambda _, name, fast=fast: HEALTHY if name in fast else slow(6))  # type: ignore[misc]
    two = ("raidz1-0", "a", "b", "c", "raidz1-1", "d", "e", "f")
    yield judge(two, lambda _, name: slow(10) if name in "bc" else HEALTHY)
    yield watch(BucketedPool(6, 0.7, 8e6, 12e6, slow=4))
    stuck = Did(active=3)
    for names, disks in (
        (MIRRORS, "ace"),
        (two, "ae"),
        (two, "abc"),
        (two, "ab"),
        (two, "abcde"),
        (MIRRORS, "abcdef"),
    ):
        yield judge(names, lambda at, name, of=disks: stuck if name in of and at > 40 else HEALTHY)  # type: ignore[misc]
        yield judge(names, lambda at, name, of=disks: stuck if name in of and at % 18 < 3 else HEALTHY)  # type: ignore[misc]
    yield judge(MIRRORS, lambda *_: stuck)
    yield from _silences_and_pools_that_are_slow_alike()
    paused = judge(RAIDZ, lambda at, name: stuck if name == "d3" and 20 <= at < 26 else HEALTHY)
    yield replace(watch(wide), pauses=paused.pauses)


def _verdicts() -> Iterator[SlowDiskVerdict]:
    one = watched.verdict()
    yield from (one, watched.stalling(), watched.tail())
    yield replace(one, is_ongoing=False)
    yield replace(one, peers=one.peers[:1], vdev=one.disk, shape="lone")
    yield replace(watched.tail(), is_ongoing=False, shape="raidz", costs=())
    yield replace(one, operations=(READ, SYNC), peers=())
    write = (Comparison(WRITE, 8e8, 1e7, 900, 50, 9.0),)
    yield replace(one, kind=WRITE_COLLAPSE, compared=write, operations=(WRITE,))
    yield replace(one, kind=SLOW, compared=write, ratio=80.0, operations=(WRITE,))
    yield replace(one, compared=(), vdev=one.disk, joined_sample=40)
    for until in (60, 58):
        hung = judge(
            RAIDZ, lambda at, name, of=until: Did(active=3) if name == "d3" and 31 <= at < of else HEALTHY
        )  # type: ignore[misc]
        yield from hung.verdicts


def _zfs_facts() -> Iterator[ZfsFacts]:
    new, old, top, leaf = zfs_evidence.NEW, zfs_evidence.OLD, zfs_evidence.TOP, zfs_evidence.LEAF
    since = zfs_evidence.SINCE
    yield from (NOTHING, ZfsFacts(old))
    yield ZfsFacts(new, (), SitOuts(((top, False),), ((leaf, False),)), ((leaf, since + 9),))
    yield ZfsFacts(new, (), SitOuts(((top, True),), ((leaf, True),)), ((leaf, since - 9),))
    yield ZfsFacts(new, (zfs_evidence.event("delay"),), SitOuts(((top, True),), ((leaf, False),)), ())
    yield ZfsFacts(new, (zfs_evidence.became("DEGRADED"),), None, ())


def _forecasts() -> Iterator[Forecast]:
    """A pool by samples and by a guess, growing, shrinking, full, and of which too little is known."""
    level, trend = forecasts.LEVEL, forecasts.TREND
    points = ((0.0, 1.0 * GIB), (31 * DAY, 40.0 * GIB))
    samples, guessed = (
        SpaceHistory(HistorySource.SAMPLES, points),
        replace(SpaceHistory(HistorySource.GUESS, points), evidence=("x",)),
    )
    of = Forecast("nas1", "tank", 31 * DAY, 40 * GIB, 100 * GIB, history=samples, trend=trend)
    yield of
    for days in (200, 700):
        yield replace(of, history=replace(samples, points=((0.0, 1.0 * GIB), (days * DAY, 40.0 * GIB))))
    for passing in (replace(level, is_reached=True), LevelReached(100, 10), replace(level, likely=None)):
        yield replace(of, trend=replace(trend, passings=(passing,)))
    for shape in (*GrowthShape, None):
        yield replace(of, trend=replace(trend, shape=shape))
    yield replace(of, history=guessed, growing=GrowingDatasets(0.0, ()), notes=("Prometheus is away",))
    odd = replace(trend, has_changed=True, jumps=(SpaceJump(DAY, GIB),), weekdays=(0.0, 0.0, 9.0, 0, 0, 0, 0))
    growing = GrowingDatasets(0.0, (DatasetGrowth("tank/a", 2.0 * GIB, 1.0 * GIB),))
    yield replace(of, trend=odd, growing=growing)
    yield replace(of, trend=None, history=None, too_little="nothing is known of how full it was before")
    for short in (((0.0, 1.0), (DAY, 2.0)), ((0.0, 1.0), (31 * DAY, 2.0))):
        history = SpaceHistory(HistorySource.SAMPLES, short)
        yield replace(of, trend=None, history=history, too_little=lacks(history, 31 * DAY))
