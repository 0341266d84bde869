"""The serial number at the end of a device's name."""

from __future__ import annotations

import pytest

from zconsole.views.layout.escape_measure_cut_text import middle
from zconsole.views.layout.serial_in_device_name import serial_at_end, with_serials


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (("ZC13A0R7", "ZC13A0R7"), "ata-ST4000NM0035-1V4107_ZC13A0R7"),
        (("ZC13A0R7", "ZC13A0R7"), "tank ata-ST4000NM0035-1V4107_ZC13A0R7"),
        (("ZC13A0R7", "ZC13A0R7-part3"), "ata-ST4000NM0035-1V4107_ZC13A0R7-part3"),
        (("WD-WCC7K1234567", "WD-WCC7K1234567"), "ata-WDC_WD40EFRX-68N32N0_WD-WCC7K1234567"),
        (("S7KHNJ0W123456X", "S7KHNJ0W123456X_1"), "nvme-Samsung_SSD_990_PRO_2TB_S7KHNJ0W123456X_1"),
        (("5758323", "5758323-0:0"), "usb-WD_Elements_25A2_5758323-0:0"),
        (("", ""), "ata-QEMU_HARDDISK_00000000"),
        (("", ""), "wwn-0x5000c500a1b2c3d4"),
        (("", ""), "tank/a_dataset_with_underscores"),
        (("", ""), "/dev/disk/by-id/ata-ST4000NM0035-1V4107_ZC13A0R7"),
    ],
)
def test_the_serial_number_is_the_last_part_of_a_name(expected: tuple[str, str], name: str) -> None:
    assert expected == serial_at_end(name)


@pytest.mark.parametrize("cells", range(9, 33))
def test_a_serial_number_is_whole_wherever_it_fits(cells: int) -> None:
    shown = middle("ata-ST4000NM0035-1V4107_ZC13A0R7", cells)

    assert shown.endswith("ZC13A0R7")
    assert len(shown) <= cells


@pytest.mark.parametrize(
    ("expected", "cells"),
    [("ata…ZC13A0R7-part3", 18), ("…ZC13A0R7…", 12), ("ZC13A0R7", 9), ("ZC13A0R7", 8), ("…13A0R7", 7)],
)
def test_the_partition_gives_way_before_the_serial_number(expected: str, cells: int) -> None:
    assert expected == middle("ata-ST4000NM0035-1V4107_ZC13A0R7-part3", cells)


def test_a_sentence_names_disks_by_their_serial_numbers() -> None:
    sentence = (
        "tank: ata-ST4000-1V_ZC13A01K has 8 errors; spare ata-ST4000-1V_ZC13B0T4-part3, nvme-A_B_S7KHNJ0W_1."
    )

    assert "tank: ZC13A01K has 8 errors; spare ZC13B0T4, S7KHNJ0W." == with_serials(sentence)


def test_paths_in_a_sentence_stay_as_they_are() -> None:
    sentence = "use /dev/disk/by-id/ata-ST4000-1V_ZC13A01K"

    assert sentence == with_serials(sentence)
