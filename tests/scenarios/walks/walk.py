"""A random walk over the keys of the real program on a pseudo-terminal.

`python -m tests.scenarios.walks.walk --keys 20000` walks so many keys on hosts of each kind, in sessions with
seeds of their own; a failure tells its seed, the last keys, the last screen, and the crash report.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.scenarios.moving_world.notes import read_notes, unconfirmed
from tests.scenarios.walks.walked_keys import BROKEN, NAMED, PASTES, STRANGE, WAYS, key_pool
from tests.scenarios.walks.walked_terminal import Terminal

PROGRAM: Final = "tests.scenarios.walks.walked_console"
KINDS: Final = {"demo": 0.6, "dying": 0.25, "replay": 0.15}  # and their share of the keys
SESSION_KEYS: Final = 700
PROBE_EVERY: Final = 30  # moves
HANGS_AFTER_S: Final = 20.0  # without a single byte on a redraw
ASK_AGAIN_S: Final = 2.0
START_S: Final = 30.0
TOLD_MOVES: Final = 40
REDRAW: Final = b"\x0c"
GAPS_S: Final = (0.0, 0.0, 0.002, 0.01, 0.03, 0.06, 0.15, 0.45)  # after a key
SIZES: Final = (
    (20, 5),
    (20, 8),
    (24, 6),
    (30, 8),
    (40, 8),
    (40, 12),
    (80, 24),
    (80, 24),
    (100, 30),
    (160, 50),
)


@dataclass(slots=True)
class DiffProgress:
    """What went wrong, in what a reader needs to see it again."""

    what: str
    kind: str
    seed: int
    keys: int
    moves: Sequence[str]
    screen: str
    report: str

    def __str__(self) -> str:
        again = (
            f"python -m tests.scenarios.walks.walk --kind {self.kind} --seed {self.seed} --keys {self.keys}"
        )
        parts = [f"{self.what}\nagain: {again}", "moves: " + " · ".join(self.moves), self.screen, self.report]
        return "\n\n".join(each for each in parts if each)


@dataclass(slots=True)
class Walked:
    """What a walk came to."""

    keys: int = 0
    sessions: int = 0
    leavings: int = 0  # the program was left by its own keys, and begun again
    runs: int = 0  # in the journals
    screens: Counter[str] = field(default_factory=Counter)
    failures: list[DiffProgress] = field(default_factory=list)

    def add(self, other: Walked) -> None:
        """Both together."""
        self.keys += other.keys
        self.sessions += other.sessions
        self.leavings += other.leavings
        self.runs += other.runs
        self.screens += other.screens
        self.failures += other.failures


class Walk:
    """One session: a program, a seed, and so many keys."""

    def __init__(self, kind: str, seed: int, keys: int, folder: Path) -> None:
        self.kind, self.seed, self.keys = kind, seed, keys
        self._folder = folder
        self._random = random.Random(seed)  # noqa: S311
        self._pool = key_pool()
        self._moves: list[str] = []
        self._made = 0
        self._tty: Terminal | None = None
        self.walked = Walked(sessions=1)

    # The program

    @property
    def tty(self) -> Terminal:
        """The terminal of the program that runs."""
        assert self._tty is not None
        return self._tty

    def _start(self) -> None:
        homes = {
            name: str(self._folder / name.lower())
            for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
        }
        self._tty = Terminal(PROGRAM, self.kind, str(self._folder), size=(80, 24), **homes)
        end = time.monotonic() + START_S
        while b"\x1b[?1049h" not in self.tty.sent and time.monotonic() < end:
            self.tty.read(0.1)
        self.tty.read(0.6)

    def run(self) -> Walked:
        """Walk to the end, or to the first failure."""
        self._start()
        try:
            while self._made < self.keys and not self.walked.failures:
                self._move()
            if not self.walked.failures:
                self._probe()
        finally:
            self._stop()
        self.walked.keys = min(self._made, self.keys)
        self._read_notes()
        return self.walked

    def _stop(self) -> None:
        if self._tty is None:
            return
        if self.tty.process.poll() is None:
            self.tty.process.terminate()
            if self.tty.wait(10.0) is None:
                self._fail("it did not end on SIGTERM")
        self.tty.__exit__()

    def _read_notes(self) -> None:
        notes = read_notes(self._folder)
        self.walked.screens.update(notes.screens)
        self.walked.runs += notes.runs
        wrong = unconfirmed(notes)
        if wrong:
            self._fail("a change that no run in the journal shows: " + "; ".join(wrong))

    def _fail(self, what: str) -> None:
        if self.walked.failures:
            return
        logs = sorted(self._folder.rglob("crash-*.log"))
        report = "\n\n".join(log.read_text("utf-8", "replace") for log in logs)
        moves = self._moves[-TOLD_MOVES:]
        told = DiffProgress(what, self.kind, self.seed, self.keys, moves, self.tty.picture(), report)
        self.walked.failures.append(told)

    # Moves

    def _move(self) -> None:
        moves: Sequence[tuple[Callable[[], None], int]] = (
            (self._single, 50), (self._burst, 18), (self._held, 4), (self._words, 12), (self._confirm, 2),
            (self._paste, 4), (self._typed_at_once, 3), (self._unended_paste, 1), (self._mouse, 6),
            (self._resize, 4), (self._focus, 1), (self._strange, 3), (self._wait, 9),
        )  # fmt: skip
        chosen = self._random.choices([each for each, _ in moves], [weight for _, weight in moves])[0]
        chosen()
        if self._has_ended():
            return
        if len(self._moves) % PROBE_EVERY == 0:
            self._probe()

    def _send(self, name: str, data: bytes, *, keys: int = 1, within_s: float | None = None) -> None:
        self._moves.append(name)
        self._made += keys
        self.tty.write(data)
        self.tty.read(self._random.choice(GAPS_S) if within_s is None else within_s)

    def _single(self) -> None:
        name, data = self._random.choice(self._pool)
        self._send(name, data)

    def _burst(self) -> None:
        keys = [self._random.choice(self._pool) for _ in range(self._random.randint(2, 6))]
        if self._random.random() < 0.3:
            keys = [keys[0]] * len(keys)
        self._send(" ".join(name for name, _ in keys), b"".join(data for _, data in keys), keys=len(keys))

    def _held(self) -> None:
        name, data = self._random.choice([*self._pool, ("y", b"y"), ("enter", b"\r")])
        if name == "q":
            return
        self._send(f"{name} held", data, within_s=self._random.choice((0.25, 0.5)))
        for _ in range(self._random.randint(3, 12)):
            self.tty.write(data)
            self.tty.read(0.02)
            self._made += 1

    def _words(self) -> None:
        """Ways to the screens and dialogs, as fast as a hand goes; often from the first screen."""
        if self._random.random() < 0.7:
            self._send("paste ends", b"\x1b[201~", within_s=0.05)
            for _ in range(4):
                self._send("escape", NAMED["escape"], within_s=0.5)
        for name in self._random.choice(WAYS).split():
            gap_s = self._random.choice((0.05, 0.5, 0.5, 0.7))
            if name == "YES":
                self._confirm()
            else:
                self._send(name, NAMED.get(name) or name.encode(), within_s=gap_s)

    def _confirm(self) -> None:
        """Where a plan asks for it, a person says yes; elsewhere these are keys as others."""
        self.tty.read(0.6)
        for key in "yes":
            self._send(f"{key} slowly", key.encode(), within_s=0.12)
        self.tty.read(0.6)

    def _text(self) -> str:
        return self._random.choice(PASTES)

    def _paste(self) -> None:
        text = self._text()
        self._send(f"paste {text[:30]!r}", b"\x1b[200~" + text.encode() + b"\x1b[201~")

    def _typed_at_once(self) -> None:
        text = self._text().replace("q", "x")
        for start in range(0, len(text), 40):
            self._send(
                f"at once {text[start : start + 30]!r}", text[start : start + 40].encode(), within_s=0.0
            )

    def _unended_paste(self) -> None:
        self._send("paste without an end", b"\x1b[200~" + self._text().encode())

    def _mouse(self) -> None:
        x, y = self._random.randint(1, 90), self._random.randint(1, 30)
        button = self._random.choice((0, 0, 0, 2, 64, 65, 32, 35))
        down, up = f"\x1b[<{button};{x};{y}M", f"\x1b[<{button};{x};{y}m"
        times = self._random.choice((1, 1, 2, 3))
        self._send(f"mouse {button} at {x},{y} {times}x", ((down + up) * times).encode())

    def _resize(self) -> None:
        columns, rows = self._random.choice(SIZES)
        self._moves.append(f"{columns}x{rows}")
        self.tty.resize(columns, rows)
        self.tty.read(0.03)

    def _focus(self) -> None:
        self._send("focus", self._random.choice((b"\x1b[I", b"\x1b[O", b"\x1b[O\x1b[I")))

    def _strange(self) -> None:
        data = self._random.choice((*STRANGE, *BROKEN))
        self._send(repr(data), data)

    def _wait(self) -> None:
        self._moves.append("wait")
        self.tty.read(self._random.choice((0.45, 0.45, 0.45, 0.45, 1.2, 2.2)))

    # Is it alive?

    def _has_ended(self) -> bool:
        """Whether it ended: begun again where a key asked for the end, told where none did."""
        code = self.tty.process.poll()
        if code is None:
            return False
        self.tty.read(0.1)
        if code == 0 and any(is_way_out(each) for each in self._moves[-12:]):
            self.walked.leavings += 1
            self.tty.__exit__()
            self._start()
        else:
            self._fail(f"it ended by itself, with {code}")
        return True

    def _probe(self) -> None:
        """It draws all anew when it is asked to."""
        self.tty.read(0.05)
        began = asked = time.monotonic()
        self.tty.write(REDRAW)
        while not self.tty.read(0.05):
            if self._has_ended():
                return
            now = time.monotonic()
            if now - began > HANGS_AFTER_S:
                self._fail(f"no answer within {HANGS_AFTER_S:g} s")
                return
            if now - asked > ASK_AGAIN_S:
                asked = now
                self.tty.write(REDRAW)


def is_way_out(move: str) -> bool:
    """Whether a move may leave the program: `q`, or a command line, whose commands end it too."""
    return move.startswith("paste") or bool({"q", "colon", ":", "ctrl+p"} & set(move.split()))


def tell(words: str) -> None:
    """A line at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def walk(kind: str, seed: int, keys: int) -> Walked:
    """One session, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="walk-") as name:
        folder = Path(name)
        if kind == "replay":
            _record(folder)
        return Walk(kind, seed, keys, folder).run()


def _record(folder: Path) -> None:
    """Some seconds of the practice host."""
    from tests.scenarios.walks.walked_console import RECORDING  # noqa: PLC0415
    from zconsole.cli import run  # noqa: PLC0415

    run(["record", "--demo", "--for", "4", str(folder / RECORDING)])


def sessions(keys: int, kinds: Mapping[str, float], first_seed: int) -> Iterator[tuple[str, int, int]]:
    """Kind, seed and keys of each session."""
    seed = first_seed
    whole = sum(kinds.values())
    for kind, share in kinds.items():
        left = round(keys * share / whole)
        while left > 0:
            yield kind, seed, min(left, SESSION_KEYS)
            left -= SESSION_KEYS
            seed += 1


def main(arguments: Sequence[str]) -> int:
    """Walk, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios.walks.walk", description=__doc__)
    parser.add_argument("--keys", type=int, default=20_000)
    parser.add_argument("--kind", choices=sorted(KINDS), help="hosts of one kind only")
    parser.add_argument("--seed", type=int, help="of the first session; drawn anew otherwise")
    parser.add_argument(
        "--together", type=int, default=4, help="sessions at once; most of a session is waiting"
    )
    found = parser.parse_args(arguments)
    seed = found.seed if found.seed is not None else random.SystemRandom().randrange(1_000_000)
    kinds = {found.kind: 1.0} if found.kind else KINDS
    whole, began = Walked(), time.monotonic()
    with ProcessPoolExecutor(found.together) as pool:
        walks = [
            (kind, each, pool.submit(walk, kind, each, keys))
            for kind, each, keys in sessions(found.keys, kinds, seed)
        ]
        for kind, each, made in walks:
            walked = made.result()
            whole.add(walked)
            tell(
                f"{kind} seed {each}: {walked.keys} keys, {walked.runs} runs, {len(walked.failures)} failures"
            )
            for failure in walked.failures:
                tell(f"\n{failure}\n")
    seconds = time.monotonic() - began
    tell(f"{whole.keys} keys in {whole.sessions} sessions and {seconds:.0f} s, seeds from {seed}")
    tell(f"{whole.leavings} times left, {whole.runs} runs confirmed, {len(whole.failures)} failures")
    tell("opened: " + ", ".join(f"{name} {count}" for name, count in sorted(whole.screens.items())))
    return 1 if whole.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
