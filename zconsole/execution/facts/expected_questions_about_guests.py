"""Questions about guests that a plan will probably ask, from the guests that the screens know.

Of any age: a guest that is new is asked for when libvirt has told of it. Questions to one libvirt of one
moment are one process, in which the lists are as new as they are without this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.guest.shut_down_guests_first import SHUT_DOWN_GUESTS
from zconsole.actions.intent import Intent
from zconsole.collect.answers_ahead import ExpectedQuestion
from zconsole.model.guests.guest import SYSTEM, Guest
from zconsole.system.libvirt.domain_power import MAY_CHANGE
from zconsole.system.libvirt.domain_stats import domain_stats
from zconsole.system.libvirt.domain_xml import dump_xml
from zconsole.system.libvirt.list_guests import (
    list_all,
    list_paused,
    list_running,
    list_with_saved_memory,
)
from zconsole.system.libvirt.stored_definition import (
    PERSISTENT,
    STARTED_AT_BOOT,
    WITH_SNAPSHOTS,
    asked_of,
    dump_stored_xml,
)


def expected_of_libvirts(
    intent: Intent, guests: Sequence[Guest], *, is_told: bool
) -> tuple[ExpectedQuestion, ...]:
    """What is asked to know who uses storage, and of guests that may be in the way.

    `is_told`: it is known that the user may change guests.
    """
    action = spec(intent.action)
    needs = action.needs(intent)
    known = [each for each in guests if each.is_of_libvirt and each.definition.uuid]
    if not known or not (needs.uses or needs.disk_uses):
        return ()
    are_changed = action.option(SHUT_DOWN_GUESTS.name) is not None
    active = [each for each in known if are_changed and each.status.state.is_active and each.all_places]
    asked = [*_definitions(known, needs), *_states(active, is_told=is_told), *_stored(active, intent.target)]
    return tuple(dict.fromkeys(asked))


def _definitions(known: Sequence[Guest], needs: Needs) -> Iterator[ExpectedQuestion]:
    """Who runs, and the definition of each; a plan of disks asks the system's libvirt alone."""
    for each in known:
        uri, uuid = each.definition.uri, each.definition.uuid
        if needs.uses or uri == SYSTEM:
            for question in (list_all, list_running, list_paused, list_with_saved_memory):
                yield ExpectedQuestion(question(uri), "guest-list", "")
            yield ExpectedQuestion(dump_xml(uri, uuid), f"guest {uuid}", "")


def _states(active: Sequence[Guest], *, is_told: bool) -> Iterator[ExpectedQuestion]:
    """Of guests that may be shut down."""
    for each in active:
        yield ExpectedQuestion(domain_stats(each.definition.uri), "guests", "")
    if active and not is_told:
        yield ExpectedQuestion(MAY_CHANGE, "libvirt-access", "")


def _stored(active: Sequence[Guest], target: str) -> Iterator[ExpectedQuestion]:
    """Stored definitions of the guests on a dataset and below it."""
    for each in active:
        if any(place == target or place.startswith(f"{target}/") for place in each.all_places):
            uri, uuid = each.definition.uri, each.definition.uuid
            yield ExpectedQuestion(asked_of(uri, dump_stored_xml(uuid)), "guest-definition", "")
            for question in (PERSISTENT, WITH_SNAPSHOTS, STARTED_AT_BOOT):
                yield ExpectedQuestion(asked_of(uri, question), "guest-list", "")
