"""Plans on a practice host, ready to be carried out."""

from __future__ import annotations

from tests.doubles.practice_runs import HOST, Bench
from zconsole.actions.intent import Intent, intent
from zconsole.actions.plan import Plan
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command

HOLD = intent("hold", "tank/home@a", "keep")
DESTROY = intent("destroy", "tank/home@a")
ANN = ended(Command(("id",)), 0, b"uid=1000(ann) gid=1000(ann) groups=1000(ann)\n", b"")
PASSWD = ended(Command(("sudo",)), 0, b"    Options: authenticate\n", b"")


async def planned(bench: Bench, wanted: Intent = HOLD) -> Plan:
    plan = await bench.operator.prepare(HOST, wanted)
    assert not plan.is_refused, plan.refusals
    return plan
