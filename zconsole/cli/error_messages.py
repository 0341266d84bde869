"""Error output of the command line: a sentence, and hints on further lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from zconsole.base.errors import ZConsoleError
from zconsole.base.escape_control_characters import visible


def complain(error: ZConsoleError) -> None:
    """Print an error, and its hints on further lines."""
    print(f"zconsole: {visible(error.message)}", file=sys.stderr)
    said = getattr(error, "said", "")
    for line in (*str(said).split("\n"), *error.hint.split("\n")):
        if line.strip():
            print(f"  {visible(line.strip())}", file=sys.stderr)


def complain_of_each(answers: Iterable[object]) -> int:
    """Print the errors among the answers of hosts; the highest exit code, 0 without an error."""
    failures = [answer for answer in answers if isinstance(answer, ZConsoleError)]
    for failure in failures:
        complain(failure)
    return max((failure.exit_code for failure in failures), default=0)
