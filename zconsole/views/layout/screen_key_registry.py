"""Registry of user actions: keys, footer, help, command palette and docs/keys.md are made from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

EVERYWHERE: Final = "everywhere"
PLACES: Final = (
    *(
        "pools",
        "pool",
        "repair",
        "latency",
        "why",
        "datasets",
        "diff",
        "files",
        "calendar",
        "load",
        "arc",
        "planner",
        "commands",
        "journal",
        "entry",
        "history",
        "disks",
        "disk",
        "guests",
        "guest",
        "advice",
    ),
    *("events", "event", "findings", "finding", "alerts", "settings", "help", "themes"),
)
LISTS: Final = (
    *("pools", "pool", "latency", "datasets", "diff", "files", "load", "arc"),
    *("commands", "journal", "history", "events", "findings", "disks", "guests"),
    *("advice", "alerts", "settings"),
)
BACK: Final = tuple(place for place in PLACES if place not in {"pools", "themes"})
SCROLLED: Final = (
    *LISTS,
    "repair",
    "planner",
    "why",
    "calendar",
    "entry",
    "event",
    "finding",
    "disk",
    "guest",
    "help",
    "themes",
)
ACTED_ON: Final = ("pools", "pool", "datasets")
IN_SNAPSHOTS: Final = ("diff", "files")  # screens on snapshot contents and differences
VIEWS: Final = ("pool", "latency", "datasets", "planner")  # screens with several views
TIMED: Final = ("pools", "pool", "latency", "load", "arc")  # screens with a timeline
MANY_KEYS: Final = frozenset({"guests"})  # screens whose rows have so many that the way back would not fit
BACK_FIRST: Final = 5.5  # its position there, before that of the filter
TIME: Final = "Time"  # the group of timeline actions
WAYS_OUT: Final = ("f6", "f7", "f8", "f9", "f10", "f11", "f12")  # of a plan or a proposal; no screen has them
LIVE: Final = (
    *("pools", "pool", "latency", "datasets", "load", "arc", "events", "findings", "disks", "disk"),
    *("guests", "guest", "advice"),
)


_USER_KEYS: Final[dict[str, tuple[str, ...]]] = {}
_PROBLEMS: Final[list[str]] = []  # with the file of these, at most one


def use_keys(keys: Mapping[str, tuple[str, ...]], problem: str = "") -> None:
    """Use the user's own keys, by the id of their action; before a screen is loaded.

    `problem` is what is wrong with other lines of the file.
    """
    _USER_KEYS.clear()
    _USER_KEYS.update(keys)
    _PROBLEMS[:] = [problem] if problem else []


def user_keys_problem() -> str:
    """What is wrong with some lines of the user's file of keys; empty for nothing."""
    return "".join(_PROBLEMS)


def user_keys() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The user's own keys, by the id of their action."""
    return tuple(_USER_KEYS.items())


@dataclass(frozen=True, slots=True)
class Action:
    """User action and its screens."""

    id: str
    usual_keys: tuple[str, ...]  # in the terminal library's spelling; the first is shown
    title: str  # a word or two, for the footer
    group: str
    help: str  # a sentence
    where: tuple[str, ...] = (EVERYWHERE,)
    footer: int = 0  # position in the footer, 0 is none
    opens: str = ""  # the screen that it opens, by its name in ui/screens_by_name.py
    family: str = ""  # what its keys mean on every screen, where other actions share the keys

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys: the user's own, or the usual ones."""
        return _USER_KEYS.get(self.id, self.usual_keys)

    @property
    def meaning(self) -> str:
        """What its keys mean: a key has one meaning in the whole console."""
        return self.family or self.id

    def is_in(self, place: str) -> bool:
        """Whether it is available on that screen."""
        return EVERYWHERE in self.where or place in self.where


