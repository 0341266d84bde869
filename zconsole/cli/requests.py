"""What a user can ask for on the command line, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from zconsole.actions.intent import Intent
    from zconsole.analysis.capacity.space_budget import Budget
    from zconsole.analysis.pool_growth.change import Change
    from zconsole.analysis.pool_layouts.comparison import Costs
    from zconsole.analysis.pool_layouts.layout import Layout
    from zconsole.analysis.pool_layouts.loss_risk import Assumptions

THIS_HOST = "local"


@dataclass(frozen=True, slots=True)
class Where:
    """Which hosts: named ones, the practice host, or a recording. Nothing named is this machine."""

    hosts: tuple[str, ...] = ()
    is_demo: bool = False
    replay: Path | None = None
    speed: float = 1.0  # of the recording: how many times faster than it was made


@dataclass(frozen=True, slots=True)
class Console:
    """`zconsole [HOST...]`."""

    where: Where = field(default_factory=Where)
    theme: str | None = None
    interval_s: float | None = None
    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """`zconsole status`."""

    where: Where = field(default_factory=Where)
    is_json: bool = False
    with_importable: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """`zconsole check`."""

    where: Where = field(default_factory=Where)
    pool: str | None = None
    is_json: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Iostat:
    """`zconsole iostat`."""

    where: Where = field(default_factory=Where)
    pool: str | None = None
    is_json: bool = False
    interval_s: float | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Slow:
    """`zconsole slow`; `input` is a recording of `zpool iostat`."""

    where: Where = field(default_factory=Where)
    pool: str | None = None
    is_json: bool = False
    for_s: float = 60.0
    input: Path | None = None


@dataclass(frozen=True, slots=True)
class Stream:
    """`zconsole stream`: a folder of send streams, or one file."""

    folder: Path
    is_json: bool = False
    verifies: bool = False


@dataclass(frozen=True, slots=True)
class ShowTree:
    """`zconsole tree`; `dataset` is a file system or volume, None for every pool."""

    where: Where = field(default_factory=Where)
    dataset: str | None = None
    is_json: bool = False
    with_snapshots: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Forecast:
    """`zconsole forecast`."""

    where: Where = field(default_factory=Where)
    pool: str | None = None
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """`zconsole sample`; `unit` is the systemd unit that is to be printed instead: service, timer or both."""

    where: Where = field(default_factory=Where)
    pool: str | None = None
    is_json: bool = False
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Replicas:
    """`zconsole replicas`."""

    where: Where = field(default_factory=Where)
    is_json: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class FindReclaim:
    """`zconsole reclaim`."""

    dataset: str
    need_bytes: int
    order: Literal["oldest", "fewest"] = "oldest"
    where: Where = field(default_factory=Where)
    is_json: bool = False
    is_alone: bool = False  # without what is below it
    keep_newest: int = 1
    keep_younger_s: float = 0.0
    keep: tuple[str, ...] = ()  # patterns of snapshots
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """`zconsole record`."""

    folder: Path
    where: Where = field(default_factory=Where)
    for_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Trust:
    """`zconsole trust`."""

    host: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Prepare:
    """`zconsole plan`."""

    intent: Intent
    where: Where = field(default_factory=Where)
    is_json: bool = False
    output: Path | None = None
    timeout_s: float | None = None
    unlocks: bool = False
    is_full: bool = False  # long lists and the texts of channel programs, too


@dataclass(frozen=True, slots=True)
class Apply:
    """`zconsole apply`."""

    file: Path
    where: Where = field(default_factory=Where)
    confirm: str = ""
    is_json: bool = False
    unlocks: bool = False
    secrets_on_stdin: bool = False


@dataclass(frozen=True, slots=True)
class ReadJournal:
    """`zconsole journal`."""

    host: str | None = None
    most: int = 1
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class Sudoers:
    """`zconsole sudoers`."""

    user: str
    programs: str
    asks_password: bool = True
    is_old: bool = False  # sudo before 1.9.10, which knows no regular expressions
    pools: tuple[str, ...] = ()
    mountpoints: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CapacityLayout:
    """`zconsole capacity layout`."""

    layout: Layout
    block_bytes: int
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CapacityNeed:
    """`zconsole capacity need`: of data, or of drives where `raw_bytes` is given."""

    budget: Budget
    data_bytes: int | None = None
    raw_bytes: int | None = None
    layout: Layout | None = None
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CapacityCompare:
    """`zconsole capacity compare`."""

    layouts: tuple[Layout, ...]
    block_bytes: int
    assumed: Assumptions
    costs: Costs
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CapacityWhatIf:
    """`zconsole capacity what-if`."""

    pool: str
    change: Change
    assumed: Assumptions
    where: Where = field(default_factory=Where)
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """`zconsole completion`."""

    shell: str


Capacity = CapacityLayout | CapacityNeed | CapacityCompare
Invocation = (
    Console
    | Status
    | Check
    | Iostat
    | Slow
    | Stream
    | Replicas
    | ShowTree
    | FindReclaim
    | Record
    | Sample
    | Forecast
    | Trust
    | Prepare
    | Apply
    | ReadJournal
    | Sudoers
    | Capacity
    | CapacityWhatIf
    | Completion
)
