"""What to do about a finding: of advice its action, of the others a sentence or two; with the real names."""

from __future__ import annotations

import re
import shlex
from typing import Final

from zconsole.base.fixed_width_formatting import size
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import is_plain_name
from zconsole.views.findings.advice import ADVICE
from zconsole.views.findings.by_id.what_to_do_in_case import IN_CASE, NOT_LIVE
from zconsole.views.findings.ssh_login_causes import causes_of
from zconsole.views.layout.state_age_and_link_phrases import counted

_REPLACE: Final = "Replace it."
_OTHERS: Final = {
    "pool-suspended": (
        "Bring the devices back (power, cable, enclosure, controller; parts that other disks use with the "
        "host shut down), then zpool clear POOL."
    ),
    "pool-faulted": (
        "Read zpool status -v POOL and the events; do not write to the disks; try to bring devices back "
        "first."
    ),
    "pool-unavail": "Bring the devices back; zpool status POOL shows what is missing.",
    "pool-state-unknown": "Read zpool status POOL.",
    "pool-degraded": (
        "Replace the device, or bring an offline one back with zpool online; where that is under way, let "
        "the resilver end."
    ),
    "pool-unread": (
        "Read the problem; a zpool command that hangs while the kernel says ONLINE indicates a disk that "
        "does not answer."
    ),
    "pools-unread": "Read the problem.",
    "vdev-lost": "Bring one of the devices back; until then the pool's data is out of reach.",
    "vdev-incomplete": (
        "Bring a failed device of it back, which has what the others lack: put it in again if it was pulled, "
        "then zpool online or zpool clear. Pull, detach and replace none of its devices before that. Move or "
        "unplug disks and cables only with the pool exported or the host shut down."
    ),
    "vdev-no-redundancy": (
        "Replace the failed device now, or bring an offline one back; where a new one or a spare is being "
        "filled, let that end. Do not reboot, move or scrub before that without need."
    ),
    "data-errors": (
        "Restore the files from a backup or delete them, then scrub; find the cause (a device, or memory)."
    ),
    "device-faulted": (
        "Check cable and slot, then replace it, unless it is being replaced already. A cable that serves "
        "other disks too: only with the pool exported or the host shut down."
    ),
    "device-degraded": "Check its errors and its SMART data; replace it if they grow.",
    "device-offline": "zpool online POOL DEVICE when the work is done.",
    "log-faulted": "Replace it, or remove it with zpool remove.",
    "cache-faulted": "Replace it, or remove it with zpool remove.",
    "spare-faulted": "Remove it with zpool remove and add a good one.",
    "device-errors": (
        "Check cable and SMART data; zpool clear, scrub, and check whether they return. Errors on several "
        f"disks of one cable or controller indicate that as the cause. {NOT_LIVE}"
    ),
    "shared-cause": (
        "Check what they share before any disk; then zpool clear, scrub, and watch whether the errors come "
        f"back. {NOT_LIVE}"
    ),
    "slow-ios": "zconsole slow judges its speed, which check and status do not. Check its SMART data.",
    "spare-in-use": "Replace the original; or detach it, and the spare stays in its place.",
    "smart-failing": "Replace it; do not wait for ZFS to fault it.",
    "smart-attribute": "Replace it soon.",
    "pending-sectors": (
        "Scrub. If they come back or grow, replace the disk: the repair of it says whether they have grown."
    ),
    "uncorrectable-sectors": (
        "Scrub. If they come back or grow, replace the disk: the repair of it says whether they have grown."
    ),
    "uncorrectable-errors": "Watch whether they grow; replace the disk if they do.",
    "reallocated-sectors": "Replace the disk if it grows from week to week.",
    "nvme-warning": "Replace it; a disk that has gone read-only takes no writes any more.",
    "spare-blocks": _REPLACE,
    "worn": "Plan its replacement; do not let several of one vdev wear out together.",
    "crc-errors": (
        "Reseat or change the cable, or move the disk to another bay; check whether the number still grows. "
        "Do this with the pool exported or the host shut down: a cable or a bay may serve several disks, and "
        "a pool that loses too many of them suspends."
    ),
    "hot": "Check fans and air flow before the disk.",
    "self-test-failed": "Scrub, then repeat it (smartctl -t long); replace the disk if it fails again.",
    "disk-slow": (
        "Check SMART data, cable and slot; while its vdev has redundancy take it offline, and check whether "
        f"the pool becomes faster; replace it. {NOT_LIVE}"
    ),
    "disk-stalling": (
        f"Check the kernel log for resets and timeouts; check cable, slot and power; replace it. {NOT_LIVE}"
    ),
    "disk-slightly-slower": (
        "Watch it; compare its SMART data, firmware, write cache and link speed with those of its peers."
    ),
    "vdev-slow": (
        f"Check what its disks share (controller, cable, enclosure), and what data it stores. {NOT_LIVE}"
    ),
    "disks-not-answering": (
        "Before any disk look at what these share, while it lasts: zpool status POOL (suspended?), the "
        "kernel's log for resets and timeouts of a controller; then controller (HBA), cable, backplane or "
        f"shelf, power. Replace none of them for this alone. {NOT_LIVE}"
    ),
    "half-slow": f"Check what they share, and the load; then each of the disks (SMART data). {NOT_LIVE}",
    "pool-read-only": "Export POOL, and import it without readonly=on when it may be written to.",
    "checkpoint-exists": "zpool checkpoint -d POOL when you will not rewind.",
    "scan-running": "Wait.",
    "scan-stalled": "Check for a slow or hanging disk, and the load of the pool.",
    "resilver-errors": (
        "zpool status -v POOL names damaged files, if any. Start it again (zpool resilver POOL), or scrub "
        "the pool; then see again. Take no other device of the vdev away before that."
    ),
    "scrub-errors": (
        "Files that had these blocks may have been deleted since. Scrub again; where errors come back, zpool "
        "status -v POOL names the files, and the counters of the devices where they are."
    ),
    "scrub-repaired": (
        "A device returned wrong data, or none. Look at the SMART data and the kernel's messages of its "
        "disks, and see whether the next scrub repairs again."
    ),
    "scan-restarting": "Read the events; devices that come and go make a resilver start again.",
    "activity-running": "Wait.",
    "dataset-no-snapshots": "Let sanoid or another tool take snapshots, unless the data may be lost.",
    "guest-paused-io-error": (
        "Free space in the pool (zconsole reclaim POOL), or repair the pool if the "
        "error is another one; then resume it: zconsole plan guest-resume GUEST."
    ),
    "guest-disk-shared": (
        "Give the guest a disk of its own (zfs clone of the volume, or an overlay of its own: qemu-img "
        "create -b), and name it by virsh edit; until then do not start both. For a disk of a cluster, "
        "have <shareable/> in the definitions of both, or silence it for this disk and this pair, which "
        "is possible also while both run."
    ),
    "guest-on-two-hosts": (
        "Decide which copy is to live; shut the other one down (zconsole plan guest-shutdown GUEST --host "
        "HOST), and save what only that one has. Then zfs set readonly=on for its dataset, or undefine it "
        "there, so that nobody starts it again."
    ),
    "guest-cannot-start": (
        "Mount or rename what holds the image back to its path, restore it from a snapshot (zconsole "
        "restore), or correct the path: virsh edit GUEST, for a backing file qemu-img rebase -u. Take a "
        "medium out that is no longer needed: virsh change-media GUEST DISK --eject --config. While the "
        "guest runs, do not stop it before its disk is copied: virsh blockcopy."
    ),
    "clone-diverged": (
        "Copy the clone with zfs send and zfs receive, which takes little more space than it has now, "
        "destroy it, and then the origin; or destroy the clone if nobody needs it."
    ),
}
KNOWN_IDS: Final = ADVICE.keys() | _OTHERS.keys()  # of all findings