ACTIONS: Final[tuple[Action, ...]] = (
    Action("open", ("enter",), "Open", "Look", "Open the row under the cursor.",
           ("pools", "latency", "datasets", *IN_SNAPSHOTS, "load", "journal", "events", "findings",
            "disks", "guests"), footer=1, family="enter"),
    Action("histograms", ("enter",), "Histograms", "Look",
           "How long I/Os take and how large they are, of the vdev under the cursor beside its siblings.",
           ("pool",), footer=2, family="enter"),
    Action("why", ("w",), "Why slow", "Look", "The evidence for a slow disk.",
           ("pool", "latency"), footer=3, family="why"),
    Action("why_slow_disk", ("w",), "Why slow", "Look",
           "The evidence for the slow disk of the pool under the cursor.", ("pools",), footer=3,
           family="why"),
    Action("latencies", ("1",), "Latencies", "Look", "Latency histograms, by I/O class.", ("latency",),
           footer=2, family="view"),
    Action("sizes", ("2",), "Sizes", "Look", "Histograms of request sizes, by I/O class.", ("latency",),
           footer=3, family="view"),
    Action("findings", ("f",), "Findings", "Look", "Findings, worst first, with their evidence.",
           ("pools", "pool", "repair", "events", "advice"), footer=2, opens="findings"),
    Action("advice", ("I",), "Advice", "Look",
           "What an expert would say of how pools are built, set and cared for, with the plan of each.",
           ("pools", "pool", "findings"), footer=5, opens="advice"),
    Action("plan_advice", ("enter",), "Plan", "Act",
           "Plan the action that follows the advice under the cursor.", ("advice",), footer=1,
           family="enter"),
    Action("in_full", ("w",), "In full", "Look",
           "All that is said of the advice under the cursor, with its evidence.", ("advice",), footer=1,
           family="why"),
    Action("silence", ("z",), "Silence", "Act",
           "Keep the finding under the cursor, or all of its object, from counting for a time; or end that.",
           ("advice", "findings"), footer=1),
    Action("datasets", ("D",), "Datasets", "Look", "Datasets, volumes and snapshots of the pool.",
           ("pools", "pool"), footer=4, opens="datasets", family="datasets"),
    Action("load", ("L",), "Load", "Look", "Which dataset or zvol causes the load, live.",
           ("pools", "pool", "datasets"), footer=7, opens="dataset_load"),
    Action("arc", ("A",), "Cache", "Look",
           "The ARC, the write throttle, the intent log and transaction groups.",
           ("pools", "pool"), footer=7, opens="arc"),
    Action("disks", ("d",), "Disks", "Look",
           "Every disk of the host, worst first: health, bay, and what it serves.", ("pools",), footer=5,
           opens="disks", family="disks"),
    Action("disk_before", ("left",), "Disk before", "Look",
           "Choose the disk before on the wall of disks; Enter opens its pool there.", ("pools",)),
    Action("disk_after", ("right",), "Next disk", "Look",
           "Choose the next disk on the wall of disks; Enter opens its pool there.", ("pools",)),
    Action("guests", ("V",), "Guests", "Look",
           "Every guest of libvirt, those in trouble first: state, what its disks are on, space.",
           ("pools", "pool"), footer=4, opens="guests"),
    Action("resume_guest", ("u",), "Resume", "Act", "Plan to let the guest run on that is paused.",
           ("guests", "guest"), footer=2),
    Action("guest_dataset", ("D",), "Datasets", "Look",
           "The dataset that the guest's disks are on, to see what holds its space, and to free some.",
           ("guests", "guest"), footer=3, family="datasets"),
    Action("shelf", ("h",), "Shelf", "Look", "The map of the shelves above the list of disks, or below it.",
           ("disks",), footer=3, family="show or hide"),
    Action("planner", ("P",), "Plan", "Look",
           "Plan capacity from this pool: when it is full, what to buy, which layout, the effect of changes.",
           ("pools", "pool"), footer=8, opens="capacity_planner"),
    Action("expand", ("plus",), "All snaps", "Look", "Show or hide all snapshots.",
           ("datasets",), footer=8),
    Action("fold", ("minus",), "Fold", "Look", "Hide or show the descendants of a dataset.", ("datasets",)),
    Action("kin", ("c",), "Clone/origin", "Look",
           "Go from a clone to its origin, and back.", ("datasets",),
           footer=7),
    Action("diff", ("equals_sign",), "Diff", "Look",
           "Differences between the snapshot under the cursor and the next one.",
           ("datasets", "files"), footer=4),
    Action("browse", ("b",), "Browse", "Look",
           "The files in the snapshot under the cursor, beside the present ones.", ("datasets", "diff"),
           footer=5),
    Action("other_side", ("s",), "Other side", "Look",
           "Compare with the next snapshot or the present, or the previous one with this.", ("diff",),
           footer=2),
    Action("stop", ("x",), "Stop", "Look", "Stop the comparison; keep its results so far.", ("diff",),
           footer=3),
    Action("commands", ("C",), "Command log", "Look", "Every command that the console ran, as typed by hand.",
           ("pools", "pool", "repair", "datasets"), opens="command_log"),
    Action("journal", ("J",), "Journal", "Look", "Runs of this account, and their outcomes.",
           tuple(place for place in PLACES if place not in {"journal", "entry", "help", "themes"}),
           opens="journal"),
    Action("history", ("H",), "History", "Look",
           "Who changed or destroyed what on the pool, and when: its history, as ZFS keeps it, newest first.",
           ("pools", "pool", "datasets"), footer=11, opens="pool_history"),
    Action("internal", ("h",), "Internal too", "Look", "Show or hide the records that no command made.",
           ("history",), footer=2, family="show or hide"),
    Action("reads", ("h",), "Reads too", "Look", "Show or hide the commands that only read.",
           ("commands",), footer=2, family="show or hide"),
    Action("copy", ("y",), "Copy", "Look",
           "Copy what the cursor is on: a name, serial number, command or finding; of several one is chosen.",
           tuple(place for place in PLACES if place != "themes"), footer=14),
    Action("events", ("e",), "Events", "Look", "ZFS events, as they happen.",
           ("pools", "pool", "repair", "findings"), footer=6, opens="events"),
    Action("alerts", ("exclamation_mark",), "Alerts", "Look",
           "What the user was called for, with times: findings, links, scans, runs, repairs.",
           tuple(place for place in PLACES if place not in {"alerts", "help", "themes"}), opens="alerts"),
    Action("go_to", ("enter",), "Go to it", "Look", "Open the pool, guest, run or repair of the alert.",
           ("alerts",), footer=1, family="enter"),
    Action("acknowledge", ("z",), "Acknowledge", "Act",
           "Acknowledge the alert under the cursor: zconsole watch tells nothing more of it, either.",
           ("alerts",), footer=2, family="silence"),
    Action("acknowledge_all", ("Z",), "All", "Act", "Acknowledge all alerts of the list.", ("alerts",),
           footer=3),
    Action("back", ("escape", "backspace"), "Back", "Look",
           "Go back; first clears a filter.",
           BACK, footer=9, family="back"),
    Action("clear", ("escape",), "Clear", "List", "Clear the filter.", ("pools",), family="back"),
    Action("leave", ("q",), "Leave", "Look", "Go back; on the first screen, quit.",
           ("pools", *BACK)),
    Action("columns_io", ("1",), "I/O", "Columns", "Operations, bandwidth, waits, busy, history.",
           ("pool",), footer=4, family="view"),
    Action("columns_latency", ("2",), "Latency", "Columns",
           "Median, 99 % and maximum latency; mean waits in total and in each queue.", ("pool",),
           footer=5, family="view"),
    Action("columns_heat", ("3",), "Heat", "Columns",
           "Latency of each disk over time, on one fixed scale; again for a longer time.", ("pool",),
           footer=5, family="view"),
    Action("columns_queues", ("4",), "Queues", "Columns", "Operations in the queues, and at the disk.",
           ("pool",), family="view"),
    Action("columns_errors", ("5",), "Errors", "Columns", "Read, write, checksum errors, slow I/Os, notes.",
           ("pool",), footer=6, family="view"),
    Action("columns_space", ("6",), "Space", "Columns", "Size, allocated, free, fragmentation, ashift.",
           ("pool",), footer=7, family="view"),
    Action("columns_identity", ("7",), "Identity", "Columns", "Serial, model, size, kernel name, path.",
           ("pool",), footer=8, family="view"),
    Action("columns_used", ("1",), "Space", "Columns",
           "Used, only in snapshots, unique, referenced, written, compression, age, state.", ("datasets",),
           family="view"),
    Action("columns_limits", ("2",), "Limits", "Columns", "Available, quotas, reservations.", ("datasets",),
           family="view"),
    Action("columns_mounts", ("3",), "Mounts", "Columns", "Mounted or not, keys, compression, mountpoints.",
           ("datasets",), family="view"),
    Action("columns_numbers", ("4",), "Ages", "Columns", "Age, creation, holds, origin, txg, guid.",
           ("datasets",), family="view"),
    Action("filter", ("slash",), "Filter", "List", "Show only the rows that match.",
           (*LISTS, "help", "themes"), footer=6),
    Action("sort", ("o",), "Sort", "List", "Sort by the next column; the order stays until changed.",
           ("pools", "pool", "datasets", "files", "load", "disks", "guests"), footer=12),
    Action("reverse", ("O",), "Reverse", "List", "Reverse the order of sorting.",
           ("pools", "pool", "datasets", "files", "load", "disks", "guests")),
    Action("top", ("home", "g"), "First", "List", "Go to the first row.", SCROLLED),
    Action("bottom", ("end", "G"), "Last", "List", "Go to the last row.",
           SCROLLED),
    Action("plan_offer", ("enter",), "Plan", "Repair",
           "Plan the offer under the cursor; of a step show or hide all that it found.", ("repair",),
           footer=1, family="enter"),
    Action("other_disk", ("d",), "Other disk", "Repair", "Choose the new disk.", ("repair",), footer=3,
           family="disks"),
    Action("read_test", ("t",), "Read test", "Repair",
           "Read the start, the middle and the end of the new disk; nothing is written.", ("repair",),
           footer=3),
    Action("locate", ("l",), "LED", "Repair", "Plan to turn the locate LED of the disk on, or off again.",
           ("repair",), footer=2),
    Action("blink", ("i",), "Blink", "Repair",
           "Make the activity light of the disk blink by reads, where it has no locate LED.", ("repair",),
           footer=4),
    Action("hot_swap", ("B",), "Hot-swap", "Repair",
           "Say that disks of this host are swapped while it is shut down, or that it has hot-swap; kept.",
           ("repair",), footer=5),
    Action("report", ("W",), "Report", "Repair", "Write a report for the ticket to a file, as Markdown.",
           ("repair",), footer=5, family="write a file"),
    Action("next_repair", ("n",), "Next repair", "Repair", "The next repair of the pool.", ("repair",),
           footer=2, family="next"),
    Action("act", ("a",), "Actions", "Act", "Actions on this object, and why others are unavailable.",
           (*ACTED_ON, *IN_SNAPSHOTS, "repair", "latency", "why", "disks", "disk", "guests", "guest"),
           footer=1),
    Action("calendar", ("K",), "Calendar", "Look",
           "The snapshot schedules of a dataset, and their gaps.", ("datasets",)),
    Action("reclaim", ("F",), "Free space", "Look",
           "Find snapshots whose destruction frees a given space: the oldest, or the fewest.",
           ("datasets", "guests", "guest"), footer=3, family="free space"),
    Action("free_pool", ("F",), "Free space", "Look",
           "Ask how much space to free in the pool, and find the snapshots whose destruction frees it.",
           ("pools",), footer=3, family="free space"),
    Action("mark_one", ("space",), "Mark", "Marks", "Mark or unmark the snapshot under the cursor.",
           ("datasets",), footer=3),
    Action("mark_range", ("v",), "Range", "Marks",
           "Mark every snapshot from the last marked one to the cursor.", ("datasets",)),
    Action("mark_shown", ("asterisk",), "All shown", "Marks",
           "Mark every snapshot shown, all matches of a filter.", ("datasets",)),
    Action("mark_none", ("backslash",), "No marks", "Marks", "Remove all marks.", ("datasets",)),
    Action("destroy_marked", ("delete", "ctrl+d"), "Destroy", "Act",
           "Plan to destroy the marked snapshots, or the row under the cursor.", ("datasets",), footer=3,
           family="destroy"),
    Action("repair", ("R",), "Repair", "Act",
           "Repair the disk step by step; of a sound disk plan its replacement.",
           ("pools", "pool", "latency", "why", "findings", "disks", "disk"), footer=3, family="repair"),
    Action("follow", ("enter",), "Next step", "Act",
           "Plan what the advice says, or repair the device of the finding.", ("finding",), footer=1,
           family="enter"),
    Action("repair_device", ("R",), "Repair", "Act", "Repair the device of the finding step by step.",
           ("finding",), footer=1, family="repair"),
    Action("next", ("n",), "Next", "List",
           "Go to the next match of the filter; without one to the next problem.",
           LISTS),
    Action("previous", ("N",), "Previous", "List",
           "Go to the previous match of the filter; without one to the previous problem.", LISTS),
    Action("pause", ("p",), "Pause", "Live", "Freeze the screen; collecting goes on.", LIVE),
    Action("earlier", ("left_square_bracket",), "Earlier", TIME,
           "Pause, and go back by one sample.", TIMED, footer=13),
    Action("later", ("right_square_bracket",), "Later", TIME, "Go forward by one sample.", TIMED),
    Action("minute_back", ("left_curly_bracket",), "-1 min", TIME, "Pause, and go back by one minute.",
           TIMED),
    Action("minute_on", ("right_curly_bracket",), "+1 min", TIME, "Go forward by one minute.", TIMED),
    Action("now", ("full_stop",), "Now", TIME, "Return to the present.", TIMED),
    Action("mark", ("m",), "Mark", TIME, "Mark the time shown, with a text or without.", TIMED),
    Action("save", ("ctrl+s",), "Save", TIME,
           "Save the history of the host as a recording for zconsole --replay.", TIMED, family="save"),
    Action("marks", ("M",), "Marks", TIME, "List the marks, and go to one.", TIMED),
    Action("mark_back", ("less_than_sign",), "Previous mark", TIME, "Pause, and go to the previous mark.",
           TIMED),
    Action("mark_on", ("greater_than_sign",), "Next mark", TIME, "Go to the next mark.", TIMED),
    Action("slower", ("left_parenthesis",), "Slower", "Live", "Take I/O samples less often.", ("pools",
           "pool")),
    Action("faster", ("right_parenthesis",), "Faster", "Live", "Take I/O samples more often.",
           ("pools", "pool")),
    Action("refresh", ("r",), "Read now", "Live", "Read everything again, and reconnect to a lost host.",
           (*LIVE, *IN_SNAPSHOTS, "repair", "planner", "journal", "history")),
    Action("edit", ("enter",), "Type", "Plan", "Type into the fields; the results follow.",
           ("planner",), footer=1, family="enter"),
    Action("part_forecast", ("1",), "Forecast", "Plan", "When it is 80, 90 and 100 % full, with a chart.",
           ("planner",), footer=2, family="view"),
    Action("part_need", ("2",), "Need", "Plan", "From data to drives, by factors.", ("planner",),
           footer=3, family="view"),
    Action("part_layouts", ("3",), "Layouts", "Plan", "Layouts side by side, with a recommendation.",
           ("planner",),
           footer=4, family="view"),
    Action("part_changes", ("4",), "What if", "Plan", "The effect of changes to this pool.",
           ("planner",), footer=5, family="view"),
    Action("part_scenarios", ("5",), "Compare", "Plan", "The saved scenarios, side by side.",
           ("planner",), footer=6, family="view"),
    Action("keep_scenario", ("ctrl+s",), "Save", "Plan", "Save the fields under a name.", ("planner",),
           footer=7, family="save"),
    Action("open_scenario", ("ctrl+o",), "Open", "Plan", "Load a saved scenario into the fields.",
           ("planner",), footer=8),
    Action("export_scenarios", ("W",), "Export", "Plan",
           "Write the scenarios to a new file: Markdown, CSV or JSON by its ending.",
           ("planner",), footer=10, family="write a file"),
    Action("drop_scenario", ("delete", "ctrl+d"), "Delete", "Plan", "Delete a saved scenario.", ("planner",),
           family="destroy"),
    Action("reset_scenario", ("ctrl+r",), "Reset", "Plan", "Fill the fields from the pool again.",
           ("planner",)),
    Action("unlock", ("U",), "Unlock", "Act", "Allow changes on a production host for 15 minutes.",
           (*ACTED_ON, "repair", "disks", "disk", "guests", "guest")),
    Action("host_key", ("ctrl+k",), "Host key", "Live", "Show the key of a host on its first connection.",
           ("pools",)),
    Action("themes", ("T",), "Themes", "Console", "Choose a theme, with a live preview.",
           ("pools", "pool", "events", "findings")),
    Action("tour", ("f3",), "Tour", "Console",
           "A tour of a minute: each step names a key, and waits until it was pressed.", ("pools",)),
    Action("settings", ("comma",), "Settings", "Console",
           "Theme, interval, bell, title, notifications, limits, own keys; each is kept in a file.",
           ("pools", "pool"), opens="settings"),
    Action("change", ("enter",), "Change", "Console",
           "Change the setting under the cursor, and write it to config.toml.", ("settings",), footer=1,
           family="enter"),
    Action("palette", ("ctrl+p",), "Commands", "Console", "Find any action by its name.", family="command"),
    Action("command", ("colon",), "Command", "Console",
           "Command line with completion: places and objects by name; actions, also as destroy tank/home.",
           PLACES, footer=10, family="command"),
    Action("next_view", ("tab",), "Next view", "Console",
           "Show the next view of this screen: what 1, 2, 3 choose.",
           VIEWS),
    Action("view_before", ("shift+tab",), "View before", "Console",
           "Show the previous view of this screen.", VIEWS),
    Action("keys", ("question_mark", "f1"), "Keys", "Console", "All keys of this screen and of all others.",
           tuple(place for place in PLACES if place != "help"), footer=11),
    Action("suspend", ("ctrl+z",), "Suspend", "Console",
           "Stop zconsole and return to the shell; `fg` goes on. Not while a run is in progress."),
    Action("redraw", ("ctrl+l",), "Redraw", "Console", "Redraw the whole screen."),
    Action("quit", ("ctrl+q", "ctrl+c"), "Quit", "Console",
           "Leave zconsole; asks first while a change is in progress."),
)  # fmt: skip


