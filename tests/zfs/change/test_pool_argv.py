"""The argv of changes to a pool: each flag once, vdevs last, and never force."""

from __future__ import annotations

import pytest

from zconsole.zfs.change import pool_argv as zpool
from zconsole.zfs.change.pool_argv import ActivityControl


@pytest.mark.parametrize(
    ("expected", "argv"),
    [
        ("zpool scrub tank", zpool.start_scrub("tank")),
        ("zpool scrub -p tank", zpool.pause_scrub("tank")),
        ("zpool scrub -s tank", zpool.stop_scrub("tank")),
        ("zpool clear tank", zpool.clear("tank")),
        ("zpool clear tank 77", zpool.clear("tank", "77")),
        ("zpool offline tank 77", zpool.offline("tank", "77")),
        ("zpool offline -t tank 77", zpool.offline("tank", "77", temporary=True)),
        ("zpool offline -f tank 77", zpool.offline("tank", "77", fault=True)),
        ("zpool online tank 77", zpool.online("tank", "77")),
        ("zpool online -e tank 77", zpool.online("tank", "77", expand=True)),
        ("zpool initialize tank 77 78", zpool.initialize("tank", ["77", "78"], ActivityControl.START)),
        ("zpool initialize -s tank 77", zpool.initialize("tank", ["77"], ActivityControl.SUSPEND)),
        ("zpool trim -c tank", zpool.trim("tank", [], ActivityControl.CANCEL)),
        ("zpool checkpoint tank", zpool.checkpoint("tank")),
        ("zpool checkpoint -d tank", zpool.discard_checkpoint("tank")),
        ("zpool set autotrim=on tank", zpool.set_property("tank", "autotrim", "on")),
        ("zpool upgrade tank", zpool.upgrade("tank")),
        ("zpool export tank", zpool.export("tank")),
        ("zpool destroy tank", zpool.destroy_pool("tank")),
    ],
)
def test_a_command_is_as_it_is_typed(expected: str, argv: tuple[str, ...]) -> None:
    assert expected == " ".join(argv)


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        ("zpool import -N 77", {}),
        ("zpool import -N 77 new", {"new_name": "new"}),
        ("zpool import -N -D 77", {"destroyed": True}),
        ("zpool import -N -f 77", {"force": True}),
        ("zpool import -N -m 77", {"without_log": True}),
        ("zpool import -N -o readonly=on -R /mnt 77", {"read_only": True, "altroot": "/mnt"}),
    ],
)
def test_an_import_is_by_guid_and_mounts_nothing(expected: str, options: dict[str, bool]) -> None:
    assert expected == " ".join(zpool.import_pool(77, **options))  # type: ignore[arg-type]
