"""Limits of size properties: values that ZFS refuses, and shrinking volumes."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.property_value_checks import size_bytes
from zconsole.actions.plan import Risk
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import size
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool

MOST_SPECIAL_SHARE: Final = "blocks as large as a record go to the special vdevs: all data will"


def refuse_beyond_limits(draft: Draft, dataset: Dataset, name: str, value: str, facts: PlanFacts) -> None:
    """Check against used and available space."""
    wanted = 0 if value == "none" else size_bytes(value)
    if wanted is None:
        return
    match name:
        case "quota" if wanted and wanted < (dataset.used_bytes or 0):
            _refuse_below(draft, dataset.name, "used", dataset.used_bytes)
        case "refquota" if wanted and wanted < (dataset.referenced_bytes or 0):
            _refuse_below(draft, dataset.name, "referenced", dataset.referenced_bytes)
        case "reservation":
            _refuse_above(draft, dataset, wanted, dataset.used_bytes)
        case "refreservation":
            _refuse_above(draft, dataset, wanted, dataset.used_by_dataset_bytes)
        case "volsize":
            _volume_size(draft, dataset, wanted, facts)
        case "special_small_blocks" if dataset.recordsize_bytes and wanted >= dataset.recordsize_bytes:
            draft.warnings.append(MOST_SPECIAL_SHARE)
        case "recordsize":
            warn_of_small_records(draft, facts.pool(dataset.pool), wanted)
        case _:
            pass


def warn_of_small_records(draft: Draft, pool: Pool | None, wanted: int) -> None:
    """Records of one sector or less: nothing is saved by compression, and a raidz becomes a mirror."""
    data = [top for top in pool.vdevs if top.vdev_class == "data"] if pool is not None else []
    sector = max((1 << top.configured_ashift for top in data if top.configured_ashift), default=None)
    if sector is None or wanted > sector:
        return
    parity = any(top.type.startswith(("raidz", "draid")) for top in data)
    draft.warnings.append(
        f"a block takes {size(sector)} (ashift) at least, so each record of {size(wanted)} does: it cannot "
        "become smaller by compression, and needs its own pointer and checksum"
        + ("; parity takes as much as the data, or more" if parity else "")
    )


def _refuse_below(draft: Draft, name: str, what: str, bytes_now: int | None) -> None:
    draft.refuse("below-used", f"{size(bytes_now)} of {name} are {what}, which is more",
                 "choose more, or free space first")  # fmt: skip


def _refuse_above(draft: Draft, dataset: Dataset, wanted: int, has: int | None) -> None:
    if has is None or dataset.available_bytes is None:
        return
    most = has + dataset.available_bytes
    if wanted > most:
        draft.refuse("full", f"{dataset.name} can have {size(most)} at most: so much is there and left",
                     "choose less, or free space first")  # fmt: skip


def _volume_size(draft: Draft, dataset: Dataset, wanted: int, facts: PlanFacts) -> None:
    block = dataset.volblocksize_bytes
    if block and wanted % block:
        draft.refuse("block-size", f"a volume of {dataset.name} is whole blocks of {size(block)}",
                     f"for example {(wanted // block + 1) * block}")  # fmt: skip
    now = natural(facts.property(dataset.name, "volsize") or "")
    if now is None:
        draft.loses.append(f"what lies behind {size(wanted)}, if it is larger now: its size was not read")
        draft.raise_risk(Risk.DESTRUCTIVE)
    elif wanted < now:
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.is_reversible, draft.undo = False, None
        draft.loses.append(f"what lies behind {size(wanted)}: it shrinks from {size(now)}")
        draft.warnings.append("the file system in it breaks unless it was shrunk before")
        pattern = facts.policy.protects(dataset.name)
        if pattern is not None:
            draft.refuse(
                "protected", f"{dataset.name} is protected by the pattern {pattern!r} of the configuration",
                "remove it from `protected` there",
            )  # fmt: skip
    else:
        draft.is_reversible, draft.undo = False, None
        draft.notes.append("what is in it must be grown too; making it smaller again loses data")
