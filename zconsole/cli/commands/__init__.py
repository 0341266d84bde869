"""One file per subcommand, loaded on demand."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zconsole.cli.subcommand import Subcommand

# Name, usual arguments and purpose of each subcommand, as `zconsole --help` lists them.
SUBCOMMANDS: Final = {
    "status": ("[--json] [--importable]", "state and findings, worst first"),
    "check": ("[--json] [POOL]", "one line for monitoring"),
    "disks": ("[--json]", "every disk, its health, its pool"),
    "repair": ("[--json] [POOL]", "a disk has failed: what to do next"),
    "iostat": ("[--json] [POOL]", "live I/O of every vdev, sample by sample"),
    "slow": ("[--json] [POOL]", "which disk is slower than its peers"),
    "stream": ("[--json] FOLDER", "what send streams in files can restore"),
    "replicas": ("[--json]", "copies among hosts and pools, how far behind"),
    "tree": ("[--json] [DATASET]", "datasets, snapshots and clones: what pins what"),
    "capacity": ("QUESTION ...", "plan a pool: exact space, budget, comparison"),
    "reclaim": ("DATASET --need SIZE", "which snapshots to destroy to free so much"),
    "plan": ("ACTION ... [-o FILE]", "what an action would do; changes nothing"),
    "apply": ("FILE [--confirm TEXT]", "execute a saved plan"),
    "journal": ("[--json]", "runs of this account, and their outcomes"),
    "sudoers": ("[--user USER]", "sudo rules for a storage host"),
    "record": ("[--for TIME] DIR", "record all answers of a host, for --replay DIR"),
    "forecast": ("[--json] [POOL]", "when pools are full, and what grows"),
    "sample": ("[--json] [POOL]", "store a sample of used space, for forecasts"),
    "completion": ("bash|zsh|fish", "completion script for a shell"),
    "trust": ("HOST FINGERPRINT", "accept a host key that you have compared"),
}


def subcommand(name: str | None) -> Subcommand:
    """Subcommand by name; None is the console."""
    where = "zconsole.cli.console_arguments" if name is None else f"zconsole.cli.commands.{name}"
    found: Subcommand = import_module(where).SUBCOMMAND
    return found
