"""`zconsole advise`: what an expert would say of a host, and what is silenced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.findings.advice_list import advice_lines


def advice_report(
    state: HostState, found: Sequence[Finding], silenced: Sequence[SilencedFinding], where: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the advice as lines without control sequences; `where` selects the host in a command."""
    return printed(advice_lines(state, found, silenced, where))
