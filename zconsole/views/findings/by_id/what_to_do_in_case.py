"""What to do about a finding where its evidence tells more than its kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from zconsole.analysis.guests.where_to_free_space import NO_SPACE, ROOM_BYTES
from zconsole.analysis.repair.need_of_spare import Need
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.pool import DEAD_STATES

NOT_LIVE: Final = "Move or unplug disks and cables only with the pool exported or the host shut down."
OBJECT: Final = ":<0x"  # of an object without a name: `<metadata>:<0x3d>`, `tank/vm:<0x1>`
STOPPED: Final = "is_stopped_in"  # evidence: a vdev whose expansion pauses
IN_THE_WAY: Final = "is_in_the_way_of"  # evidence: vdevs without redundancy


def _has_room(finding: Finding) -> bool:
    left = finding.evidence.get("left_bytes")
    return isinstance(left, int) and left >= ROOM_BYTES


def files_of(finding: Finding) -> tuple[object, ...]:
    """The names in ZFS's list of damaged files."""
    files = finding.evidence.get("files")
    return files if isinstance(files, tuple) else ()


def _is_of_space(finding: Finding) -> bool:
    errors = finding.evidence.get("errors")
    return isinstance(errors, tuple) and NO_SPACE in errors


def _is_resilver_running(finding: Finding) -> bool:
    return finding.evidence.get("is_resilver_running") is True


_RESILVER_FIRST: Final = (
    "Let the running resilver end, and pull nothing that serves meanwhile: a replacement now would restart "
    "it or wait for it."
)
_REPLACED_BESIDE_SPARE: Final = {Need.LACKS_DATA.value, Need.ERRORS.value, Need.SUSPECT.value}
_DISTRIBUTED: Final = re.compile(r"draid[1-3]-[0-9]{1,6}-[0-9]{1,6}")


def _causes(finding: Finding) -> tuple[str, ...]:
    """The devices for which a pool is DEGRADED, each with its state."""
    causes = finding.evidence.get("causes")
    return tuple(map(str, causes)) if isinstance(causes, tuple) else ()


def _is_distributed(finding: Finding) -> bool:
    """Whether it is about a distributed spare, which is a part of its dRAID."""
    return bool(_DISTRIBUTED.fullmatch(str(finding.evidence.get("vdev"))))


