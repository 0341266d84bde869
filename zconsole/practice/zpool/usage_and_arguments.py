"""Usage texts of the `zpool` subcommands, and how their command lines are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.practice.getopt import BadOption, Options, getopt
from zconsole.practice.program_reply import Refusal

USAGE: Final = {
    "add": "\tadd [-afgLnP] [-o property=value] <pool> <vdev> ...\n",
    "attach": "\tattach [-fsw] [-o property=value] <pool> <vdev> <new-device>\n",
    "checkpoint": "\tcheckpoint [-d [-w]] <pool> ...\n",
    "clear": "\tclear [[--power]|[-nF]] <pool> [device]\n",
    "create": "\tcreate [-fnd] [-o property=value] ... \n"
    "\t    [-O file-system-property=value] ... \n"
    "\t    [-m mountpoint] [-R root] <pool> <vdev> ...\n",
    "destroy": "\tdestroy [-f] <pool>\n",
    "detach": "\tdetach <pool> <device>\n",
    "events": "\tevents [-vHf [pool] | -c]\n",
    "export": "\texport [-af] <pool> ...\n",
    "get": '\tget [-Hp] [-j [--json-int] [--json-pool-key-guid]] [-o "all" | field[,...]]\n'
    '\t    <"all" | property[,...]> <pool> ...\n',
    "history": "\thistory [-il] [<pool>] ...\n",
    "import": "\timport [-d dir] [-D]\n"
    "\timport [-o mntopts] [-o property=value] ... \n"
    "\t    [-d dir | -c cachefile] [-D] [-l] [-f] [-m] [-N] [-R root] [-F [-n]] -a\n"
    "\timport [-o mntopts] [-o property=value] ... \n"
    "\t    [-d dir | -c cachefile] [-D] [-l] [-f] [-m] [-N] [-R root] [-F [-n]]\n"
    "\t    [--rewind-to-checkpoint] <pool | id> [newpool]\n",
    "initialize": "\tinitialize [-c | -s | -u] [-w] <-a | <pool> [<device> ...]>\n",
    "iostat": "\tiostat [[[-c [script1,script2,...]][-lq]]|[-rw]] [-T d | u] [-ghHLpPvy]\n"
    "\t    [[pool ...]|[pool vdev ...]|[vdev ...]] [[-n] interval [count]]\n",
    "labelclear": "\tlabelclear [-f] <vdev>\n",
    "list": "\tlist [-gHLpPv] [-o property[,...]] [-j [--json-int] [--json-pool-key-guid]] [-T d|u]\n"
    "\t    [pool] ... [interval [count]]\n",
    "offline": "\toffline [--power]|[[-f][-t]] <pool> <device> ...\n",
    "online": "\tonline [--power][-e] <pool> <device> ...\n",
    "reguid": "\treguid [-g guid] <pool>\n",
    "remove": "\tremove [-npsw] <pool> <device> ...\n",
    "reopen": "\treopen [-n] <pool>\n",
    "replace": "\treplace [-fsw] [-o property=value] <pool> <device> [new-device]\n",
    "resilver": "\tresilver <pool> ...\n",
    "scrub": "\tscrub [-e | -s | -p | -C | -E | -S] [-w] <-a | <pool> [<pool> ...]>\n",
    "set": "\tset <property=value> <pool>\n\tset <vdev_property=value> <pool> <vdev>\n",
    "split": "\tsplit [-gLnPl] [-R altroot] [-o mntopts]\n"
    "\t    [-o property=value] <pool> <newpool> [<device> ...]\n",
    "status": "\tstatus [--power] [-j [--json-int] [--json-flat-vdevs] [--json-pool-key-guid]]\n"
    "\t    [-c [script1,script2,...]] [-dDegiLpPstvx] [-T d|u] [pool] ...\n\t    [interval [count]]\n",
    "sync": "\tsync [pool] ...\n",
    "trim": "\ttrim [-dw] [-r <rate>] [-c | -s] <-a | <pool> [<device> ...]>\n",
    "upgrade": "\tupgrade\n\tupgrade -v\n\tupgrade [-V version] <-a | pool ...>\n",
    "version": "\tversion [-j]\n",
    "wait": "\twait [-Hp] [-T d|u] [-t <activity>[,...]] <pool> [interval]\n",
}


def misuse(command: str, why: str = "") -> Refusal:
    """The refusal of a command line that is wrong, with the usage."""
    first = f"{why}\n" if why else ""
    return Refusal(f"{first}usage:\n{USAGE[command]}", 2)


def read(
    command: str, args: Sequence[str], short: str = "", longs: Mapping[str, str] | None = None
) -> Options:
    """The options of a command line; raises Refusal with the usage."""
    try:
        return getopt(args, short, longs)
    except BadOption as error:
        raise misuse(command, error.words) from error


def operands(command: str, options: Options, *missing: str, most: int | None = None) -> list[str]:
    """The operands; raises Refusal with the text in `missing` of the first that lacks, or above `most`."""
    found = options.operands
    if len(found) < len(missing):
        raise misuse(command, missing[len(found)])
    if most is not None and len(found) > most:
        raise misuse(command, "too many arguments")
    return found


def pairs(command: str, options: Options, letter: str) -> dict[str, str]:
    """The `property=value` arguments of an option that may be given several times."""
    found: dict[str, str] = {}
    for text in options.values.get(letter, []):
        name, equals, value = text.partition("=")
        if not equals:
            raise misuse(command, f"missing '=' for -{letter} option")
        if name in found:
            raise Refusal(f"property '{name}' specified multiple times\n")
        found[name] = value
    return found
