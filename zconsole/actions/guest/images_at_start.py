"""Images of a guest that is to be started: those that are not there, and chains that cannot be opened."""

from __future__ import annotations

from zconsole.actions.action_spec import Draft
from zconsole.actions.plan import Risk
from zconsole.base.escape_control_characters import visible
from zconsole.model.guests.guest import Guest, word_for
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.qemu_img import RAW


def refuse_missing(draft: Draft, guest: Guest) -> None:
    """A disk that is not there, without which libvirt starts no guest, unless its definition says so."""
    for disk, path in guest.missing:
        words = f"{disk.disk.target} of {guest.name} is {path}, which does not exist"
        draft.refuse("gone", words, "bring the dataset back under its name, mount it or load its key; or "
                     f"virsh edit {guest.definition.uuid} names the new place")  # fmt: skip
    for disk, path in guest.without_medium:
        draft.notes.append(
            f"{disk.disk.target} of {guest.name} is {path}, which does not exist: it starts without "
            "(startupPolicy=optional)"
        )


def warn_of_unread_chains(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """Images that qemu-img cannot open: one below that is gone, or one that leads back to itself."""
    chains, gone = dict(facts.image_chains), {path for _, path in guest.missing}
    for path, _ in images_in_chains(guest):
        if path in chains and chains[path] is None and path not in gone:
            draft.raise_risk(Risk.CAUTION)
            draft.warnings.append(
                f"{visible(path)} and what is below it cannot be opened by qemu-img: {guest.name} may not "
                f"start. zconsole guests {word_for(guest)} says why"
            )


def images_in_chains(guest: Guest) -> tuple[tuple[str, str], ...]:
    """Paths and formats of the images of a guest that may have others below them."""
    disks = (each.disk for each in guest.disks)
    return tuple((each.path, each.format) for each in disks if each.path and each.format not in {"", RAW})
