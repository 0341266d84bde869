"""`fio --output-format=json`: rates and latencies of one job."""

from __future__ import annotations

import json
import math

from zconsole.base.errors import ParseError
from zconsole.model.pools.benchmark import FioRate

TOOL = "fio"
P99 = "99.000000"
MOST_DIGITS = 20  # of 64 bits


def parse_fio(text: str) -> tuple[FioRate | None, FioRate | None]:
    """What the first job read and wrote; None for a direction without I/O. Raises ParseError."""
    start = text.find("{")  # fio prints warnings before its document
    try:
        document = json.loads(text[max(0, start) :], parse_int=_integer)
    except (ValueError, RecursionError) as error:
        raise ParseError(TOOL, 1, text[:80], "not JSON") from error
    jobs = document.get("jobs") if isinstance(document, dict) else None
    if not isinstance(jobs, list) or not jobs or not isinstance(jobs[0], dict):
        raise ParseError(TOOL, 1, text[:80], "no job in the answer")
    if jobs[0].get("error"):
        raise ParseError(TOOL, 1, str(jobs[0]["error"])[:80], "the job ended with an error")
    return _rate(jobs[0].get("read")), _rate(jobs[0].get("write"))


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("too long for a number")
    return int(digits)


def _rate(part: object) -> FioRate | None:
    """One direction; `bw_bytes` is missing before fio 3, which printed KiB/s as `bw`."""
    if not isinstance(part, dict) or not _number(part.get("total_ios")):
        return None
    bytes_per_s = _number(part.get("bw_bytes"))
    if bytes_per_s is None:
        in_kib = _number(part.get("bw"))
        bytes_per_s = None if in_kib is None else in_kib * 1024
    ios_per_s = _number(part.get("iops"))
    if bytes_per_s is None or ios_per_s is None:
        raise ParseError(TOOL, 1, "", "a direction without bw and iops")
    # latency of synchronous writes with a sync of its own is in clat too: the call returns after it
    latency = part.get("clat_ns")
    if not isinstance(latency, dict):
        return FioRate(bytes_per_s, ios_per_s)
    percentiles = latency.get("percentile")
    p99 = percentiles.get(P99) if isinstance(percentiles, dict) else None
    return FioRate(bytes_per_s, ios_per_s, _number(latency.get("mean")), _number(p99))


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number = float(value) if is_number else math.nan  # type: ignore[arg-type]
    return number if math.isfinite(number) and number >= 0 else None
