"""`zconsole guests --json`: every guest of a host with its disks, as docs/json.md documents it."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.guests.disks_shared_by_guests import shared_disks_of
from zconsole.analysis.guests.guests_not_looked_at import number_not_looked_at
from zconsole.model.guests.container import Container, way_to_stop
from zconsole.model.guests.guest import Guest, GuestDiskRates, StoredDisk, StoredImage, guests_named
from zconsole.model.guests.state_reasons import reason_in_words
from zconsole.reports.json.json_line import SCHEMA, Document
from zconsole.views.guests.guest_list import used_bytes


def guests_document(
    host: str,
    guests: Sequence[Guest],
    containers: Sequence[Container] = (),
    *,
    named: str = "",
    problem: str = "",
) -> Document:
    """Return all guests of a host, by name, and its containers, running ones first; or those of one name."""
    chosen = guests_named(named, guests) if named else guests
    held = [each for each in containers if not named or named in {each.name, each.shown_name}]
    return {
        "schema": SCHEMA,
        "host": host,
        "guests": [_guest(each, guests) for each in chosen],
        "problem": problem or None,
        "guests_not_looked_at": number_not_looked_at(guests),
        "containers": [_container(each) for each in held],
    }


def _container(each: Container) -> Document:
    return {
        "engine": each.engine.value,
        "kind": each.kind.value,
        "name": each.name,
        "title": each.title or None,
        "state": each.state.value,
        "way_to_stop": (way_to_stop(each) or None) if each.is_running else None,
        "datasets": [
            {
                "name": dataset.name,
                "evidence": dataset.evidence.value,
                "words": dataset.words,
                "is_root": dataset.is_root,
            }
            for dataset in each.datasets
        ],
    }


def _guest(each: Guest, among: Sequence[Guest]) -> Document:
    definition = each.definition
    return {
        "uuid": definition.uuid or None,
        "libvirt": definition.connection,
        "name": definition.name,
        "title": definition.title or None,
        "not_looked_at": each.unread or None,
        "state": each.status.state.name.lower(),
        "reason": each.status.reason,
        "reason_words": reason_in_words(each.status.state, each.status.reason),
        "agent_channel": definition.has_agent_channel,
        "agent": definition.is_agent_connected if definition.has_agent_channel else False,
        "memory_bytes": definition.memory_bytes,
        "processors": definition.processors,
        "disks": [_disk(disk) for disk in each.disks],
        "other_storage": [
            {
                "role": other.storage.role,
                "path": other.storage.path or None,
                "on": list(other.places),
                "not_known": other.unknown or None,
            }
            for other in each.others
        ],
        "shared_disks": [
            {
                "path": pair.path,
                "with": pair.other.name if pair.guest.key == each.key else pair.guest.name,
                "is_backing_file": pair.is_below,
                "is_written_by_both": pair.is_running and not pair.is_below,
            }
            for pair in shared_disks_of(each, among)
        ],
    }


def _disk(each: StoredDisk) -> Document:
    disk, counters = each.disk, each.counters
    return {
        "target": disk.target,
        "device": disk.device,
        "kind": disk.kind.value,
        "source": disk.source,
        "format": disk.format or None,
        "cache": disk.cache or None,
        "io": disk.io or None,
        "discard": disk.discard or None,
        "error_policy": disk.error_policy or None,
        "read_only": disk.is_read_only,
        "capacity_bytes": counters.capacity_bytes if counters is not None else None,
        "allocation_bytes": counters.allocation_bytes if counters is not None else None,
        "used_bytes": used_bytes(each),
        "error": each.error or None,
        "images": [
            {
                "path": stored.image.path,
                "format": stored.image.format or None,
                "on": stored.place or None,
                "also_on": list(stored.also),
                "not_known": stored.unknown or None,
                "is_missing": stored.is_missing,
                "is_volume": stored.is_volume,
                "virtual_bytes": stored.image.virtual_bytes,
                "allocated_bytes": stored.image.allocated_bytes,
                "cluster_bytes": stored.image.cluster_bytes,
                "internal_snapshots": stored.image.internal_snapshots,
                "block_bytes": _block_bytes(stored),
                "zfs_snapshots_bytes": stored.dataset.used_by_snapshots_bytes if stored.dataset else None,
            }
            for stored in each.images
        ],
        "problem": each.problem or None,
        "live_io": _live_io(each.rates),
    }


def _live_io(rates: GuestDiskRates | None) -> Document | None:
    if rates is None:
        return None
    return {
        "seconds": rates.seconds,
        "reads_per_s": rates.reads_per_s,
        "read_bytes_per_s": rates.read_bytes_per_s,
        "mean_read_ns": rates.mean_read_ns,
        "writes_per_s": rates.writes_per_s,
        "written_bytes_per_s": rates.written_bytes_per_s,
        "mean_write_ns": rates.mean_write_ns,
        "flushes_per_s": rates.flushes_per_s,
        "mean_flush_ns": rates.mean_flush_ns,
    }


def _block_bytes(stored: StoredImage) -> int | None:
    """volblocksize, or the recordsize of files that are created now."""
    dataset = stored.dataset
    if dataset is None:
        return None
    return dataset.volblocksize_bytes if stored.is_volume else dataset.recordsize_bytes
