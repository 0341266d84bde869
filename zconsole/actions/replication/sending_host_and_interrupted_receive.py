"""Options of a receive: the sending host, and what can be done with an interrupted receive."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import HOST, Option
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN

FROM: Final = "from"
RESUME: Final = "resume-receive"
ABORT: Final = "abort-receive"
NONE: Final = frozenset({None, "", "-"})
FROM_OPTION: Final = Option(FROM, "the configured host that sends it; the same one if none is given", HOST)


def token_of(name: str, facts: PlanFacts) -> str:
    """The token of an interrupted receive, or an empty string."""
    token = facts.property(name, TOKEN)
    return "" if token is None or token in NONE else token


def host_of(intent: Intent) -> str:
    """The sending host, or an empty string for the receiver itself."""
    return intent.text(FROM) or ""


def options_of(intent: Intent) -> dict[str, OptionValue]:
    """The options that select the sender."""
    return {FROM: host_of(intent)} if host_of(intent) else {}


def alternatives(name: str, wanted: Intent) -> list[tuple[str, Intent]]:
    """Alternatives for an interrupted receive."""
    return [
        ("resume the interrupted receive", intent(RESUME, name, options=options_of(wanted))),
        ("abort the interrupted receive", intent(ABORT, name)),
    ]
