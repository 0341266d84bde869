"""Metric families of a moment in the types of Prometheus's client library.

A value that is not known, or was read too long ago, has no sample: it is never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from zconsole.base.errors import shortened
from zconsole.base.escape_control_characters import visible
from zconsole.reports.prometheus.host_metrics import FAMILIES, samples_of
from zconsole.reports.prometheus.metric_family_and_sample import MetricFamily
from zconsole.views.host_states_with_findings import View

LONGEST_LABEL: Final = 200  # characters; a device's name has at most some 100


def metric_families(view: View) -> Iterator[Metric]:
    """Every family that has a sample; two samples with the same labels are one."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for sample in samples_of(view):
        labels = tuple(shortened(visible(each), LONGEST_LABEL) for each in sample.labels)
        found.setdefault(sample.family.name, {}).setdefault(labels, float(sample.value))
    for family in FAMILIES:
        of_family = found.get(family.name)
        if of_family:
            yield _metric(family, of_family.items())


def _metric(family: MetricFamily, samples: Iterable[tuple[Sequence[str], float]]) -> Metric:
    kind = CounterMetricFamily if family.is_counter else GaugeMetricFamily
    metric = kind(family.name, family.help, labels=family.labels)
    for labels, value in samples:
        metric.add_metric(list(labels), value)
    return metric
