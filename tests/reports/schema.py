"""The documented shape of the JSON, checked strictly: these keys, no others, these types."""

from __future__ import annotations

NUMBER = (int, float)
Shape = dict[str, object]

VDEV: Shape = {
    "name": str,
    "type": str,
    "class": str,
    "guid": (str, None),
    "state": str,
    "path": (str, None),
    "read_errors": (int, None),
    "write_errors": (int, None),
    "checksum_errors": (int, None),
    "slow_ios": (int, None),
    "note": str,
}
VDEV["children"] = [VDEV]
SCAN: Shape = {
    "function": str,
    "vdev": (str, None),
    "state": str,
    "percent": (*NUMBER, None),
    "errors": (int, None),
    "repaired_bytes": (int, None),
    "start": (int, None),
    "end": (int, None),
}
ACTIVITY: Shape = {
    "kind": str,
    "vdev": (str, None),
    "state": str,
    "percent": (*NUMBER, None),
    "end": (int, None),
    "mapping_bytes": (int, None),
}
POOL: Shape = {
    "name": str,
    "guid": (str, None),
    "state": (str, None),
    "size_bytes": (int, None),
    "allocated_bytes": (int, None),
    "free_bytes": (int, None),
    "capacity_percent": (int, None),
    "fragmentation_percent": (int, None),
    "checkpoint_bytes": (int, None),
    "errors": (int, None),
    "error_files": ([str], None),
    "scan": (SCAN, None),
    "scans_beside": ([SCAN], None),
    "activities": ([ACTIVITY], None),
    "vdevs": ([VDEV], None),
}
JUDGED: Shape = {
    "id": str,
    "severity": str,
    "subject": str,
    "summary": str,
    "what_to_do": (str, None),
    "evidence": dict,
}
FINDING: Shape = {**JUDGED, "procedure": ([str], None), "folded_into": (str, None)}
SILENCED: Shape = {**JUDGED, "reason": str, "since": str, "until": str}
ADVISED: Shape = {
    **JUDGED,
    "is_risk": bool,
    **dict.fromkeys(("group", "at_stake", "found", "limit", "source"), str),
    **dict.fromkeys(("why", "what_to_do", "cost", "helps"), str),
    "plan": ([str], None),
}
ADVISE: Shape = {
    "schema": int,
    "host": str,
    "not_judged": [str],
    "points": int,
    "risks": int,
    "wrong_now": [FINDING],
    "advice": [ADVISED],
    "without_advice": [{"group": str, "is_judged": bool, "words": str}],
    "silenced": [SILENCED],
}
IMPORTABLE: Shape = {"name": str, "guid": str, "state": str, "last_host": (str, None), "devices": [str]}
COVERAGE: Shape = {"disks": int, "without_data": int}
STATUS: Shape = {
    "schema": int,
    "host": str,
    "zfs_version": (str, None),
    "pools": [POOL],
    "importable": ([IMPORTABLE], None),
    "findings": [FINDING],
    "smart": (COVERAGE, None),
    "silenced": [SILENCED],
}
UNREAD: Shape = {  # in the place of any document
    "schema": int,
    "host": (str, None),
    "error": str,
    "said": (str, None),
    "hint": (str, None),
}
COMPLAINT: Shape = {"id": str, "severity": str, "words": str, "part": str}
HEALTH: Shape = {
    "protocol": str,
    "firmware": str,
    "power_mode": str,
    "is_passing": (bool, None),
    "failing_attributes": [str],
    "power_on_hours": (int, None),
    "temperature_c": (int, None),
    "temperature_limit_c": (int, None),
    "reallocated": (int, None),
    "pending": (int, None),
    "offline_uncorrectable": (int, None),
    "reported_uncorrectable": (int, None),
    "crc_errors": (int, None),
    "critical_warning": int,
    "available_spare_percent": (int, None),
    "wear_percent": (int, None),
    "self_test": ({"has_passed": bool, "words": str, "at_hours": (int, None)}, None),
    "unread": [str],
}
ENCLOSURE: Shape = {
    "address": str,
    "id": (str, None),
    "model": (str, None),
    "slot": (int, None),
    "name": str,
    "status": (str, None),
    "locate": (bool, None),
    "fault": (bool, None),
}
KERNEL_MESSAGES: Shape = {
    "counts": dict,
    "first_at": NUMBER,
    "last_at": NUMBER,
    "part": (str, None),
    "newest": [str],
}
HOST_DISK: Shape = {
    "serial": str,
    "trouble": str,
    "device": (str, None),
    "links": [str],
    "model": (str, None),
    "wwn": (str, None),
    "size_bytes": (int, None),
    "logical_sector_bytes": (int, None),
    "physical_sector_bytes": (int, None),
    "transport": (str, None),
    "hctl": (str, None),
    "bay": (str, None),
    "enclosure": (ENCLOSURE, None),
    "controller": (str, None),
    "pool": (str, None),
    "vdev": (str, None),
    "vdev_class": (str, None),
    "state": (str, None),
    "guid": (str, None),
    "errors": (int, None),
    "slow_ratio": (*NUMBER, None),
    "health": (HEALTH, None),
    "no_health_because": (str, None),
    "kernel_messages": (KERNEL_MESSAGES, None),
    "complaints": [COMPLAINT],
}
GUEST_IMAGE: Shape = {
    "path": str,
    "format": (str, None),
    "on": (str, None),
    "also_on": [str],
    "not_known": (str, None),
    "is_missing": bool,
    "is_volume": bool,
    "virtual_bytes": (int, None),
    "allocated_bytes": (int, None),
    "cluster_bytes": (int, None),
    "internal_snapshots": [str],
    "block_bytes": (int, None),
    "zfs_snapshots_bytes": (int, None),
}
LIVE_IO: Shape = {
    "seconds": NUMBER,
    "reads_per_s": NUMBER,
    "read_bytes_per_s": (*NUMBER, None),
    "mean_read_ns": (*NUMBER, None),
    "writes_per_s": NUMBER,
    "written_bytes_per_s": (*NUMBER, None),
    "mean_write_ns": (*NUMBER, None),
    "flushes_per_s": (*NUMBER, None),
    "mean_flush_ns": (*NUMBER, None),
}
GUEST_DISK: Shape = {
    "target": str,
    "device": str,
    "kind": str,
    "source": str,
    "format": (str, None),
    "cache": (str, None),
    "io": (str, None),
    "discard": (str, None),
    "error_policy": (str, None),
    "read_only": bool,
    "capacity_bytes": (int, None),
    "allocation_bytes": (int, None),
    "used_bytes": (int, None),
    "error": (str, None),
    "images": [GUEST_IMAGE],
    "problem": (str, None),
    "live_io": (LIVE_IO, None),
}
GUEST: Shape = {
    "uuid": (str, None),
    "libvirt": str,
    "name": str,
    "title": (str, None),
    "not_looked_at": (str, None),
    "state": str,
    "reason": int,
    "reason_words": (str, None),
    "agent_channel": bool,
    "agent": (bool, None),
    "memory_bytes": (int, None),
    "processors": (int, None),
    "disks": [GUEST_DISK],
    "other_storage": [
        {"role": str, "path": (str, None), "on": [str], "not_known": (str, None)},
    ],
    "shared_disks": [{"path": str, "with": str, "is_backing_file": bool, "is_written_by_both": bool}],
}
CONTAINER: Shape = {
    "engine": str,
    "kind": str,
    "name": str,
    "title": (str, None),
    "state": str,
    "way_to_stop": (str, None),
    "datasets": [{"name": str, "evidence": str, "words": str, "is_root": bool}],
}
GUESTS: Shape = {
    "schema": int,
    "host": str,
    "guests": [GUEST],
    "problem": (str, None),
    "guests_not_looked_at": int,
    "containers": [CONTAINER],
}
SUDOERS: Shape = {
    "schema": int,
    "user": str,
    "asks_password": bool,
    "equals_root": bool,
    "reads": [str],
    "changes": [str],
    "file": str,
}
KEYS: Shape = {
    "schema": int,
    "keys": [
        {
            "name": str,
            "keys": [str],
            "usual_keys": [str],
            "title": str,
            "help": str,
            "group": str,
            "screens": ([str], None),
        }
    ],
}
DISKS: Shape = {"schema": int, "host": str, "disks": [HOST_DISK]}
REPAIRED_DEVICE: Shape = {
    "name": str,
    "guid": (str, None),
    "serial": (str, None),
    "model": (str, None),
    "bay": (str, None),
    "size_bytes": (int, None),
    "is_present": (bool, None),
}
REPAIR_STEP: Shape = {
    "step": str,
    "state": str,
    "found": [str],
    "reason": (str, None),
    "offers": [
        {
            "words": str,
            "action": str,
            "target": str,
            "arguments": [str],
            "options": dict,
            "wants_disk": bool,
        }
    ],
    "untested": (str, None),
}
REPAIR: Shape = {
    "pool": str,
    "vdev": str,
    "device": REPAIRED_DEVICE,
    "others": [REPAIRED_DEVICE],
    "trouble": str,
    "cause": str,
    "certainty": str,
    "since": (*NUMBER, None),
    "step": (str, None),
    "now": (str, None),
    "steps": [REPAIR_STEP],
    "not_now": [{"id": str, "reason": str, "instead": (str, None)}],
    "alarm": (str, None),
    "safety": str,
    "survives": [str],
    "spare": (REPAIRED_DEVICE, None),
    "new_disk": (REPAIRED_DEVICE, None),
    "runs": [
        {
            "at": NUMBER,
            "who": str,
            "title": str,
            "commands": [[str]],
            "outcome": str,
            "ended": (*NUMBER, None),
        }
    ],
}
REPAIRS: Shape = {"schema": int, "host": str, "repairs": [REPAIR]}
CHECK: Shape = {
    "schema": int,
    "host": str,
    "level": str,
    "exit_code": int,
    "summary": str,
    "pools": [
        {
            "name": str,
            "state": (str, None),
            "used_percent": (*NUMBER, None),
            "used_bytes": (int, None),
            "total_bytes": (int, None),
            "is_raw": (bool, None),
        }
    ],
    "findings": [FINDING],
    "smart": (COVERAGE, None),
    "silenced": [SILENCED],
    "unread_settings": ([str], None),
}
RATE = (*NUMBER, None)
LATENCY: Shape = dict.fromkeys(
    (
        *("total_read", "total_write", "disk_read", "disk_write"),
        *("syncq_read", "syncq_write", "asyncq_read", "asyncq_write"),
        *("scrub", "trim", "rebuild"),
    ),
    RATE,
)
QUEUES: Shape = {
    f"{queue}_{part}": int
    for queue in ("syncq_read", "syncq_write", "asyncq_read", "asyncq_write", "scrub", "trim", "rebuild")
    for part in ("pending", "active")
}
SAMPLE: Shape = {
    "schema": int,
    "host": str,
    "pool": str,
    "guid": (str, None),
    "at": NUMBER,
    "interval_s": NUMBER,
    "vdevs": [
        {
            "name": str,
            "depth": int,
            "type": (str, None),
            "class": (str, None),
            "guid": (str, None),
            "state": (str, None),
            "allocated_bytes": (int, None),
            "free_bytes": (int, None),
            "read_ops": NUMBER,
            "write_ops": NUMBER,
            "read_bytes": NUMBER,
            "write_bytes": NUMBER,
            "busy": RATE,
            "latency_ns": LATENCY,
            "queues": QUEUES,
        }
    ],
}

