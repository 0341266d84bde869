"""`zconsole completion`: what a shell needs to complete the words of zconsole."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zconsole.base.config import Config
from zconsole.cli.options import Parser
from zconsole.cli.subcommand import Subcommand


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """`zconsole completion`."""

    shell: str


FOLDER: Final = Path(__file__).parents[1] / "completions"  # made by shtab from the parsers
SHELLS: Final = ("bash", "zsh", "fish")
EPILOG: Final = """\
where each shell looks:
  bash  ~/.local/share/bash-completion/completions/zconsole
  zsh   _zconsole in a folder of $fpath
  fish  ~/.config/fish/completions/zconsole.fish
"""


def run_completion(asked: CompletionRequest, _config: Config) -> int:
    """Print the script for one shell."""
    print((FOLDER / asked.shell).read_text(encoding="utf-8"), end="")
    return 0


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell that will read it")


def _read(found: argparse.Namespace) -> CompletionRequest:
    return CompletionRequest(found.shell)


SUBCOMMAND: Final = Subcommand(
    "completion",
    "Print a script by which a shell completes subcommands and options.",
    _add_arguments,
    _read,
    run_completion,
    epilog=EPILOG,
)
