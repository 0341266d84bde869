"""The pools that a host could import."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.zfs.recorded import CAPTURES, cuts, each
from zconsole.base.errors import ParseError
from zconsole.hosts.host import DEFAULT_TIMEOUT_S
from zconsole.model.pools.pool import ImportablePool
from zconsole.zfs.status.importable import DESTROYED, IMPORTABLE, parse_importable

LISTED = "zpool_import*.txt"
VERSIONS = ("2.1", "2.3", "2.4")


def text_of(version: str, name: str) -> str:
    return (CAPTURES / version / name).read_text()


@each(LISTED)
def test_every_recorded_pool_is_found(path: Path) -> None:
    text = path.read_text()

    found = parse_importable(text)

    assert text.count("pool: ") == len(found)
    assert all(pool.guid > 2**32 and pool.vdevs and pool.devices for pool in found)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_pool_that_can_be_imported_and_one_that_cannot(version: str) -> None:
    lone, vault = parse_importable(text_of(version, "import-missing/zpool_import.txt"))

    assert ("lone", "UNAVAIL") == (lone.name, lone.state)
    assert "One or more devices contains corrupted data." == lone.status
    assert "The pool cannot be imported due to damaged devices or data." == lone.action
    assert ["ONLINE", "UNAVAIL"] == [vdev.state for vdev in lone.vdevs]
    assert "invalid label" == lone.vdevs[1].note
    assert ("vault", "ONLINE", "") == (vault.name, vault.state, vault.status)
    assert ["mirror-0"] == [vdev.name for vdev in vault.vdevs]
    assert ("wwn-0x5000c500a0000000", "wwn-0x5000c500a0000001") == vault.devices


@pytest.mark.parametrize("version", VERSIONS)
def test_every_class_is_told_though_some_without_a_state(version: str) -> None:
    (pool,) = parse_importable(text_of(version, "checksum-errors/zpool_import_listing.txt"))

    assert [
        ("mirror-0", "data", "ONLINE"),
        ("mirror-1", "data", "ONLINE"),
        ("mirror-2", "special", "ONLINE"),
        ("wwn-0x5000c500a0000006", "log", "OFFLINE"),
        ("wwn-0x5000c500a0000007", "cache", ""),
        ("wwn-0x5000c500a0000008", "spare", ""),
    ] == [(vdev.name, vdev.vdev_class, vdev.state) for vdev in pool.vdevs]


def test_the_host_that_holds_the_pool_is_named() -> None:
    text = (
        "   pool: tank\n     id: 42\n  state: UNAVAIL\n"
        "status: The pool is currently imported by another system.\n"
        " action: The pool must be exported from storage2.example (hostid=a1b2c3)\n"
        "\tbefore it can be safely imported.\n"
        " config:\n\n\ttank        UNAVAIL  currently in use\n\t  sdb       ONLINE\n"
    )

    (pool,) = parse_importable(text)

    assert ("storage2.example", "a1b2c3") == (pool.last_host, pool.last_hostid)
    assert None is pool.last_access
    assert pool.is_active_elsewhere


def test_when_the_pool_was_last_used_is_told_where_zfs_says_so() -> None:
    text = (
        "  pool: my pool\n    id: 42\n state: ONLINE\n"
        "status: The pool was last accessed by another system.\n"
        "\tLast accessed by storage2 (hostid=a1b2c3) at Fri Nov 20 23:52:16 2026\n"
        "config:\n\n\tmy pool     ONLINE\n\t  sdb       ONLINE\n"
    )

    (pool,) = parse_importable(text)

    assert ("storage2", "Fri Nov 20 23:52:16 2026") == (pool.last_host, pool.last_access)
    assert "my pool" == pool.name
    assert not pool.is_active_elsewhere


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_a_pool_that_another_host_did_not_export_is_known_as_such(version: str) -> None:
    (pool,) = parse_importable(text_of(version, "foreign/zpool_import.txt"))

    assert pool.is_of_another_host
    assert not pool.is_active_elsewhere
    assert not pool.is_destroyed
    assert "https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-EY" == pool.see


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_a_pool_that_was_destroyed_is_known_as_such(version: str) -> None:
    pools = parse_importable(text_of(version, "importable/zpool_import_D.txt"))

    assert pools
    assert all(pool.is_destroyed and not pool.is_of_another_host for pool in pools)


def test_a_host_without_a_hostid_is_told_so() -> None:
    text = (
        "  pool: tank\n    id: 42\n state: UNAVAIL\n"
        "status: The pool has the multihost property on.  It cannot\n"
        "\tbe safely imported when the system hostid is not set.\n"
        "action: Set a unique system hostid with the zgenhostid(8) command.\n"
        "   see: https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-EY\n"
        "config:\n\n\ttank        UNAVAIL  currently in use\n\t  sdb       ONLINE\n"
    )

    (pool,) = parse_importable(text)

    assert pool.wants_hostid
    assert not pool.is_of_another_host


def test_a_destroyed_pool_and_unknown_devices_are_kept_as_zfs_says() -> None:
    text = (
        "  pool: tank\n    id: 42\n state: DEGRADED (DESTROYED)\ncomment: config: x\n"
        "config:\n\n\ttank        DEGRADED\n\t  sdb       ONLINE\n"
        "\n\tAdditional devices are known to be part of this pool, though their\n"
        "\texact configuration cannot be determined.\n"
    )

    (pool,) = parse_importable(text)

    assert "DEGRADED (DESTROYED)" == pool.state
    assert ("sdb",) == pool.devices


@pytest.mark.parametrize("text", ["", "no pools available to import\n"])
def test_nothing_to_import_is_an_empty_answer(text: str) -> None:
    assert () == parse_importable(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("cannot open '/dev/sdb'\n", "expected `pool:`"),
        ("  pool: tank\n    id: 42\n", "no id, state or config"),
        ("  pool: tank\n    id: x\n state: ONLINE\nconfig:\n\n\ttank  ONLINE\n", "expected a guid"),
        ("  pool: tank\n    id: 42\n state: ONLINE\nconfig:\n\n", "no tree"),
        (
            "  pool: tank\n    id: 42\n state: ONLINE\nconfig:\n\n\tbulk  ONLINE\n",
            "expected the line of tank",
        ),
        ("  pool: tank\n    id: 42\n state: ONLINE\nconfig:\n\n\ttank \n", "expected the line of tank"),
        ("  pool: tank\n    id: 42\n state: ONL", "truncated"),
    ],
)
def test_what_is_not_understood_is_named(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=f"zpool import, line .*{reason}"):
        parse_importable(text)


@each(LISTED)
def test_a_listing_cut_short_is_an_error_or_its_first_lines(
    path: Path, request: pytest.FixtureRequest
) -> None:
    whole = path.read_bytes()
    pools = parse_importable(whole.decode())

    for at in cuts(whole, is_long=request.config.getoption("--long"), samples=60):
        try:
            part = parse_importable(whole[:at].decode())
        except ParseError:
            continue
        told, full = summary(part), summary(pools)
        assert full[: len(told)] == told, f"cut at byte {at}"
        assert {vdev.name for pool in part for top in pool.vdevs for vdev in top.walk()} <= {
            vdev.name for pool in pools for top in pool.vdevs for vdev in top.walk()
        }


def summary(pools: tuple[ImportablePool, ...]) -> list[tuple[str, int, str]]:
    return [(pool.name, pool.guid, pool.state) for pool in pools]


def test_the_scan_of_every_disk_is_given_time() -> None:
    assert ("zpool", "import") == IMPORTABLE.argv
    assert ("zpool", "import", "-D") == DESTROYED.argv
    assert DEFAULT_TIMEOUT_S < IMPORTABLE.timeout_s == DESTROYED.timeout_s
