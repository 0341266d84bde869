"""What is made from the arguments of the command line: `python -m tests.generated --write`.

Completion for shells by shtab, which ships in the package; and the manual page by argparse-manpage, in docs/.
`tests/cli/commands/test_completion.py` holds that both are of today.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import shtab
from argparse_manpage.manpage import Manpage

from zconsole import __version__
from zconsole.cli.command_line import whole_parser
from zconsole.cli.commands.completion import FOLDER, SHELLS

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "zconsole.1"
ABOUT: Final = "a terminal console for ZFS storage"


def files() -> dict[Path, str]:
    """Every file that is made, and what is to be in it."""
    made = {FOLDER / shell: _lines(shtab.complete(whole_parser(), shell)) for shell in SHELLS}
    return {**made, PAGE: manual_page()}


def manual_page() -> str:
    """The page zconsole(1), in roff."""
    page = Manpage(
        whole_parser(),
        _data={
            "project_name": "zconsole",
            "prog": "zconsole",
            "description": ABOUT,
            "version": __version__,
            "manual_title": "zconsole manual",
        },
    )
    title = f'.TH ZCONSOLE 1 "" "zconsole {__version__}" "zconsole manual"'
    return _lines("\n".join(title if line.startswith(".TH") else line for line in str(page).split("\n")))


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")) + "\n"


def main(words: list[str]) -> int:
    """Say which are not of today, or write them."""
    stale = [path for path, text in files().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--write" in words:
        for path, text in files().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    sys.stdout.write("".join(f"{path.relative_to(ROOT)}\n" for path in stale))
    return 0 if "--write" in words else len(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
