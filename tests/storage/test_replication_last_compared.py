"""What a comparison found is read back as it was, host by host."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Finding, Severity
from zconsole.storage.replication_last_compared import (
    ComparisonUnread,
    comparison_path,
    known_comparisons,
    remember_comparison,
)

HOSTS = '{"schema": 1, "hosts": [{"host": "a", %s}]}'
SEEN = ReplicationSeen(
    "nas1",
    1.5,
    (
        Finding(
            "dataset-no-copy",
            Severity.INFO,
            "nas1 tank",
            "1 dataset",
            {"pool": "tank", "host": "nas1", "datasets": ("tank/a",), "limit_s": 3, "x": None},
        ),
    ),
    (("tank/copy", 7),),
    ("tank/b",),
)


def test_it_is_read_back_as_it_was(tmp_path: Path) -> None:
    remember_comparison((SEEN,), tmp_path / "x.json")

    assert (SEEN,) == known_comparisons(tmp_path / "x.json")


def test_another_comparison_replaces_that_of_its_hosts_alone(tmp_path: Path) -> None:
    path, other = tmp_path / "x.json", replace(SEEN, host="nas2")
    remember_comparison((SEEN, other), path)
    newer = replace(SEEN, seen_at=2.5, findings=())

    remember_comparison((newer,), path)

    assert (other, newer) == known_comparisons(path)


def test_without_a_file_nothing_is_known() -> None:
    assert not comparison_path().exists()
    assert () == known_comparisons()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"schema": 2, "hosts": []}',
        '{"schema": 1, "hosts": [{"host": 3}]}',
        HOSTS % '"seen_at": true, "findings": [], "received": [], "sent": []',
        HOSTS % '"seen_at": 1, "findings": [{"id": 3}], "received": [], "sent": []',
        HOSTS % '"seen_at": 1, "findings": [], "received": [["a"]], "sent": []',
        HOSTS % '"seen_at": 1, "findings": [], "received": [], "sent": 3',
    ],
)
def test_a_file_that_is_wrong_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)

    with pytest.raises(ComparisonUnread):
        known_comparisons(tmp_path / "x.json")