def actions(place: str) -> Iterator[Action]:
    """The actions of one screen, in registry order."""
    return (action for action in ACTIONS if action.is_in(place))


@cache
def is_in(place: str, action_id: str) -> bool:
    """Whether a screen has an action."""
    return any(action.id == action_id for action in actions(place))


def footer(place: str) -> tuple[Action, ...]:
    """The actions of a screen's footer, in order."""

    def order(action: Action) -> float:
        return BACK_FIRST if action.id == "back" and place in MANY_KEYS else action.footer

    return tuple(sorted((a for a in actions(place) if a.footer), key=order))


def action(action_id: str) -> Action:
    """The action with this id."""
    return next(known for known in ACTIONS if known.id == action_id)


_KEY_NAMES: Final = {
    "slash": "/", "question_mark": "?", "minus": "-", "plus": "+", "equals_sign": "=", "asterisk": "*",
    "escape": "Esc", "enter": "Enter", "backspace": "Backspace",
    "left_square_bracket": "[", "right_square_bracket": "]", "left_curly_bracket": "{",
    "right_curly_bracket": "}", "less_than_sign": "<", "greater_than_sign": ">", "full_stop": ".",
    "exclamation_mark": "!", "comma": ",",
    "home": "Home", "left": "Left", "right": "Right", "end": "End", "space": "Space", "f1": "F1",
    "left_parenthesis": "(", "right_parenthesis": ")", "backslash": "\\", "colon": ":", "tab": "Tab",
    "shift+tab": "Shift+Tab", "delete": "Del",
}  # fmt: skip


