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
    "state": str,
    "percent": (*NUMBER, None),
    "errors": (int, None),
    "repaired_bytes": (int, None),
    "start": (int, None),
    "end": (int, None),
}
ACTIVITY: Shape = {"kind": str, "vdev": (str, None), "state": str, "percent": (*NUMBER, None)}
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
    "activities": ([ACTIVITY], None),
    "vdevs": ([VDEV], None),
}
FINDING: Shape = {"id": str, "severity": str, "subject": str, "summary": str, "evidence": dict}
IMPORTABLE: Shape = {"name": str, "guid": str, "state": str, "last_host": (str, None), "devices": [str]}
STATUS: Shape = {
    "schema": int,
    "host": str,
    "zfs_version": (str, None),
    "pools": [POOL],
    "importable": ([IMPORTABLE], None),
    "findings": [FINDING],
}
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