COMPARED: Shape = {
    "mean_ns": int,
    "peers_ns": int,
    "ratio": float,
    "ratio_range": [float],
    "operations": int,
    "samples": int,
    "watch_samples": int,
    "watch_mean_ns": (int, None),
    "watch_peers_ns": (int, None),
    "score": float,
}
COST: Shape = dict.fromkeys(("vdev_with_ns", "vdev_without_ns", "pool_with_ns", "pool_without_ns"), int) | {
    "share": (float, None)
}
ZFS_VIEW: Shape = {
    "agrees": (bool, None),
    "slow_ios_rise": (bool, None),
    "delays": (int, None),
    "deadmen": (int, None),
    "autosit": (bool, None),
    "sits_out": (bool, None),
    "state": (str, None),
    "degraded_for_slow_io": (bool, None),
}
QUANTILE: Shape = {
    "share": float,
    "value_ns": int,
    "peers_ns": int,
    "ratio": float,
    "operations": int,
    "far": bool,
}
ADDED: Shape = {"pool_ns": int, "vdev_ns": int, "share": float}
SLIGHTLY: Shape = {
    "disk": str,
    "vdev": str,
    "ongoing": bool,
    "ratio": float,
    "slower_seconds": int,
    "seconds": int,
    "reads_alone": bool,
    "within_a_bucket": bool,
    "first_sample": int,
    "decided_sample": int,
    "first_at": RATE,
    "read": (COMPARED, None),
    "write": (COMPARED, None),
    "peers": [str],
}

