"""Settings of file systems and volumes, as `zfs list` prints them."""

from __future__ import annotations

import pytest

from tests.zfs.recorded import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.zfs.settings.dataset_settings import (
    columns,
    list_dataset_settings,
    parse_dataset_settings,
)

OLD = ZfsVersion("zfs-2.1.11-1", "zfs-kmod-2.1.11-1")
NEW = ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1")
VALUES = {
    "name": "tank/a b",
    "type": "filesystem",
    "used": "9",
    "available": "8",
    "usedbydataset": "7",
    "referenced": "6",
    "usedbysnapshots": "5",
    "volsize": "-",
    "volblocksize": "-",
    "recordsize": "131072",
    "compression": "lz4",
    "checksum": "on",
    "sync": "standard",
    "dedup": "off",
    "copies": "1",
    "atime": "on",
    "relatime": "off",
    "xattr": "on",
    "acltype": "posix",
    "primarycache": "none",
    "quota": "0",
    "refquota": "0",
    "reservation": "0",
    "refreservation": "4",
    "origin": "-",
    "readonly": "on",
    "creation": "1800000000",
    "snapshots_changed": "1800000001",
    "special_small_blocks": "32768",
}


def line(version: ZfsVersion = NEW, **values: str) -> str:
    given = VALUES | values
    return "\t".join(given[name] for name in columns(version)) + "\n"


def test_one_pool_is_asked_for_what_its_release_has() -> None:
    assert ("--", "tank") == list_dataset_settings("tank", OLD).argv[-2:]
    assert "snapshots_changed" not in " ".join(list_dataset_settings("tank", OLD).argv)
    assert (
        list_dataset_settings("tank", NEW)
        .argv[-3]
        .endswith(",creation,snapshots_changed,special_small_blocks")
    )


def test_each_column_has_its_value() -> None:
    (found,) = parse_dataset_settings(line(), NEW)

    assert "tank/a b" == found.name
    assert "tank" == found.parent
    assert (9, 8, 7, 6, 5) == (
        found.used_bytes,
        found.available_bytes,
        found.own_bytes,
        found.referenced_bytes,
        found.by_snapshots_bytes,
    )
    assert 131072 == found.recordsize_bytes
    assert "none" == found.primarycache
    assert (None, 4) == (found.quota_bytes, found.refreservation_bytes)
    assert found.is_read_only
    assert 1_800_000_001 == found.snapshots_changed
    assert found.tells_snapshots_changed
    assert 32768 == found.special_small_blocks_bytes


@pytest.mark.parametrize("version", [OLD, NEW])
def test_an_older_recording_lacks_the_newest_column(version: ZfsVersion) -> None:
    (found,) = parse_dataset_settings(line(version).rpartition("\t")[0] + "\n", version)

    assert found.special_small_blocks_bytes is None
    assert 1_800_000_000 == found.creation


def test_before_2_3_on_is_directories() -> None:
    (old,) = parse_dataset_settings(line(OLD), OLD)
    (new,) = parse_dataset_settings(line(), NEW)
    (told,) = parse_dataset_settings(line(xattr="dir"), NEW)
    (unknown,) = parse_dataset_settings(line(OLD), ZfsVersion("zfs-2.1.11-1"))

    assert [True, False, True, None] == [each.has_directory_xattrs for each in (old, new, told, unknown)]
    assert not old.tells_snapshots_changed


@pytest.mark.parametrize(
    "wrong",
    [
        line(used="many"),
        line(type="snapshot"),
        line(compression="lz4 forged"),
        line(name=""),
        line() + line(),
        line().replace("\t", "\t\t", 1),
        line()[:-1],
    ],
)
def test_what_is_no_answer_is_refused(wrong: str) -> None:
    with pytest.raises(ParseError):
        list(parse_dataset_settings(wrong, NEW))


def test_what_a_real_zfs_prints_is_read() -> None:
    text = (CAPTURES / "live" / "2.4" / "dataset_settings.tsv").read_text()

    found = {each.name: each for each in parse_dataset_settings(text, NEW)}

    odd, child, sparse, volume = (found[f"bulk/{name}"] for name in ("a b", "a b/child", "sparse", "v8"))
    assert (True, "posix", "disabled", "off") == (
        odd.has_directory_xattrs,
        odd.acltype,
        odd.sync,
        odd.compression,
    )
    assert (104857600, 99712518) == (odd.quota_bytes, odd.used_bytes)
    assert ("off", "none", "sha512,verify", 2) == (
        child.checksum,
        child.primarycache,
        child.dedup,
        child.copies,
    )
    assert (400 << 30, 65536, None) == (
        sparse.volsize_bytes,
        sparse.volblocksize_bytes,
        sparse.refreservation_bytes,
    )
    assert (244120320, 1795466913) == (volume.refreservation_bytes, volume.snapshots_changed)
    assert "bulk/v8@one" == found["bulk/clone"].origin
    assert found["bulk/ro"].is_read_only
