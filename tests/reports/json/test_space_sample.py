"""One sample of a pool as JSON."""

from __future__ import annotations

from zconsole.model.pools.space_samples import DatasetUse, SpaceSample
from zconsole.reports.json.space_sample import sample_document


def test_a_guid_is_text_and_what_is_not_known_is_null() -> None:
    sample = SpaceSample(1.4, "nas1", "tank", 1 << 63, used_bytes=10, available_bytes=30,
                         datasets=(DatasetUse("tank/a", 9, None),))  # fmt: skip

    document = sample_document(sample)

    assert (1, str(1 << 63), 25.0, None) == tuple(
        document[key] for key in ("at", "guid", "used_percent", "size_bytes")
    )
    assert [{"name": "tank/a", "live_bytes": 9, "snapshots_bytes": None}] == document["datasets"]


def test_of_a_pool_without_usable_space_there_is_no_used_share() -> None:
    sample = SpaceSample(0.0, "nas1", "tank", 7, used_bytes=0, available_bytes=0)

    assert sample_document(sample)["used_percent"] is None
