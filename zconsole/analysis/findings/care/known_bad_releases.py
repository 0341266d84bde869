"""Releases of OpenZFS with errors that damage data: which, since when, and what to look for afterwards.

The ranges are those of the tags of openzfs/zfs between the commit that brought the error and the one that
mended it; a distribution may have mended its package under the old number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity
from zconsole.model.host.zfs_version import ZfsVersion

Release = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class KnownError:
    """Error in the releases from `first` to the one before `fixed`; `issue` is its number at openzfs/zfs."""

    issue: int
    first: Release
    fixed: Release
    wrong: str  # `with which ...`
    look_for: str  # what may be damaged, and how it is found
    severity: Severity = Severity.WARNING  # info where it takes a rare load
    needs_dedup: bool = False  # only pools that deduplicate are concerned
    needs_draid: bool = False  # only pools with a dRAID vdev are concerned
    mended: Release | None = None  # where a later release mended the rest of it
    mended_packages: tuple[str, ...] = ()  # parts of the versions of packages that have the fix

    def concerns(self, version: ZfsVersion) -> bool:
        """Whether a kernel module has it, by its number."""
        numbers = version.kernel_numbers
        is_mended = any(each in (version.kernel or "") for each in self.mended_packages)
        return self.first <= numbers < self.fixed and not is_mended

    @property
    def fixed_in(self) -> str:
        """The release that mended it."""
        return ".".join(map(str, self.mended or self.fixed))


ZEROS_IN_COPIES: Final = "a file that is copied while it is written may get zeros in its copy"
_COPIES: Final = (
    "files with runs of zeros that were copied from files just written, such as build results and package "
    "caches: compare them with their sources or make them again, for a scrub cannot see it"
)
_REBUILT: Final = "after a rebuild onto a distributed spare of a dRAID, blocks on it may fail their checksums"
_UNVERIFIED: Final = (
    "checksum errors after a rebuild: have a scrub end before another disk of that dRAID is replaced, "
    "detached or pulled, for a second failure could lose what the scrub would have mended"
)
_DETACHED: Final = (
    "once the distributed spare of a disk that came back is detached, blocks that were rebuilt meanwhile "
    "onto another distributed spare may be damaged"
)
_SCRUBBED: Final = (
    "checksum errors of a dRAID: have a scrub end before a distributed spare is detached while another one "
    "is in use, and after it"
)
KNOWN_ERRORS: Final = (
    KnownError(
        12770, (2, 0, 0), (2, 1, 2),
        "zfs send -L or -c to a pool of larger sectors (from ashift 9 to 12) may damage what is received",
        "copies that were received by it: compare them with their sources, for a scrub cannot see it",
    ),
    KnownError(
        7401, (0, 7, 7), (0, 7, 8),
        "files that are created or copied in large numbers may vanish from their directory",
        "directories that were copied with it: compare their numbers of files with the sources",
    ),
    KnownError(
        14753, (2, 1, 10), (2, 1, 11), ZEROS_IN_COPIES, _COPIES,
    ),
    KnownError(
        15526, (2, 1, 5), (2, 1, 14), f"{ZEROS_IN_COPIES}, very seldom", _COPIES,
        severity=Severity.INFO, mended_packages=("2.1.11-1+deb12u",),
    ),
    KnownError(
        15526, (2, 2, 0), (2, 2, 1), f"{ZEROS_IN_COPIES}, more often with block cloning, which it enables",
        _COPIES, mended=(2, 2, 2),
    ),
    KnownError(15526, (2, 2, 1), (2, 2, 2), ZEROS_IN_COPIES, _COPIES),
    KnownError(
        18366, (2, 4, 0), (2, 4, 4), "data that is written with dedup on may be read as zeros",
        "files written to datasets with dedup on: compare them with their sources, for a scrub cannot see it",
        needs_dedup=True,
    ),
    KnownError(
        18412, (2, 3, 0), (2, 3, 7),
        "a file that is truncated and then cloned into may be read as zeros for a while, under high load",
        "files that programs copied or built from such a file; the blocks on disk are right",
        severity=Severity.INFO,
    ),
    KnownError(
        18412, (2, 4, 0), (2, 4, 2),
        "a file that is truncated and then cloned into may be read as zeros for a while, under high load",
        "files that programs copied or built from such a file; the blocks on disk are right",
        severity=Severity.INFO,
    ),
    KnownError(18307, (2, 1, 0), (2, 3, 7), _REBUILT, _UNVERIFIED, needs_draid=True),
    KnownError(18307, (2, 4, 0), (2, 4, 2), _REBUILT, _UNVERIFIED, needs_draid=True),
    KnownError(18286, (2, 1, 0), (2, 2, 10), _DETACHED, _SCRUBBED, needs_draid=True),
    KnownError(18286, (2, 3, 0), (2, 3, 7), _DETACHED, _SCRUBBED, needs_draid=True),
    KnownError(18286, (2, 4, 0), (2, 4, 2), _DETACHED, _SCRUBBED, needs_draid=True),
)  # fmt: skip


def known_errors_of(version: ZfsVersion, *, has_dedup: bool, has_draid: bool) -> Iterator[KnownError]:
    """The known errors of a kernel module, for a host whose pools deduplicate, or have dRAID vdevs."""
    for each in KNOWN_ERRORS:
        is_here = (has_dedup or not each.needs_dedup) and (has_draid or not each.needs_draid)
        if is_here and each.concerns(version):
            yield each
