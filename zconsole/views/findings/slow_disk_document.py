"""Slow disk document: the sentence, its evidence, the next steps, and the verdict of ZFS."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from zconsole.analysis.guests.added_latency_sentences import RESTS_ON, adds_in_full
from zconsole.analysis.guests.latency_added_to_guests import added_latency
from zconsole.analysis.slow_disks.slow_disk_identity_and_next_checks import (
    DiskIdentity,
    identify,
    next_checks,
    pause_checks,
    share,
    spread,
    who_waits,
)
from zconsole.analysis.slow_disks.verdict_sentence import (
    all_slow_sentence,
    episodes_sentence,
    hidden_difference_sentence,
    longest_wait,
    pause_sentence,
    perhaps_slower_sentence,
    quiet_sentence,
    slightly_slower_sentence,
    times_range,
    verdict_sentence,
)
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import NOTHING, ZfsFacts, sentences, zfs_view
from zconsole.base.fixed_width_formatting import SECOND, count, latency, latency_after, moment, percent
from zconsole.base.name_lists import joined_by_and, shortened
from zconsole.model.guests.guest import Guest
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import (
    AFTER_REST,
    LONG_TAIL,
    NOT_ANSWERING,
    READ,
    STALLING,
    STRIPED,
    SYNC,
    TRIM,
    WRITE,
    WRITE_COLLAPSE,
    Comparison,
    Cost,
    Judgement,
    LatencyBound,
    Pause,
    Quantile,
    SlightlySlowerDisk,
    SlowDiskVerdict,
)
from zconsole.views.findings.slow_disk_phrases import times
from zconsole.views.layout.labelled_paragraph import labelled
from zconsole.views.layout.state_age_and_link_phrases import WARN, counted
from zconsole.views.layout.styled_text import EMPTY, Line, line

MOST_NAMED: Final = 8  # undecided disks shown by name
MOST_GUESTS: Final = 20
MOST_PEERS: Final = 12  # more than a vdev has, as a rule; the JSON has all
_AGREES: Final = {
    True: "it sees slow I/O, too",
    False: "it counts no slow I/O",
    None: "not known",
}
_PERHAPS: Final = "Perhaps slower: "
_AGAIN: Final = "too short for a verdict each time, and together more than chance brings in 1 of 100 watches"
_TOO_SELDOM: Final = "too short and too seldom for a verdict, watch for longer"
_SPINS_UP: Final = "as a disk does that spins up"
_OLD_ALONE: Final = "it counts no slow I/O since the disk is slow"
_PAIR: Final = 2


def judgement_lines(  # noqa: PLR0913 - the same
    judgement: Judgement,
    *,
    host: str = "",
    pool: Pool | None = None,
    inventory: Inventory | None = None,
    known: ZfsFacts = NOTHING,
    guests: Sequence[Guest] = (),
) -> Iterator[Line]:
    """One pool's verdicts: the number of slow disks, each of them in full, and the disks without a verdict.

    Without `pool` the verdicts are of a recording, whose times are not known.
    """
    yield line((f"{host} {judgement.pool}".strip(), "title"), f": {_summary(judgement)}.")
    if (alike := judgement.all_slow) is not None:
        title, style = (f"{WARN} All slow: ", "warn") if alike.is_sure else ("All slow: ", "info")
        yield line((title, style), f"{all_slow_sentence(alike)}.")
    if not judgement.verdicts and judgement.half_slow is None and not judgement.is_too_little:
        yield line(("Bound: ", "dim"), bounds_in_words(judgement))
    for pause in judgement.not_answering:
        yield EMPTY
        yield from pause_lines(pause, judgement.pool, has_times=pool is not None)
    for verdict in judgement.verdicts:
        yield EMPTY
        yield from verdict_lines(
            verdict, judgement.pool, of=pool, inventory=inventory, known=known, guests=guests
        )
    if (judgement.verdicts or judgement.not_answering) and (
        judgement.slightly
        or judgement.were_slightly
        or judgement.slightly_vdevs
        or judgement.episodes
        or judgement.perhaps
        or judgement.hidden
        or any(not one.is_sure for one in judgement.pauses)
        or judgement.quiet
        or any(one.id != NOT_ANSWERING for one in judgement.findings)
        or judgement.undecided
    ):
        yield EMPTY
    for short in judgement.episodes:
        title, style = (f"{WARN} Slow for short times: ", "warn") if short.is_sure else (_PERHAPS, "info")
        yield line((title, style), f"{episodes_sentence(short)}.")
    for slower in (*judgement.slightly, *judgement.were_slightly, *judgement.slightly_vdevs):
        yield from slightly_slower_lines(slower, has_times=pool is not None)
    for one in judgement.perhaps:
        yield line((_PERHAPS, "info"), f"{perhaps_slower_sentence(one)}.")
    for one in judgement.hidden:
        yield line(("Not known: ", "info"), f"{hidden_difference_sentence(one)}.")
    for pause in judgement.pauses:
        if not pause.is_sure:
            yield line(("Paused: ", "info"), f"{pause_sentence(pause)}: {_no_verdict(pause)}.")
    for quiet in judgement.quiet:
        title, style = (f"{WARN} Quiet: ", "warn") if quiet.is_sure else ("Quiet: ", "info")
        yield line((title, style), f"{quiet_sentence(quiet)}.")
    for pause in judgement.pausing:
        yield line((f"{WARN} Pauses: ", "warn"), f"{pause_sentence(pause)}: {_AGAIN}.")
    for finding in judgement.findings:
        if finding.id == NOT_ANSWERING:
            continue  # told above, in full
        yield line(("Note: ", "dim"), f"{finding.summary}.")
    for undecided in judgement.undecided[:MOST_NAMED]:
        yield line(("Undecided: ", "dim"), f"{undecided.disk}: {undecided.reason}.")
    peers = {peer for one in judgement.verdicts for peer in one.peers}
    if any(one.disk in peers for one in judgement.undecided):
        yield line(
            ("Note: ", "dim"),
            "disks without a verdict serve as peers all the same: few I/Os of each, together a reference.",
        )
    left = len(judgement.undecided) - MOST_NAMED
    if left > 0:
        yield line(("Undecided: ", "dim"), f"{left} more.")


def _no_verdict(pause: Pause) -> str:
    if pause.what == TRIM:
        return "it may take long, and is no verdict"
    return _SPINS_UP if pause.what == AFTER_REST else _TOO_SELDOM


def verdict_lines(  # noqa: PLR0913 - readings that are independent of each other
    verdict: SlowDiskVerdict,
    pool: str,
    *,
    of: Pool | None,
    inventory: Inventory | None,
    known: ZfsFacts = NOTHING,
    guests: Sequence[Guest] = (),
) -> Iterator[Line]:
    """The verdict, its evidence, and the next steps, line by line; `of` is None for a recording."""
    seen = identify(verdict.disk, verdict.vdev, of, inventory)
    is_now = verdict.is_slow_now
    mark = (f"{WARN} " if is_now else "", "warn")
    yield line(mark, (verdict_sentence(verdict), "text" if is_now else "dim"))
    yield EMPTY
    yield from _evidence(verdict, seen, has_times=of is not None)
    if verdict.stalls is not None:
        yield _titled("costs", f"I/O that needed it waited {longest_wait(verdict.stalls)}")
    yield from (_titled("costs", _cost(cost, verdict, pool)) for cost in verdict.costs)
    if verdict.kind == LONG_TAIL and verdict.furthest is not None:
        yield _titled("costs", who_waits(verdict.furthest, verdict))
    yield from _guests(verdict, of, guests)
    yield EMPTY
    yield line(("What to check", "section"))
    for number, check in enumerate(next_checks(verdict, seen), start=1):
        yield _titled(str(number), check)
    if of is None:
        return
    view = zfs_view(verdict, of, known)
    yield EMPTY
    yield line(("What ZFS itself says", "section"))
    has_old = view.agrees is False and view.slow_ios
    yield _titled("ZFS", _OLD_ALONE if has_old else _AGREES[view.agrees])
    yield from (_titled("ZFS", each) for each in sentences(view))


def pause_lines(pause: Pause, pool: str, *, has_times: bool) -> Iterator[Line]:
    """Disks that did not answer at the same time: the sentence, since when, and what to check."""
    mark = (f"{WARN} " if pause.is_ongoing else "", "warn")
    yield line(mark, (pause_sentence(pause), "text" if pause.is_ongoing else "dim"))
    yield EMPTY
    yield _titled("disks", shortened(pause.disks, MOST_PEERS))
    first, last = (f"sample {number}" for number in (pause.first_sample, pause.last_sample))
    if has_times:
        first, last = f"{moment(pause.first_at, SECOND)} UTC", moment(pause.last_at, SECOND)
    yield _titled("since", f"{first}, {'still so' if pause.is_ongoing else f'until {last}'}")
    if pause.answered:
        yield _titled("others", f"{shortened(pause.answered, MOST_PEERS)} answered meanwhile")
    yield _titled(
        "",
        "a lower bound for each of them: I/O was outstanding at each sample, and none was completed",
    )
    yield EMPTY
    yield line(("What to check", "section"))
    for number, check in enumerate(pause_checks(pool), start=1):
        yield _titled(str(number), check)


def slightly_slower_lines(one: SlightlySlowerDisk, *, has_times: bool) -> Iterator[Line]:
    """A disk that is a little slower in most seconds: the sentence, since when, and what it rests on."""
    since = f"sample {one.first_sample}"
    if has_times:
        since = f"{moment(one.first_at, SECOND)} UTC"
    after = counted(one.decided_sample - one.first_sample + 1, "sample")
    title = "Slightly slower: " if one.is_ongoing else "Slightly slower for a while: "
    yield line((title, "info"), f"{slightly_slower_sentence(one)}.")
    now = "still so" if one.is_ongoing else "half of the evidence was lost again"
    yield _titled(
        "since", f"{since}, {now}; beyond chance after {after}, where seconds do not depend on each other"
    )
    if one.joined_sample:
        yield _titled("", _joined(one.joined_sample))
    yield _titled(
        "test", "each second paired with its peers', looked at after each; more load is allowed for"
    )
    if one.is_within_a_step:
        yield _titled(
            "",
            f"ZFS's power-of-two buckets can make any ratio from {times(1.0)} to {times(_most(one))} "
            "look so, if the latencies of each disk hardly vary",
        )


def _most(one: SlightlySlowerDisk) -> float:
    """The largest ratio that buckets and the bound of the watch leave open."""
    most = 2 * one.ratio
    return most if one.at_most is None else min(most, math.ceil(10 * one.at_most) / 10)


def _joined(sample: int) -> str:
    return f"it is in the pool since sample {sample}, and judged by its peers from its first minute"


def bounds_in_words(judgement: Judgement) -> str:
    """How much slower than its peers a disk may still be."""
    if not judgement.bounds:
        samples = counted(judgement.samples, "sample")
        return f"too little I/O in {samples} to tell how much slower than its peers a disk may be."
    confidence = percent(100 * judgement.bounds[0].confidence)
    each = "; ".join(
        f"in {one.operation}s ({latency(one.mean_ns)} in the mean) none of {counted(one.disks, 'disk')} has "
        f"more than {_at_most(one)} the mean latency of its peers, from {count(one.operations)} "
        f"{one.operation}s each or more" + ("" if judgement.slow_vdevs else _apart(one))
        for one in judgement.bounds
    )
    for operation in sorted({READ, WRITE} - {one.operation for one in judgement.bounds}):
        each += f"; of {operation}s there were too few to tell"
    widest = max(one.widened for one in (*judgement.bounds, *judgement.vdev_bounds))
    buckets = "ZFS averages latencies from power-of-two buckets"
    if widest > 1:
        buckets += (
            f": where they may lie in one or two, which hide up to {times(widest)}, it is so much wider"
        )
    completed = "of the I/O that was completed, " if judgement.pauses else ""
    return (
        f"{completed}{each} ({confidence} confidence; its peers are the other disks of its vdev or those of "
        f"its kind, whichever are slower; {buckets}).{_of_vdevs(judgement)}{_not_judged(judgement)}"
    )


def _apart(one: LatencyBound) -> str:
    """That disks are further apart than each is from its peers: those that are slower alike are peers."""
    if one.apart <= one.ratio:
        return ""
    far = f"the slowest took {times(one.apart)} as long as the fastest"
    return f" ({far}: disks that are slower alike are each other's peers)"


def _of_tails(judgement: Judgement) -> str:
    """That the slowest I/Os were not looked at."""
    if judgement.has_tails:
        return ""
    return (
        " Not judged: the slowest of I/Os (tails), for which there were no histograms; a recording of "
        "`zpool iostat -l` has none."
    )


def _not_judged(judgement: Judgement) -> str:
    """What was not looked at: the slowest I/Os, and disks without an answer."""
    queues = " Not judged: disks that do not answer; the recording has no queues (`-q`)."
    return _of_tails(judgement) + ("" if judgement.has_queues else queues)


def _of_vdevs(judgement: Judgement) -> str:
    """How much slower than others a whole vdev may be: its disks are not slower than each other."""
    if judgement.slow_vdevs:
        return " Whole vdevs differ: see the note."
    if judgement.vdevs < _PAIR:
        return ""
    if not judgement.vdev_bounds:
        return " Whole vdevs were not compared with each other."
    each = "; ".join(
        f"in {one.operation}s none of {one.disks} has more than {_at_most(one)} the latency of the others"
        for one in judgement.vdev_bounds
    )
    return f" Of whole vdevs, by the faster half of their disks: {each}."


def _at_most(one: LatencyBound) -> str:
    return f"{math.ceil(10 * one.ratio) / 10:.1f}x"


def _so_often(ended: Sequence[SlowDiskVerdict]) -> str:
    """`, 5 times`, of the disk that was slow most often; empty where none was more than once."""
    most = max(Counter((one.vdev, one.disk) for one in ended).values(), default=0)
    return f", {most} times" if most > 1 else ""


def _slow_now_or_before(judgement: Judgement) -> Iterator[str]:
    """`1 of 6 disks is slow`, `2 were slow for a while, 5 times`: disks, not verdicts."""
    now = {(one.vdev, one.disk) for one in judgement.verdicts if one.is_slow_now}
    ended = [one for one in judgement.verdicts if (one.vdev, one.disk) not in now]
    if now:
        yield f"{len(now)} of {counted(judgement.disks, 'disk')} {'is' if len(now) == 1 else 'are'} slow"
    if before := len({(one.vdev, one.disk) for one in ended}):
        of = "" if now else f" of {counted(judgement.disks, 'disk')}"
        yield f"{before}{of} {'was' if before == 1 else 'were'} slow for a while{_so_often(ended)}"


def _quiet_or_all_slow(judgement: Judgement, *, is_alone: bool) -> Iterator[str]:
    if judgement.quiet:
        names = shortened([one.disk for one in judgement.quiet], MOST_NAMED)
        yield f"{names} completed nothing for a while (see below)"
    elif judgement.all_slow is not None and is_alone:
        yield "all disks take long" if judgement.disks > 1 else "the disk takes long"


def _summary(judgement: Judgement) -> str:
    judged = judgement.disks - len(judgement.undecided)
    now, said = any(one.is_slow_now for one in judgement.verdicts), [*_slow_now_or_before(judgement)]
    said += [
        f"{one.which} left I/O unanswered at the same time (see below)" for one in judgement.not_answering
    ]
    said += [f"{one.which} left I/O waiting again and again (see below)" for one in judgement.pausing]
    if judgement.episodic:
        short = len(judgement.episodic)
        of = "" if said else f" of {counted(judgement.disks, 'disk')}"
        said.append(f"{short}{of} {'is' if short == 1 else 'are'} slow for short times, again and again")
    if judgement.slightly:
        little = len(judgement.slightly)
        of = "" if now else f" of {counted(judgement.disks, 'disk')}"
        said.append(f"{little}{of} {'is' if little == 1 else 'are'} slightly slower")
    if judgement.were_slightly:
        little = len(judgement.were_slightly)
        of = "" if said else f" of {counted(judgement.disks, 'disk')}"
        said.append(f"{little}{of} {'was' if little == 1 else 'were'} slightly slower for a while")
    if judgement.half_slow is not None:
        number = len(judgement.slow_together)
        said.append(f"{number} disks are slower than the others, and none of them is named (see the note)")
    if judgement.slow_vdevs:
        vdevs = [str(each.evidence["vdev"]) for each in judgement.slow_vdevs]
        named = {one.vdev for one in judgement.verdicts} | {one.vdev for one in judgement.slightly}
        alone = "" if named & {*vdevs} else ", and no single one is named"
        names = joined_by_and(vdevs)
        said.append(f"more than half of the disks of {names} are slower than those of other vdevs{alone}")
    if judgement.slightly_vdevs:
        names = joined_by_and([one.vdev for one in judgement.slightly_vdevs])
        verb = "is" if len(judgement.slightly_vdevs) == 1 else "are"
        said.append(f"{names} {verb} slightly slower as a whole")
    unsure = [one.disk for one in judgement.perhaps]
    unsure += [one.disk for one in judgement.episodes if not one.is_sure]
    if unsure:
        said.append(f"{joined_by_and([*dict.fromkeys(unsure)])} may be slower, which is not sure")
    if judgement.hidden:
        little = len(judgement.hidden)
        said.append(
            f"how much slower {counted(little, 'disk')} {'is' if little == 1 else 'are'} is not known"
        )
    if any(not one.is_sure for one in judgement.pauses):
        seldom = dict.fromkeys(disk for one in judgement.pauses if not one.is_sure for disk in one.disks)
        said.append(f"{shortened([*seldom], MOST_NAMED)} left I/O waiting for a while (see below)")
    said += _quiet_or_all_slow(judgement, is_alone=not said)
    if not said:
        is_known = judgement.bounds and not judgement.is_too_little
        in_the_mean = "" if judgement.has_tails else " in the mean"
        no = "no single" if any(one.apart > one.ratio for one in judgement.bounds) else "no"
        unknown = "no disk like it to compare with" if judgement.has_no_peers else "too little I/O to tell"
        said.append(f"{no} disk was found to be slow{in_the_mean}" if is_known else unknown)
        if not judgement.bounds:
            judged = 0
    every = "all " if 1 < judged == judgement.disks else ""
    of = f"{every}{counted(judged, 'disk')} judged in {counted(judgement.samples, 'sample')}"
    return f"{', '.join(said)}; {of}"


def _evidence(verdict: SlowDiskVerdict, seen: DiskIdentity, *, has_times: bool) -> Iterator[Line]:
    known = [each for each in (seen.serial and f"serial {seen.serial}", seen.model, seen.device) if each]
    known += [f"bay {seen.bay}"] if seen.bay else [f"slot {seen.slot}"] if seen.slot else []
    where = f"in {verdict.vdev}" if verdict.vdev != verdict.disk else "a vdev of its own"
    yield _titled("which", ", ".join([verdict.disk, where, *known]))
    yield _titled("since", _since(verdict, has_times=has_times))
    yield _titled("score", f"{verdict.confidence:.2f} of 1 (not a probability): {_speaks_for_it(verdict)}")
    yield _titled("peers", shortened(verdict.peers, MOST_PEERS) or "none")
    if verdict.joined_sample:
        yield _titled("", _joined(verdict.joined_sample))
    if verdict.is_pair:
        yield _titled("", "there is only one: these two differ, and this one is the slower")
    for each in verdict.compared:
        yield _titled(f"{each.operation}s", _compared(each))
    for operation, quantiles in groupby(verdict.quantiles, lambda one: one.operation):
        yield _titled(f"{operation}s", _ended(tuple(quantiles)))
    if verdict.kind == LONG_TAIL:
        yield _titled("", "it is as fast as its peers in the mean: only the slowest of its I/Os are not")
    if SYNC in verdict.operations:
        yield _titled("", "synchronous writes among them: somebody waits for each")
    if verdict.kind == WRITE_COLLAPSE:
        yield _titled("", "it reads as ever, and stopped writing as it did: an SMR drive?")
    yield from _load(verdict)


def _since(verdict: SlowDiskVerdict, *, has_times: bool) -> str:
    first, last = (f"sample {number}" for number in (verdict.first_sample, verdict.last_sample))
    if has_times:
        first = f"{moment(verdict.first_at, SECOND)} UTC"
        last = moment(verdict.last_at, SECOND)
    end = "still so" if verdict.is_slow_now else f"until {last}"
    after = counted(verdict.decided_sample - verdict.first_sample + 1, "sample")
    return f"{first}, {end}; certain enough after {after}"


def _speaks_for_it(verdict: SlowDiskVerdict) -> str:
    """The evidence behind the certainty."""
    if verdict.kind == LONG_TAIL:
        return "histograms of some blocks of 5 s for it"
    samples = max((one.samples for one in verdict.compared), default=0)
    if samples:
        return f"{counted(samples, 'sample')} for it"
    return "each second without an answer speaks for it"


def _load(verdict: SlowDiskVerdict) -> Iterator[Line]:
    """Stalls, utilization, and queue length."""
    if verdict.stalls is not None:
        unanswered = counted(verdict.stalls.count, "time")
        alone = "" if verdict.peers else "; there is no disk like it to compare with"
        yield _titled("stalls", f"{unanswered} I/O waited for it{alone}")
        waiting = verdict.stalls.outstanding
        measured = (
            f"in that time none of its I/Os was completed, with {waiting} outstanding: they have no mean"
            if waiting
            else "that is the mean of a second; one I/O may have taken longer"
        )
        yield _titled("", f"{longest_wait(verdict.stalls)}: {measured}")
    if verdict.busy is not None and verdict.peers_busy is not None:
        own, others = percent(100 * verdict.busy), percent(100 * verdict.peers_busy)
        yield _titled("busy", f"{own} of the time, its peers {others}")
    if verdict.did is not None and verdict.peers_did is not None:
        more = f" ({times(verdict.load_ratio)})" if verdict.load_ratio else ""
        yield _titled("load", f"{verdict.did:.0f} operations/s, its peers {verdict.peers_did:.0f}{more}")
    if verdict.queued is not None and verdict.peers_queued is not None:
        yield _titled("queue", f"{verdict.queued:.1f} operations, its peers {verdict.peers_queued:.1f}")


def _guests(verdict: SlowDiskVerdict, of: Pool | None, guests: Sequence[Guest]) -> Iterator[Line]:
    """What it costs the guests on the pool, which these are, and what that rests on."""
    added = added_latency(verdict, of, guests)
    if of is not None and added:
        yield from (_titled("guests", adds_in_full(each, verdict.vdev, of.name)) for each in added)
        names = added[0].guests
        yield _titled("", f"{counted(len(names), 'guest')}: {shortened(names, MOST_GUESTS)}")
        yield labelled("", line((RESTS_ON, "dim")), "dim")


def _titled(title: str, words: str) -> Line:
    return labelled(title, line(words), "dim")


def _compared(each: Comparison) -> str:
    return (
        f"mean of {count(each.operations)}: {latency(each.mean_ns)}, its peers "
        f"{latency(each.reference_ns)} ({times_range(*each.ratios)}), in {counted(each.samples, 'sample')}"
        f"{_whole(each)}"
    )


def _whole(each: Comparison) -> str:
    """The means of the whole watch, beside those of the seconds that speak for a verdict."""
    if not each.seconds or not each.watch_reference_ns:
        return ""
    low, high = (side * each.watch_mean_ns / each.watch_reference_ns for side in (each.low, each.high))
    means = f"{latency(each.watch_mean_ns)}, its peers {latency(each.watch_reference_ns)}"
    return f"; in all {each.seconds}: {means} ({times_range(low, high)})"


def _ended(quantiles: Sequence[Quantile]) -> str:
    """The durations of the slow operations in the last minute of histograms."""
    of = count(max(one.operations for one in quantiles))
    return f"{spread(quantiles)}, of {of} in the last minute"


def _cost(cost: Cost, verdict: SlowDiskVerdict, pool: str) -> str:
    """The duration of an operation with this disk, and with a disk like its peers."""
    what = f"a {cost.operation}" if cost.share is None else f"{share(cost.share)} of the {cost.operation}s"
    verb = "takes" if cost.share is None else "end within"
    if cost.share is None and verdict.shape.startswith(STRIPED):
        verb = "takes up to"  # smaller blocks are on fewer disks
    if cost.share is None and verdict.stalls is not None:
        what = f"in the mean of completed I/O {what}"
    of_pool = (
        f"of {pool} {verb} {latency(cost.pool_with_ns)}, without this disk {latency(cost.pool_without_ns)}"
    )
    if verdict.vdev == verdict.disk:
        return f"{what} {of_pool}{_of_which(cost, verdict)}"
    with_it = latency(cost.vdev_with_ns)
    without = latency_after(with_it, cost.vdev_without_ns)
    in_pool = latency(cost.pool_with_ns)
    of_pool = f"of {pool} {in_pool}, without {latency_after(in_pool, cost.pool_without_ns)}"
    of_vdev = f"{what} of {verdict.vdev} {verb} {with_it}, without this disk {without}"
    return f"{of_vdev}; {of_pool}{_of_which(cost, verdict)}"


def _of_which(cost: Cost, verdict: SlowDiskVerdict) -> str:
    """Of a disk that stalls the seconds that this is the mean of: it is as fast as ever in the others."""
    samples = sum(each.samples for each in verdict.compared if each.operation == cost.operation)
    if verdict.kind != STALLING or cost.share is not None:
        return ""
    return f"; in {counted(samples, 'sample')} that show it alone, and not in the mean of the watch"
