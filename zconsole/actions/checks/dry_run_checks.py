"""Results of ZFS's dry runs in a plan of destruction, and contradictions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.actions.plan import Plan, RefusalReason, Rehearsal, Risk
from zconsole.base.errors import ParseError
from zconsole.base.name_lists import shortened
from zconsole.zfs.change.libzfs_core_argv import is_snaprange_space, parse_space
from zconsole.zfs.listing.destroy_dry_run import DestroyDryRun, is_destroy_dry_run, parse_destroy_dry_run

_NAMED: Final = 5


def check_dry_runs(made: Plan) -> Plan:
    """The plan with freed bytes from dry runs; refused when ZFS lists objects that the plan does not.

    ZFS listing fewer objects is no contradiction: with `-R` it omits clones.
    """
    made = _measured(made)
    tried = [each for each in made.rehearsals if each.decides]
    runs = [run for run in map(_read, tried) if run is not None]
    if not runs:
        return made
    named = {name for run in runs for name in run.destroys}
    more = sorted(named - set(made.destroys))
    if more:
        some = shortened(more, _NAMED)
        reason = RefusalReason("dry-run-differs", f"ZFS would also destroy {some}", "plan it again")
        return replace(made, refusals=(*made.refusals, reason), risk=Risk.REFUSED)
    reclaimed = [run.reclaims_bytes for run in runs]
    is_whole = len(runs) == len(tried) and named == set(made.destroys) and None not in reclaimed
    if made.frees_bytes is None and is_whole:
        return replace(made, frees_bytes=sum(each for each in reclaimed if each is not None))
    return made


def _measured(made: Plan) -> Plan:
    """The plan with freed bytes from libzfs_core: for complete ranges, which the sum of dry runs is not."""
    for each in made.rehearsals:
        if each.status == 0 and is_snaprange_space(each.argv):
            try:
                return replace(made, frees_bytes=parse_space(each.said))
            except ParseError:
                return made
    return made


def _read(rehearsal: Rehearsal) -> DestroyDryRun | None:
    """Parsed output of a successful dry run of a destroy, otherwise None."""
    if rehearsal.status != 0 or not is_destroy_dry_run(rehearsal.argv):
        return None
    try:
        return parse_destroy_dry_run(f"{rehearsal.said}\n")
    except ParseError:
        return None
