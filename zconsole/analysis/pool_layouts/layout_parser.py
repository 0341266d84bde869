"""Parser of layouts in user syntax: `raidz2:8 x2 special mirror:2@1.92TB spare:1`."""

from __future__ import annotations

import re
from typing import Final

from zconsole.analysis.pool_layouts.drive_size import Drive, parse_drive
from zconsole.analysis.pool_layouts.layout import (
    DATA,
    DEFAULT_ASHIFT,
    DRAID,
    MIRROR,
    MOST_VDEVS,
    NEWEST,
    OLDEST,
    RAIDZ,
    STRIPE,
    Layout,
    PlannedVdev,
    VdevShape,
    draid,
)
from zconsole.base.errors import UsageError
from zconsole.model.pools.pool import CLASSES

FORMS: Final = (
    "Vdevs are stripe:N, mirror:N, raidz1:N to raidz3:N, draid2:4d:10c:1s; x2 behind one repeats it."
)
LONGEST: Final = 4096
_VDEV: Final = re.compile(r"([a-z]+)(\d?):([0-9a-z:]*)(?:@([^@]+))?", re.ASCII | re.IGNORECASE)
_RELEASE: Final = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.\d+)?", re.ASCII)
_TIMES: Final = re.compile(r"x(\d{1,4})", re.ASCII | re.IGNORECASE)
_GLUED: Final = re.compile(r"(?<=[\dsb])x(?=\d+(?:[\s,]|$))", re.ASCII | re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d{1,4}", re.ASCII)
_PART: Final = re.compile(r"(\d{1,4})([dcs])", re.ASCII)


def parse_release(text: str) -> tuple[int, int]:
    """Parse an OpenZFS release, as `2.4` or `2.3.1`. Raises UsageError for an unsupported one."""
    found = _RELEASE.fullmatch(text)
    release = (int(found[1]), int(found[2])) if found is not None else (0, 0)
    if not OLDEST <= release <= NEWEST:
        oldest, newest = (".".join(map(str, each)) for each in (OLDEST, NEWEST))
        raise UsageError(f"{text!r} is not a release of OpenZFS from {oldest} to {newest}")
    return release


def parse_layout(
    text: str,
    drive: Drive | None = None,
    *,
    ashift: int = DEFAULT_ASHIFT,
    is_file: bool = False,
    release: tuple[int, int] = NEWEST,
) -> Layout:
    """Parse a layout. `drive` is used for groups without `@SIZE`.

    Groups are separated by blanks or commas. `special`, `dedup`, `log`, `cache`, `spare` and `data` set the
    class of the following groups; `@4TB+8TB` gives each position its own drive. Raises UsageError for what
    ZFS would reject.
    """
    if len(text) > LONGEST:
        raise UsageError(f"a layout of {len(text)} characters is too long")
    groups: list[tuple[PlannedVdev, ...]] = []
    vdev_class = DATA
    for word in re.split(r"[\s,]+", _GLUED.sub(" x", text.strip())):
        if times := _TIMES.fullmatch(word):
            if not groups:
                raise UsageError(f"{word} must follow a vdev", hint=FORMS)
            if int(times[1]) == 0:
                raise UsageError(f"{word}: at least one vdev")
            groups[-1] *= int(times[1])
        elif word.lower() in CLASSES:
            vdev_class = word.lower()
        else:
            groups.append(_group(word, vdev_class, drive, ashift, is_file=is_file))
        if sum(map(len, groups)) > MOST_VDEVS:
            raise UsageError(f"more than {MOST_VDEVS} vdevs are not planned here")
    return Layout(tuple(vdev for group in groups for vdev in group), release)


def _group(
    word: str, vdev_class: str, drive: Drive | None, ashift: int, *, is_file: bool
) -> tuple[PlannedVdev, ...]:
    """The vdevs of one word; for a stripe one per disk."""
    found = _VDEV.fullmatch(word)
    if found is None:
        raise UsageError(f"{word!r} is not a vdev" if word else "a layout has at least one vdev", hint=FORMS)
    kind, parity, form, sizes = found[1].lower(), found[2], found[3].lower(), found[4]
    if kind in CLASSES and not parity:  # `spare:2`: this many disks of a class, for this word only
        vdev_class, kind = kind, STRIPE
    if kind == STRIPE and not parity:
        count, shape = _count(form, word), VdevShape(STRIPE, 1)
        if count == 0:
            raise UsageError(f"{word}: at least one disk")
    else:
        count, shape = 1, _shape(kind, parity, form, word)
    drives = _drives(sizes, count * shape.width, word, drive, is_file=is_file)
    each = shape.width
    return tuple(
        PlannedVdev(shape, drives[at : at + each], vdev_class, ashift) for at in range(0, len(drives), each)
    )


def _shape(kind: str, parity: str, form: str, word: str) -> VdevShape:
    if kind == MIRROR and not parity:
        return VdevShape(MIRROR, _count(form, word))
    if kind == RAIDZ:
        return VdevShape(RAIDZ, _count(form, word), int(parity or 1))
    if kind == DRAID:
        return _draid(int(parity or 1), form, word)
    raise UsageError(f"{word!r} is not a vdev", hint=FORMS)


def _draid(parity: int, form: str, word: str) -> VdevShape:
    parts: dict[str, int] = {}
    for part in form.split(":"):
        found = _PART.fullmatch(part)
        if found is None or found[2] in parts:
            raise UsageError(
                f"{word!r} is not a draid", hint="As in draid2:4d:10c:1s: data, children, spares."
            )
        parts[found[2]] = int(found[1])
    if "c" not in parts:
        raise UsageError(f"{word}: how many disks? `c` is missing", hint="As in draid2:4d:10c:1s.")
    return draid(parity, parts["c"], parts.get("d"), parts.get("s", 0))


def _count(form: str, word: str) -> int:
    if not _NUMBER.fullmatch(form):
        raise UsageError(f"{word!r} is not a vdev", hint=FORMS)
    return int(form)


def _drives(
    sizes: str | None, places: int, word: str, drive: Drive | None, *, is_file: bool
) -> tuple[Drive, ...]:
    if places > MOST_VDEVS:
        raise UsageError(f"{word}: more than {MOST_VDEVS} disks are not planned here")
    if sizes is None:
        if drive is None:
            raise UsageError(f"{word}: how large are its drives?", hint=f"--disk 12TB, or {word}@12TB.")
        return (drive,) * places
    given = tuple(parse_drive(size, is_file=is_file) for size in sizes.split("+"))
    if len(given) == 1:
        return given * places
    if len(given) != places:
        raise UsageError(f"{word}: {len(given)} sizes for {places} places")
    return given