EPISODES: Shape = {
    "disk": str,
    "vdev": str,
    "ratio": float,
    "sure": bool,
    "times": int,
    "every_samples": int,
    "slow_seconds": int,
    "seconds": int,
    "first_sample": int,
    "mean_ns": int,
    "peers_ns": int,
}

BOUND: Shape = {
    "operation": str,
    "ratio": float,
    "widened": float,
    "apart": float,
    "confidence": float,
    "disks": int,
    "operations": int,
}

SLOW: Shape = {
    "schema": int,
    "samples": int,
    "verdicts": [
        {
            "disk": str,
            "vdev": str,
            "operations": [str],
            "ratio": RATE,
            "confidence": float,
            "first_sample": int,
            "decided_sample": int,
            "last_sample": int,
            "ongoing": bool,
            "peers": [str],
            "evidence": {
                "kind": str,
                "read": (COMPARED, None),
                "write": (COMPARED, None),
                "quantiles": {"read": [QUANTILE], "write": [QUANTILE]},
                "stalls": ({"count": int, "longest_ns": int, "outstanding": int}, None),
                "busy": RATE,
                "peers_busy": RATE,
                "queued": RATE,
                "peers_queued": RATE,
                "cost": {"read": (COST, None), "write": (COST, None)},
                "first_at": RATE,
                "last_at": RATE,
                "serial": (str, None),
                "model": (str, None),
                "device": (str, None),
                "slot": (str, None),
                "slow_ios": (int, None),
                "zfs": (ZFS_VIEW, None),
                "next": [str],
            },
            "guests": [str],
            "added_to_guests": {"read": (ADDED, None), "write": (ADDED, None)},
        }
    ],
    "slightly_slower": [SLIGHTLY],
    "slightly_slower_vdevs": [SLIGHTLY],
    "slow_for_short_times": [EPISODES],
    "perhaps_slower": [SLIGHTLY],
    "tails_judged": bool,
    "pauses": [
        {
            "disks": [str],
            "sure": bool,
            "ongoing": bool,
            "times": int,
            "longest_ns": int,
            "outstanding": int,
            "answered": [str],
            "what": (str, None),
            "first_sample": int,
            "last_sample": int,
            "first_at": RATE,
            "last_at": RATE,
        }
    ],
    "quiet": [
        {
            "disk": str,
            "sure": bool,
            "seconds": int,
            "peers": int,
            "peers_operations": int,
            "late_ns": (int, None),
            "first_sample": int,
        }
    ],
    "all_slow": ({"sure": bool, "mean_ns": int, "outstanding": float}, None),
    "undecided": [{"disk": str, "reason": str}],
    "findings": [JUDGED],
    "not_known_how_much_slower": [SLIGHTLY],
    "bounds": [BOUND],
    "vdev_bounds": [BOUND],
    "host": (str, None),
    "pool": str,
    "disks": int,
}

