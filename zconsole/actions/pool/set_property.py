"""Pool properties: valid values, and immediate and later effects."""

from __future__ import annotations

import re
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.boot_loader_features import refuse_for_boot_loader
from zconsole.actions.checks.property_value_checks import size_for_zfs
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.intent import Intent
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.actions.pool.upgrade import FEATURE_PREFIX
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.pool_argv import set_property

NO_HOSTID: Final = frozenset({"", "0", "00000000"})


@dataclass(frozen=True, slots=True)
class PoolProperty:
    """Settable property: valid values (pattern and words), and effect."""

    pattern: str
    values: str
    affects: str


_ON_OFF: Final = "on|off"
POOL_PROPERTIES: Final[dict[str, PoolProperty]] = {
    "ashift": PoolProperty(
        "0|9|1[0-6]", "0 or 9 to 16", "only devices added from now on"
    ),
    "autoexpand": PoolProperty(
        _ON_OFF, "on or off", "the pool grows with its devices, and a vdev that has grown never shrinks"
    ),
    "autoreplace": PoolProperty(
        _ON_OFF, "on or off", "from now on a new disk in the place of a failed one is taken and overwritten"
    ),
    "autotrim": PoolProperty(
        _ON_OFF, "on or off", "what is freed from now on is trimmed; what is free already only by `trim`"
    ),
    "bootfs": PoolProperty(".*", "a file system of the pool, or nothing", "what the host boots from next"),
    "cachefile": PoolProperty(
        "none|/.*|", "none, an absolute path, or nothing for the default",
        "whether the pool is imported automatically at boot: not with none",
    ),
    "comment": PoolProperty("[ -~]{0,32}", "at most 32 printable ASCII characters", "only what is shown"),
    "compatibility": PoolProperty(
        r"off|legacy|[A-Za-z0-9][\w.-]*(,[A-Za-z0-9][\w.-]*)*", "off, legacy, or names of feature sets",
        "which features an upgrade may enable; those that are enabled stay so",
    ),
    "dedup_table_quota": PoolProperty(
        "none|auto|[0-9]+([KMGTP](iB)?)?", "none, auto or a size",
        "from now on no block is deduplicated beyond it"
    ),
    "delegation": PoolProperty(
        _ON_OFF, "on or off", "now: whether what `zfs allow` delegates counts for anybody but root"
    ),
    "failmode": PoolProperty(
        "wait|continue|panic", "wait, continue or panic",
        "what happens when the pool loses its devices: I/O waits, writes fail, or the host panics",
    ),
    "listsnapshots": PoolProperty(_ON_OFF, "on or off", "now: whether `zfs list` shows snapshots without -t"),
    "multihost": PoolProperty(
        _ON_OFF, "on or off", "now: whether another host can see that this one has the pool imported"
    ),
}  # fmt: skip
ONLY_AT_IMPORT: Final = frozenset({"altroot", "readonly"})
READ_ONLY: Final = frozenset(  # computed by ZFS, and no dataset properties
    {
        *(
            "allocated",
            "bcloneratio",
            "bclonesaved",
            "bcloneused",
            "capacity",
            "checkpoint",
            "dedup_table_size",
        ),
        *("dedupratio", "expandsize", "fragmentation", "free", "freeing", "health", "last_scrubbed_txg"),
        *("leaked", "load_guid", "size"),
    }
)
_USER: Final = re.compile(r"[a-z0-9_.-]*:[a-z0-9:_.-]*")


def is_pool_property(name: str) -> bool:
    """Whether `set` on a pool means the pool and not its root dataset."""
    return (
        name in POOL_PROPERTIES or name in READ_ONLY or name == "altroot" or name.startswith(FEATURE_PREFIX)
    )