IN_CASE: Final[tuple[tuple[str, Callable[[Finding], bool], str], ...]] = (
    (
        "guest-paused-io-error",
        lambda found: _has_room(found) and _is_of_space(found),
        "There is space now, unless a quota leaves less. Resume it: zconsole plan guest-resume GUEST.",
    ),
    (
        "guest-paused-io-error",
        lambda found: _has_room(found) and bool(found.evidence.get("errors")),
        (
            "The pool has space: see zpool status POOL, and repair the pool if it is ill, or raise a quota "
            "that is reached; then resume it: zconsole plan guest-resume GUEST."
        ),
    ),
    *(
        (
            of,
            _is_distributed,
            (
                "It is a distributed spare of its draid, and cannot be removed: detach it (zpool detach), "
                "and replace what it stood in for."
            ),
        )
        for of in ("spare-faulted", "device-faulted", "device-degraded")
    ),
    *(
        (
            of,
            lambda found: found.evidence.get("part_of") == "spare",
            (
                "It is a hot spare in use: detach it (zpool detach POOL DEVICE), then remove it "
                "(zpool remove POOL DEVICE), and add a good one. What it stood in for is to be replaced."
            ),
        )
        for of in ("spare-faulted", "device-faulted", "device-degraded")
    ),
    (
        "data-errors",
        lambda found: any(OBJECT in str(each) for each in files_of(found)),
        (
            "DATASET:<0x1> is data of a volume, or of a file system that is not mounted: restore that from a "
            "backup, or mount it and see zpool status -v POOL again. What else is named by a number is no "
            "file, and cannot be restored or deleted. Scrub twice: what was "
            "freed since leaves the list; if an object of <metadata> stays, copy the data to another pool "
            "and make this one again. Restore the files that are named from a backup or delete them; find "
            "the cause (a device, or memory)."
        ),
    ),
    (
        "pool-degraded",
        lambda found: all(each.endswith(" DEGRADED") for each in _causes(found)) and bool(_causes(found)),
        (
            "Do what the findings on these devices say: ZFS marks a device as DEGRADED for checksum errors, "
            "which a cable, a controller or memory causes as well."
        ),
    ),
    (
        "device-errors",
        lambda found: found.evidence.get("state") in DEAD_STATES,
        "It is out of use, and its counters are of before: do what its failure asks for.",
    ),
    (
        "device-errors",
        lambda found: found.evidence.get("vdev_class") in {"cache", "log"},
        (
            "Check cable and SMART data; zpool clear, and watch whether they return while it is "
            f"in use: a scrub reads no cache, and hardly anything of a log. {NOT_LIVE}"
        ),
    ),
    (
        "device-offline",
        lambda found: found.evidence.get("part_of") == "replacing",
        "It is being replaced: let the resilver end, and ZFS takes it out of the pool.",
    ),
    (
        "log-faulted",
        lambda found: found.evidence.get("part_of") == "mirror",
        (
            "Replace it, or detach it from its mirror (zpool detach POOL DEVICE). Where the whole mirror has "
            "failed, zpool remove takes it out of the pool."
        ),
    ),
    (
        "pool-faulted",
        lambda found: bool(found.evidence.get("missing_log")),
        (
            "Only its log is missing. Bring that back (cable, slot, power; parts that other disks use with "
            "the host shut down), then zpool online POOL and the name of the log device. If it is lost for "
            "good, zpool clear POOL opens the pool without it, and loses the synchronous writes that only "
            "the log had: the last seconds before the host went down."
        ),
    ),
    (
        "pool-suspended",
        lambda found: found.evidence.get("is_multihost") is True,
        (
            "Make sure that no other host has the pool imported; see that its devices answer. Then reboot "
            "and import it; OpenZFS 2.2.4 and later, which look for another host first, take zpool clear "
            "POOL too."
        ),
    ),
    (
        "vdev-no-redundancy",
        lambda found: found.evidence.get("is_not_shown") is True,
        "Wait until the resilver ends; meanwhile take no device of the pool offline, and pull or move none.",
    ),
    (
        "vdev-no-redundancy",
        lambda found: found.severity < Severity.CRITICAL,
        "Wait until it is resilvered; meanwhile take no other device of it offline, and move no disk.",
    ),
    *(
        (
            of,
            _is_resilver_running,
            (
                f"{_RESILVER_FIRST} Bring an offline device back with zpool online; replace what has failed "
                "after that. Do not reboot, move or scrub before that without need."
            ),
        )
        for of in ("vdev-no-redundancy", "pool-degraded")
    ),
    *(
        (
            of,
            _is_resilver_running,
            (
                f"{_RESILVER_FIRST} Then check its cable and slot, and replace it unless that is under way. "
                "A cable that serves other disks too: only with the pool exported or the host shut down."
            ),
        )
        for of in ("device-faulted", "device-degraded")
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("is_resilvering") is True,
        (
            "Wait until the spare is filled, and pull nothing that serves meanwhile. Then replace the "
            "original; or, but for a distributed spare, detach it, and the spare stays in its place."
        ),
    ),
    (
        "spare-in-use",
        lambda found: _is_distributed(found) and found.evidence.get("need") in _REPLACED_BESIDE_SPARE,
        "Leave the spare in, and replace the original: the distributed spare is free again then.",
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("need") == Need.ERRORS.value,
        (
            "Leave the spare in: it is the good copy. Replace the original; or detach the original, and the "
            "spare stays in its place."
        ),
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("need") == Need.RESILVER.value,
        "Wait until no resilver runs: until then ZFS does not show whether the original lacks data.",
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("need") == Need.NOT_SHOWN.value,
        (
            "Leave the spare in: the last resilver ended under a checkpoint, and ZFS does not count that. "
            "Discard the checkpoint (zpool checkpoint -d POOL); see again after the resilver that follows."
        ),
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("need") == Need.REBUILT.value,
        (
            "Leave the spare in, and scrub the pool (zpool scrub POOL): what was rebuilt meanwhile onto "
            "another distributed spare may be on this one alone (openzfs/zfs#18286). Detach it after that."
        ),
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("need") == Need.GAPS.value,
        (
            "Leave the spare in: the last resilver did not end well. Start it again (zpool resilver POOL), "
            "or scrub the pool; then see again."
        ),
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("need") == Need.SUSPECT.value,
        (
            "Leave the spare in: SMART warns of the original, or it is slower than its peers. Replace the "
            "original; or detach the original, and the spare stays in its place."
        ),
    ),
    (
        "spare-in-use",
        lambda found: found.evidence.get("is_needed") is False,
        (
            "zpool detach POOL DEVICE makes the spare available again. If errors of the original were "
            "cleared, scrub first."
        ),
    ),
    (
        "scan-running",
        lambda found: found.evidence.get("function") == "scrub" and bool(found.evidence.get(IN_THE_WAY)),
        "Do not wait for it: a replacement ends it, since ZFS resilvers first.",
    ),
    (
        "activity-running",
        lambda found: found.evidence.get("kind") == "removal" and bool(found.evidence.get(IN_THE_WAY)),
        "Stop it where a device has failed (zpool remove -s POOL): while it runs, ZFS replaces none.",
    ),
    (
        "activity-running",
        lambda found: found.evidence.get("kind") == "raidz_expand" and found.evidence["state"] == "suspended",
        (
            "Replace, clear or online what failed in its vdev; where all of its devices are there, zpool "
            "clear POOL. It goes on by itself then."
        ),
    ),
    (
        "activity-running",
        lambda found: bool(found.evidence.get(STOPPED)),
        (
            "Waiting alone does not bring it on: it pauses until its vdev is whole again. Replace, clear or "
            "online what failed there; where that is under way, let the resilver end."
        ),
    ),
    (
        "activity-running",
        lambda found: found.evidence.get("state") == "suspended",
        "zpool KIND POOL DEVICES resumes it; without a device named it begins on every disk of the pool.",
    ),
)
