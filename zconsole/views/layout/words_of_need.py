"""What people want to do, and the actions for it: words of the search, and the index of docs/keys.md."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.screen_key_registry import ACTIONS, Action, key_names

if TYPE_CHECKING:
    from zconsole.actions.action_spec import ActionSpec

_WORD: Final = re.compile(r"[^\W_]+")
MOST_IN_MENU: Final = 8  # actions of the menu that are listed for one search


@dataclass(frozen=True, slots=True)
class KeyNeed:
    """`I want to ...`, the actions that do it by their ids, in the order of use, and other words for it."""

    wish: str
    actions: tuple[str, ...]
    words: str = ""
    then: str = ""  # what is done there


NEEDS: Final[tuple[KeyNeed, ...]] = (
    KeyNeed("replace a failed disk", ("repair",), "broken dead faulted degraded new disk swap"),
    KeyNeed("free space in a full pool", ("free_pool", "reclaim"),
         "full enospc reclaim snapshots space quota"),
    KeyNeed("know who destroyed or changed something", ("history",),
         "who destroyed deleted changed removed when undo lost missing user command log"),
    KeyNeed("let guests run on that are paused", ("guests", "resume_guest"),
         "vm virtual machine paused unpause libvirt"),
    KeyNeed("see why the pool is slow", ("why_slow_disk", "why", "load"),
         "slow latency performance hang stall"),
    KeyNeed("see what causes the load", ("load",), "busy iops bandwidth throughput top iotop"),
    KeyNeed("see what is wrong", ("findings",), "problem error warning critical health status"),
    KeyNeed("silence a finding for a time", ("findings", "silence"), "mute quiet ignore snooze hide"),
    KeyNeed("acknowledge an alert", ("alerts", "acknowledge"), "ack seen notification notifications"),
    KeyNeed("know what happened while I was away", ("alerts",), "away missed news last night watch"),
    KeyNeed("start, pause or stop a scrub", ("act",), "scrub check verify integrity", "*Scrub*"),
    KeyNeed("take, send, hold or destroy snapshots", ("datasets", "act"),
         "backup snapshot send replicate rollback", "the action"),
    KeyNeed("get a file back that was deleted", ("datasets", "browse"),
         "restore recover deleted file undelete version"),
    KeyNeed("see what a snapshot holds and when it was taken", ("datasets", "calendar"),
         "snapshots schedule calendar retention"),
    KeyNeed("know what to buy, or when the pool is full", ("planner",),
         "buy capacity plan forecast grow growth disks bigger"),
    KeyNeed("find a disk in its bay", ("disks", "locate"),
         "led lamp locate serial bay slot shelf enclosure smart"),
    KeyNeed("see ZFS events", ("events",), "zpool events ereport zed log"),
    KeyNeed("see the commands that the console ran", ("commands",), "command log shell typed argv"),
    KeyNeed("see past plans and their outcome", ("journal",), "plans runs past audit undo"),
    KeyNeed("see how the pool was some minutes ago", ("pause",), "past history timeline before rewind"),
    KeyNeed("copy a serial number, name or command", ("copy",), "clipboard serial yank"),
    KeyNeed("change theme, units, interval or keys", ("settings", "themes"),
         "units binary decimal TB TiB theme colours dark light bell interval refresh options preferences"),
    KeyNeed("see what the keys do", ("keys",), "help manual shortcuts bindings"),
    KeyNeed("leave the console", ("quit",), "exit quit leave"),
    KeyNeed("find any action, screen, pool or disk by name", ("command", "palette"), "search find go jump"),
)  # fmt: skip


def begins(text: str, words: str) -> bool:
    """Whether each of the words is the beginning of a word of a text, in any case; of signs a part."""
    folded = text.casefold()
    known = _WORD.findall(folded)
    return all(
        any(each.startswith(word) for each in known) if _WORD.fullmatch(word) else word in folded
        for word in words.casefold().split()
    )


@cache
def words_for(action_id: str) -> str:
    """The needs that an action is for, with other words for them."""
    return " ".join(f"{each.wish} {each.words}" for each in NEEDS if action_id in each.actions)


def is_named(action: Action, words: str) -> bool:
    """Whether keys, title, purpose or needs of an action have words that begin with all these words."""
    told = (key_names(action), action.title, action.help, action.id.replace("_", " "), words_for(action.id))
    return begins(" ".join(told), words) or words.strip() in map(str, action.keys)


def verbs_named(words: str) -> tuple[list[ActionSpec], list[ActionSpec]]:
    """The actions on objects that the words name: by title, and by purpose alone."""
    if not words.strip():
        return [], []
    from zconsole.actions.action_catalogue import SPECS  # noqa: PLC0415  # behind the first frame

    by_title = [each for each in SPECS if begins(f"{each.id} {each.title}", words)]
    return by_title, [each for each in SPECS if each not in by_title and begins(each.help, words)]


def in_menu(words: str) -> list[tuple[str, str]]:
    """Title and purpose of the actions in the menu of an object that the words name, those by title first."""
    by_title, others = verbs_named(words)
    return [(each.title, each.help) for each in (*by_title, *others)][:MOST_IN_MENU]


def near_words(words: str) -> str:
    """The words with each unknown one in the place of which a known one may be meant; empty for none."""
    from difflib import get_close_matches  # noqa: PLC0415  # where nothing was found

    from zconsole.actions.action_catalogue import SPECS  # noqa: PLC0415

    told = (f"{each.title} {each.help} {words_for(each.id)}" for each in ACTIONS)
    menu = (f"{each.id} {each.help}" for each in SPECS)
    known = {word for text in (*told, *menu) for word in _WORD.findall(text.casefold())}
    meant = [
        word if any(each.startswith(word) for each in known) else "".join(get_close_matches(word, known, n=1))
        for word in words.casefold().split()
    ]
    near = " ".join(meant)
    is_found = all(meant) and near != words.casefold().strip()
    return near if is_found and (any(is_named(each, near) for each in ACTIONS) or in_menu(near)) else ""
