"""Properties in the details of a dataset: sizes in units, everything else as ZFS has it."""

from __future__ import annotations

import pytest

from zconsole.model.datasets.dataset_details import DatasetDetails, PropertyValue
from zconsole.views.datasets.dataset_detail import _properties
from zconsole.views.layout.styled_text import plain


@pytest.mark.parametrize(
    ("told", "key", "value"),
    [
        ("quota=3.00 TiB local", "quota", "3298534883328"),
        ("refreservation=200 GiB local", "refreservation", "214748364800"),
        ("recordsize=1.00 MiB local", "recordsize", "1048576"),
        ("userquota@anna=10.0 GiB local", "userquota@anna", "10737418240"),
        ("quota=none local", "quota", "none"),
        ("copies=2 local", "copies", "2"),
        ("snapshot_limit=5000 local", "snapshot_limit", "5000"),
        ("com.example:seen=3298534883328 local", "com.example:seen", "3298534883328"),
    ],
)
def test_sizes_are_told_in_units(told: str, key: str, value: str) -> None:
    details = DatasetDetails("tank", properties=(PropertyValue(key, value, "local"),))

    assert told == plain(_properties(details, is_snapshot=False))