SENT: Shape = {
    "name": str,
    "guid": str,
    "from_guid": (str, None),
    "is_clone": bool,
    "type": str,
    "creation": int,
    "features": [str],
    "resumes_at": ([int], None),
    "offset": int,
    "length_bytes": (int, None),
    "is_checksum_good": (bool, None),
}
STREAM: Shape = {
    "schema": int,
    "folder": str,
    "files": [
        {
            "name": str,
            "size_bytes": int,
            "compression": (str, None),
            "problem": ({"kind": str, "offset": int, "reason": str}, None),
            "streams": [
                {
                    "offset": int,
                    "length_bytes": (int, None),
                    "name": str,
                    "is_package": bool,
                    "is_recursive": bool,
                    "snapshots": [SENT],
                }
            ],
        }
    ],
    "receives": [
        {
            "file": str,
            "offset": int,
            "target": str,
            "pipeline": [[str]],
            "brings": [{"name": str, "guid": str}],
        }
    ],
    "parents": [str],
    "missing": [{"guid": str, "name": (str, None), "needed_by": [str]}],
    "unrestorable": [{"file": str, "name": str, "guid": str, "reason": str}],
    "spare": [{"file": str, "offset": int}],
}

TREE: Shape = {
    "schema": int,
    "datasets": [
        {
            "name": str,
            "type": str,
            "guid": (str, None),
            "origin": (str, None),
            "used_bytes": (int, None),
            "referenced_bytes": (int, None),
            "used_by": dict.fromkeys(("snapshots", "dataset", "children", "refreservation"), (int, None)),
            "snapshots": [
                {
                    "name": str,
                    "guid": (str, None),
                    "createtxg": (int, None),
                    "creation": (int, None),
                    "used_bytes": (int, None),
                    "referenced_bytes": (int, None),
                    "holds": (int, None),
                    "clones": [str],
                    "frozen_guests": (list, None),
                }
            ],
            "bookmarks": [{"name": str, "guid": (str, None), "createtxg": (int, None)}],
            "pins": [str],
            "shared_with_origin_bytes": (int, None),
            "guests": (list, None),
            "guests_with_children": (int, None),
        }
    ],
}