@on_writable_pool
def plan_set_pool_property(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution; destructive for a feature, which cannot be disabled. Raises UsageError for unknown ones."""
    pool = the_pool(intent.target, facts)
    name, equals, value = intent.argument(0).partition("=")
    if name == "dedup_table_quota":
        value = size_for_zfs(value)
    if not equals or not name:
        raise UsageError(
            "a property is set as PROPERTY=VALUE", hint=f"zconsole plan set {pool.name} autotrim=on"
        )
    draft = Draft(f"set {name}={value} on {pool.name}", pool.name, Risk.CAUTION, is_reversible=True)
    settled = Condition(ConditionKind.PROPERTY_IS, pool.name, pool.name, name, value or "-")
    draft.steps.append(
        Step(set_property(pool.name, name, value), f"set {name} to {value}", settled_by=(settled,))
    )
    now = facts.property(pool.name, name)
    draft.saw(f"{name} of {pool.name}", now if now is not None else "unknown")
    if name.startswith(FEATURE_PREFIX):
        _feature(pool, name, value, facts, draft)
        return draft
    known = POOL_PROPERTIES.get(name)
    if known is not None:
        draft.notes.append(f"{name}: {known.affects}")
        if re.fullmatch(known.pattern, value, re.ASCII) is None:
            draft.refuse("bad-value", f"{name} cannot be {value!r}", f"it is {known.values}")
        _particular(pool, name, value, facts, draft)
    elif _USER.fullmatch(name) is None:
        _refuse_the_others(name, draft)
    if now is not None:
        old = "" if now == "-" else now
        draft.undo = f"zpool set {quote(f'{name}={old}')} {quote(pool.name)}"
        if old == value:
            draft.refuse("unchanged", f"{name} of {pool.name} is {now} already")
    return draft


def _refuse_the_others(name: str, draft: Draft) -> None:
    if name in ONLY_AT_IMPORT:
        draft.refuse("read-only-property", f"{name} is chosen when a pool is imported",
                     "export the pool and import it with that option")  # fmt: skip
    elif name == "version":
        draft.refuse("read-only-property", "pools have features instead of versions", "zconsole plan upgrade")
    else:
        draft.refuse("read-only-property", f"{name} is not a property of pools that can be set",
                     f"those are {', '.join(POOL_PROPERTIES)}, feature@..., names with a colon")  # fmt: skip


def _particular(pool: Pool, name: str, value: str, facts: PlanFacts, draft: Draft) -> None:
    """Checks of individual properties."""
    if name == "multihost" and value == "on" and (facts.identity.hostid or "") in NO_HOSTID:
        draft.refuse("no-hostid", f"{facts.identity.label} has no hostid of its own",
                     "give it one with zgenhostid(8), and reboot")  # fmt: skip
    elif name == "bootfs" and value and pool_of(value) != pool.name:
        draft.refuse("bad-value", f"{value} is not in {pool.name}")
    elif name == "failmode" and value == "panic":
        draft.warnings.append("with panic one lost pool takes down the whole host, and all that runs on it")
    elif name == "cachefile" and value == "none":
        draft.warnings.append(f"after the next boot {pool.name} must be imported by hand")
    elif name == "compatibility" and value in {"off", "legacy"}:
        draft.notes.append("off lets an upgrade enable everything, legacy nothing")


def _feature(pool: Pool, name: str, value: str, facts: PlanFacts, draft: Draft) -> None:
    draft.raise_risk(Risk.DESTRUCTIVE)
    draft.is_reversible = False
    draft.undo = "cannot be undone: a feature that was enabled stays so"
    now = facts.property(pool.name, name)
    if value != "enabled":
        draft.refuse("one-way", "a feature can be enabled, and never disabled again")
    elif now in {"enabled", "active"}:
        draft.refuse("unchanged", f"{name} of {pool.name} is {now} already")
    elif now is None:
        draft.refuse("bad-value", f"this OpenZFS does not know {name}")
    draft.warnings.append("a host whose OpenZFS lacks the feature cannot import the pool once it is used")
    refuse_for_boot_loader(pool, facts, draft, (name.removeprefix(FEATURE_PREFIX),))
