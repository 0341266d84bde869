"""Features that the boot loader of a pool may not support."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool

COMPATIBILITY: Final = "compatibility"
UNLIMITED: Final = frozenset({"off", "legacy", "", "-"})  # values that do not name a feature set
LOADERS_OWN: Final = "grub2"  # prefix of feature sets known to be readable by a boot loader
RULE: Final = "boot-pool"


def refuse_for_boot_loader(pool: Pool, facts: PlanFacts, draft: Draft, features: Sequence[str]) -> None:
    """Refuse new features on a pool that a boot loader may read, with a remedy.

    Whether GRUB or another boot loader of this host supports a feature cannot be read from the host. A loader
    that keeps its kernels elsewhere, on an EFI partition mounted at /boot, does not read the pool.
    """
    bootfs = facts.property(pool.name, "bootfs") or "-"
    compatibility = facts.property(pool.name, COMPATIBILITY) or "-"
    draft.saw(f"bootfs of {pool.name}", bootfs)
    draft.saw(f"compatibility of {pool.name}", compatibility)
    draft.saw(f"what {pool.name} boots", _role(pool, facts))
    if compatibility not in UNLIMITED:
        draft.notes.append(f"only features of the compatibility set {compatibility} are enabled")
        if _role(pool, facts) != "nothing" and not compatibility.startswith(LOADERS_OWN):
            draft.warnings.append(f"make sure that the boot loader knows every feature of {compatibility}")
        return
    new = f"{', '.join(features[:3])}{' and more' if len(features) > 3 else ''}"
    if facts.kernel_pools is None:
        draft.refuse(RULE, f"it is not known whether this host boots from {pool.name}")
    elif pool.name in facts.kernel_pools or (bootfs != "-" and _role(pool, facts) != "root"):
        why = "holds /boot of this host" if pool.name in facts.kernel_pools else f"has bootfs set to {bootfs}"
        draft.refuse(
            RULE, f"{pool.name} {why}, and the boot loader may not know {new}: the host would not boot",
            f"keep /boot in a pool of its own, or let {pool.name} have only features that the loader knows: "
            f"zconsole plan set {pool.name} {COMPATIBILITY}=grub2",
        )  # fmt: skip
    elif pool.name in facts.boot_pools:
        draft.warnings.append(
            f"this host runs from {pool.name}: its initial file system must have this OpenZFS as well, "
            "and so must every rescue system"
        )


def _role(pool: Pool, facts: PlanFacts) -> str:
    if facts.kernel_pools is None:
        return "unknown"
    if pool.name in facts.kernel_pools:
        return "kernel"
    return "root" if pool.name in facts.boot_pools else "nothing"
