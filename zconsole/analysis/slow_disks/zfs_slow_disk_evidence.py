"""ZFS's own view of a slow disk: counters, events, autosit, state.

ZED degrades a disk for slow I/O inside itself: no event says so, the state of the disk and its remark do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.vdevs.pool_degraded_since import STATE_CHANGE
from zconsole.base.fixed_width_formatting import SECOND, moment
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.pools.slow_disk import SitOuts, SlowDiskVerdict

SHAPES: Final = frozenset({"raidz", "draid"})  # vdevs with autosit
_DELAY: Final = "ereport delay"
_DEADMAN: Final = "ereport deadman"
_SITOUT: Final = "ereport sitout"
_DEGRADED: Final = "DEGRADED"
_MARKED: Final = frozenset({"DEGRADED", "FAULTED"})
_TOO_MANY: Final = "too many errors"  # remark on a disk that ZED has degraded or faulted, for any errors
_TOO_MANY_SLOW: Final = "too many slow I/Os"  # the same where slow I/Os are the only ones counted


@dataclass(frozen=True, slots=True)
class ZfsFacts:
    """Facts on a pool and its host, from which the view is made; None is unknown."""

    version: ZfsVersion | None = None
    events: tuple[Event, ...] | None = None
    sit_outs: SitOuts | None = None
    rises: tuple[tuple[int, float], ...] | None = None  # guid and time of the last rise of slow_ios


NOTHING: Final = ZfsFacts()


@dataclass(frozen=True, slots=True)
class ZfsView:
    """ZFS's view of one disk; None is unknown."""

    vdev: str
    slow_ios: int | None = None
    has_risen: bool | None = None  # of the counter, since the disk is slow
    delays: int | None = None  # events since then: I/Os of 30 s and more
    deadmen: int | None = None  # of I/Os that did not end
    can_sit: bool = False  # whether autosit supports this type of vdev
    has_autosit: bool | None = None  # whether this version has it
    autosit: bool | None = None
    sits_out: bool | None = None
    state: str = ""  # of the disk now; empty for one that is not in the pool
    note: str = ""  # ZFS's remark on it
    is_degraded: bool | None = None  # for slow I/O, now; None where other errors explain the state as well
    degraded_at: float | None = None  # last event of that state, since the disk is slow

    @property
    def agrees(self) -> bool | None:
        """Whether any of it confirms the slow disk; None when nothing is known.

        Slow I/Os that were counted before it became slow do not.
        """
        has_new = self.slow_ios and self.has_risen
        if any((has_new, self.delays, self.deadmen, self.sits_out, self.is_degraded)):
            return True
        if self.slow_ios and self.has_risen is None:
            return None  # they may be of this slowness, or older
        return None if self.slow_ios is None and self.delays is None else False


def known_of(host: HostState, pool: PoolState) -> ZfsFacts:
    """The facts in the state of a host."""
    events = None if host.events_problem and not host.events else host.events
    return ZfsFacts(host.version.value, events, pool.sit_outs.value, pool.slow_io_rises)


def zfs_view(verdict: SlowDiskVerdict, pool: Pool | None, known: ZfsFacts) -> ZfsView:
    """ZFS's view of the disk of a verdict."""
    tops = () if pool is None else tuple(top for top in pool.vdevs if top.name == verdict.vdev)
    leaf = next((leaf for top in tops for leaf in top.leaves() if leaf.name == verdict.disk), None)
    has_autosit = None if known.version is None else known.version.has_autosit
    can_sit = verdict.shape in SHAPES
    if leaf is None:
        return ZfsView(verdict.vdev, can_sit=can_sit, has_autosit=has_autosit)
    rose_at = None if known.rises is None else dict(known.rises).get(leaf.guid or 0, 0.0)
    of_it = None if known.events is None else [each for each in known.events if _is_of(each, leaf)]
    since = None if of_it is None else [e.short_class for e in of_it if (e.at or 0.0) >= verdict.first_at]
    sit_outs = known.sit_outs or SitOuts()
    sits = dict(sit_outs.sitting).get(leaf.guid or 0)
    return ZfsView(
        vdev=verdict.vdev,
        slow_ios=None if leaf.slow_ios is None else leaf.slow_ios.value,
        has_risen=None if rose_at is None else rose_at >= verdict.first_at,
        delays=None if since is None else since.count(_DELAY),
        deadmen=None if since is None else since.count(_DEADMAN),
        can_sit=can_sit,
        has_autosit=has_autosit,
        autosit=dict(sit_outs.autosit).get(tops[0].guid or 0),
        sits_out=True if of_it and _SITOUT in (e.short_class for e in of_it) and sits is None else sits,
        state=leaf.state,
        note=leaf.note,
        is_degraded=_is_degraded(leaf),
        degraded_at=_degraded_at(of_it or (), verdict.first_at),
    )


