"""`dmesg` and `journalctl -k`: what the kernel says of disks and of the links to them.

dmesg has the messages since the kernel's buffer overflowed last; many systems let only root read it. The
journal lets members of the groups adm and systemd-journal read the same. The words are those of libata
(drivers/ata/libata-eh.c), the SCSI layer (scsi_error.c, scsi_logging.c, sd.c), NVMe (nvme/host) and the
block layer (blk-core.c) of Linux 5.10 to 6.12.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

import msgspec

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.drop_wrongly_typed_json import prepared
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind

TOOL: Final = "dmesg"
JOURNAL_TOOL: Final = "journalctl"
MOST_BYTES: Final = 32 * 1024 * 1024
MOST_MESSAGES: Final = 5000  # about disks, the newest
LONGEST: Final = 1000  # characters of a message; longer ones are cut
DMESG: Final = Command(
    ("dmesg", "--kernel", "--decode", "--time-format=iso", "--color=never"),
    timeout_s=20.0,
    max_bytes=MOST_BYTES,
)
JOURNAL: Final = Command(
    (
        "journalctl", "--dmesg", "--boot", "--quiet", "--no-pager", "--lines=20000", "--output=json",
        "--output-fields=MESSAGE",
    ),
    timeout_s=20.0,
    max_bytes=MOST_BYTES,
)  # fmt: skip

_LINE: Final = re.compile(
    r"kern {0,4}:[a-z]{1,8} {0,8}: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[,.](\d{6})([+-]\d\d:\d\d) (.*)", re.ASCII
)
_DISK: Final = re.compile(
    r"\b(sd[a-z]{1,4}|vd[a-z]{1,3}|nvme\d{1,4}(?:c\d{1,4})?n\d{1,4})(?:p?\d{1,3})?\b", re.ASCII
)
_NVME: Final = re.compile(r"\bnvme (nvme\d{1,4}):", re.ASCII)
_ATA: Final = re.compile(r"\b(ata\d{1,4})(?:\.\d\d)?:", re.ASCII)
_SCSI: Final = re.compile(r"\b(?:sd|scsi|ses) (\d{1,4}:\d{1,4}:\d{1,6}:\d{1,6}):", re.ASCII)
_WORDS: Final = (  # the first kind of which a word is in a message counts
    (MessageKind.CRC, ("badcrc", "icrc", "interface fatal error", "handshk", "10b8b", "disparity")),
    (MessageKind.MEDIUM, ("medium error", "unrecovered read", "{ unc", "write fault", "media error")),
    (MessageKind.HARDWARE, ("hardware error", "internal target failure", "failure prediction")),
    (MessageKind.TIMEOUT, ("timed out", "timing out", "timeout", "did_time_out", "task abort")),
    (
        MessageKind.GONE,
        (
            *("link down", "rejecting i/o to offline device", "rejecting i/o to dead device"),
            "device offlined",
            *("did_no_connect", "synchronizing scsi cache", "removing after probe failure"),
            *("disabling device", "disable device", "detaching"),
        ),
    ),
    (MessageKind.ARRIVED, ("attached scsi disk",)),
    (
        MessageKind.RESET,
        (
            *("resetting link", "device reset", "bus reset", "comreset failed", "link is slow"),
            *("limiting sata link speed", "resetting controller", "reset controller"),
        ),
    ),
    (MessageKind.IO, ("i/o error", "failed result", "failed command", "exception emask")),
)


class _Entry(msgspec.Struct, frozen=True):
    """One entry of the journal; a MESSAGE that is no text is an array of bytes."""

    MESSAGE: str | list[int] | None = None
    REALTIME: str = msgspec.field(name="__REALTIME_TIMESTAMP", default="")


def parse_dmesg(text: str) -> tuple[KernelMessage, ...]:
    """Messages about disks, oldest first, the newest `MOST_MESSAGES`; other lines are skipped."""
    return _newest(_of_dmesg(text))


def parse_journal(text: str) -> tuple[KernelMessage, ...]:
    """The same from the journal, one JSON object a line. Raises ParseError."""
    return _newest(_of_journal(text))


def _of_dmesg(text: str) -> Iterator[tuple[float, str]]:
    for _, line in bounded_lines(TOOL, text):
        found = _LINE.fullmatch(line[: LONGEST + 64])
        if found is None:
            continue
        try:
            at = datetime.fromisoformat(f"{found[1]}.{found[2]}{found[3]}").timestamp()
        except (ValueError, OverflowError):
            continue
        yield at, found[4]


def _of_journal(text: str) -> Iterator[tuple[float, str]]:
    decoder = msgspec.json.Decoder(prepared(_Entry))
    for line_no, line in bounded_lines(JOURNAL_TOOL, text):
        if not line:
            continue
        try:
            entry = decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ParseError(JOURNAL_TOOL, line_no, line, str(error)) from error
        stamp = entry.REALTIME
        if isinstance(entry.MESSAGE, str) and stamp.isascii() and stamp.isdigit() and len(stamp) <= 18:
            yield int(stamp) / 1e6, entry.MESSAGE


def _newest(lines: Iterator[tuple[float, str]]) -> tuple[KernelMessage, ...]:
    found = []
    for at, words in lines:
        text = words[:LONGEST]
        names = _names(text)
        if names:
            found.append(KernelMessage(at, text, _kind(text), names))
    return tuple(found[-MOST_MESSAGES:])


def _names(text: str) -> tuple[str, ...]:
    named = (pattern.findall(text) for pattern in (_DISK, _NVME, _ATA, _SCSI))
    return tuple(dict.fromkeys(name for names in named for name in names))


def _kind(text: str) -> MessageKind:
    lowered = text.lower()
    for kind, words in _WORDS:
        if any(word in lowered for word in words):
            return kind
    return MessageKind.OTHER
