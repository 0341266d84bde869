"""Trouble on the way to several disks: what is damaged may be read again once that is cured."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from zconsole.model.finding import Finding


def with_ways_first(found: Iterable[Finding], shared: Collection[Finding]) -> Iterator[Finding]:
    """The findings; damaged data of a pool with such trouble has `is_way_first` as evidence."""
    pools = {each.evidence["pool"] for each in shared}
    for each in found:
        is_first = each.id == "data-errors" and each.evidence.get("pool") in pools
        yield replace(each, evidence={**each.evidence, "is_way_first": True}) if is_first else each
