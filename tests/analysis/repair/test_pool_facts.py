"""What is known of a pool's devices for a repair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import facts_of, trouble_at
from tests.doubles.shelves import leaf


@pytest.mark.parametrize(
    ("devid", "serial"),
    [
        ("ata-ST8000NM000A-2KE101_ZL2F0B07-part1", "ZL2F0B07"),
        ("scsi-35000c500a0000001-part1", ""),  # the WWN, which is not printed as a serial number
        (None, ""),
    ],
)
def test_a_disk_that_is_gone_is_known_by_its_devid_where_its_name_has_no_serial(
    devid: str | None, serial: str
) -> None:
    gone = replace(leaf(1, "REMOVED"), name="wwn-0x5000c500a0000001", devid=devid)
    facts = facts_of(trouble_at(group("mirror-0", leaf(0), gone), gone=(1,)))

    (found,) = (each.vdev for each in facts.devices.values() if each.vdev.name == gone.name)

    assert serial == facts.identity(found).serial
