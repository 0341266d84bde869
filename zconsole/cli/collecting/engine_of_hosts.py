"""Engine that collects selected hosts with the files of this account; none for the practice host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zconsole.base.user_config_file import Config
from zconsole.cli.open_and_ask_named_hosts import NamedHost
from zconsole.cli.selected_hosts import HostSelection
from zconsole.service.collecting_thread import Engine
from zconsole.service.operator_calls_from_any_thread import journal_in_memory

if TYPE_CHECKING:
    from zconsole.model.datasets.replication import ReplicationSeen, SendBase
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore
    from zconsole.storage.known_machines import KnownMachines
    from zconsole.storage.last_host_states import LastHostStates
    from zconsole.storage.snapshot_cache import SnapshotIndex
    from zconsole.storage.space_samples import SpaceStore


def engine_of(where: HostSelection, config: Config, places: Sequence[NamedHost]) -> Engine:
    """The engine, not started; runs on the practice host and on recordings do not enter the journal."""
    is_real = not where.is_demo and where.replay is None
    return Engine(
        [place.host for place in places],
        clock=places[0].clock,
        interval_s=config.interval_s,
        config=config,
        journal=None if is_real else journal_in_memory,
        space=_space if is_real else None,
        send_bases=_send_bases if is_real else None,
        indexes=_indexes if is_real else None,
        machines=_machines if is_real else None,
        health=_health if is_real else None,
        comparisons=_comparisons if is_real else None,
        last_states=_last_states if is_real else None,
    )


# Modules that the first frame does not need are loaded later.


def _space() -> SpaceStore:
    from zconsole.storage.space_samples import SpaceStore

    return SpaceStore()


def _health() -> DiskHealthStore:
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore

    return DiskHealthStore()


def _comparisons() -> tuple[ReplicationSeen, ...]:
    from zconsole.storage.replication_last_compared import known_comparisons

    return known_comparisons()


def _indexes() -> SnapshotIndex:
    from zconsole.storage.snapshot_cache import SnapshotIndex

    return SnapshotIndex()


def _last_states() -> LastHostStates:
    from zconsole.storage.last_host_states import LastHostStates

    return LastHostStates()


def _machines() -> KnownMachines:
    from zconsole.storage.known_machines import KnownMachines

    return KnownMachines()


def _send_bases() -> tuple[SendBase, ...]:
    from zconsole.storage.send_bases_of_known_replicas import known_bases

    return known_bases()
