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


@pytest.mark.parametrize(("record", "cluster"), [(128, 64), (1024, 64), (64, 64), (16, 64)])
def test_a_write_costs_a_record_whatever_the_clusters_are(record: int, cluster: int) -> None:
    """QEMU passes a write to an allocated cluster on as it is: the rule recordsize-image says so too."""
    told = block_size_in_words(held(record, cluster))

    assert told.startswith(block_size_in_words(held(record, None)))
    assert "qcow2 grows by clusters of 64.0 KiB, and writes what the guest writes" in told
    assert "recordsize=" not in told


def test_a_new_cluster_of_an_overlay_is_copied_from_the_image_below() -> None:
    stored = held(128, 64)
    overlay = replace(stored, image=replace(stored.image, backing="base.qcow2"))

    assert "for which the first write copies the rest of it from the image below" in block_size_in_words(
        overlay
    )


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
