"""Script for the host: freeze the file systems of guests, take one snapshot, thaw them whatever happens.

It is one command, because the guests stand still from the freeze until the thaw: no round trip of the link
belongs between. Each guest has a keeper in a session of its own, which asks for the freeze itself and thaws
after the deadline, also where this script was killed, the link was lost or libvirtd died meanwhile, and tries
for a quarter of an hour. The script ends it, after the guest has told that it is thawed.

libvirt carries out a request whose virsh is gone, once it can. A freeze that has no answer within half of the
deadline is given up by the script, and not by its keeper: where it comes all the same, the keeper thaws at
once. The keeper alone decides which of both it is, in one place.

Before any freeze each agent is asked whether it answers, and whether its guest is frozen already: what
another program has frozen is left so.

Frozen *during* the snapshot is what was told so after the snapshot was there, and has thawed as many file
systems as it had frozen. No name is in the text of the script; all come as arguments.

A user who is not root runs it as himself: virsh and zfs become root one by one, by `sudo -n`, unless libvirt
lets that user in, or sudo has no rule for the snapshot (then `zfs allow` has to).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.guest import SYSTEM
from zconsole.system.libvirt.agent_commands import FREEZE_STATUS

MARK: Final = "zconsole-freeze:"
FROZEN_GUESTS: Final = "org.zconsole:frozen-guests"  # user property of the snapshot: names, a comma between
ALL: Final = "all"
WHERE_POSSIBLE: Final = "where-possible"
WATCHED_S: Final = 900  # for so long the watchdog tries to thaw
TRIES: Final = 5  # of the script itself to thaw a guest, before it leaves it to the watchdog
NO_SNAPSHOT, NOT_FROZEN, STILL_FROZEN = 4, 5, 6  # exit status
_HEAD: Final = ("sh", "-s", "--")
_VIRSH: Final = ("virsh", "-c", SYSTEM)
# What libvirt says where the request never reached the agent: that had another one, or did not answer.
_NEVER_SENT: Final = ('"state change lock"', "synchroni")
_ROW: Final = re.compile(
    rf"^{MARK} (froze|not-frozen|held|lost|thawed|off|stuck|crash) (\S+)(?: ([^\n]*))?$", re.MULTILINE
)

SCRIPT: Final = f"""\
main() {{
trap '' HUP PIPE
deadline=$1 libvirt=$2 policy=$3 property=$4 count=$5
shift 5
guests= at=0
while [ "$at" -lt "$count" ]; do
    at=$((at + 1))
    guests="$guests $1"
    eval "name_$at=\\$2"
    shift 2
done
for tool in setsid timeout virsh; do
    command -v "$tool" >/dev/null || {{ echo "this host has no $tool" >&2; exit {NO_SNAPSHOT}; }}
done
as= zfs_as=
if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null; then
    timeout -k 1 12 virsh -q -c "$libvirt" uri >/dev/null 2>&1 </dev/null || as="sudo -n"
    ! sudo -n -l "$@" >/dev/null 2>&1 </dev/null || zfs_as="sudo -n"
fi
tools=$(cat <<'END'
ask() {{ limit=$1; shift; timeout -k 1 "$limit" $as virsh -c "$libvirt" "$@" 2>&1 </dev/null; }}
status() {{ ask 12 qemu-agent-command --timeout 5 "$1" '{FREEZE_STATUS}'; }}
one_line() {{ printf %s "$1" | tr '\\n' ' '; }}
number_in() {{ printf %s "$1" | tr -dc 0-9; }}
lists_not() {{ sought=$1; shift; all=$(ask 12 list "$@") && case $all in *"$sought"*) false ;; esac; }}
is_off() {{ lists_not "$1" --uuid && lists_not "$1" --uuid --all --with-managed-save; }}
thaw() {{  # with -q virsh would not tell how many
    said=$(ask 20 domfsthaw "$1") && number=$(number_in "$said") || number=0
    case $(status "$1") in *'"thawed"'*) echo "thawed $1 ${{number:-0}}"; return 0 ;; esac
    if is_off "$1"; then echo "off $1"; return 0; fi
    echo "stuck $1 $(one_line "$said")"
    return 1
}}
END
)
keep=$(cat <<'END'
libvirt=$1 deadline=$2 guest=$3 within=$((($2 + 1) / 2)) late=
trap '' HUP PIPE
answer=$(mktemp) || exit
echo "keeper $guest $$"
log() {{ ! command -v logger >/dev/null || logger -t zconsole "$1"; }}
until_thawed() {{
    tries=0
    until "$1" "$guest" || [ $((tries += 1)) -ge {WATCHED_S // 2} ]; do sleep 2; done
}}
thaw_if_frozen() {{
    case $(status "$1") in *'"thawed"'*) ;; *'"frozen"'*) thaw "$1" ;; *) is_off "$1" ;; esac
}}
give_up() {{
    late=yes
    echo "late $guest no answer in $within s; if the freeze comes all the same, the host thaws it at once"
    exec >/dev/null
    until_thawed thaw_if_frozen & unanswered=$!
}}
trap give_up USR1
sleep "$deadline" >/dev/null & clock=$!
timeout -k 1 {WATCHED_S} $as virsh -c "$libvirt" domfsfreeze "$guest" >"$answer" 2>&1 </dev/null & request=$!
(sleep "$within"; kill -s USR1 $$) >/dev/null & bell=$!
wait "$request"
code=$?
while [ "$code" -gt 128 ] && kill -s 0 "$request" 2>/dev/null; do
    wait "$request"
    code=$?
