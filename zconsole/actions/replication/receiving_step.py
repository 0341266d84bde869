"""Step that receives a stream: its command, permissions, risk, and how its outcome is settled."""

from __future__ import annotations

from functools import partial
from typing import Final

from zconsole.actions.plan import Condition, ConditionKind, Risk, Sender, Step, permissions_on
from zconsole.model.dataset_names import parent_of, pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import SendingSide
from zconsole.zfs.change.argv_template import DATASET, RECEIVE, CommandForm
from zconsole.zfs.stream.send_receive_syncoid_argv import receive

RECEIVE_FORMS: Final = tuple(
    CommandForm(partial(receive, is_new=is_new), (DATASET,), grant=RECEIVE) for is_new in (False, True)
)


def receiving_step(
    sending: SendingSide, argv: tuple[str, ...], name: str, *, is_new: bool, snapshot: tuple[str, int | None]
) -> Step:
    """The receive step, fed by the sender and settled by the snapshot's guid."""
    short, guid = snapshot
    told = Condition(ConditionKind.RECEIVED, name, pool_of(name), short, str(guid))
    sender = Sender(
        sending.identity, argv, sending.privileges.privilege_mode, sending.size_bytes, sending.is_elsewhere
    )
    on = (parent_of(name),) if is_new else (name,)
    return Step(
        receive(name, is_new=is_new),
        f"receive what {sending.identity.label} sends" if sending.is_elsewhere else "receive what is sent",
        settled_by=(told,) if guid is not None else (),
        permissions=(
            *permissions_on("create,mount,receive", *on),
            *(permissions_on("readonly", name) if is_new else ()),
        ),
        sender=sender,
    )


def risk_into(target: Dataset | None) -> Risk:
    """Routine for a new dataset, caution for an increment."""
    return Risk.ROUTINE if target is None else Risk.CAUTION
