"""Usage texts of the `zfs` subcommands."""

from __future__ import annotations

from typing import Final

USAGE: Final = {
    "allow": "\tallow <filesystem|volume>\n"
    '\tallow [-ldug] <"everyone"|user|group>[,...] <perm|@setname>[,...]\n\t    <filesystem|volume>\n'
    "\tallow [-ld] -e <perm|@setname>[,...] <filesystem|volume>\n"
    "\tallow -c <perm|@setname>[,...] <filesystem|volume>\n"
    "\tallow -s @setname <perm|@setname>[,...] <filesystem|volume>\n",
    "bookmark": "\tbookmark <snapshot|bookmark> <newbookmark>\n",
    "change-key": "\tchange-key [-l] [-o keyformat=<value>]\n"
    "\t    [-o keylocation=<value>] [-o pbkdf2iters=<value>]\n\t    <filesystem|volume>\n"
    "\tchange-key -i [-l] <filesystem|volume>\n",
    "clone": "\tclone [-pu] [-o property=value] ... <snapshot> <filesystem|volume>\n",
    "create": "\tcreate [-Pnpuv] [-o property=value] ... <filesystem>\n"
    "\tcreate [-Pnpsv] [-b blocksize] [-o property=value] ... -V <size> <volume>\n",
    "destroy": "\tdestroy [-fnpRrv] <filesystem|volume>\n"
    "\tdestroy [-dnpRrv] <filesystem|volume>@<snap>[%<snap>][,...]\n"
    "\tdestroy <filesystem|volume>#<bookmark>\n",
    "diff": "\tdiff [-FHth] <snapshot> [snapshot|filesystem]\n",
    "get": '\tget [-rHp] [-j [--json-int]] [-d max] [-o "all" | field[,...]]\n'
    "\t    [-t type[,...]] [-s source[,...]]\n"
    '\t    <"all" | property[,...]> [filesystem|volume|snapshot|bookmark] ...\n',
    "hold": "\thold [-r] <tag> <snapshot> ...\n",
    "holds": "\tholds [-rHp] <snapshot> ...\n",
    "inherit": "\tinherit [-rS] <property> <filesystem|volume|snapshot> ...\n",
    "list": "\tlist [-Hp] [-j [--json-int]] [-r|-d max] [-o property[,...]] [-s property]...\n"
    "\t    [-S property]... [-t type[,...]] [filesystem|volume|snapshot] ...\n",
    "load-key": "\tload-key [-rn] [-L <keylocation>] <-a | filesystem|volume>\n",
    "mount": "\tmount [-j]\n\tmount [-flvO] [-o opts] <-a|-R filesystem|filesystem>\n",
    "program": "\tprogram [-jn] [-t <instruction limit>] [-m <memory limit (b)>]\n"
    "\t    <pool> <program file> [lua args...]\n",
    "promote": "\tpromote <clone-filesystem>\n",
    "receive": "\treceive [-vMnsFhu] [-o <property>=<value>] ... [-x <property>] ...\n"
    "\t    <filesystem|volume|snapshot>\n"
    "\treceive [-vMnsFhu] [-o <property>=<value>] ... [-x <property>] ...\n"
    "\t    [-d | -e] <filesystem>\n"
    "\treceive -A <filesystem|volume>\n",
    "release": "\trelease [-r] <tag> <snapshot> ...\n",
    "rename": "\trename [-f] <filesystem|volume|snapshot> <filesystem|volume|snapshot>\n"
    "\trename -p [-f] <filesystem|volume> <filesystem|volume>\n"
    "\trename -u [-f] <filesystem> <filesystem>\n"
    "\trename -r <snapshot> <snapshot>\n",
    "rollback": "\trollback [-rRf] <snapshot>\n",
    "send": "\tsend [-DLPbcehnpsVvw] [-i|-I snapshot]\n"
    "\t     [-R [-X dataset[,dataset]...]]     <snapshot>\n"
    "\tsend [-DnVvPLecw] [-i snapshot|bookmark] <filesystem|volume|snapshot>\n"
    "\tsend [-DnPpVvLec] [-i bookmark|snapshot] --redact <bookmark> <snapshot>\n"
    "\tsend [-nVvPe] -t <receive_resume_token>\n"
    "\tsend [-PnVv] --saved filesystem\n",
    "set": "\tset [-u] <property=value> ... <filesystem|volume|snapshot> ...\n",
    "share": "\tshare [-l] <-a [nfs|smb] | filesystem>\n",
    "snapshot": "\tsnapshot [-r] [-o property=value] ... <filesystem|volume>@<snap> ...\n",
    "unallow": '\tunallow [-rldug] <"everyone"|user|group>[,...]\n'
    "\t    [<perm|@setname>[,...]] <filesystem|volume>\n"
    "\tunallow [-rld] -e [<perm|@setname>[,...]] <filesystem|volume>\n"
    "\tunallow [-r] -c [<perm|@setname>[,...]] <filesystem|volume>\n"
    "\tunallow [-r] -s @setname [<perm|@setname>[,...]] <filesystem|volume>\n",
    "unload-key": "\tunload-key [-r] <-a | filesystem|volume>\n",
    "unmount": "\tunmount [-fu] <-a | filesystem|mountpoint>\n",
    "unshare": "\tunshare <-a [nfs|smb] | filesystem|mountpoint>\n",
    "version": "\tversion [-j]\n",
}
_MORE: Final = (
    "\nFor the property list, run: zfs set|get\n"
    "\nFor the delegated permission list, run: zfs allow|unallow\n"
    "\nFor further help on a command or topic, run: zfs help [<topic>]\n"
)


def usage(command: str) -> str:
    """The usage of one subcommand, with a hint at further help; after `get` and `list` ZFS gives none."""
    return f"usage:\n{USAGE[command]}{'' if command in {'get', 'list'} else _MORE}"
