"""Sound disk that has to be put back: pulled in place of a failed one, or out of a running resilver."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from zconsole.analysis.repair.bay_to_put_back_into import put_back_in_words, to_be_put_back, where_it_goes
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import is_dead, trouble_of
from zconsole.analysis.repair.newly_attached_devices import ATTACHED
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace, places
from zconsole.analysis.vdevs.pool_degraded_since import STATE_CHANGE
from zconsole.analysis.vdevs.redundancy import (
    in_words,
    is_vital,
    redundancy_in_pool,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.pool import GONE_STATES, HEALTHY_STATES, SUSPENDED, Vdev
from zconsole.model.repair import STOP

SERVES: Final = HEALTHY_STATES | {"DEGRADED"}
FAILED_STATES: Final = frozenset({"FAULTED", "DEGRADED"})
BEFORE_S: Final = 30.0  # error reports that the pulling itself causes come within this time


@dataclass(frozen=True, slots=True)
class PutBack:
    """Sound disks that are gone and have to be put back before anything else is done, and why."""

    leaves: tuple[Vdev, ...]
    words: str  # the alarm

    def act(self, facts: PoolFacts) -> str:
        """`put ZC13A1JN back into bay 4`."""
        return joined_by_and([put_back_in_words(facts, leaf) for leaf in self.leaves])


def to_put_back(facts: PoolFacts, place: DevicePlace) -> PutBack | None:
    """The disks that the repair of a place waits for, wherever in the pool they were.

    None for a place whose own disk is one of them, unless it was pulled out of its own resilver.
    """
    if facts.of.state != SUSPENDED and not any(
        each.vdev.state in GONE_STATES for each in facts.devices.values()
    ):
        return None
    found = _of_resilver(facts, place) or _of_pool(facts)
    is_own = found is not None and place.member in found.leaves and place.newcomer is None
    return None if is_own else found


def _of_pool(facts: PoolFacts) -> PutBack | None:
    """The disks to put back first in the pool: those pulled in place of a dead one come before others."""
    troubled = [each for each in places(facts.pool) if trouble_of(each, facts.devices) is not None]
    for place in sorted(troubled, key=lambda each: not is_dead(each.member)):
        if pulled := wrongly_pulled(facts, place):
            return PutBack(pulled, alarm_words(facts, place, pulled))
    return next(filter(None, (_of_resilver(facts, each) for each in troubled)), None)


def _of_resilver(facts: PoolFacts, place: DevicePlace) -> PutBack | None:
    """The new or the old disk of the replacement of a place, where it was pulled meanwhile."""
    if pulled := _pulled_newcomers(facts, place):
        return PutBack(pulled, _newcomer_words(facts, place, pulled))
    if _is_pulled_source(facts, place):
        return PutBack((place.member,), _source_words(facts, place))
    return None


def _pulled_newcomers(facts: PoolFacts, place: DevicePlace) -> tuple[Vdev, ...]:
    """New disks of a place that are gone without an error."""
    return tuple(leaf for leaf in place.newcomers if _went_without_an_error(facts, leaf))


def left_its_resilver(facts: PoolFacts, place: DevicePlace) -> bool:
    """Whether the old disk of a running replacement is gone that served until then, errors or not."""
    if place.newcomer is None or place.newcomer.state not in SERVES or not is_vital(place.top):
        return False
    gone_at, began = _gone_since(facts, place.member), _copied_since(facts, place.newcomers[0])
    is_meanwhile = gone_at is not None and began is not None and gone_at > began
    return is_meanwhile and _went_while_it_served(facts, place.member)


def _gone_since(facts: PoolFacts, leaf: Vdev) -> float | None:
    """When a disk went. ZFS may tell of one that is gone once more when it opens the vdev again."""
    told = [each for each in facts.events_of(leaf) if each.event_class == STATE_CHANGE]
    last = takewhile(lambda each: each.field("vdev_state") in GONE_STATES, reversed(told))
    return min((each.at for each in last if each.at is not None), default=None)


def _copied_since(facts: PoolFacts, newcomer: Vdev) -> float | None:
    """When a new disk came into the pool; else when the resilver began that runs."""
    attached = (each.at for each in facts.events_of(newcomer) if each.event_class == ATTACHED)
    scan = facts.pool.scan
    began = scan.start if scan is not None and scan.function == "resilver" else None
    return next((at for at in attached if at is not None), began)


def _is_pulled_source(facts: PoolFacts, place: DevicePlace) -> bool:
    """Whether the old disk of a running replacement is gone, and had worked until then."""
    return left_its_resilver(facts, place) and _had_no_error(facts, place.member)


def _went_without_an_error(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether a disk that worked is gone."""
    return _went_while_it_served(facts, leaf) and _had_no_error(facts, leaf)


