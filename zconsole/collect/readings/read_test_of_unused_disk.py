"""Short read test of a disk that is to join a pool: reads only, bounded in bytes and time."""

from __future__ import annotations

from typing import Final

from zconsole.actions.known_facts import known_facts
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import objections
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity, stable_link
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, JoiningDevice, resolve
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, ParseError, Stuck, UsageError
from zconsole.base.escape_control_characters import decoded
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.hosts.host import NOT_STARTED, Completed, Outcome
from zconsole.model.host.plan_facts import HostPolicy
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome
from zconsole.system.dd_disk_reads import PIECE_TIMEOUT_S, TOOL, Piece, offsets_mib, parse_piece, read_piece

NOT_OPENED: Final = "failed to open"  # dd's message, in which the system's reason follows
DENIED: Final = ("Permission denied", "Operation not permitted")
IN_USE: Final = frozenset({"in-use", "mounted", "swap", "holder", "held-open"})
LONGEST: Final = 200  # characters of what the system says
NEEDS: Final = "it takes root or the group disk"


async def read_test_of(asker: Asker, word: str, clock: Clock) -> ReadTest:
    """Test the disk that a word means, unless anything uses it.

    Raises UsageError for a disk that is in use or unknown, and HostError.
    """
    state = await gather(asker.host, clock)
    facts = known_facts(state, clock.now(), HostPolicy())
    found = resolve(word, facts.inventory)
    if isinstance(found, DeviceObjection):
        raise UsageError(found.reason, hint=found.instead)
    if found.whole is None:
        raise UsageError(f"{word} is no disk", hint="Name an unused disk by its serial number.")
    whole = JoiningDevice(found.path, found.whole, found.whole)
    for each in objections(whole, facts):
        if each.rule in IN_USE:
            raise UsageError(f"{each.reason}: it is not tested", hint="Only a disk that nothing uses is.")
    return await read_test(asker, Privilege(asker), found.whole, clock)


async def read_test(asker: Asker, privilege: Privilege, disk: Disk, clock: Clock) -> ReadTest:
    """Read pieces of a disk, one after the other, until one fails. Raises LinkLost and HostUnreachable."""
    identity, pieces = disk_identity(disk), list[Piece]()
    link = stable_link(disk)
    if link is None or not disk.size_bytes:
        words = "the disk has no persistent name" if link is None else "the disk has no size"
        return ReadTest(identity, clock.now(), ReadTestOutcome.NOT_RUN, words=words)
    for skip in offsets_mib(disk.size_bytes):
        try:
            command = await privilege.to_read(read_piece(link, skip))
            answer = _judged(await asker.run(command, kind=TOOL, pool=disk.name))
        except (CommandFailed, Stuck) as error:
            answer = (ReadTestOutcome.FAILED, error.message)
        if isinstance(answer, Piece):
            pieces.append(answer)
            continue
        return _result(identity, clock.now(), pieces, *answer)
    return _result(identity, clock.now(), pieces, ReadTestOutcome.PASSED, "")


def _result(
    identity: tuple[str, ...], at: float, pieces: list[Piece], outcome: ReadTestOutcome, words: str
) -> ReadTest:
    size, seconds = sum(each.read_bytes for each in pieces), sum(each.seconds for each in pieces)
    return ReadTest(identity, at, outcome, size, seconds, words)


def _judged(completed: Completed) -> Piece | tuple[ReadTestOutcome, str]:
    """What was read, or how the test ended and why."""
    said = decoded(completed.stderr).strip()
    if completed.status in NOT_STARTED:
        return ReadTestOutcome.NOT_RUN, f"{TOOL} is not installed"
    if completed.outcome is Outcome.UNKNOWN:
        return ReadTestOutcome.FAILED, f"no answer within {PIECE_TIMEOUT_S:.0f} s"
    if completed.is_done:
        try:
            piece = parse_piece(said)
        except ParseError:
            return ReadTestOutcome.NOT_RUN, said.rpartition("\n")[2][:LONGEST]
        return piece if piece.read_bytes else (ReadTestOutcome.FAILED, "nothing could be read")
    first = said.partition("\n")[0][:LONGEST]
    if completed.reason or any(each in first for each in DENIED):
        return ReadTestOutcome.NOT_RUN, NEEDS if any(each in first for each in DENIED) else completed.reason
    is_of_program = NOT_OPENED not in first and "error reading" not in first
    return (ReadTestOutcome.NOT_RUN if is_of_program else ReadTestOutcome.FAILED), first
