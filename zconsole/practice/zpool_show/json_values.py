"""Numbers, properties and vdevs in the JSON documents of the ZFS commands."""

from __future__ import annotations

from collections.abc import Callable

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.getopt import Options
from zconsole.practice.nicenum_and_times import ctime, nicebytes, nicenum
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming

Document = dict[str, object]
Show = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Style:
    """How numbers are written: as JSON numbers, as exact strings, or for people."""

    plain: Show
    count: Show
    size: Show
    moment: Show

    @classmethod
    def of(cls, options: Options) -> Style:
        """What --json-int and -p ask for."""
        if "json-int" in options:
            return cls(int, int, int, int)
        if "p" in options:
            return cls(str, str, str, str)
        return cls(str, nicenum, nicebytes, ctime)


def json_property(value: object, source: str, place: str = "-") -> Document:
    """A property with its source."""
    return {"value": value, "source": {"type": source, "data": place}}


def vdev_identity(vdev: PracticeVdev, pool: PracticePool, style: Style, naming: Naming) -> Document:
    """Name, type, guid and, of a device, where it is."""
    item: Document = {"name": naming.name(vdev, pool), "vdev_type": vdev.kind, "guid": style.plain(vdev.guid)}
    if vdev.is_leaf:
        item["path"] = vdev.path
        if vdev.disk is not None:
            item |= {"phys_path": vdev.phys_path, "devid": vdev.devid}
    return item