def _went_while_it_served(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether a disk is gone that was in use until then; of one whose going no event shows nobody knows."""
    is_gone = leaf.state in GONE_STATES and facts.identity(leaf).is_present is False
    return is_gone and facts.changed_at(leaf) is not None and not _was_faulted_before(facts, leaf)


def _had_no_error(facts: PoolFacts, leaf: Vdev) -> bool:
    return not (facts.of_leaf(leaf).counted.has_errors or _had_errors_before(facts, leaf))


def meant_instead(facts: PoolFacts, place: DevicePlace) -> DevicePlace | None:
    """The failed device in whose stead or after which the disk of a place was pulled; None where not."""
    if place.member.state not in GONE_STATES:
        return None
    troubled = [
        each
        for each in places(facts.pool)
        if each.member is not place.member and trouble_of(each, facts.devices) is not None
    ]
    return next(
        (
            each
            for each in sorted(troubled, key=lambda each: not is_dead(each.member))
            if place.member in wrongly_pulled(facts, each)
        ),
        None,
    )


def wrongly_pulled(facts: PoolFacts, place: DevicePlace) -> tuple[Vdev, ...]:
    """Devices that are gone without an error of their own since that of the place failed."""
    if not _is_where_it_was_to_go(facts, place):
        return ()
    return tuple(leaf for each in facts.devices.values() if _vanished(facts, place, leaf := each.vdev))


def _is_where_it_was_to_go(facts: PoolFacts, place: DevicePlace) -> bool:
    """Whether the failed disk of a place is still there, or failed before it was gone."""
    is_present = facts.identity(place.member).is_present
    return is_present is True or (is_present is False and _had_failed(facts, place.member))


def _had_failed(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether anything was said against a disk before it was gone."""
    known = facts.of_leaf(leaf)
    if known.counted.has_errors or (known.before is not None and known.before.cause is not None):
        return True
    if _had_errors_before(facts, leaf):
        return True
    return any(each.field("vdev_state") in FAILED_STATES for each in facts.events_of(leaf))


def _had_errors_before(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether errors were reported before those that its going caused."""
    gone_at, errors = facts.changed_at(leaf), facts.errors_of(leaf)
    return errors is not None and gone_at is not None and errors.first < gone_at - BEFORE_S


def _was_faulted_before(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether ZFS had given up a disk before it was gone."""
    gone_at = facts.changed_at(leaf)
    told = (each for each in facts.events_of(leaf) if each.field("vdev_state") == "FAULTED")
    return any(each.at is not None and gone_at is not None and each.at < gone_at for each in told)


def _vanished(facts: PoolFacts, place: DevicePlace, leaf: Vdev) -> bool:
    if leaf is place.member or leaf in place.newcomers or leaf.vdev_class in {"spare", "cache"}:
        return False
    if facts.identity(leaf).is_present is not False or facts.of_leaf(leaf).counted.has_errors:
        return False
    if facts.of.state == SUSPENDED and leaf.state in HEALTHY_STATES:
        return True  # its state is of before: `zpool status` waits with the pool
    if leaf.state not in GONE_STATES or _was_faulted_before(facts, leaf):
        return False
    if facts.of.state == SUSPENDED:
        return not _had_errors_before(facts, leaf)  # whenever it went: the pool waits for it
    gone_at, failed_at = facts.changed_at(leaf), facts.since(place.member)
    if gone_at is None or failed_at is None:
        return False  # which of the two went first is not known
    errors = facts.errors_of(leaf)
    return gone_at > failed_at and (errors is None or errors.first > gone_at - BEFORE_S)


def missing_while_suspended(facts: PoolFacts) -> tuple[Vdev, ...]:
    """The devices that a suspended pool waits for: those that are out; failed ones where no other is."""
    out = [
        each.vdev
        for each in facts.devices.values()
        if facts.identity(each.vdev).is_present is False and each.vdev.vdev_class not in {"spare", "cache"}
    ]
    sound = tuple(leaf for leaf in out if not _had_failed(facts, leaf))
    return sound or tuple(out)


def alarm_words(facts: PoolFacts, place: DevicePlace, pulled: tuple[Vdev, ...]) -> str:
    """What to put back, and what is known of the data."""
    wanted = facts.identity(place.member)
    serves = place.member.state in SERVES
    if wanted.is_present and not serves:
        what = (
            "the wrong disk was pulled, or lost its contact"
            if len(pulled) == 1
            else f"{len(pulled)} wrong disks were pulled, or lost their contact"
        )
        where = f"{_meant(place.member)} is {wanted.labelled}, still in the host"
    else:
        what = (
            "a sound disk is gone: it was pulled, or lost its contact"
            if len(pulled) == 1
            else f"{len(pulled)} sound disks are gone: they were pulled, or lost their contact"
        )
        where = f"{_meant(place.member)}, {wanted.labelled}, is out already"
        if wanted.is_present:
            where = f"leave {wanted.labelled}, {_meant(place.member)}, in"
    return f"{_stop(facts, what, pulled, where)}{_if_dead(facts, pulled)}"


def _if_dead(facts: PoolFacts, pulled: tuple[Vdev, ...]) -> str:
    """What follows where a disk that is put back does not serve; nothing where ZFS takes no new one."""
    tops = (top for top in facts.pool.vdevs if any(leaf in pulled for leaf in top.leaves()))
    found = (redundancy_in_pool(facts.pool, top) for top in tops)
    if facts.of.state == SUSPENDED or any(each is not None and each.left < 0 for each in found):
        return ""
    return f". If {'it is' if len(pulled) == 1 else 'one is'} dead, replace it all the same"


def _newcomer_words(facts: PoolFacts, place: DevicePlace, pulled: tuple[Vdev, ...]) -> str:
    old = facts.identity(place.member).label
    return _stop(facts, f"the new disk for {old} is gone: it was pulled, or lost its contact", pulled)


def _source_words(facts: PoolFacts, place: DevicePlace) -> str:
    new = "the new disk" if place.newcomer is None else facts.identity(place.newcomer).labelled
    what = f"{facts.identity(place.member).label} is gone before the resilver onto {new} is done"
    return _stop(facts, what, (place.member,))


def _stop(facts: PoolFacts, what: str, pulled: tuple[Vdev, ...], where: str = "") -> str:
    """`STOP: the wrong disk was pulled, or ... Put back ...; ... Nothing is known to be lost yet: ...`."""
    named = joined_by_and([to_be_put_back(facts, leaf) for leaf in pulled])
    hints = "".join(f" {hint}." for leaf in pulled if (hint := where_it_goes(facts, leaf)))
    wanted = "; ".join(filter(None, (f"Put back {named}", where)))
    return f"{STOP}: {what}. {wanted}.{hints} {_not_lost(facts, pulled)}"


def failed_in_words(facts: PoolFacts, leaf: Vdev) -> str:
    """`SER0001 failed and is still in the host`; a disk that serves is not said to have failed."""
    device = facts.identity(leaf)
    if not device.is_present:
        return f"{device.label} had failed, and is out already"
    errors = " with errors" if leaf.has_errors else ""
    what = f"is {leaf.state}{errors}" if leaf.state in SERVES else "failed"
    return f"{device.label} {what} and is still in the host"


def _meant(leaf: Vdev) -> str:
    if leaf.state not in SERVES:
        return "the failed one"
    return "the one with errors" if leaf.has_errors else "the one in trouble"


def _not_lost(facts: PoolFacts, pulled: tuple[Vdev, ...]) -> str:
    if facts.of.state == SUSPENDED:
        return (
            f"Nothing is known to be lost yet: {facts.pool.name} is suspended, so nothing is written that it "
            "would miss. Once the disk is back, clear lets the I/O go on"
        )
    tops = [top for top in facts.pool.vdevs if any(leaf in pulled for leaf in top.leaves())]
    found = [
        each for top in tops if is_vital(top) and (each := redundancy_in_pool(facts.pool, top)) is not None
    ]
    if any(each.left < 0 for each in found):
        return f"{'; '.join(map(in_words, found))}"
    left = "; ".join(map(in_words, found))
    one = "it is" if len(pulled) == 1 else "they are"
    after = "copies only what was written meanwhile"
    if any(_was_filling(facts, leaf) for leaf in pulled):
        after = "goes on with the resilver by itself, from the beginning if need be"
    return f"Nothing is known to be lost yet ({left}): when {one} back ZFS {after}"


def _was_filling(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether a disk was gone before it had all the data: a new disk, or a spare during its resilver."""
    scan, gone_at = facts.pool.scan, facts.changed_at(leaf)
    is_new = any(leaf in place.newcomers for place in places(facts.pool))
    is_spare = any(leaf in place.spares for place in places(facts.pool))
    if not is_spare or scan is None or scan.function != "resilver":
        return is_new
    return scan.end is None or gone_at is None or scan.end >= gone_at