done
trap '' USR1
kill "$bell" 2>/dev/null
said=$(cat "$answer")
rm -f "$answer"
[ "$code" = 0 ] && number=$(number_in "$said") || number=
if [ -z "$late" ]; then
    if [ "${{number:-0}}" -gt 0 ]; then echo "froze $guest $number"
    else echo "not-frozen $guest $(one_line "$said")"; fi
    exec >/dev/null 2>&1
    wait "$clock"
    log "file systems of $guest were frozen for $deadline s: thawing"
    until_thawed thaw
elif [ "${{number:-0}}" -gt 0 ]; then
    log "file systems of $guest were frozen by a request that was given up: thawing"
    until_thawed thaw
else
    case $said in *{_NEVER_SENT[0]}*|*{_NEVER_SENT[1]}*) kill "$unanswered" 2>/dev/null ;; esac
    wait
fi
END
)
eval "$tools"
say() {{ printf '%s\\n' "$1" | sed '/./!d; s/^/{MARK} /'; }}
has() {{ printf '%s\\n' "$2" | grep -q "^$1\\( \\|\\$\\)"; }}
number_of() {{ printf '%s\\n' "$2" | sed -n "s/^$1 \\([0-9]\\{{1,9\\}}\\)\\$/\\1/p"; }}
each() {{ for guest in $2; do "$1" "$guest" & done; wait; }}
look_first() {{
    said=$(status "$1")
    case $said in
        *'"thawed"'*) ;;
        *'"frozen"'*) echo "not-frozen $1 its file systems are frozen already, by something else" ;;
        *) echo "not-frozen $1 $(one_line "${{said:-its agent does not answer}}")" ;;
    esac
}}
freeze() {{ as=$as setsid sh -c "$tools
$keep" zconsole-thaw "$libvirt" "$deadline" "$1" </dev/null 2>/dev/null & }}
look() {{ case $(status "$1") in *'"frozen"'*) echo "held $1" ;; *) echo "lost $1" ;; esac; }}
unless_thawed() {{  # of a guest whose freeze is still asked for: what its keeper does is not hindered
    case $(status "$1") in *'"thawed"'*) echo "thawed $1 0"; return 0 ;; esac
    if is_off "$1"; then echo "off $1"; return 0; fi
    echo "stuck $1 "
    return 1
}}
release() {{
    tries=0 how=thaw
    ! has "late $1" "$kept" || how=unless_thawed
    until told=$("$how" "$1") || [ $((tries += 1)) -ge {TRIES} ]; do sleep 1; done
    echo "$told"
}}
end_keeper() {{
    keeper=$(number_of "keeper $1" "$kept")
    [ -n "$keeper" ] && ! has "late $1" "$kept" || return 0
    if tr '\\0' ' ' <"/proc/$keeper/cmdline" 2>/dev/null | grep -q zconsole-thaw; then
        kill -s KILL -- "-$keeper" 2>/dev/null
    fi
}}

