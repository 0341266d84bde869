"""Mean sizes of requests."""

from __future__ import annotations

from zconsole.model.pools.dataset_io import DatasetIo


def test_a_mean_size_is_unknown_without_requests() -> None:
    io = DatasetIo("tank/a", read_ops=4.0, write_ops=0.0, read_bytes=8192.0, write_bytes=0.0)

    assert 2048.0 == io.read_size
    assert io.write_size is None