def sentences(view: ZfsView) -> Iterator[str]:
    """Sentences on ZFS's counter, events, autosit and ZED."""
    yield _counted(view)
    if view.delays is None or view.deadmen is None:
        yield "the events are not known, because only root may read them"
    elif view.delays or view.deadmen:
        yield f"events of this disk since then: {view.delays} delay, {view.deadmen} deadman"
    else:
        yield "no delay or deadman event of this disk since then, among those that the kernel keeps"
    yield _sits(view)
    if view.state:
        yield _state(view)


def _counted(view: ZfsView) -> str:
    if view.slow_ios is None:
        return "its count of slow I/Os is not known"
    if not view.slow_ios:
        return "it has counted no slow I/O on this disk: it counts those of 30 s and more by default"
    plural = "s" if view.slow_ios != 1 else ""
    rises = {None: "", True: ", and the count rises", False: ", none of them since it is slow"}
    counted = f"{view.slow_ios} slow I/O{plural} of 30 s and more on this disk"
    return f"{'it agrees: ' if view.has_risen else ''}{counted}{rises[view.has_risen]}"


def _state(view: ZfsView) -> str:
    if view.state not in _MARKED:
        before = ""
        if view.degraded_at is not None:
            before = f", and was DEGRADED from {moment(view.degraded_at, SECOND)} UTC on, as an event says"
        return (
            f"the disk is {view.state} now{before}: for slow I/O ZED degrades a disk only where slow_io_n "
            "and slow_io_t are set"
        )
    noted = f" ({view.note})" if view.note else ""
    if view.is_degraded:
        return (
            f"the disk is {view.state}{noted}, and slow I/Os are all that is counted: ZED degrades for these"
        )
    return f"the disk is {view.state}{noted}: whether for slow I/O or for errors, ZFS does not say"


def _is_degraded(leaf: Vdev) -> bool | None:
    """Whether the disk is degraded for slow I/O, as far as its state, its remark and its counters tell."""
    if leaf.state not in _MARKED:
        return False
    if _TOO_MANY_SLOW in leaf.note:
        return True
    return True if leaf.note == _TOO_MANY and leaf.slow_ios and not leaf.has_errors else None


def _degraded_at(events: Sequence[Event], since: float) -> float | None:
    """Time of the last event that says that the disk became DEGRADED."""
    times = (
        each.at
        for each in events
        if each.event_class == STATE_CHANGE
        and (each.field("vdev_state") or "").strip('"').startswith(_DEGRADED)
    )
    return max((at for at in times if at is not None and at >= since), default=None)


def _sits(view: ZfsView) -> str:
    if view.sits_out:
        return "autosit let it sit out: its data is read from the others"
    if not view.can_sit:
        return "autosit is for raidz and dRAID only"
    if view.has_autosit is False:
        return "OpenZFS before 2.4 has no autosit"
    if view.autosit is None:
        return "whether autosit is on is not known"
    if not view.autosit:
        return f"autosit is off for {view.vdev}, so no disk of it can sit out"
    return f"autosit is on for {view.vdev}, and does not let this disk sit out"


def _is_of(event: Event, vdev: Vdev) -> bool:
    """Whether an event names the vdev."""
    guid = event.field("vdev_guid")
    if guid is not None and vdev.guid is not None:
        return guid in {f"0x{vdev.guid:x}", str(vdev.guid)}
    return vdev.path is not None and event.field("vdev_path") == vdev.path
