"""Serial number at the end of a device's name: what tells it from its neighbours of the same model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from zconsole.model.pools.placeholder_serial_numbers import is_placeholder

_SERIAL: Final = r"(?P<serial>[A-Za-z0-9-]{6,40}?)(?P<rest>(?:_\d{1,2}|-\d:\d)?(?:-part\d{1,3})?)"
_NAME: Final = re.compile(
    rf"(?<![\w./-])(?:ata|sata|scsi|nvme|usb)-[\w.+:-]{{1,80}}_{_SERIAL}(?![\w/-])",
    re.ASCII,
)


@lru_cache(maxsize=4096)
def serial_at_end(name: str) -> tuple[str, str]:
    """The serial number at the end of a name below /dev/disk/by-id, and with the `-part3` behind it; or "".

    Words before the name do not matter: `tank ata-ST4000NM0035-1V4107_ZC13A0R7`.
    """
    found = _NAME.fullmatch(name.rpartition(" ")[2])
    if found is None or is_placeholder(found["serial"]):
        return "", ""
    return found["serial"], found["serial"] + found["rest"]


def serial_of_finding(evidence: Mapping[str, object]) -> str:
    """The serial number of the disk that the evidence of a finding names; empty for none."""
    return str(evidence.get("serial") or serial_at_end(str(evidence.get("vdev") or ""))[0])


def with_serials(text: str) -> str:
    """The text with the serial number of each disk in place of its name; paths stay as they are."""
    return _NAME.sub(lambda found: serial_at_end(found[0])[0] or found[0], text)
