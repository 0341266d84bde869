"""How the `zpool` commands that change pools are called, and what they say to words they do not know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.practice.getopt import BadOption, Options, getopt
from zconsole.practice.reply import Refusal

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
    "export": "\texport [-af] <pool> ...\n",
    "import": "\timport [-d dir] [-D]\n"
    "\timport [-o mntopts] [-o property=value] ... \n"
    "\t    [-d dir | -c cachefile] [-D] [-l] [-f] [-m] [-N] [-R root] [-F [-n]] -a\n"
    "\timport [-o mntopts] [-o property=value] ... \n"
    "\t    [-d dir | -c cachefile] [-D] [-l] [-f] [-m] [-N] [-R root] [-F [-n]]\n"
    "\t    [--rewind-to-checkpoint] <pool | id> [newpool]\n",
    "initialize": "\tinitialize [-c | -s | -u] [-w] <-a | <pool> [<device> ...]>\n",
    "labelclear": "\tlabelclear [-f] <vdev>\n",
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
    "sync": "\tsync [pool] ...\n",
    "trim": "\ttrim [-dw] [-r <rate>] [-c | -s] <-a | <pool> [<device> ...]>\n",
    "upgrade": "\tupgrade\n\tupgrade -v\n\tupgrade [-V version] <-a | pool ...>\n",
    "wait": "\twait [-Hp] [-T d|u] [-t <activity>[,...]] <pool> [interval]\n",
}


def misuse(command: str, why: str) -> Refusal:
    """What is said to a command line that makes no sense."""
    first = f"{why}\n" if why else ""
    return Refusal(f"{first}usage:\n{USAGE[command]}", 2)


def read(
    command: str, args: Sequence[str], short: str = "", longs: Mapping[str, str] | None = None
) -> Options:
    """The options of a command line; raises Refusal with the usage."""
    try:
        return getopt(args, short, longs)
    except BadOption as error:
        what = "missing argument for '{}' option" if error.lacks_argument else "invalid option '{}'"
        raise misuse(command, what.format(error.option)) from error


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