FAMILY: Shape = {
    "tool": str,
    "kind": (str, None),
    "peer": (str, None),
    "count": int,
    "oldest": int,
    "newest": int,
    "period_s": (int, None),
    "is_late": bool,
    "gaps": [{"start": int, "end": int, "missed": int}],
}
KEPT: Shape = {
    "kind": str,
    "wanted": int,
    "there": int,
    "prunes_now": [str],
    "next_to_go": (str, None),
    "next_at": (*NUMBER, None),
}
REPLICAS: Shape = {
    "schema": int,
    "replicas": [
        {
            "source": {"host": str, "dataset": str},
            "copy": {"host": str, "dataset": str},
            "standing": str,
            "common": {"guid": str, "source": str, "copy": str, "creation": int},
            "older_common": (str, None),
            "newest": (str, None),
            "behind": int,
            "behind_s": int,
            "behind_bytes": (int, None),
            "own": int,
            "is_on_one_pool": bool,
        }
    ],
    "bases": [{"host": str, "name": str, "reason": str}],
    "hosts": [
        {
            "host": str,
            "datasets": [
                {
                    "name": str,
                    "type": str,
                    "snapshots": int,
                    "families": [FAMILY],
                    "sanoid": ([KEPT], None),
                    "is_receive_cut": bool,
                    "cut_receive": (
                        {
                            "name": (str, None),
                            "guid": (str, None),
                            "from_guid": (str, None),
                            "received_bytes": (int, None),
                        },
                        None,
                    ),
                }
            ],
        }
    ],
    "findings": [JUDGED],
    "problems": [{"of": str, "reason": str}],
}

FREED: Shape = {"lower_bytes": int, "upper_bytes": int, "is_exact": bool}
RECLAIM: Shape = {
    "schema": int,
    "host": str,
    "dataset": str,
    "need_bytes": int,
    "order": str,
    "is_enough": bool,
    "is_fewest": (bool, None),
    "frees": FREED,
    "snapshots": [
        {
            "name": str,
            "guid": (str, None),
            "createtxg": (int, None),
            "creation": (int, None),
            "used_bytes": (int, None),
        }
    ],
    "datasets": [{"name": str, "snapshots": int, "ranges": [str], "frees": FREED}],
    "kept": [{"name": str, "reason": str, "detail": str}],
    "all_frees": FREED,
    "pool_saves_bytes": (int, None),
    "unseen": [str],
}

