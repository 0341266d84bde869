"""Agents of the practice host's guests by `virsh`: freeze, thaw, file systems, and plain commands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from zconsole.practice.libvirt.guests import RUNNING, PracticeGuest
from zconsole.practice.program_reply import Refusal, Reply

AGENT: Final = {  # by subcommand: libvirt's function, and what virsh says before libvirt's own error
    "domfsfreeze": ("virDomainFSFreeze", "Unable to freeze filesystems"),
    "domfsthaw": ("virDomainFSThaw", "Unable to thaw filesystems"),
    "domfsinfo": ("virDomainGetFSInfo", "Unable to get filesystem information"),
    "qemu-agent-command": ("virDomainQemuAgentCommand", ""),
}
_MUTE: Final = "Guest agent is not responding: "


def agent(command: str, words: Sequence[str], guest: PracticeGuest, *, is_read_only: bool) -> Reply:
    """Answer one of these subcommands, for a guest."""
    function, failed = AGENT[command]
    before = f"error: {failed}\n" if failed else ""
    why = _why_not(guest)
    if is_read_only:
        why = f"operation forbidden: read only access prevents {function}"
    if not why and command == "domfsfreeze" and guest.is_frozen:
        why = _failed("guest-fsfreeze-freeze", "Command guest-fsfreeze-freeze has been disabled: "
                      "the agent is in frozen state")  # fmt: skip
    elif not why and command == "domfsfreeze" and not guest.freezes:
        why = _failed("guest-fsfreeze-freeze", "failed to freeze /: Operation not supported")
    if why:
        raise Refusal(f"{before}error: {why}\n", stdout="\n")
    match command:
        case "domfsfreeze":
            guest.is_frozen = True
            return Reply(f"Froze {guest.file_systems} filesystem(s)\n\n")
        case "domfsthaw":
            thawed, guest.is_frozen = guest.file_systems if guest.is_frozen else 0, False
            return Reply(f"Thawed {thawed} filesystem(s)\n\n")
        case "domfsinfo":
            return Reply(_table(guest))
    return Reply(_answer(words[-1], guest) + "\n\n")


def _why_not(guest: PracticeGuest) -> str:
    if guest.state != RUNNING:
        return "Requested operation is not valid: domain is not running"
    if not guest.has_agent:
        return "argument unsupported: QEMU guest agent is not configured"
    if not guest.is_agent_connected:
        return f"{_MUTE}QEMU guest agent is not connected"
    return "" if guest.does_agent_answer else f"{_MUTE}Guest agent not available for now"


def _failed(command: str, why: str) -> str:
    return f"internal error: unable to execute QEMU agent command '{command}': {why}"


def _table(guest: PracticeGuest) -> str:
    rows = [("Mountpoint", "Name", "Type", "Target")]
    for at in range(guest.file_systems):
        disk = guest.disks[min(at, len(guest.disks) - 1)].target if guest.disks else ""
        rows.append(("/" if not at else f"/srv/{at}", f"{disk}{at + 1}", "ext4", disk))
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        " " + "   ".join(cell.ljust(cells) for cell, cells in zip(row, widths, strict=True)) for row in rows
    ]
    return "\n".join([lines[0].rstrip(), "-" * (sum(widths) + 12), *map(str.rstrip, lines[1:])]) + "\n\n"


def _answer(text: str, guest: PracticeGuest) -> str:
    try:
        execute = json.loads(text)["execute"]
    except (ValueError, KeyError, TypeError) as error:
        raise Refusal("error: internal error: cannot parse json\n", stdout="\n") from error
    match execute:
        case "guest-ping":
            return '{"return":{}}'
        case "guest-fsfreeze-status":
            return json.dumps({"return": "frozen" if guest.is_frozen else "thawed"}, separators=(",", ":"))
    why = _failed(str(execute), f"The command {execute} has not been found")
    raise Refusal(f"error: {why}\n", stdout="\n")