before=$(each look_first "$guests")
asked= kept=
if [ "$policy" = {WHERE_POSSIBLE} ] || [ -z "$before" ]; then
    for guest in $guests; do has "not-frozen $guest" "$before" || asked="$asked $guest"; done
    kept=$(each freeze "$asked")
fi
froze=$(
    printf '%s\\n' "$before"
    printf '%s\\n' "$kept" | sed '/^keeper /d; s/^late /not-frozen /'
    for guest in $asked; do
        has "keeper $guest" "$kept" || echo "not-frozen $guest its watchdog did not start"
    done
)
say "$froze"
taken=
if [ "$policy" = {WHERE_POSSIBLE} ] || ! printf '%s\\n' "$froze" | grep -q '^not-frozen'; then
    $zfs_as "$@" </dev/null && taken=yes
fi
held=
[ -z "$taken" ] || held=$(each look "$asked")
say "$held"
thawed=$(each release "$asked")
say "$thawed"
is_stuck=
for guest in $asked; do
    if has "thawed $guest" "$thawed" || has "off $guest" "$thawed"; then end_keeper "$guest"
    else is_stuck=yes; fi
done
consistent= others= at=0
for guest in $guests; do
    at=$((at + 1))
    eval "name=\\$name_$at"
    before=$(number_of "froze $guest" "$froze") after=$(number_of "thawed $guest" "$thawed")
    if has "held $guest" "$held" && [ "${{before:-0}}" -gt 0 ] && [ "${{after:-0}}" -ge "$before" ]; then
        consistent="$consistent${{consistent:+,}}$name"
    else
        others="$others${{others:+, }}$name"
        say "crash $guest"
    fi
done
if [ -n "$taken" ] && [ -n "$consistent" ]; then
    for word; do
        case $word in *@*) $zfs_as zfs set "$property=$consistent" "$word" </dev/null || true ;; esac
    done
fi
if [ -n "$is_stuck" ]; then
    echo "a guest may still be frozen: $others; the host tries to thaw it for {WATCHED_S // 60}m" >&2
    exit {STILL_FROZEN}
fi
if [ -z "$taken" ]; then
    if printf '%s\\n' "$froze" | grep -q '^not-frozen' && [ "$policy" != {WHERE_POSSIBLE} ]; then
        echo "no snapshot was taken, because not every guest could be frozen; all are thawed" >&2
        printf '%s\\n' "$froze" | sed -n 's/^not-frozen [^ ]* //p' >&2
    else
        echo "no snapshot was taken; all guests are thawed" >&2
    fi
    exit {NO_SNAPSHOT}
fi
if [ -n "$others" ] && [ "$policy" != {WHERE_POSSIBLE} ]; then
    echo "the snapshot was taken, and is only crash-consistent for $others" >&2
    exit {NOT_FROZEN}
