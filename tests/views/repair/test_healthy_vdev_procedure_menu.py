"""The menu of procedures: the repair first, another disk for devices only."""

from __future__ import annotations

from tests.analysis.build import in_class
from tests.doubles.shelves import leaf, mirror
from zconsole.model.repair import Procedure, ProcedureKind
from zconsole.views.layout.styled_text import plain
from zconsole.views.repair.healthy_vdev_procedure_menu import REPAIR, REPLACE, procedure_menu

GROW = Procedure(ProcedureKind.GROW, "tank", "mirror-0")
MIRROR = Procedure(ProcedureKind.MIRROR, "tank", "sda")


def test_the_repair_that_the_pool_needs_comes_first() -> None:
    menu = procedure_menu((GROW,), mirror(0, 0, 1), needs_repair=True)

    assert (REPAIR, "grow") == menu.keys
    assert plain(menu.lines[0]).startswith("repair the pool")
    assert "replace each disk with a larger one" in plain(menu.lines[1])


def test_a_disk_can_be_replaced_and_a_group_cannot() -> None:
    assert REPLACE in (procedure_menu((MIRROR,), leaf(0), needs_repair=False).keys or ())
    assert REPLACE not in (procedure_menu((GROW,), mirror(0, 0, 1), needs_repair=False).keys or ())


def test_without_anything_to_do_it_is_empty() -> None:
    assert () == procedure_menu((), mirror(0, 0, 1), needs_repair=False).keys


def test_a_spare_has_no_data_to_replace() -> None:
    """Nothing is offered that its plan refuses."""
    assert () == procedure_menu((), in_class(leaf(0), "spare"), needs_repair=False).keys
