"""New vdevs from the words of a command line: grammar, checks, sizes, labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.program_reply import Refusal
from zconsole.practice.world import space_formulas
from zconsole.practice.world.drives import PracticeDisk, prepare
from zconsole.practice.world.host_world import World
from zconsole.practice.world.new_pools_and_vdevs import Spec
from zconsole.practice.world.pools_and_vdevs import Draid, PracticePool, PracticeVdev
from zconsole.practice.world.vdev_sizes import auto_ashift, measure
from zconsole.practice.zpool_vdevs import mismatched_replication_level
from zconsole.practice.zpool_vdevs.drive_lookup_and_in_use_check import (
    InUse,
    NamedDrive,
    leave,
    resolve,
    take,
)

_MOST_DATA: Final = 8  # devices of a draid's group when nothing else is asked for
_MOST_SPARES: Final = 100
_MIN_DEVICE: Final = 64 << 20
ASHIFTS: Final = range(9, 17)
SAME_DEVICE: Final = "one or more vdevs refer to the same device"
_CLASSES: Final = ("spare", "log", "special", "dedup", "cache")
_ONCE: Final = {"spare", "log", "cache"}
_INVALID: Final = "invalid vdev specification: "
_DRAID_PART: Final = re.compile(r"(\d+)([cdsCDS])")


@dataclass(slots=True)
class NewVdevTree:
    """A tree of new vdevs with the device behind each leaf."""

    spec: Spec = field(default_factory=Spec)
    devices: dict[int, NamedDrive] = field(default_factory=dict)  # by guid of the leaf
    ashift: int = 0  # 0 lets ZFS choose

    def disks(self) -> list[PracticeDisk]:
        """The drives, in order; one may be named twice."""
        return [self.devices[leaf.guid].disk for leaf in self.spec.leaves()]


class _Reader:
    """Reads words one by one into a tree."""

    def __init__(self, world: World, wanted: NewVdevTree) -> None:
        self.world, self.wanted = world, wanted
        self.vdev_class = "normal"
        self.seen: set[str] = set()

    def read(self, words: Sequence[str]) -> None:
        """Take all words."""
        at = 0
        while at < len(words):
            word = words[at]
            if word in _CLASSES:
                at = self._section(word, words, at)
            elif (kind := _grouping(word)) is not None:
                at = self._group(kind, words, at)
            else:
                self.wanted.spec.tops.append(self._leaf(word))
                at += 1
        spec = self.wanted.spec
        if not (spec.tops or spec.spares or spec.caches):
            raise Refusal(f"{_INVALID}at least one toplevel vdev must be specified\n")
        if "log" in self.seen and all(top.vdev_class != "log" for top in spec.tops):
            raise Refusal(f"{_INVALID}log requires at least 1 device\n")

    def _section(self, word: str, words: Sequence[str], at: int) -> int:
        if word in _ONCE and word in self.seen:
            raise Refusal(f"{_INVALID}'{word}' can be specified only once\n")
        self.seen.add(word)
        self.vdev_class = "l2cache" if word == "cache" else word
        if word in {"log", "special", "dedup"}:
            return at + 1
        end = _end_of_group(words, at)
        leaves = [self._leaf(device) for device in words[at + 1 : end]]
        if not leaves:
            raise Refusal(f"{_INVALID}{word} requires at least 1 devices\n")
        if word == "spare":
            self.wanted.spec.spares = leaves
        else:
            self.wanted.spec.caches = leaves
        self.vdev_class = "normal"
        return end

    def _group(self, kind: str, words: Sequence[str], at: int) -> int:
        word, end = words[at], _end_of_group(words, at)
        is_special = self.vdev_class in {"log", "special", "dedup"}
        if is_special and kind != "mirror":
            what = "log" if self.vdev_class == "log" else "special"
            raise Refusal(f"{_INVALID}unsupported '{what}' device: {kind}\n")
        parity = 0 if kind == "mirror" else _parity(word)
        group = PracticeVdev(kind, self.world.guid(), parity=parity, vdev_class=self.vdev_class)
        children = group.children = [self._leaf(device) for device in words[at + 1 : end]]
        least = 2 if kind == "mirror" else parity + 1
        if len(children) < least:
            raise Refusal(f"{_INVALID}{word} requires at least {least} devices\n")
        if kind != "mirror" and len(children) > 255:
            raise Refusal(f"{_INVALID}{word} supports no more than 255 devices\n")
        if kind == "draid":
            group.draid = _draid(word, parity, len(children))
        self.wanted.spec.tops.append(group)
        return end

    def _leaf(self, word: str) -> PracticeVdev:
        device = resolve(self.world, word)
        leaf = take(self.world, device, self.vdev_class)
        self.wanted.devices[leaf.guid] = device
        return leaf


def _end_of_group(words: Sequence[str], at: int) -> int:
    """Where the devices end that follow a word."""
    end = at + 1
    while end < len(words) and words[end] not in _CLASSES and _grouping(words[end]) is None:
        end += 1
    return end


def _grouping(word: str) -> str | None:
    if word == "mirror":
        return "mirror"
    kind = word[:5]
    return kind if kind in {"raidz", "draid"} and _parity(word) else None


def _parity(word: str) -> int:
    rest = word[5:].partition(":")[0] if word.startswith("draid") else word[5:]
    return 1 if not rest else int(rest) if rest in {"1", "2", "3"} else 0


def _draid(word: str, parity: int, children: int) -> Draid:
    """The layout of a draid, with defaults filled in."""
    data, spares = 0, 0
    for part in word.split(":")[1:]:
        match = _DRAID_PART.match(part)
        if match is None:
            raise Refusal(f"invalid dRAID syntax; expected [:<number><c|d|s>] not '{word}'\n")
        number, letter = int(match[1]), match[2].lower()
        if letter == "c" and number != children:
            raise Refusal(f"invalid number of dRAID children; {number} required but {children} provided\n")
        data = number if letter == "d" else data
        spares = number if letter == "s" else spares
    is_given = any(part[-1:].lower() == "d" for part in word.split(":")[1:])
    if not is_given:
        if children <= spares + parity:
            raise Refusal(
                f"request number of distributed spares {spares} and parity level {parity}\n"
                "leaves no disks available for data\n"
            )
        data = min(children - spares - parity, _MOST_DATA)
    if data == 0 or data + parity > children - spares:
        raise Refusal(
            f"requested number of dRAID data disks per group {data} is too high,\n"
            f"at most {children - spares - parity} disks are available for data\n"
        )
    if spares > min(_MOST_SPARES, children - data - parity):
        raise Refusal(f"invalid number of dRAID spares {spares}; additional disks would be required\n")
    return Draid(data=data, spares=spares)


def ashift_of(properties: dict[str, str]) -> int:
    """The ashift that a command line asks for, or 0; raises Refusal."""
    text = properties.get("ashift", "0")
    if not text.isdigit():
        raise Refusal("ashift must be a number.\n")
    ashift = int(text)
    if ashift and ashift not in ASHIFTS:
        raise Refusal(
            f"invalid 'ashift={ashift}' property: only values between {ASHIFTS[0]} and {ASHIFTS[-1]}"
            " are allowed.\n"
        )
    return ashift


def read_words(world: World, words: Sequence[str], ashift: int = 0) -> NewVdevTree:
    """The tree that words ask for; nothing is looked at but whether the devices are there."""
    wanted = NewVdevTree(ashift=ashift)
    _Reader(world, wanted).read(words)
    return wanted


@dataclass(frozen=True, slots=True)
class Demands:
    """The checks of new devices that a command makes."""

    force: bool = False
    level: bool = True  # the vdevs must match each other and the pool
    replacing: bool = False  # an idle spare of the pool may be taken


def may_be_used(world: World, pool: PracticePool | None, wanted: NewVdevTree, demands: Demands) -> None:
    """Refuse devices that are in use, and vdevs that do not match."""
    check = InUse(world, force=demands.force)
    for leaf in wanted.spec.leaves():
        check.check(
            wanted.devices[leaf.guid],
            is_spare=leaf.vdev_class == "spare",
            replacing_in=pool if demands.replacing else None,
        )
    if check.text:
        raise Refusal(check.text)
    if not demands.level:
        return
    is_level = mismatched_replication_level.check(pool, wanted.spec.tops, check.complain)
    if is_level and pool is None and all(top.vdev_class != "normal" for top in wanted.spec.tops):
        check.complain("at least one general top-level vdev must be specified")
    if check.text:
        raise Refusal(check.text)


def label(world: World, wanted: NewVdevTree) -> None:
    """Partition the drives, which wipes them even if the kernel then refuses."""
    for disk in dict.fromkeys(wanted.disks()):
        leave(world, disk)
        prepare(disk)
        disk.seconds_linked = world.now


def built(wanted: NewVdevTree, action: str, *, is_new: bool) -> Spec:
    """The tree with its sizes; raises Refusal where the kernel refuses it."""
    disks = wanted.disks()
    if len(set(map(id, disks))) < len(disks):
        more = ", or one of\nthe devices is part of an active md or lvm device" if is_new else ""
        raise Refusal(f"{action}: {SAME_DEVICE}{more}\n")
    if any(disk.data_bytes < _MIN_DEVICE for disk in disks):
        what = "one or more devices is" if is_new else "device is"
        raise Refusal(f"{action}: {what} less than the minimum size (64M)\n")
    for top in wanted.spec.tops:
        measure(top, ashift_for(wanted, top))
    if any(top.asize < space_formulas.LABELS for top in wanted.spec.tops):
        raise Refusal(f"{action}: one or more devices is out of space\n")
    return wanted.spec


def ashift_for(wanted: NewVdevTree, top: PracticeVdev) -> int:
    """The ashift of a new top-level vdev, at least that of its drives' logical sectors."""
    disks = [wanted.devices[leaf.guid].disk for leaf in top.leaves()]
    least = max(disk.sectors[0].bit_length() - 1 for disk in disks)
    return max(least, wanted.ashift or max(auto_ashift(disk) for disk in disks))
