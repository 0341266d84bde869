"""What is wrong with the user's silences: a file that cannot be read, and ids that no finding has."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from zconsole.base.notifications.silences import ANY_FINDING
from zconsole.base.user_config_file import Config
from zconsole.views.findings.by_id.what_to_do import KNOWN_IDS


def silence_problems(config: Config) -> Iterator[str]:
    """Sentences without a full stop; the findings meant speak, whatever is wrong."""
    if config.silences_problem:
        yield config.silences_problem
    for each in dict.fromkeys(each.finding for each in config.silences):
        if each not in KNOWN_IDS and each != ANY_FINDING:
            near = get_close_matches(each, sorted(KNOWN_IDS), n=1)
            meant = f": did you mean {near[0]}?" if near else ""
            yield f"{config.silences_file} silences {each!r}, an id that no finding has{meant}"
