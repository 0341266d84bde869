"""Command forms: argv with placeholders for names, numbers and values.

An action lists the forms of its commands; `zconsole sudoers` makes one rule of each, with a pattern for each
placeholder (`reports/sudoers_patterns.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

Argv = tuple[str, ...]

POOL: Final = "\0pool"
DATASET: Final = "\0dataset"
SNAPSHOT: Final = "\0snapshot"
BOOKMARK: Final = "\0bookmark"
EITHER: Final = "\0either"  # a dataset or a snapshot
DESTROYED: Final = "\0destroyed"  # a dataset, snapshots of one, or a bookmark
BASE: Final = "\0base"  # a snapshot or a bookmark
SNAPSHOTS: Final = "\0snapshots"  # one or more
TAG: Final = "\0tag"
SIZE: Final = "\0size"
TOKEN: Final = "\0token"  # noqa: S105 - of a receive that was cut
DEVICE: Final = "\0device"
LAYOUT: Final = "\0layout"  # vdevs and their devices
GUIDS: Final = "\0guids"  # of one or more vdevs
COMPRESSION: Final = "\0compression"
PATH: Final = "\0path"  # a directory on which a pool is mounted: the named ones, none, legacy
BELOW: Final = "\0below"  # an altroot: the named directories
ROOTED: Final = "\0rooted"  # a pool whose default mountpoint was named
SETTING: Final = "\0setting"  # PROPERTY=VALUE of a dataset, at its creation
CHANGED: Final = ("\0changed", "\0value")  # property and value of an existing dataset
POOL_CHANGED: Final = ("\0poolchanged", "\0poolvalue")  # of a pool
OBJECT: Final = "\0object"  # a dataset, snapshot or bookmark
WHICH: Final = "\0which"  # the object that a name stands for, in a channel program
BOUND: Final = "\0bound"  # the largest number of bytes
INHERITED: Final = "\0inherited"  # a property to be inherited
COPIED: Final = "\0copied"  # PROPERTY=VALUE that a moved dataset takes along
MARKED: Final = "\0marked"  # names of guests, a comma between
USER_NAME: Final = "\0user"
SCRATCH_FOLDER: Final = "\0scratchfolder"  # on which a benchmark mounts its dataset
WORD: Final = "\0word"  # of libvirt: an architecture, a machine, a kind of virtualization
EMULATOR: Final = "\0emulator"  # a program of the system
GUEST_UUID: Final = "\0guest"
NUMBER: Final = 770077
GUID: Final = str(NUMBER)

DIFF, SEND, RECEIVE, IMPORT, GUESTS, DEFINE = "diff", "send", "receive", "import", "guests", "define"
ASKED_FOR: Final = (DIFF, SEND, RECEIVE, IMPORT, GUESTS, DEFINE)  # commands that are granted only by name


@dataclass(frozen=True, slots=True)
class CommandForm:
    """Function that builds a command, with placeholders for its arguments."""

    build: Callable[..., Argv]
    words: tuple[object, ...] = ()  # positional arguments
    options: Mapping[str, object] = field(default_factory=dict)  # keyword arguments that add words
    repeated: Mapping[str, object] = field(default_factory=dict)  # those whose words may be repeated
    grant: str = ""  # one of ASKED_FOR
    only_reads: bool = False  # a dry run: it needs no password
