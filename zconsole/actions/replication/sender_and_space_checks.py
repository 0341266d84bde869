"""Checks common to all receives: the sender, its size, the space, the route, and what is left of another."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.command_to_free_space import space_to_free
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Rehearsal
from zconsole.actions.replication.sending_host_and_interrupted_receive import ABORT, RESUME, alternatives
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import size
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts, SendingSide

THROUGH: Final = (
    "the data goes through this console, which holds at most a few MiB of it; both links carry it"
)
TWICE: Final = (
    "the data comes to this console and goes back: the link to {0} carries it twice. "
    "zconsole run on {0} itself, or syncoid, keeps it there"
)


def note_route(draft: Draft, sending: SendingSide, facts: PlanFacts) -> None:
    """Note the route of the data over links."""
    if sending.is_elsewhere:
        draft.notes.append(THROUGH)
    elif facts.identity.host_key is not None:  # both ends are on one host behind SSH
        draft.notes.append(TWICE.format(facts.identity.label))


def is_known(draft: Draft, sending: SendingSide | None, facts: PlanFacts) -> bool:
    """Whether the sender could be read; its machine identity joins the basis."""
    if sending is None or sending.problem:
        why = f": {sending.problem}" if sending is not None else ""
        whose = sending.identity.label if sending is not None else facts.identity.label
        draft.refuse("unread", f"what {whose} has to send could not be read{why}")
        return False
    if sending.is_elsewhere:
        label = sending.identity.label
        draft.saw(f"machine-id of {label}", sending.identity.machine_id or "unknown")
        draft.saw(f"host key of {label}", sending.identity.host_key or "unknown")
    return True


def check_sender(draft: Draft, sending: SendingSide, dataset: Dataset) -> None:
    """Refuse when the user or ZFS cannot send it; note the size."""
    privileges, label = sending.privileges, sending.identity.label
    if not privileges.is_root and not privileges.may("send", dataset.name):
        user = privileges.user or "this user"
        draft.refuse(
            "permission", f"{user} lacks the permission 'send' on {dataset.name} of {label}",
            f"root can grant it there: zfs allow {privileges.user or 'USER'} send {dataset.name}",
        )  # fmt: skip
    if not sending.measured_by:
        return
    draft.rehearsals.append(
        Rehearsal(
            sending.measured_by,
            visible_lines(sending.said),
            sending.status,
            decides=False,
            host=label if sending.is_elsewhere else "",
        )
    )
    if sending.status:
        said = sending.said.strip() or f"exit {sending.status}"
        draft.refuse("dry-run", f"ZFS on {label} would not send it: {said}")
    elif sending.size_bytes is None:
        draft.notes.append("ZFS does not report the size beforehand")
    else:
        draft.notes.append(f"about {size(sending.size_bytes)} are sent, as ZFS estimates it")
        draft.not_binding.append("how much is sent")


def check_free_space(draft: Draft, sending: SendingSide, dataset: Dataset, place: Dataset | None) -> None:
    """Refuse when there is not enough space."""
    if sending.size_bytes is None or place is None or place.available_bytes is None:
        return
    if sending.size_bytes <= place.available_bytes:
        return
    words = f"it is about {size(sending.size_bytes)}, and {place.name} has {size(place.available_bytes)} left"
    if dataset.compression == "off":
        draft.warnings.append(f"{words}; it fits only if it compresses better there")
    else:
        lacks = sending.size_bytes - place.available_bytes
        draft.refuse_for_space("space", words, "free space first", space_to_free(place.name, lacks))


def refuse_partial(draft: Draft, intent: Intent, name: str) -> None:
    """Refuse when an interrupted receive exists: it must be resumed or aborted first."""
    draft.refuse(
        "partial", f"{name} has the partial data of an interrupted receive",
        f"{RESUME} {name} resumes it, {ABORT} {name} discards it",
    )  # fmt: skip
    draft.alternatives += alternatives(name, intent)


def visible_lines(text: str) -> str:
    """A host's output line by line, with tabs expanded as on a terminal."""
    return "\n".join(visible(line.expandtabs()) for line in text.splitlines())
