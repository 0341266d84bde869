"""Upgrade: enable all features that this host's OpenZFS supports. It cannot be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.checks.boot_loader_features import COMPATIBILITY, refuse_for_boot_loader
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.actions.pool.checkpoint import FEATURE
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.argv_template import POOL, CommandForm
from zconsole.zfs.change.pool_argv import upgrade

FEATURE_PREFIX: Final = "feature@"
LEFT_OUT: Final = frozenset({"dynamic_gang_header"})  # by `zpool upgrade`: ZFEATURE_FLAG_NO_UPGRADE


@on_writable_pool
def plan_upgrade(intent: Intent, facts: PlanFacts) -> Draft:
    """Destructive: hosts with an older OpenZFS may no longer be able to import the pool."""
    pool = the_pool(intent.target, facts)
    draft = Draft(f"upgrade {pool.name}", pool.name, Risk.DESTRUCTIVE)
    compatibility = facts.property(pool.name, COMPATIBILITY) or "-"
    disabled = features_in_state(pool, facts, "disabled")
    features = tuple(feature for feature in disabled if feature not in LEFT_OUT)
    argv = upgrade(pool.name)
    settled = Condition(ConditionKind.HISTORY, pool.name, pool.name, value=" ".join(argv))
    draft.steps.append(Step(argv, "enable what is listed, for good", settled_by=(settled,)))
    draft.saw(f"features of {pool.name} that are not enabled", ", ".join(features) or "none")
    draft.undo = "cannot be undone: a feature that was enabled stays so"
    if not any(of == pool.name for of, *_ in facts.properties):
        draft.refuse("properties-unknown", f"the features of {pool.name} are not known")
        return draft
    if compatibility == "legacy":
        draft.refuse(
            "nothing-to-upgrade", f"compatibility of {pool.name} is legacy: no feature may be enabled"
        )
    elif not features:
        draft.refuse("nothing-to-upgrade", f"{pool.name} has every feature that this OpenZFS knows")
    else:
        at_most = "at most: " if compatibility not in {"off", "-"} else ""
        draft.notes.append(f"enables {at_most}{', '.join(features)}")
        draft.warnings.append("a host whose OpenZFS lacks a feature that is then used cannot import the pool")
    if features:
        refuse_for_boot_loader(pool, facts, draft, features)
    if not draft.refusals:
        _offer_checkpoint(pool, facts, draft)
    _offer_what_is_left_out(pool, [feature for feature in disabled if feature in LEFT_OUT], draft)
    return draft


def features_in_state(pool: Pool, facts: PlanFacts, state: str) -> tuple[str, ...]:
    """The features of a pool that are disabled, enabled or active, sorted."""
    return tuple(
        sorted(
            key.removeprefix(FEATURE_PREFIX)
            for of, key, value, _ in facts.properties
            if of == pool.name and key.startswith(FEATURE_PREFIX) and value == state
        )
    )


def _offer_what_is_left_out(pool: Pool, features: Sequence[str], draft: Draft) -> None:
    """Features that ZFS enables only when named explicitly."""
    for feature in features:
        draft.notes.append(f"{feature} stays disabled: an upgrade leaves it out")
        wanted = Intent("set", pool.name, (f"{FEATURE_PREFIX}{feature}=enabled",))
        draft.alternatives.append((f"enable {feature} by itself", wanted))


def _offer_checkpoint(pool: Pool, facts: PlanFacts, draft: Draft) -> None:
    """A checkpoint makes it possible to go back until it is discarded."""
    if pool.has_checkpoint:
        draft.undo = "import it with --rewind-to-checkpoint, by hand: all that was written since is lost then"
        draft.notes.append("discard the checkpoint when all is well, in a plan of its own")
    elif facts.property(pool.name, FEATURE) != "disabled":
        draft.alternatives.append(
            (
                "take a checkpoint first: until it is discarded the pool can be rewound",
                Intent("checkpoint", pool.name),
            )
        )


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "upgrade", "Upgrade", "Enable all features of this OpenZFS; older hosts may not import it then.",
        frozenset({TargetKind.POOL}), plan_upgrade,
        needs=lambda intent: Needs(properties=((intent.target, "all"),), boot=True),
        commands=(CommandForm(upgrade, (POOL,)),),
    ),
)  # fmt: skip
