"""Index of guests by the datasets and volumes that hold their disks, children included."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.guests.guest import Guest


@dataclass(frozen=True, slots=True)
class GuestOnDataset:
    """Guest with storage on one dataset, the disks by their targets (vda)."""

    guest: Guest
    disks: tuple[str, ...] = ()  # whose uppermost image is here: it takes their writes
    disks_below: tuple[str, ...] = ()  # of which an image below the uppermost is here
    others: tuple[str, ...] = ()  # what else of it is here, in words: `UEFI variables`


class GuestsByDataset:
    """Guests of a host by dataset. Storage on devices and on what is not ZFS is left out."""

    __slots__ = ("_on", "_within")

    def __init__(self, guests: Iterable[Guest] = ()) -> None:
        self._on: dict[str, list[GuestOnDataset]] = {}
        self._within: dict[str, dict[str, Guest]] = {}
        for guest in guests:
            for place, found in _places(guest).items():
                self._on.setdefault(place, []).append(found)
                above: str = place
                while above:
                    self._within.setdefault(above, {})[guest.definition.uuid] = guest
                    above = parent_of(above)

    def __bool__(self) -> bool:
        return bool(self._on)

    def on(self, dataset: str) -> tuple[GuestOnDataset, ...]:
        """The guests with storage on the dataset itself, those with a process first, then by name."""
        return tuple(sorted(self._on.get(dataset, ()), key=lambda each: _order(each.guest)))

    def within(self, dataset: str) -> tuple[Guest, ...]:
        """The guests with storage on the dataset or below it, each once, in the same order."""
        return tuple(sorted(self._within.get(dataset, {}).values(), key=_order))

    def count(self, dataset: str) -> int:
        """Number of guests with storage on the dataset or below it."""
        return len(self._within.get(dataset, ()))


def _places(guest: Guest) -> dict[str, GuestOnDataset]:
    own: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for disk in guest.disks:
        for at, image in enumerate(disk.images):
            for place in image.places:
                _add(below if at else own, place, disk.disk.target)
    for each in guest.others:
        for place in each.places:
            _add(others, place, each.storage.role)
    return {
        place: GuestOnDataset(
            guest, tuple(own.get(place, ())), tuple(below.get(place, ())), tuple(others.get(place, ()))
        )
        for place in dict.fromkeys((*own, *below, *others))
    }


def _add(found: dict[str, list[str]], place: str, what: str) -> None:
    """Add what is on a place, once; devices are left out."""
    if not place.startswith("/"):
        whats = found.setdefault(dataset_of(place), [])
        if what not in whats:
            whats.append(what)


def _order(guest: Guest) -> tuple[bool, str]:
    return not guest.status.state.is_active, guest.name
