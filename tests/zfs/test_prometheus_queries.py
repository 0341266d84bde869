"""PromQL for the space of pools and datasets; a name cannot leave its quotes."""

from __future__ import annotations

import pytest

from zconsole.zfs.prometheus_queries import MetricKind, in_snapshots, live_data, pool_metrics, quoted


def test_the_most_exact_metric_is_asked_for_first() -> None:
    found = pool_metrics("tank", 'job="zfs"', 3600)

    assert [MetricKind.USED, MetricKind.AVAILABLE, MetricKind.ALLOCATED] == [each.measure for each in found]
    assert 'max(last_over_time(zfs_dataset_used_bytes{name="tank",job="zfs"}[3600s]))' == found[0].promql


def test_file_systems_below_a_pool_are_not_those_of_a_longer_name() -> None:
    available = pool_metrics("tank.1", "x", 60)[1].promql

    assert 'device=~"tank\\\\.1(/.*)?"' in available


def test_what_datasets_take_is_told_by_name() -> None:
    live, kept = live_data("tank", "x", 60), in_snapshots("tank", "x", 60)

    assert live.startswith("max by (name) (last_over_time({__name__=")
    assert '__name__=~"zfs_dataset_used_by_snapshots?_bytes"' in kept
    assert 'pool="tank"' in live


@pytest.mark.parametrize(
    ("expected", "text"), [('"a"', "a"), ('"a\\"b"', 'a"b'), ('"a\\\\b"', "a\\b"), ('"a\\nb"', "a\nb")]
)
def test_a_text_is_quoted_as_promql_wants_it(expected: str, text: str) -> None:
    assert expected == quoted(text)
