"""Kernel messages of disks: lines as libata, the SCSI layer and NVMe print them, from public bug reports."""

from __future__ import annotations

import json

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind
from zconsole.system.kernel_messages import MOST_MESSAGES, parse_dmesg, parse_journal

K = MessageKind
AT = 1_795_400_000.25
LINES = [
    ("ata3.00: exception Emask 0x10 SAct 0x1000 SErr 0x400100 action 0x6 frozen", K.IO, ("ata3",)),
    ("ata3: SError: { UnrecovData Handshk }", K.CRC, ("ata3",)),
    ("ata3.00: error: { ICRC ABRT }", K.CRC, ("ata3",)),
    ("ata3.00: irq_stat 0x08000000, interface fatal error", K.CRC, ("ata3",)),
    ("ata3.00: error: { UNC }", K.MEDIUM, ("ata3",)),
    ("ata3.00: qc timeout after 5000 msecs (cmd 0xec)", K.TIMEOUT, ("ata3",)),
    ("ata3: hard resetting link", K.RESET, ("ata3",)),
    ("ata3: COMRESET failed (errno=-16)", K.RESET, ("ata3",)),
    ("ata3: limiting SATA link speed to 3.0 Gbps", K.RESET, ("ata3",)),
    ("ata3: SATA link down (SStatus 0 SControl 300)", K.GONE, ("ata3",)),
    ("ata3: SATA link up 6.0 Gbps (SStatus 133 SControl 300)", K.OTHER, ("ata3",)),
    ("ata3.00: disable device", K.GONE, ("ata3",)),
    ("sd 6:0:3:0: [sdd] tag#5 Sense Key : Medium Error [current]", K.MEDIUM, ("sdd", "6:0:3:0")),
    ("sd 6:0:3:0: [sdd] tag#5 Add. Sense: Unrecovered read error", K.MEDIUM, ("sdd", "6:0:3:0")),
    ("sd 6:0:3:0: [sdd] tag#5 Sense Key : Hardware Error [current]", K.HARDWARE, ("sdd", "6:0:3:0")),
    (
        "sd 3:0:0:0: [sdq] tag#116 Add. Sense: Failure prediction threshold exceeded",
        K.HARDWARE,
        ("sdq", "3:0:0:0"),
    ),
    ("sd 3:0:0:0: Device offlined - not ready after error recovery", K.GONE, ("3:0:0:0",)),
    ("sd 6:0:3:0: attempting task abort!scmd(0x00000000d2d3b2f7)", K.TIMEOUT, ("6:0:3:0",)),
    ("sd 6:0:3:0: Power-on or device reset occurred", K.RESET, ("6:0:3:0",)),
    (
        "sd 6:0:3:0: [sdd] tag#1 FAILED Result: hostbyte=DID_TIME_OUT driverbyte=DRIVER_OK",
        K.TIMEOUT,
        ("sdd", "6:0:3:0"),
    ),
    ("sd 6:0:3:0: rejecting I/O to offline device", K.GONE, ("6:0:3:0",)),
    ("sd 6:0:3:0: [sdd] Attached SCSI disk", K.ARRIVED, ("sdd", "6:0:3:0")),
    ("critical medium error, dev sdd, sector 1234 op 0x0:(READ) flags 0x700", K.MEDIUM, ("sdd",)),
    ("blk_update_request: I/O error, dev sdaa1, sector 2056", K.IO, ("sdaa",)),
    ("nvme nvme0: I/O 23 QID 4 timeout, aborting", K.TIMEOUT, ("nvme0",)),
    ("nvme nvme0: Removing after probe failure status: -19", K.GONE, ("nvme0",)),
    ("nvme0n1: I/O Cmd(0x2) @ LBA 0, 8 blocks, I/O Error (sct 0x2 / sc 0x81) MORE", K.IO, ("nvme0n1",)),
]


def dmesg(*words: str) -> str:
    return "".join(f"kern  :err   : 2026-11-23T02:13:20,250000+00:00 {each}\n" for each in words)


def journal(*words: str | list[int]) -> str:
    entries = ({"__REALTIME_TIMESTAMP": "1795400000250000", "MESSAGE": each, "_X": None} for each in words)
    return "".join(f"{json.dumps(each)}\n" for each in entries)


@pytest.mark.parametrize(("text", "kind", "names"), LINES, ids=[text for text, _, _ in LINES])
def test_a_line_tells_of_a_device_in_dmesg_and_in_the_journal(
    text: str, kind: MessageKind, names: tuple[str, ...]
) -> None:
    assert (KernelMessage(AT, text, kind, names),) == parse_dmesg(dmesg(text))
    assert (KernelMessage(AT, text, kind, names),) == parse_journal(journal(text))


@pytest.mark.parametrize(
    "text",
    [
        "usb 1-1: new high-speed USB device number 2 using xhci_hcd",
        "systemd[1]: Started Journal Service.",
        "mpt3sas_cm0: log_info(0x31110d00): originator(PL), code(0x11), sub_code(0x0d00)",
        "EXT4-fs (dm-0): mounted filesystem",
    ],
)
def test_what_is_of_no_disk_is_skipped(text: str) -> None:
    assert () == parse_dmesg(dmesg(text))


def test_lines_that_are_no_messages_are_skipped() -> None:
    text = "kern  :err   : [   12.5] ata3: hard resetting link\n"
    text += "kern  :err   : 2026-99-99T02:13:20,250000+00:00 ata3: x\n"
    daemon = "daemon:err   : 2026-11-23T02:13:20,250000+00:00 ata3: hard resetting link\n"

    assert () == parse_dmesg(text + daemon + "\n")
    assert 1 == len(parse_dmesg(dmesg("ata3: hard resetting link").rstrip("\n")))


def test_the_newest_are_kept() -> None:
    found = parse_dmesg(dmesg(*(f"ata1: hard resetting link {at}" for at in range(MOST_MESSAGES + 5))))

    assert MOST_MESSAGES == len(found)
    assert found[-1].text.endswith(str(MOST_MESSAGES + 4))


def test_a_message_of_bytes_is_skipped_and_another_document_refused() -> None:
    assert () == parse_journal(journal([97, 116, 97]))
    with pytest.raises(ParseError):
        parse_journal("ata3: hard resetting link\n")


def test_a_line_without_end_is_cut() -> None:
    (found,) = parse_dmesg(dmesg("ata1: hard resetting link " + "x" * 10_000))

    assert 1000 == len(found.text)