fi
exit 0
}}
main "$@"
"""


@dataclass(frozen=True, slots=True)
class FrozenSnapshot:
    """Words of the script. `guests` are uuids with names; `snapshot` is the argv that takes the snapshot."""

    deadline_s: int
    guests: tuple[tuple[str, str], ...]
    snapshot: tuple[str, ...]
    is_where_possible: bool = False


@dataclass(frozen=True, slots=True)
class FreezeOutcome:
    """What the script has told of the guests, each by its name."""

    consistent: tuple[str, ...] = ()  # frozen for the whole of the snapshot, and thawed
    crash_consistent: tuple[tuple[str, str], ...] = ()  # with the reason, where one was told
    stuck: tuple[tuple[str, str], ...] = ()  # may still be frozen: name and uuid
    was_seen: bool = True  # otherwise its end was not


def frozen_snapshot_argv(words: FrozenSnapshot) -> tuple[str, ...]:
    """Argv of the shell that reads SCRIPT from its stdin."""
    policy = WHERE_POSSIBLE if words.is_where_possible else ALL
    guests = [word for guest in words.guests for word in guest]
    head = (str(words.deadline_s), SYSTEM, policy, FROZEN_GUESTS, str(len(words.guests)))
    return (*_HEAD, *head, *guests, *words.snapshot)


def status_argv(uuid: str) -> tuple[str, ...]:
    """Argv that asks the agent, as the script does."""
    return (*_VIRSH, "qemu-agent-command", "--timeout", "5", uuid, FREEZE_STATUS)


def freeze_argv(uuid: str) -> tuple[str, ...]:
    """Argv of the freeze."""
    return (*_VIRSH, "domfsfreeze", uuid)


def thaw_argv(uuid: str) -> tuple[str, ...]:
    """Argv of the thaw."""
    return (*_VIRSH, "domfsthaw", uuid)


def list_argv() -> tuple[str, ...]:
    """Argv that lists the running guests."""
    return (*_VIRSH, "list", "--uuid")


def list_saved_argv() -> tuple[str, ...]:
    """Argv that lists the guests whose memory is saved: one that was frozen then is so after its start."""
    return (*list_argv(), "--all", "--with-managed-save")


def commands_as_root(words: FrozenSnapshot) -> tuple[tuple[str, ...], ...]:
    """All that the script runs as root, by `sudo -n` where it is run by another user."""
    of_guests = [each(uuid) for uuid, _ in words.guests for each in (freeze_argv, status_argv, thaw_argv)]
    noted = f"{FROZEN_GUESTS}={frozen_names(words.guests)}"
    marks = [("zfs", "set", noted, word) for word in words.snapshot if "@" in word]
    return (*of_guests, list_argv(), list_saved_argv(), words.snapshot, *marks)


def guests_in(argv: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Uuids and names of the guests in the argv of the script; none of another command."""
    at = len(_HEAD)
    if tuple(argv[:at]) != _HEAD or len(argv) <= at + 4 or argv[at + 3] != FROZEN_GUESTS:
        return ()
    words = argv[at + 5 :]
    return tuple((words[2 * each], words[2 * each + 1]) for each in range(int(argv[at + 4])))


def frozen_names(guests: Sequence[tuple[str, str]]) -> str:
    """Value of the snapshot's property once all of these guests were frozen during it."""
    return ",".join(name for _, name in guests)


def freeze_outcome(argv: Sequence[str], said: str) -> FreezeOutcome:
    """What the script's output tells of the guests in its argv."""
    guests = dict(guests_in(argv))
    told = {(row[1], row[2]): row[3] or "" for row in _ROW.finditer(said) if row[2] in guests}
    crash = [uuid for uuid in guests if ("crash", uuid) in told]
    return FreezeOutcome(
        consistent=tuple(name for uuid, name in guests.items() if uuid not in crash),
        crash_consistent=tuple((guests[uuid], _why(uuid, told)) for uuid in crash),
        stuck=tuple((name, uuid) for uuid, name in guests.items() if _is_stuck(uuid, told)),
        was_seen=any(("froze", uuid) in told or ("not-frozen", uuid) in told for uuid in guests),
    )


def _is_stuck(uuid: str, told: dict[tuple[str, str], str]) -> bool:
    return ("stuck", uuid) in told and not {("thawed", uuid), ("off", uuid)} & told.keys()


def _why(uuid: str, told: dict[tuple[str, str], str]) -> str:
    if ("not-frozen", uuid) in told:
        return told["not-frozen", uuid].strip()
    if ("lost", uuid) in told:
        return "it was thawed before the snapshot was seen"
    if ("off", uuid) in told:
        return "it is off"
    return "not every file system was thawed by this thaw" if ("thawed", uuid) in told else ""
