"""Guests that have a file for an image or the like which a restore replaces."""

from __future__ import annotations

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.dataset_in_use_checks import OF_LIBVIRT, refuse_saved_memory, saw_off_guests
from zconsole.actions.plan import Dependent
from zconsole.analysis.dependencies.uses_by_guests import OFF_GUESTS, SAVED_GUEST
from zconsole.base.escape_control_characters import visible
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts


def folders_of_guests(facts: PlanFacts) -> tuple[str, ...]:
    """Folders of the files that definitions name, which may be reached by symbolic links."""
    return tuple(dict.fromkeys(_split(use.path)[0] for use in _of_guests(facts) if use.path.startswith("/")))


def check_guests_with_file(draft: Draft, path: str, facts: PlanFacts) -> None:
    """Name these guests, and refuse where one would go on with the replaced file, or with a saved memory.

    `path` is without symbolic links; `facts` have the real paths of `folders_of_guests`.
    """
    if facts.uses is None:
        draft.warnings.append("its users could not be read: check for open files and running guests")
    off: dict[str, None] = {}
    for use in _of_guests(facts):
        if path not in {use.path, use.real, _real(use.path, facts)}:
            continue
        draft.dependents.append(Dependent(use.kind, use.name, use.detail))
        if use.kind in OFF_GUESTS:
            off[f"{use.kind} {use.name}"] = None
        if use.kind == SAVED_GUEST:
            refuse_saved_memory(draft, (use,))
        elif use.kind not in OFF_GUESTS:
            draft.saw(f"guest {use.name}", visible(path))
            draft.refuse(
                "in-use",
                f"guest {use.name} has {visible(path)} open: it would go on with the replaced file, and what "
                "it writes would be lost",
                f"shut {use.name} down first",
            )
    saw_off_guests(draft, off)


def _of_guests(facts: PlanFacts) -> list[OutsideUse]:
    return [use for use in facts.uses or () if use.kind in OF_LIBVIRT]


def _real(path: str, facts: PlanFacts) -> str | None:
    folder, name = _split(path)
    real = facts.files.real(folder)
    return None if real is None else f"{real.rstrip('/')}/{name}"


def _split(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder or "/", name
