"""Choice of a procedure for a vdev that needs no repair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zconsole.actions.intent import target_of_vdev
from zconsole.actions.repair.healthy_vdev_procedures import no_procedure, procedures_of
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.repair import ProcedureKind
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.views.repair.healthy_vdev_procedure_menu import (
    REPAIR,
    REPLACE,
    procedure_heading,
    procedure_menu,
)

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

_NOTHING: Final = "there is no procedure for this vdev"


async def choose_procedure(app: ConsoleApp, host: str, pool: Pool, vdev: Vdev) -> None:
    """Let the user choose what to do with a vdev, and open it."""
    asked = {each.kind.value: each for each in procedures_of(pool, vdev)}
    needs_repair = app.repairs.are_in(host, pool.name)
    rows = procedure_menu(asked.values(), vdev, needs_repair=needs_repair)
    front = app.front()
    if not len(rows):
        if front is not None:
            front.say(no_procedure(ProcedureKind.GROW, vdev) or _NOTHING, "dim")
        return
    heading = procedure_heading(host, pool.name, vdev.name, app.host_colour(host))
    target = target_of_vdev(pool, vdev)
    former: tuple[str, ...] = ()
    while answer := await app.push_screen_wait(MenuDialog(app.paint, heading, rows, start=former)):
        former, chosen = answer, answer[0]
        if chosen == REPAIR:
            app.open_repair(host, pool.name)
        elif chosen == REPLACE:
            if not await app.within(host, lambda flow: flow.offer(target, "replace")):
                continue
        elif chosen in asked:
            app.open("repair", host, pool.name, "", asked[chosen])
        return