INTENT: Shape = {"action": str, "target": str, "arguments": [str], "options": dict}
PLAN_STEP: dict[str, Shape] = {
    "argv": [str],
    "stdin": (str, None),
    "why": str,
    "checked_before": [{"name": str, "seen": str}],
    "put_back": [[str]],
}
PLAN: Shape = {
    "schema": int,
    "action": str,
    "host": str,
    "target": str,
    "risk": str,
    "confirm": (str, None),
    "reversible": bool,
    "undo": (str, None),
    "steps": [
        (
            PLAN_STEP,
            {
                **PLAN_STEP,
                "fed_by": {"host": str, "argv": [str], "size_bytes": (int, None)},
            },
        )
    ],
    "destroys": [str],
    "loses": [str],
    "frees_bytes": (int, None),
    "dependents": [{"kind": str, "name": str, "detail": str}],
    "redundancy": [
        {"vdev": str, "before": (int, None), "during": (int, None), "after": (int, None), "at_most": [str]}
    ],
    "warnings": [str],
    "refusals": [{"rule": str, "reason": str, "instead": str, "command": [str]}],
    "fingerprint": str,
    "title": str,
    "hostname": (str, None),
    "live": [str],
    "downtime": [str],
    "space": [str],
    "stays": [str],
    "notes": [str],
    "rehearsals": [{"argv": [str], "stdin": (str, None), "status": (int, None), "said": str}],
    "alternatives": [{"why": str, "intent": INTENT}],
    "secrets": [str],
    "intent": INTENT,
    "made_at": NUMBER,
    "expires": NUMBER,
    "basis": dict,
    "figures": [
        {"what": str, "measure": str, "bytes": (int, None), "least": (int, None), "most": (int, None)}
    ],
    "not_binding": [str],
}
RUN_STEP: dict[str, Shape] = {
    "argv": [str],
    "state": str,
    "status": (int, None),
    "said": str,
    "started": (*NUMBER, None),
    "ended": (*NUMBER, None),
    "settled": str,
}
RUN: Shape = {
    "schema": int,
    "id": str,
    "host": str,
    "title": str,
    "target": str,
    "state": str,
    "words": str,
    "differences": [str],
    "undo": (str, None),
    "started": (*NUMBER, None),
    "steps": [
        (RUN_STEP, {**RUN_STEP, "fed_by": {"host": str, "argv": [str]}, "sent_bytes": (int, None)}),
    ],
}
ADVICE: Shape = {"id": str, "text": str}
PLANNED_VDEV: Shape = {
    "type": str,
    "class": str,
    "count": int,
    "ashift": int,
    "drive_bytes": [int],
    "device_bytes": [int],
    "size_bytes": (int, None),
    "metaslab_bytes": (int, None),
    "metaslabs": (int, None),
    "deflate_ratio": (int, None),
}
CAPACITY_LAYOUT: Shape = {
    "schema": int,
    "layout": str,
    "pool_size_bytes": int,
    "usable_bytes": int,
    "efficiency": float,
    "recordsize_bytes": int,
    "usable_at_recordsize_bytes": int,
    "survives": {"any": int, "odds": [float]},
    "raw_bytes": int,
    "drives": int,
    "slop_bytes": int,
    "embedded_log_bytes": int,
    "vdevs": [PLANNED_VDEV],
    "block_sizes": [{"block_bytes": int, "usable_bytes": int, "efficiency": float}],
    "advice": [ADVICE],
}
PURCHASE: Shape = {
    "layout": str,
    "drives": int,
    "raw_bytes": int,
    "usable_bytes": int,
    "used_percent_at_first": float,
    "used_percent_at_end": float,
}
CAPACITY_COMPARE: Shape = {
    "schema": int,
    "recordsize_bytes": int,
    "assumptions": {
        "yearly_failures": float,
        "used": float,
        "resilver_bytes_per_s": float,
        "wait_s": NUMBER,
    },
    "wanted_usable_bytes": (int, None),
    "proposed": (str, None),
    "layouts": [
        {
            "layout": str,
            "drives": int,
            "usable_bytes": int,
            "usable_at_recordsize_bytes": int,
            "is_enough": (bool, None),
            "efficiency": float,
            "survives": {"any": int, "odds": [float]},
            "yearly_loss": float,
            "resilver_s": (float, None),
            "speed": dict.fromkeys(
                ("random_reads", "random_writes", "stream_reads", "stream_writes"), NUMBER
            ),
            "price": (float, None),
            "price_per_tib": (float, None),
            "watts": (float, None),
            "watts_per_tib": (float, None),
            "next_steps": [{"how": str, "drives": int, "gained_bytes": int}],
            "advice": [ADVICE],
        }
    ],
}
CAPACITY_WHAT_IF: Shape = {
    "schema": int,
    "host": str,
    "pool": str,
    "what": str,
    "size_before_bytes": int,
    "size_after_bytes": int,
    "usable_before_bytes": int,
    "usable_after_bytes": int,
    "used_before_bytes": int,
    "used_after_bytes": int,
    "unexplained_bytes": int,
    "duration_s": (*NUMBER, None),
    "notes": [str],
    "spread": [{"vdev": str, "part": float, "used": float}],
    "stages": [
        {"what": str, "survives": int, "duration_s": (*NUMBER, None), "is_offline": bool},
    ],
}
CAPACITY_NEED: Shape = {
    "schema": int,
    "data_bytes": int,
    "factors": [{"name": str, "value": float, "why": str}],
    "exact_tb_per_tib": float,
    "product_per_system": float,
    "rule_per_system": int,
    "raw_bytes_per_system": int,
    "systems": int,
    "product": float,
    "rule": int,
    "raw_bytes": int,
    "usable_bytes_per_system": int,
    "purchase": (PURCHASE, None),
}
JOURNAL: Shape = {
    "schema": int,
    "id": str,
    "started": NUMBER,
    "ended": (*NUMBER, None),
    "who": str,
    "origin": str,
    "host": str,
    "hostname": (str, None),
    "machine_id": (str, None),
    "host_key": (str, None),
    "action": str,
    "intent": INTENT,
    "title": str,
    "target": str,
    "risk": str,
    "fingerprint": str,
    "state": str,
    "words": str,
    "destroys": [str],
    "undo": (str, None),
    "steps": [
        {
            "argv": [str],
            "sent_argv": [str],
            "why": str,
            "stdin_sha256": (str, None),
            "state": str,
            "sent": (*NUMBER, None),
            "ended": (*NUMBER, None),
            "status": (int, None),
            "said": str,
            "settled": str,
        }
    ],
    "problem": str,
}


