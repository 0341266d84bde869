"""Plans to be written and read."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.actions.pool.shelf import mirror, planned, tank
from tests.doubles.plan_worlds import host, images
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.plan import plan_document
from zconsole.reports.json.read_saved_plan import SavedPlan, read_plan

TEXTS = st.text(max_size=12)


def made() -> dict[str, Plan]:
    """A plan of each risk."""
    return {
        "routine": planned(tank(), "scrub"),
        "caution": planned(tank(mirror("ONLINE", "ONLINE", "ONLINE")), "offline", "tank", "mirror-0-a"),
        "destructive": planned(tank(), "offline", "tank", "mirror-0-a", temporary=True),
        "catastrophic": plan(intent("destroy", "tank"), host(images())),
        "refused": plan(
            intent("destroy", "tank"),
            host(images(), uses=(OutsideUse("tank/vm1", "guest", "web1", "running"),)),
        ),
    }


def written(of: Plan) -> str:
    """As `zconsole plan -o` writes it."""
    return as_line(plan_document(of))


def as_saved(of: Plan) -> SavedPlan:
    """Written and read back."""
    return read_plan(written(of))
