"""Snapshots in streams."""

from __future__ import annotations

from dataclasses import replace

from zconsole.model.datasets.send_stream import SentSnapshot

SENT = SentSnapshot("tank/a@1", 7)


def test_a_snapshot_is_whole_only_where_its_end_was_seen() -> None:
    assert not SENT.is_whole
    assert replace(SENT, length_bytes=0).is_whole


def test_its_dataset_is_the_one_of_the_sender() -> None:
    assert "tank/a" == SENT.dataset