def mismatch(value: object, shape: object, where: str = "$") -> str:
    """The first place where a value is not of a shape; empty when it is."""
    if isinstance(shape, tuple):
        reasons = [mismatch(value, each, where) for each in shape]
        return "" if "" in reasons else "; ".join(reasons)
    if shape is None:
        return "" if value is None else f"{where}: {value!r} is not null"
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where}: {value!r} is no list"
        return next(
            filter(None, (mismatch(one, shape[0], f"{where}[{at}]") for at, one in enumerate(value))), ""
        )
    if isinstance(shape, dict):
        if not isinstance(value, dict) or list(value) != list(shape):
            return f"{where}: expected the keys {list(shape)}, got {value!r}"
        return next(filter(None, (mismatch(value[key], shape[key], f"{where}.{key}") for key in shape)), "")
    assert isinstance(shape, type)
    is_right = isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
    return "" if is_right else f"{where}: {value!r} is no {shape.__name__}"


DATASET_USE: Shape = {"name": str, "live_bytes": int, "snapshots_bytes": (int, None)}
ALERT: Shape = {
    "schema": int,
    "message_id": str,
    "phase": str,
    "severity": str,
    "host": str,
    "pool": (str, None),
    "subject": str,
    "id": str,
    "words": str,
    "what_to_do": (str, None),
    "since": (*NUMBER, None),
    "at": NUMBER,
    "title": str,
    "text": str,
}
SPACE_SAMPLE: Shape = {
    "schema": int,
    "host": str,
    "pool": str,
    "guid": str,
    "at": int,
    "used_bytes": int,
    "available_bytes": int,
    "usable_bytes": int,
    "used_percent": (*NUMBER, None),
    "size_bytes": (int, None),
    "allocated_bytes": (int, None),
    "free_bytes": (int, None),
    "datasets": [DATASET_USE],
}
BASIS: Shape = {
    "source": str,
    "values": int,
    "from": (int, None),
    "to": (int, None),
    "evidence": [str],
}
TREND: Shape = {
    "bytes_per_day": int,
    "low_bytes_per_day": int,
    "high_bytes_per_day": int,
    "changed_lately": bool,
    "shape": (str, None),
    "month_bytes": (int, None),
    "year_bytes": (int, None),
    "jumps": [{"at": int, "bytes": int}],
    "weekdays_bytes": ([int], None),
    "ahead": [{"at": int, "low_bytes": int, "likely_bytes": int, "high_bytes": int}],
}
REACHES: Shape = {
    "percent": int,
    "level_bytes": int,
    "reached": bool,
    "earliest": (int, None),
    "likely": (int, None),
    "latest": (int, None),
}
GROWING: Shape = {
    "since": int,
    "datasets": [
        {
            "name": str,
            "bytes_per_day": int,
            "live_bytes_per_day": int,
            "snapshots_bytes_per_day": (int, None),
        }
    ],
}
FORECAST: Shape = {
    "schema": int,
    "host": str,
    "pool": str,
    "at": int,
    "used_bytes": int,
    "usable_bytes": int,
    "used_percent": (*NUMBER, None),
    "basis": (BASIS, None),
    "too_little": (str, None),
    "confidence": (float, None),
    "trend": (TREND, None),
    "reaches": [REACHES],
    "growing": (GROWING, None),
    "notes": [str],
    "guests_when_full": (
        [{"guest": str, "disks": [str], "effect": str, "has_reserved": bool}],
        None,
    ),
}