_NOT_OPEN: Final = {  # of a finding in a pool of which nothing can be changed, by its evidence
    "is_pool_closed": (
        "Bring back what can be (cable, slot, power). POOL is not open: until it is, nothing of it can be "
        f"set, replaced, restored or scrubbed. {NOT_LIVE}"
    ),
    "is_pool_suspended": (
        "Bring back what can be (cable, slot, power; parts that other disks use with the host shut down), "
        "then zpool clear POOL. While it is suspended nothing of it can be set, replaced, restored or "
        "scrubbed."
    ),
}
_READ_CHECKPOINT: Final = (
    "ZFS replaces, attaches, detaches and removes no device while the checkpoint exists; it may have whole "
    "what is damaged now: look in it (zpool export POOL, then zpool import -o readonly=on "
    "--rewind-to-checkpoint POOL) before you discard it."
)
_BACK: Final = "may_be_read_with"  # evidence: devices that may have what is damaged
WAYS: Final = ("read_only_way", "removal_way")  # evidence: what comes first of all, as an instruction
MOST_DEVICES: Final = 12  # named in a command
_CAPACITY: Final = "capacity-"
_WORD: Final = re.compile(r"\b(KIND|POOL|DEVICES|DEVICE|DATASET|VOLUME|GUEST)\b")


