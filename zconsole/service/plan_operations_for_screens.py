"""Changes to hosts, made by the Operator on the collecting loop."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING

from zconsole.service.operator_calls_from_any_thread import OperatorCalls

if TYPE_CHECKING:  # loaded on demand: not needed for the first frame
    from zconsole.actions.intent import Intent
    from zconsole.actions.plan import Plan
    from zconsole.base.secret import Secret
    from zconsole.model.host.plan_facts import HostPolicy
    from zconsole.model.run import Run
    from zconsole.service.prepare_execute_and_recover_plans import Operator


class HostOperations:
    """`service.screen_protocols.Operations` on hosts."""

    def __init__(self, calls: OperatorCalls) -> None:
        self._calls = calls

    def policy(self, host: str) -> HostPolicy:
        return self._calls.policies().of(host)

    def unlock(self, host: str) -> float:
        return self._calls.policies().unlock(host)

    def prepare(self, host: str, intent: Intent) -> Future[Plan]:
        return self._calls.begin(host, lambda operator: operator.prepare(host, intent))

    def execute(self, host: str, plan: Plan, typed: str, secrets: Mapping[str, Secret]) -> Future[Run]:
        async def call(operator: Operator) -> Run:
            run = await operator.execute(host, plan, typed, secrets)
            if run.is_watched:
                self._calls.recover(host)
            return run

        return self._calls.begin(host, call)

    def end_stream(self, run: str) -> None:
        self._calls.end_stream(run)
