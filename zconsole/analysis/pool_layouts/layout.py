"""Layout of a planned pool: vdevs of drives, validated on construction."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import CLASSES

STRIPE: Final = "stripe"
MIRROR: Final = "mirror"
RAIDZ: Final = "raidz"
DRAID: Final = "draid"
DATA: Final = "data"
SPECIAL: Final = "special"
DEDUP: Final = "dedup"
LOG: Final = "log"
CACHE: Final = "cache"
SPARE: Final = "spare"
KEEPERS: Final = (DATA, SPECIAL, DEDUP)  # losing any vdev of these classes loses the pool
OLDEST: Final = (2, 1)  # oldest OpenZFS release whose space is computed
NEWEST: Final = (2, 4)
SMALLEST_ASHIFT: Final = 9
LARGEST_ASHIFT: Final = 16
DEFAULT_ASHIFT: Final = 12
MOST_VDEVS: Final = 1024
_MOST_CHILDREN: Final = 255  # of a raidz or draid
_MOST_PARITY: Final = 3
_MOST_SPARES: Final = 100
_DEFAULT_DATA: Final = 8  # data disks per draid group by default


@dataclass(frozen=True, slots=True)
class VdevShape:
    """Type and width of a top-level vdev. `data` and `spares` are those of a draid."""

    kind: str
    width: int
    parity: int = 0
    data: int = 0
    spares: int = 0

    def __post_init__(self) -> None:
        wrong = self._wrong()
        if wrong:
            raise UsageError(f"{self.name}: {wrong}")

    @property
    def name(self) -> str:
        """The shape in user syntax: `mirror:2`, `raidz2:8`, `draid2:4d:10c:1s`."""
        if self.kind == DRAID:
            return f"draid{self.parity}:{self.data}d:{self.width}c:{self.spares}s"
        return f"{self.kind}{self.parity or ''}:{self.width}"

    @property
    def tolerates(self) -> int:
        """Number of arbitrary disks that may fail at once."""
        return self.width - 1 if self.kind == MIRROR else self.parity

    @property
    def group_width(self) -> int:
        """Disks that a block is spread over: of a draid one group, else all."""
        return self.data + self.parity if self.kind == DRAID else self.width

    @property
    def data_disks(self) -> int:
        """Data disks of a stripe, parity excluded."""
        if self.kind == MIRROR:
            return 1
        return self.group_width - self.parity

    def _wrong(self) -> str:
        if self.width < 1:
            return "a vdev has at least one disk"
        match self.kind:
            case "stripe":
                return "" if self.width == 1 else "each disk of a stripe is a vdev of its own"
            case "mirror":
                return "" if self.width >= 2 else "a mirror has at least 2 disks"
            case "raidz":
                return self._wrong_raidz()
            case _:
                return self._wrong_draid()

    def _wrong_raidz(self) -> str:
        if not 1 <= self.parity <= _MOST_PARITY:
            return "parity is 1, 2 or 3"
        if self.width <= self.parity:
            return f"a raidz{self.parity} has at least {self.parity + 1} disks"
        return "" if self.width <= _MOST_CHILDREN else f"a raidz has at most {_MOST_CHILDREN} disks"

    def _wrong_draid(self) -> str:
        if not 1 <= self.parity <= _MOST_PARITY:
            return "parity is 1, 2 or 3"
        if self.data < 1:
            return "a group has at least one disk of data"
        if self.width > _MOST_CHILDREN:
            return f"a draid has at most {_MOST_CHILDREN} disks"
        if not 0 <= self.spares <= _MOST_SPARES:
            return f"a draid has at most {_MOST_SPARES} distributed spares"
        needed = self.data + self.parity + self.spares
        if self.width < needed:
            parts = f"{self.data} of data, {self.parity} of parity and {self.spares} of spare"
            return f"{parts} are {needed} disks, and it has {self.width}"
        return ""


def draid(parity: int, width: int, data: int | None, spares: int) -> VdevShape:
    """Shape of a draid; groups have 8 data disks, or all if there are fewer, by default."""
    if data is None:
        data = max(1, min(width - spares - parity, _DEFAULT_DATA))
    return VdevShape(DRAID, width, parity, data, spares)


@dataclass(frozen=True, slots=True)
class PlannedVdev:
    """Top-level vdev: its shape, a drive for each position, its class and ashift."""

    shape: VdevShape
    drives: tuple[Drive, ...]
    vdev_class: str = DATA
    ashift: int = DEFAULT_ASHIFT

    def __post_init__(self) -> None:
        if len(self.drives) != self.shape.width:
            raise UsageError(f"{self.shape.name} takes {self.shape.width} drives, not {len(self.drives)}")
        if self.vdev_class not in CLASSES:
            raise UsageError(f"{self.vdev_class!r} is not a class of vdevs")
        if not SMALLEST_ASHIFT <= self.ashift <= LARGEST_ASHIFT:
            raise UsageError(f"ashift {self.ashift} is not from {SMALLEST_ASHIFT} to {LARGEST_ASHIFT}")
        if self.vdev_class in (CACHE, SPARE) and self.shape.kind != STRIPE:
            raise UsageError(f"a {self.vdev_class} is a disk of its own, not a {self.shape.name}")
        if self.vdev_class == LOG and self.shape.kind not in (STRIPE, MIRROR):
            raise UsageError(f"a log is a disk or a mirror, not a {self.shape.name}")


@dataclass(frozen=True, slots=True)
class Layout:
    """Planned pool, with at least one data vdev. `release` is the OpenZFS that creates it."""

    vdevs: tuple[PlannedVdev, ...]
    release: tuple[int, int] = NEWEST

    def __post_init__(self) -> None:
        if not self.of_class(DATA):
            raise UsageError("a pool has at least one vdev for data")
        if len(self.vdevs) > MOST_VDEVS:
            raise UsageError(f"{len(self.vdevs)} vdevs are more than the {MOST_VDEVS} that are planned here")

    @property
    def name(self) -> str:
        """The layout in user syntax, without drives: `raidz2:8 x2 special mirror:2`."""
        words: list[str] = []
        vdev_class = DATA
        for (each_class, shape), same in groupby(self.vdevs, lambda vdev: (vdev.vdev_class, vdev.shape)):
            words += [each_class] if each_class != vdev_class else []
            vdev_class, count = each_class, len(list(same))
            if shape.kind == STRIPE:
                words.append(f"stripe:{count}")
            else:
                words += [shape.name, f"x{count}"] if count > 1 else [shape.name]
        return " ".join(words)

    def of_class(self, *classes: str) -> tuple[PlannedVdev, ...]:
        """The vdevs of these classes."""
        return tuple(vdev for vdev in self.vdevs if vdev.vdev_class in classes)

    @property
    def keepers(self) -> tuple[PlannedVdev, ...]:
        """The vdevs whose loss loses the pool: data, special, dedup."""
        return self.of_class(*KEEPERS)

    @property
    def raw_bytes(self) -> int:
        """Total nominal size of the data vdevs' drives."""
        return sum(drive.size_bytes for vdev in self.of_class(DATA) for drive in vdev.drives)

    @property
    def drives(self) -> int:
        """Number of drives of all classes."""
        return sum(len(vdev.drives) for vdev in self.vdevs)
