"""What a guest's write costs by the size of clusters, records and volume blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import KIB, on_files, on_volume
from zconsole.analysis.guests.cluster_against_block_size import block_size_in_words
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import StoredImage


def held(record_kib: int | None, cluster_kib: int | None) -> StoredImage:
    """A qcow2 image on a dataset."""
    record = None if record_kib is None else record_kib * KIB
    cluster = None if cluster_kib is None else cluster_kib * KIB
    image = on_files("tank/vm", cluster=cluster).images[0]
    return replace(image, dataset=Dataset("tank/vm", "filesystem", recordsize_bytes=record))


@pytest.mark.parametrize(
    ("record", "cluster", "words"),
    [
        (128, 64, "clusters on recordsize 128 KiB: a write of one cluster rewrites 2 times its size"),
        (1024, 64, "rewrites 16 times its size"),
        (64, 64, "they fit, a cluster is one record"),
        (16, 64, "a cluster is 4 records; a smaller write rewrites a record of that size"),
        (128, None, "recordsize 128 KiB: a smaller write rewrites a record of that size"),
    ],
)
def test_a_cluster_is_compared_with_a_record(record: int, cluster: int | None, words: str) -> None:
    assert words in block_size_in_words(held(record, cluster))


def test_of_a_larger_record_the_size_that_suits_is_told() -> None:
    assert "recordsize=64K suits files created then" in block_size_in_words(held(128, 64))


def test_a_volume_has_its_volblocksize() -> None:
    image = replace(
        on_volume("tank/v").images[0], dataset=Dataset("tank/v", "volume", volblocksize_bytes=16 * KIB)
    )

    assert "volblocksize 16.0 KiB: a smaller write rewrites a block of that size" == block_size_in_words(
        image
    )


def test_without_the_sizes_nothing_is_said() -> None:
    assert "" == block_size_in_words(on_files("tank/vm").images[0])
    assert "" == block_size_in_words(held(None, 64))
