"""Output of subcommands where the locale is ASCII: the stand-ins of the screen, and escapes for the rest."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Mapping
from typing import Final

from zconsole.views.layout.ascii_glyphs import ASCII_GLYPHS, is_c_locale

ERRORS: Final = "zconsole.ascii"  # name of the handler of characters that ASCII has not


def print_ascii_if_asked(environment: Mapping[str, str]) -> None:
    """Print ASCII alone where the locale asks for it, or the encoding of the output has no more.

    In the C locale Python prints UTF-8 whatever the terminal shows.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        is_own = stream is sys.__stdout__ or stream is sys.__stderr__
        if (is_own and is_c_locale(environment)) or "utf" not in (stream.encoding or "").lower():
            codecs.register_error(ERRORS, _stand_ins)
            stream.reconfigure(encoding="ascii", errors=ERRORS)


def _stand_ins(error: UnicodeError) -> tuple[str | bytes, int]:
    """A stand-in for each glyph of ours, an escape for any other character: names stay what they are."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start]
    stand_in = ASCII_GLYPHS.get(found)
    if stand_in is not None:
        return stand_in, error.start + 1
    escaped = found.encode("ascii", "backslashreplace").decode("ascii")
    return escaped, error.start + 1
