"""Hexadecimal numbers of error reports are told in words."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.model.pools.event import Event
from zconsole.views.layout.styled_text import plain
from zconsole.views.pools.event_list_and_detail import event_words, fields
from zconsole.views.pools.event_numbers_in_words import field_words, number_words
from zconsole.zfs.listing.events import parse_events


def event(event_class: str, **numbers: str) -> Event:
    told = (("vdev_path", "/dev/disk/by-id/ata-X-part1"), *numbers.items())
    return Event(0.0, f"ereport.fs.zfs.{event_class}", "tank", 1, told)


@pytest.mark.parametrize(
    ("expected", "made"),
    [
        ("ata-X-part1 I/O took 31.2 s", event("delay", zio_err="0x0", zio_delay="0x743aa3800")),
        ("ata-X-part1 I/O took 140 ms", event("deadman", zio_delay="0x8583b00")),
        ("ata-X-part1 I/O error (EIO), 14 read errors, 210 write errors",
         event("io", zio_err="0x5", vdev_read_errors="0xe", vdev_write_errors="0xd2", zio_delay="0x98b96")),
        ("ata-X-part1 I/O error (EIO), I/O took 31.2 s", event("io", zio_err="5", zio_delay="0x743aa3800")),
        ("ata-X-part1 checksum mismatch (ECKSUM), 1 checksum error",
         event("checksum", zio_err="0x34", vdev_cksum_errors="0x1", vdev_delays="0x0")),
        ("ata-X-part1 no such device (ENXIO)", event("probe_failure", zio_err="0x6")),
        ("ata-X-part1 error 999", event("io", zio_err="0x3e7")),
        ("ata-X-part1", event("io", zio_err="0x0", vdev_read_errors="0x0")),
        ("ata-X-part1", event("io", zio_err="five", vdev_read_errors="0x" + "f" * 99, zio_delay="-1")),
    ],
)  # fmt: skip
def test_an_event_in_a_line(expected: str, made: Event) -> None:
    assert expected == event_words(made)


def test_each_field_has_the_number_of_zfs_and_its_meaning() -> None:
    shown = [plain(each) for each in fields(event("delay", zio_delay="0x743aa3800", zio_size="0x20000"))]

    assert ["zio_delay   0x743aa3800  I/O took 31.2 s", "zio_size    0x20000"] == shown[-2:]


def test_error_reports_of_real_pools_have_no_hexadecimal_numbers() -> None:
    text = (CAPTURES / "2.4" / "data-errors" / "zpool_events_v.txt").read_text()
    reports = [each for each in parse_events(text) if each.event_class == "ereport.fs.zfs.checksum"]

    assert reports
    assert all("checksum mismatch (ECKSUM)" in event_words(each) for each in reports)
    assert not any("0x" in words for each in reports for words in number_words(each))


def test_a_counter_of_another_field_has_no_words() -> None:
    assert "" == field_words("zio_offset", "0x2a0f1000000")
