"""What kernel messages say of a disk: the disk, the way to it, or nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conftest import CAPTURES
from tests.doubles.shelves import blank
from zconsole.analysis.vdevs.kernel_evidence_on_disk import KernelEvidence, KernelLog
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind
from zconsole.model.pools.shelf_and_disk_path import DiskPath
from zconsole.system.kernel_messages import parse_dmesg

K = MessageKind
SDA = replace(blank(0), hctl="6:0:3:0")
PATH = DiskPath("sda", "0000:00:17.0", "host2", "ata3")


def said(*kinds: MessageKind, name: str = "sda", start: float = 100.0) -> list[KernelMessage]:
    return [KernelMessage(start + at, kind.value, kind, (name,)) for at, kind in enumerate(kinds)]


def evidence(*messages: KernelMessage, path: DiskPath | None = PATH) -> KernelEvidence | None:
    return KernelLog(messages).evidence(SDA, path)


@pytest.mark.parametrize(
    ("kinds", "blame"),
    [
        ((K.MEDIUM,), Blame.DISK),
        ((K.RESET, K.RESET, K.RESET, K.MEDIUM), Blame.DISK),
        ((K.HARDWARE, K.CRC), Blame.DISK),
        ((K.CRC,), Blame.CABLE),
        ((K.RESET, K.RESET, K.RESET), Blame.CABLE),
        ((K.TIMEOUT, K.TIMEOUT, K.RESET), None),
        ((K.RESET, K.RESET, K.RESET, K.RESET, K.GONE, K.TIMEOUT), None),
        ((K.IO,), None),
    ],
)
def test_the_disk_is_to_blame_if_it_says_so_and_else_the_way_to_it(
    kinds: tuple[MessageKind, ...], blame: Blame | None
) -> None:
    found = evidence(*said(*kinds))

    assert found is not None
    assert blame is found.blame
    assert (100.0, 100.0 + len(kinds) - 1) == (found.first_at, found.last_at)


def test_trouble_is_counted_worst_first() -> None:
    found = evidence(*said(K.RESET, K.OTHER, K.MEDIUM, K.RESET))

    assert found is not None
    assert ((K.MEDIUM, 1), (K.RESET, 2)) == found.counts
    assert 4 == len(found.messages)


@pytest.mark.parametrize("kinds", [(), (K.OTHER,), (K.ARRIVED,), (K.RESET, K.RESET)])
def test_a_boot_is_no_trouble(kinds: tuple[MessageKind, ...]) -> None:
    assert evidence(*said(*kinds)) is None


@pytest.mark.parametrize("name", ["sda", "6:0:3:0", "ata3"])
def test_a_disk_is_meant_by_each_of_its_names(name: str) -> None:
    assert evidence(*said(K.MEDIUM, name=name)) is not None


@pytest.mark.parametrize("name", ["sdb", "6:0:30:0", "ata30", "nvme0"])
def test_another_disk_is_not(name: str) -> None:
    assert evidence(*said(K.MEDIUM, name=name)) is None


def test_an_nvme_disk_is_meant_by_its_controller() -> None:
    log = KernelLog(said(K.TIMEOUT, name="nvme1"))

    assert log.evidence(replace(blank(0), name="nvme1n1", hctl=""), None) is not None
    assert log.evidence(replace(blank(0), name="nvme11n1", hctl=""), None) is None


def test_what_was_said_of_the_disk_before_is_not_said_of_the_new_one() -> None:
    """The kernel gives the name of a disk that was pulled to the next one."""
    before = said(K.MEDIUM, K.MEDIUM, K.GONE)

    assert evidence(*before, *said(K.ARRIVED, start=200.0)) is None
    found = evidence(*before, *said(K.ARRIVED, K.CRC, start=200.0))
    assert found is not None
    assert (((K.CRC, 1),), 201.0) == (found.counts, found.first_at)


REAL = CAPTURES / "live" / "2.1"
SDQ = replace(blank(0), name="sdq", hctl="3:0:0:0")


def of_kernel(name: str) -> KernelEvidence:
    found = KernelLog(parse_dmesg((REAL / name).read_text())).evidence(SDQ, None)
    assert found is not None
    return found


def test_a_failed_command_counts_once_however_many_messages_tell_of_it() -> None:
    """Three bad reads, a transfer that failed and the disk's own prediction, in 24 messages of a kernel."""
    found = of_kernel("dmesg_scsi_debug.txt")

    assert ((K.MEDIUM, 3), (K.HARDWARE, 1), (K.TIMEOUT, 1)) == found.counts
    assert Blame.DISK is found.blame


def test_resets_of_a_disk_that_does_not_answer_do_not_blame_the_cable() -> None:
    """The kernel resets it four times within a minute, and gives it up."""
    found = of_kernel("dmesg_timeouts.txt")

    assert ((K.RESET, 4), (K.TIMEOUT, 1), (K.GONE, 2)) == found.counts
    assert found.blame is None


def test_io_errors_without_messages_of_the_scsi_layer_count_each() -> None:
    text = "I/O error, dev sda, sector {} op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2"
    messages = [KernelMessage(100.0, text.format(at), K.IO, ("sda",)) for at in range(3)]
    page = KernelMessage(
        100.1, "Buffer I/O error on dev sda, logical block 5, async page read", K.IO, ("sda",)
    )

    found = evidence(*messages, page)

    assert found is not None
    assert ((K.IO, 3),) == found.counts


def test_recent_trouble_is_that_since_the_last_quiet_day_and_none_after_a_week() -> None:
    day = 86_400.0
    found = evidence(*said(K.RESET, K.RESET, K.RESET), *said(K.MEDIUM, K.MEDIUM, start=3 * day))
    assert found is not None

    recent = found.recent(4 * day)

    assert recent is not None
    assert (((K.MEDIUM, 2),), 3 * day) == (recent.counts, recent.first_at)
    assert found.recent(12 * day) is None


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("1 medium error, 2 link resets, 1970-01-01 00:01 UTC", (K.RESET, K.MEDIUM, K.RESET)),
        ("the disk was lost 2 times, 1970-01-01 00:01 UTC", (K.GONE, K.GONE)),
        ("61 timeouts, 1970-01-01 00:01 to 00:02 UTC", (K.TIMEOUT,) * 61),
    ],
)
def test_it_is_told_with_numbers_and_times(words: str, kinds: tuple[MessageKind, ...]) -> None:
    found = evidence(*said(*kinds))

    assert found is not None
    assert words == found.in_words
