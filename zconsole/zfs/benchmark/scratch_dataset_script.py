"""Script for the host: create a scratch dataset, run fio on it, destroy it whatever happens.

It is one command, so that the dataset is destroyed too where the link is lost or the console is killed: the
work is done in a session of its own, which outlives its parent until the pattern under way has ended. No name
is in the text of the script; all come as arguments.

A user who is not root runs it as himself, fio included: the dataset is made, given to that user and destroyed
by `sudo -n`.
"""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass

SCRATCH: Final = "zconsole-benchmark"
FOLDER: Final = f"/run/{SCRATCH}.XXXXXX"  # root's: nobody else can put a link there
MARK: Final = "zconsole-benchmark:"
MOST_VDEVS: Final = 24  # lines of `zpool iostat` that are kept of each run
PATTERNS: Final[tuple[tuple[str, str, str, str], ...]] = (  # name, rw, bs, further option of fio
    ("sync-write-4k", "randwrite", "4k", "--sync=1"),
    ("random-read-8k", "randread", "8k", ""),
    ("random-write-8k", "randwrite", "8k", "--end_fsync=1"),
    ("random-read-16k", "randread", "16k", ""),
    ("random-write-16k", "randwrite", "16k", "--end_fsync=1"),
    ("stream-read-1m", "read", "1m", ""),
    ("stream-write-1m", "write", "1m", "--end_fsync=1"),
    ("stream-write-1m-zeros", "write", "1m", "--zero_buffers=1"),
)
TWIN: Final = "stream-write-1m-zeros"  # compressible: shows what a careless benchmark tells
LAYOUT_S: Final = 900  # for writing the file that is read
_FIXED: Final = ("atime=off", "canmount=on", "com.sun:auto-snapshot=false")
_RUNS: Final = "\n".join(f"pattern {name} {rw} {bs} {more}".rstrip() for name, rw, bs, more in PATTERNS)

SCRIPT: Final = f"""\
worker=$(cat <<'END'
pool=$1 scratch=$2 recordsize=$3 cache=$4 bytes=$5 seconds=$6
say() {{ printf '%s\\n' "{MARK} $*"; }}
as=; [ "$(id -u)" = 0 ] || as="sudo -n"
guid= folder= work=
clean() {{
    status=$?
    trap '' HUP INT TERM PIPE
    cd /
    for pause in 1 2 4 8 16 0; do
        [ -n "$guid" ] || break
        [ "$guid" = "$(zfs get -Hpo value guid "$scratch" 2>/dev/null)" ] || {{ guid=; break; }}
        $as zfs destroy -r "$scratch" 2>"$work/said" && guid=
        [ -z "$guid" ] || sleep "$pause"
    done
    if [ -n "$guid" ]; then cat "$work/said" >&2; status=3; fi
    rm -f "$work/said" "$work/fio" "$work/iostat"
    rmdir "$work" 2>/dev/null
    [ -z "$folder" ] || $as rmdir "$folder" 2>/dev/null
    exit "$status"
}}
trap clean EXIT
trap 'exit 129' HUP INT TERM PIPE
work=$(mktemp -d "${{TMPDIR:-/tmp}}/{SCRATCH}.XXXXXX") || exit 1
folder=$($as mktemp -d {FOLDER}) || exit 1
$as zfs create -o recordsize="$recordsize" -o primarycache="$cache" -o atime=off -o canmount=on \\
    -o com.sun:auto-snapshot=false -o mountpoint="$folder" "$scratch" || exit 1
guid=$(zfs get -Hpo value guid "$scratch") || exit 1
place=$(zfs get -Hpo value mountpoint "$scratch")
[ "$(zfs get -Hpo value mounted "$scratch")" = yes ] || {{ echo "$scratch is not mounted" >&2; exit 1; }}
[ -z "$as" ] || $as chown "$(id -un)" "$place" || exit 1
random="--refill_buffers=1 --buffer_compress_percentage=0 --randrepeat=0"
job="--output-format=json --filename=$place/file --size=$bytes --ioengine=psync --fallocate=none"
say "writes the file that is read: $bytes bytes"
timeout {LAYOUT_S} fio --name=layout $job $random --rw=write --bs=1m --end_fsync=1 \\
    --output="$work/fio" </dev/null || exit 1
pattern() {{
    name=$1 rw=$2 bs=$3 more=$4
    kind=$random
    case $more in --zero_buffers*) kind=--randrepeat=0 ;; esac
    zpool iostat -Hpvyl "$pool" "$seconds" 1 >"$work/iostat" 2>/dev/null </dev/null &
    timeout $((seconds * 10 + 60)) fio --name="$name" $job $kind --rw="$rw" --bs="$bs" --time_based \\
        --runtime="$seconds" --percentile_list=50:99 $more --output="$work/fio" </dev/null || exit 1
    wait
    printf '%s\\n' "{MARK}fio $name $(tr -d '\\n\\t' <"$work/fio" | tr -s ' ')"
    head -n {MOST_VDEVS} "$work/iostat" | sed "s/^/{MARK}vdev $name /"
    say "$name is measured"
    say "the scratch dataset is still there"
}}
{_RUNS}
END
)
setsid -w sh -c "$worker" {SCRATCH} "$@" </dev/null; exit $?
"""


@dataclass(frozen=True, slots=True)
class Scratch:
    """Words of the script. `size_bytes` is the size of the file, `seconds` the length of one pattern."""

    pool: str
    name: str
    recordsize: int
    primarycache: str
    size_bytes: int
    seconds: int


def benchmark_argv(scratch: Scratch) -> tuple[str, ...]:
    """Argv of the shell that reads SCRIPT from its stdin."""
    words = (scratch.recordsize, scratch.primarycache, scratch.size_bytes, scratch.seconds)
    return ("sh", "-s", "--", scratch.pool, scratch.name, *map(str, words))


def create_argv(name: str, recordsize: int, primarycache: str, folder: str = FOLDER) -> tuple[str, ...]:
    """Argv of the scratch dataset, as the script makes it on a folder."""
    settings = (f"recordsize={recordsize}", f"primarycache={primarycache}", *_FIXED, f"mountpoint={folder}")
    return ("zfs", "create", *(word for each in settings for word in ("-o", each)), name)


def make_folder_argv() -> tuple[str, ...]:
    """Argv that makes the folder to mount on."""
    return ("mktemp", "-d", FOLDER)


def remove_folder_argv(folder: str = FOLDER) -> tuple[str, ...]:
    """Argv that removes the folder."""
    return ("rmdir", folder)


def give_argv(user: str, folder: str = FOLDER) -> tuple[str, ...]:
    """Argv that gives the mounted dataset to the user whose fio writes there."""
    return ("chown", user, folder)


def destroy_argv(name: str) -> tuple[str, ...]:
    """Argv that destroys the scratch dataset."""
    return ("zfs", "destroy", "-r", name)


def commands_as_root(scratch: Scratch, user: str) -> tuple[tuple[str, ...], ...]:
    """All that the script runs as root, by `sudo -n` where this user runs it; the folder stands for any."""
    made = create_argv(scratch.name, scratch.recordsize, scratch.primarycache)
    return (make_folder_argv(), made, give_argv(user), destroy_argv(scratch.name), remove_folder_argv())


def destroyed_by(name: str) -> str:
    """Line of `zpool history` that the script leaves once the scratch dataset is destroyed."""
    return f"zfs destroy -r {name}"
