"""The status and action paragraphs of `zpool status`, and which of them applies to a pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.feature_flags import NOT_BY_UPGRADE
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev

MESSAGES: Final = "https://openzfs.github.io/openzfs-docs/msg/"


@dataclass(frozen=True, slots=True)
class StatusAdvice:
    """The paragraphs of `status:` and `action:`, and the number of the message."""

    status: str
    action: str
    message: str | None = None


RESILVERING: Final = StatusAdvice(
    "One or more devices is currently being resilvered.  The pool will\n"
    "\tcontinue to function, possibly in a degraded state.\n",
    "Wait for the resilver to complete.\n",
)
SUSPENDED: Final = StatusAdvice(
    "One or more devices are faulted in response to IO failures.\n",
    "Make sure the affected devices are connected, then run 'zpool clear'.\n",
    "ZFS-8000-HC",
)
HOSTID_DIFFERS: Final = StatusAdvice(
    "Mismatch between pool hostid and system hostid on imported pool.\n"
    "\tThis pool was previously imported into a system with a different hostid,\n"
    "\tand then was verbatim imported into this system.\n",
    "Export this pool on all systems on which it is imported.\n\tThen import it to correct the mismatch.\n",
    "ZFS-8000-EY",
)
DATA_ERRORS: Final = StatusAdvice(
    "One or more devices has experienced an error resulting in data\n"
    "\tcorruption.  Applications may be affected.\n",
    "Restore the file in question if possible.  Otherwise restore the\n\tentire pool from backup.\n",
    "ZFS-8000-8A",
)
FAULTED: Final = StatusAdvice(
    "One or more devices are faulted in response to persistent errors.\n"
    "\tSufficient replicas exist for the pool to continue functioning in a\n\tdegraded state.\n",
    "Replace the faulted device, or use 'zpool clear' to mark the device\n\trepaired.\n",
)
CORRUPT_LABEL: Final = StatusAdvice(
    "One or more devices could not be used because the label is missing or\n"
    "\tinvalid.  Sufficient replicas exist for the pool to continue\n\tfunctioning in a degraded state.\n",
    "Replace the device using 'zpool replace'.\n",
    "ZFS-8000-4J",
)
FAILING: Final = StatusAdvice(
    "One or more devices has experienced an unrecoverable error.  An\n"
    "\tattempt was made to correct the error.  Applications are unaffected.\n",
    "Determine if the device needs to be replaced, and clear the errors\n"
    "\tusing 'zpool clear' or replace the device with 'zpool replace'.\n",
    "ZFS-8000-9P",
)
OFFLINE: Final = StatusAdvice(
    "One or more devices has been taken offline by the administrator.\n"
    "\tSufficient replicas exist for the pool to continue functioning in a\n\tdegraded state.\n",
    "Online the device using 'zpool online' or replace the device with\n\t'zpool replace'.\n",
)
REMOVED: Final = StatusAdvice(
    "One or more devices have been removed.\n"
    "\tSufficient replicas exist for the pool to continue functioning in a\n\tdegraded state.\n",
    "Online the device using zpool online' or replace the device with\n\t'zpool replace'.\n",
)
MISALIGNED: Final = StatusAdvice(
    "One or more devices are configured to use a non-native block size.\n\tExpect reduced performance.\n",
    "Replace affected devices with devices that support the\n"
    "\tconfigured block size, or migrate data to a properly configured\n\tpool.\n",
)
FEATURES_DISABLED: Final = StatusAdvice(
    "Some supported and requested features are not enabled on the pool.\n"
    "\tThe pool can still be used, but some features are unavailable.\n",
    "Enable all features using 'zpool upgrade'. Once this is done,\n"
    "\tthe pool may no longer be accessible by software that does not support\n"
    "\tthe features. See zpool-features(7) for details.\n",
)
AUX_WORDS: Final = {
    "CORRUPT_DATA": "corrupted data",
    "NO_REPLICAS": "insufficient replicas",
    "BAD_LABEL": "invalid label",
    "ERR_EXCEEDED": "too many errors",
    "EXTERNAL": "external device fault",
    "EXTERNAL_PERSIST": "external device fault",
    "SPARED": "currently in use",
    "CHILDREN_OFFLINE": "all children offline",
}


def advice(pool: PracticePool, hostid: int) -> StatusAdvice | None:
    """The first thing that is wrong with a pool on such a host, in the order in which ZFS looks."""
    if pool.resilver is not None or pool.is_rebuilding:
        return RESILVERING
    if pool.hostid and pool.hostid != hostid and not pool.is_readonly:
        return HOSTID_DIFFERS
    if pool.is_suspended:
        return SUSPENDED
    if pool.error_count:
        return DATA_ERRORS
    found = {words for leaf in _watched(pool.root) for words in _wrong(leaf)}
    worst = next((words for words in _WORST_FIRST if words in found), None)
    if worst is None and any(leaf.is_misaligned for leaf in pool.root.leaves()):
        return MISALIGNED
    to_upgrade = pool.disabled_features - NOT_BY_UPGRADE
    if worst is None and to_upgrade and pool.properties.get("compatibility", "off") == "off":
        return FEATURES_DISABLED
    return worst


_WORST_FIRST: Final = (FAULTED, CORRUPT_LABEL, FAILING, OFFLINE, REMOVED)
_OF_STATE: Final = {"FAULTED": FAULTED, "UNAVAIL": CORRUPT_LABEL, "OFFLINE": OFFLINE, "REMOVED": REMOVED}


def _wrong(leaf: PracticeVdev) -> Iterator[StatusAdvice]:
    if leaf.state in _OF_STATE:
        yield _OF_STATE[leaf.state]
    if leaf.has_errors:
        yield FAILING


def _watched(vdev: PracticeVdev) -> Iterator[PracticeVdev]:
    """The leaves, without those that are being replaced."""
    if vdev.kind == "replacing":
        return
    if vdev.is_leaf:
        yield vdev
    for child in vdev.children:
        yield from _watched(child)