def what_to_do(finding: Finding) -> str:
    """Whole sentences, the pool, device, dataset and guest by their names; empty where nothing is said.

    Names are quoted as a shell needs them. A placeholder whose name the finding does not tell stays.
    """
    if causes := causes_of(finding):
        phase = finding.evidence["slowest_phase"]
        return f"Find out why {phase} is slow: zconsole advise lists {counted(len(causes), 'known cause')}."
    of_pool = next((said for key, said in _NOT_OPEN.items() if finding.evidence.get(key)), "")
    if (advice := ADVICE.get(finding.id)) is not None:
        action = _under_conditions(with_names(advice.action, finding), finding)
        return f"{with_names(of_pool, finding)} Then: {action}" if of_pool else action
    ways = (finding.evidence.get(key) for key in WAYS)
    if way := next((each for each in ways if isinstance(each, str)), ""):
        return f"{way[:1].upper()}{way[1:]}."
    cases = (words for of, holds, words in IN_CASE if of == finding.id and holds(finding))
    words = with_names(next(cases, _OTHERS.get(finding.id, "")), finding)
    failed, vdev = finding.evidence.get("bring_back"), finding.evidence.get("bring_back_to")
    if isinstance(failed, str) and "put_back" not in finding.evidence:
        needs = (
            f"{vdev} cannot be read without its only device"
            if vdev == failed
            else (f"{vdev} may need {failed} to be read at all, or as a whole")
        )
        return (
            f"{needs}: bring back what can be, by cable, "
            f"slot and power, then zpool online or zpool clear. Pull, detach and replace no device of {vdev} "
            f"before that. {NOT_LIVE}"
        )
    if of_pool:
        return with_names(of_pool, finding)
    return _under_conditions(_after_put_back(words, finding), finding)


def _under_conditions(words: str, finding: Finding) -> str:
    """What to do, behind what the rest of the pool asks for first."""
    told = []
    is_held = finding.evidence.get("is_held_by_checkpoint") and _BACK not in finding.evidence
    if is_held and not finding.evidence.get("is_checkpoint_to_be_read"):
        told.append(
            with_names(
                "First discard the checkpoint if you do not need it (zpool checkpoint -d POOL): while it "
                "exists, ZFS replaces, attaches, detaches and removes no device, and no hot spare comes "
                "into use.",
                finding,
            )
        )
    held = finding.evidence.get("checkpoint_bytes")
    if finding.id.startswith(_CAPACITY) and isinstance(held, int):
        told.append(
            with_names(
                "First discard the checkpoint if you do not need it (zpool checkpoint -d POOL): it holds "
                f"{size(held)}, and destroying what it has frees nothing. Then:",
                finding,
            )
        )
    if finding.evidence.get("is_scrub_for_later"):
        told.append("Scrub only when the redundancy is back and no resilver runs.")
    if isinstance(missing := finding.evidence.get(_BACK), str):
        told.append(
            f"First bring {missing} back where that can be done: with it ZFS may read the damaged blocks "
            "again. Clear, replace and delete nothing else before that. Then:"
        )
    if isinstance(away := finding.evidence.get("clear_after"), str):
        told.append(f"First bring {away} online, so that a scrub has another copy. Then:")
    if finding.evidence.get("is_way_first"):
        told.append(
            "First check what the disks with errors share (cable, backplane, controller, power; with the "
            "pool exported or the host shut down), then clear and scrub: what is damaged may be read again. "
            "Then:"
        )
    if isinstance(bare := finding.evidence.get("only_copy_is_on"), str):
        told.append(f"First copy what matters off {bare}, which has the only copy of its data. Then:")
    return " ".join(filter(None, (*told, words, checkpoint_read_first(finding))))


