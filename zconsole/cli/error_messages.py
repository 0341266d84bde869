"""Error output of the command line: a sentence, and hints on further lines."""

from __future__ import annotations

import sys

from zconsole.base.errors import ZConsoleError
from zconsole.base.escape_control_characters import visible


def complain(error: ZConsoleError) -> None:
    """Print an error, and its hints on further lines."""
    print(f"zconsole: {visible(error.message)}", file=sys.stderr)
    said = getattr(error, "said", "")
    for line in (*str(said).split("\n"), error.hint):
        if line.strip():
            print(f"  {visible(line.strip())}", file=sys.stderr)