def key_name(key: str) -> str:
    """A key as displayed: `/`, `Esc`, `Ctrl+P`, `i`."""
    if key in _KEY_NAMES:
        return _KEY_NAMES[key]
    if key.startswith("f") and key[1:].isdigit():
        return key.upper()
    if key.startswith("ctrl+"):
        return "Ctrl+" + key.removeprefix("ctrl+").upper()
    return key


def way_out_key(number: int) -> str:
    """The key of a way out of a plan, by its number from 1, as displayed; `·` behind the last key."""
    return key_name(WAYS_OUT[number - 1]) if number <= len(WAYS_OUT) else "·"


def key_of(action_id: str) -> str:
    """The first key of an action, as displayed: the user's own where there is one."""
    return key_name(action(action_id).keys[0])


def key_of_name(name: str) -> str | None:
    """The key with a displayed name, in the terminal library's spelling; None for none that is known."""
    for key, shown in _KEY_NAMES.items():
        if name.casefold() == shown.casefold():
            return key
    lower = name.casefold()
    if re.fullmatch(r"f([1-9]|1[0-2])|ctrl\+[a-z]", lower):
        return lower
    return name if re.fullmatch(r"[A-Za-z0-9]", name) else None


def key_names(known: Action) -> str:
    """All keys of an action, the first one first."""
    return ", ".join(map(key_name, known.keys))
