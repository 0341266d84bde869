"""Metric family as a value, and a sample of one."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MetricFamily:
    """Name, help and labels of a metric family. Base units: bytes, seconds, ratios of 0 to 1."""

    name: str  # of a counter without `_total`, which the client library appends
    help: str
    labels: tuple[str, ...]
    is_counter: bool = False

    def of(self, value: float, *labels: str) -> MetricSample:
        """A sample of the family, with a value for each label."""
        return MetricSample(self, labels, value)


@dataclass(frozen=True, slots=True)
class MetricSample:
    """One value of a family."""

    family: MetricFamily
    labels: tuple[str, ...]
    value: float
