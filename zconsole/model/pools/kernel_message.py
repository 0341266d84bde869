"""Kernel messages about disks and the links to them."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class MessageKind(Enum):
    """What a message tells of; the words are for people."""

    CRC = "transfer error"  # data was damaged between host and disk
    RESET = "link reset"
    TIMEOUT = "timeout"
    MEDIUM = "medium error"  # the disk cannot read or write a place
    HARDWARE = "hardware error"  # by the disk's own word
    GONE = "disk gone"
    ARRIVED = "disk attached"
    IO = "I/O error"  # without a reason
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class KernelMessage:
    """One line. `names` are the devices in it: `sda`, `2:0:0:0`, `ata3`, `nvme0`; epoch seconds."""

    at: float
    text: str
    kind: MessageKind
    names: tuple[str, ...]
