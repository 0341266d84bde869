"""What a user can ask for on the command line, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from zconsole.actions.intent import Intent
    from zconsole.analysis.capacity.space_budget import Budget
    from zconsole.analysis.pool_growth.change import PoolChange
    from zconsole.analysis.pool_layouts.comparison import Costs
    from zconsole.analysis.pool_layouts.layout import Layout
    from zconsole.analysis.pool_layouts.loss_risk import Assumptions

THIS_HOST = "local"


@dataclass(frozen=True, slots=True)
class HostSelection:
    """Which hosts: named ones, the practice host, or a recording. Nothing named is this machine."""

    hosts: tuple[str, ...] = ()
    is_demo: bool = False
    replay: Path | None = None
    speed: float = 1.0  # of the recording: how many times faster than it was made


@dataclass(frozen=True, slots=True)
class ConsoleRequest:
    """`zconsole [HOST...]`."""

    where: HostSelection = field(default_factory=HostSelection)
    theme: str | None = None
    interval_s: float | None = None
    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class StatusRequest:
    """`zconsole status`."""

    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    with_importable: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """`zconsole check`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    is_json: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class IostatRequest:
    """`zconsole iostat`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    is_json: bool = False
    interval_s: float | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SlowRequest:
    """`zconsole slow`; `input` is a recording of `zpool iostat`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    is_json: bool = False
    for_s: float = 60.0
    input: Path | None = None


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """`zconsole stream`: a folder of send streams, or one file."""

    folder: Path
    is_json: bool = False
    verifies: bool = False


@dataclass(frozen=True, slots=True)
class TreeRequest:
    """`zconsole tree`; `dataset` is a file system or volume, None for every pool."""

    where: HostSelection = field(default_factory=HostSelection)
    dataset: str | None = None
    is_json: bool = False
    with_snapshots: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class ForecastRequest:
    """`zconsole forecast`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """`zconsole sample`; `unit` is the systemd unit that is to be printed instead: service, timer or both."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    is_json: bool = False
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class ReplicasRequest:
    """`zconsole replicas`."""

    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class ReclaimRequest:
    """`zconsole reclaim`."""

    dataset: str
    need_bytes: int
    order: Literal["oldest", "fewest"] = "oldest"
    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    is_alone: bool = False  # without what is below it
    keep_newest: int = 1
    keep_younger_s: float = 0.0
    keep: tuple[str, ...] = ()  # patterns of snapshots
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class RecordRequest:
    """`zconsole record`."""

    folder: Path
    where: HostSelection = field(default_factory=HostSelection)
    for_s: float = 0.0


@dataclass(frozen=True, slots=True)
class TrustRequest:
    """`zconsole trust`."""

    host: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """`zconsole plan`."""

    intent: Intent
    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    output: Path | None = None
    timeout_s: float | None = None
    unlocks: bool = False
    is_full: bool = False  # long lists and the texts of channel programs, too


@dataclass(frozen=True, slots=True)
class ApplyRequest:
    """`zconsole apply`."""

    file: Path
    where: HostSelection = field(default_factory=HostSelection)
    confirm: str = ""
    is_json: bool = False
    unlocks: bool = False
    secrets_on_stdin: bool = False


@dataclass(frozen=True, slots=True)
class JournalRequest:
    """`zconsole journal`."""

    host: str | None = None
    most: int = 1
    is_json: bool = False
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class SudoersRequest:
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
class CapacityLayoutRequest:
    """`zconsole capacity layout`."""

    layout: Layout
    block_bytes: int
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CapacityNeedRequest:
    """`zconsole capacity need`: of data, or of drives where `raw_bytes` is given."""

    budget: Budget
    data_bytes: int | None = None
    raw_bytes: int | None = None
    layout: Layout | None = None
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CapacityCompareRequest:
    """`zconsole capacity compare`."""

    layouts: tuple[Layout, ...]
    block_bytes: int
    assumed: Assumptions
    costs: Costs
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CapacityWhatIfRequest:
    """`zconsole capacity what-if`."""

    pool: str
    change: PoolChange
    assumed: Assumptions
    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """`zconsole completion`."""

    shell: str


Capacity = CapacityLayoutRequest | CapacityNeedRequest | CapacityCompareRequest
Invocation = (
    ConsoleRequest
    | StatusRequest
    | CheckRequest
    | IostatRequest
    | SlowRequest
    | StreamRequest
    | ReplicasRequest
    | TreeRequest
    | ReclaimRequest
    | RecordRequest
    | SampleRequest
    | ForecastRequest
    | TrustRequest
    | PlanRequest
    | ApplyRequest
    | JournalRequest
    | SudoersRequest
    | Capacity
    | CapacityWhatIfRequest
    | CompletionRequest
)
