"""`receive_resume_token`: progress and source of an interrupted receive.

Version, checksum, list size, and the list: a packed nvlist, deflated, in hexadecimal
(`zfs_send_resume_token_to_nvlist` in libzfs).
"""

from __future__ import annotations

import zlib
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.model.datasets.replication import CutReceive
from zconsole.zfs.stream.nvlist import NvList, parse_nvlist

TOOL: Final = "receive_resume_token"
VERSION: Final = "1"
_MOST_BYTES: Final = 1 << 20


def parse_resume_token(token: str) -> CutReceive:
    """Parse a token. Raises ParseError."""
    parts = token.split("-")
    if len(parts) != 4 or parts[0] != VERSION:
        raise ParseError(TOOL, 1, token, "unknown version of a token")
    try:
        size = int(parts[2], 16)
        if not 0 < size <= _MOST_BYTES:
            raise ParseError(TOOL, 1, token, "impossible size of the list")
        packed = zlib.decompressobj().decompress(bytes.fromhex(parts[3]), size)
    except (ValueError, zlib.error) as error:
        raise ParseError(TOOL, 1, token, str(error)) from error
    listed = parse_nvlist(packed)
    name = listed.get("toname")
    return CutReceive(
        name if isinstance(name, str) else None,
        _number(listed, "toguid"),
        _number(listed, "fromguid"),
        _number(listed, "bytes"),
    )


def _number(listed: NvList, key: str) -> int | None:
    value = listed.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
