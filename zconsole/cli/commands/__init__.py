"""One file per subcommand, in a folder by theme, loaded on demand."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zconsole.cli.subcommand import Subcommand

# Name, folder, usual arguments and purpose of each subcommand, in the order of `zconsole --help`.
SUBCOMMANDS: Final = {
    "status": ("state", "[--json] [--importable]", "state and findings, worst first"),
    "check": ("state", "[--json] [POOL]", "one line for monitoring"),
    "advise": ("state", "[--json]", "what an expert would say of the pools"),
    "disks": ("state", "[--json]", "every disk, its health, its pool"),
    "guests": ("state", "[--json]", "libvirt guests, and what their disks are on"),
    "repair": ("changes", "[--json] [POOL]", "a disk has failed: what to do next"),
    "iostat": ("state", "[--json] [POOL]", "live I/O of every vdev, sample by sample"),
    "slow": ("state", "[--json] [POOL]", "which disk is slower than its peers"),
    "stream": ("replication", "[--json] FOLDER", "what send streams in files can restore"),
    "replicas": ("replication", "[--json]", "copies among hosts and pools, how far behind"),
    "tree": ("state", "[--json] [DATASET]", "datasets, snapshots and clones: what pins what"),
    "capacity": ("space", "QUESTION ...", "plan a pool: exact space, budget, comparison"),
    "reclaim": ("space", "DATASET [--need SIZE]", "which snapshots to destroy to free so much"),
    "plan": ("changes", "ACTION ... [-o FILE]", "what an action would do; changes nothing"),
    "apply": ("changes", "FILE [--confirm TEXT]", "execute a saved plan"),
    "journal": ("changes", "[--json]", "runs of this account, and their outcomes"),
    "sudoers": ("setup", "[--user USER]", "sudo rules for a storage host"),
    "record": ("state", "[--for TIME] DIR", "record all answers of a host, for --replay DIR"),
    "forecast": ("space", "[--json] [POOL]", "when pools are full, and what grows"),
    "sample": ("space", "[--json] [POOL]", "store a sample of used space, for forecasts"),
    "watch": ("monitoring", "[--once]", "messages on findings: command, mail, webhook"),
    "exporter": ("monitoring", "[--textfile FILE]", "metrics for Prometheus, with alert rules"),
    "keys": ("setup", "[--json] [WORD...]", "keys of the console, found by what they do"),
    "completion": ("setup", "bash|zsh|fish", "completion script for a shell"),
    "trust": ("setup", "HOST FINGERPRINT", "accept a host key that you have compared"),
}


def subcommand(name: str | None) -> Subcommand:
    """Subcommand by name; None is the console."""
    if name is None:
        where = "zconsole.cli.console_arguments"
    else:
        folder, _usual, _purpose = SUBCOMMANDS[name]
        where = f"zconsole.cli.commands.{folder}.{name}"
    found: Subcommand = import_module(where).SUBCOMMAND
    return found
