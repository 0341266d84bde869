"""Guests that find their images, or do not, once file systems are mounted the next time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.dataset_in_use_checks import OF_LIBVIRT
from zconsole.analysis.dependencies.dataset_or_device_of_path import device_of_volume
from zconsole.analysis.dependencies.mount_safety import normal
from zconsole.analysis.dependencies.uses_by_guests import OFF_GUESTS
from zconsole.base.escape_control_characters import visible
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts

_NAMED: Final = 5


def tell_not_mounted_by_itself(draft: Draft, dataset: Dataset, facts: PlanFacts) -> None:
    """Guests of a mounted file system that no import or boot mounts from now on."""
    if not dataset.is_mounted:
        return
    names = _listed(use for use in facts.uses_of(dataset.name) if use.kind in OF_LIBVIRT)
    if names:
        draft.saw(f"guests on {dataset.name}", names)
        draft.warnings.append(
            f"no import or boot mounts {dataset.name} from then on, and guests with images on it do not find "
            f"them: {names}"
        )


def tell_guests_of_import(
    draft: Draft, names: tuple[str, str], altroot: str, facts: PlanFacts, *, is_renamed: bool
) -> None:
    """Guests that name volumes of a pool, or paths where its root file system is mounted by default.

    `names` are the present name of the pool and the one that it gets.
    """
    old, new = names
    uses = [use for use in facts.uses or () if use.kind in OF_LIBVIRT]
    back = _listed(_below(f"{device_of_volume(new)}/", uses))
    if back:
        draft.notes.append(f"guests find their disks on volumes of {new} after this: {back}")
    gone = _listed(_below(f"{device_of_volume(old)}/", uses)) if is_renamed else ""
    if gone:
        draft.warnings.append(
            f"guests look for their disks below {device_of_volume(old)}, and do not find them there: {gone}"
        )
    folder = normal(f"{altroot}/{new}")
    named = _listed(_below(f"{folder}/", uses))
    if named:
        draft.warnings.append(
            f"guests name images below {visible(folder)}, where its file systems are mounted unless their "
            f"mountpoints are others: {named}. What is there now is hidden then, and the plan to mount them "
            "tells it"
        )
    told = "; ".join(filter(None, (back, gone, named)))
    if told:
        draft.saw(f"guests that name storage of {old}", told)


def _below(start: str, uses: Iterable[OutsideUse]) -> Iterable[OutsideUse]:
    return (use for use in uses if use.path.startswith(start))


def _listed(uses: Iterable[OutsideUse]) -> str:
    names = {use.name: use.kind in OFF_GUESTS for use in uses}
    return shortened([f"{name} (off)" if is_off else name for name, is_off in sorted(names.items())], _NAMED)
