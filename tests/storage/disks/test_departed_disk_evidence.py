"""Evidence on devices in a file: the newest of each, whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import DiskHealth, EarlierHealth, HealthRecord, Unreadable
from zconsole.model.repair import Certainty, RepairCause
from zconsole.storage.disks.departed_disk_evidence import KEPT_S, DiskEvidenceStore, DiskEvidenceStoreError

NOW = 1_800_000_000.0
TANK = 2**64 - 1
SICK = DiskHealth(protocol="ATA", pending=24)
ONE = DeviceEvidence(
    TANK, 2**64 - 3, NOW,
    HealthRecord(("wwn", "0x5"), SICK, NOW - 5, SICK, NOW - 5, EarlierHealth(DiskHealth(), 86400.0)),
    (KernelMessage(NOW - 9, "Medium Error", MessageKind.MEDIUM, ("sda",)),),
    Count(4), Count(486, is_rounded=True), None, RepairCause.DISK, Certainty.SURE, "the disk",
)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> DiskEvidenceStore:
    return DiskEvidenceStore(tmp_path / "kept" / "disk-evidence.sqlite")


def test_what_is_kept_comes_back_whole_for_its_device_alone(store: DiskEvidenceStore) -> None:
    silent = replace(ONE, leaf_guid=4, record=HealthRecord(("wwn", "0x6"), Unreadable.NO_ANSWER, NOW))
    store.add([ONE, silent])

    assert (ONE,) == store.known([ONE.key])
    assert (ONE, silent) == store.known([ONE.key, silent.key])
    assert () == store.known([(7, 4)])


def test_nothing_is_known_and_no_file_made_before_the_first(store: DiskEvidenceStore) -> None:
    store.add([])

    assert () == store.known([ONE.key])
    assert not store.path.exists()


def test_what_is_old_is_forgotten(store: DiskEvidenceStore) -> None:
    store.add([ONE])
    store.add([replace(ONE, leaf_guid=4, at=NOW + KEPT_S + 60)])

    assert () == store.known([ONE.key])


def test_a_damaged_file_is_a_sentence(store: DiskEvidenceStore) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"this is no database, but it is long enough" * 40)

    with pytest.raises(DiskEvidenceStoreError, match="cannot be read"):
        store.known([ONE.key])


@pytest.mark.parametrize("data", ["{", '{"pool_guid": 1}', '"x"'])
def test_a_damaged_row_is_a_sentence(store: DiskEvidenceStore, data: str) -> None:
    store.add([ONE])
    with closing(sqlite3.connect(store.path)) as raw, raw:
        raw.execute("UPDATE evidence SET data = ?", (data,))

    with pytest.raises(DiskEvidenceStoreError, match="cannot be read"):
        store.known([ONE.key])


def test_a_time_beyond_the_calendar_is_damage(store: DiskEvidenceStore) -> None:
    store.add([ONE])
    with closing(sqlite3.connect(store.path)) as raw, raw:
        raw.execute("UPDATE evidence SET data = replace(data, '1800000000.0', '9e99')")

    with pytest.raises(DiskEvidenceStoreError, match="a time in it"):
        store.known([ONE.key])