def checkpoint_read_first(finding: Finding) -> str:
    """What to do about a checkpoint in the way that may have whole what is damaged; empty without one."""
    evidence = finding.evidence
    is_held = evidence.get("is_held_by_checkpoint") and _BACK not in evidence
    is_read = is_held and evidence.get("is_checkpoint_to_be_read")
    return with_names(_READ_CHECKPOINT, finding) if is_read else ""


def _after_put_back(words: str, finding: Finding) -> str:
    """What to do while a sound disk of the pool is out, as its guided repair says: that goes back first."""
    put_back = finding.evidence.get("put_back")
    if not isinstance(put_back, str):
        return words
    if not finding.evidence.get("is_put_back_sure"):
        were, them = ("was", "it") if finding.evidence.get("is_put_back_one") else ("were", "them")
        return (
            f"If {put_back} {were} pulled by mistake, put {them} back first, and replace nothing before "
            f"that. Then: {words}"
        )
    if finding.evidence.get("is_pulled"):
        return (
            f"{put_back[:1].upper()}{put_back[1:]}: it was sound when it went; replace nothing before that."
        )
    return f"First {put_back}, and replace nothing before that. Then: {words}"


def action_lines(finding: Finding) -> tuple[str, ...]:
    """What the rule of a piece of advice says to do; of a slow login the known causes of its phase, each."""
    if causes := causes_of(finding):
        return (f"Find out why {finding.evidence['slowest_phase']} is slow. Known causes:", *causes)
    return (with_names(ADVICE[finding.id].action, finding),)


def with_names(words: str, finding: Finding) -> str:
    """Words with the objects of a finding in the place of POOL, DEVICE and the like."""
    names = _names_in(finding)
    return _WORD.sub(lambda found: names.get(found[1]) or found[1], words)


def _names_in(finding: Finding) -> dict[str, str]:
    """The objects that a finding names, by placeholder; those that it does not name are empty or missing."""
    pool, vdev, guest, named = (finding.evidence.get(name) for name in ("pool", "vdev", "guest", "dataset"))
    action = finding.advised.action if finding.advised is not None else None
    dataset = finding.subject if isinstance(pool, str) and finding.subject.startswith(f"{pool}/") else ""
    if isinstance(named, str):
        dataset = named
    elif action is not None and action.action == "set":
        dataset = action.target
    if isinstance(guest, str) and not is_plain_name(guest):
        guest = finding.evidence.get("uuid")
    names = {
        "POOL": pool,
        "DEVICE": vdev if finding.disk else None,
        "DATASET": dataset,
        "VOLUME": dataset,
        "GUEST": guest,
    }
    quoted = {word: shlex.quote(name) for word, name in names.items() if isinstance(name, str) and name}
    kind, devices = finding.evidence.get("kind"), finding.evidence.get("devices")
    if kind in {"trim", "initialize"}:
        quoted["KIND"] = str(kind)
    if isinstance(devices, tuple) and 0 < len(devices) <= MOST_DEVICES:
        quoted["DEVICES"] = " ".join(shlex.quote(str(each)) for each in devices)
    return quoted
