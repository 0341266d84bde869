"""Links to the devices of volumes, as `ls -lR /dev/zvol` lists them."""

from __future__ import annotations

from zconsole.system.disk_by_id import parse_links
from zconsole.system.volume_links import devices_by_link, volumes_by_device

LISTED = """\
/dev/zvol:
total 0
drwxr-xr-x 2 root root 60 Nov 20 06:00 tank

/dev/zvol/tank:
total 0
lrwxrwxrwx 1 root root 9 Nov 20 06:00 my+db -> ../../zd0
lrwxrwxrwx 1 root root 11 Nov 20 06:00 my+db-part1 -> ../../zd0p1
lrwxrwxrwx 1 root root 9 Nov 20 06:00 by-hand -> ../../sda
"""
LINKS = parse_links(LISTED)


def test_a_volume_has_its_own_name_and_partitions_are_none() -> None:
    volumes = volumes_by_device(LINKS)

    assert "tank/my db" == volumes["zd0"]
    assert "zd0p1" not in volumes


def test_a_link_leads_to_the_device_of_a_volume_or_it_is_not_told() -> None:
    expected = {"/dev/zvol/tank/my+db": "/dev/zd0", "/dev/zvol/tank/my+db-part1": "/dev/zd0p1"}
    assert expected == devices_by_link(LINKS)
    assert {} == devices_by_link([("/dev/disk/by-id/wwn-1", "zd0")])
