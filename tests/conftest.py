"""What every test gets: no user configuration, no network, the captures of real hosts."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("zconsole", settings(), deadline=None)  # no test is timed: the machine may be busy
settings.register_profile("deep", settings(), deadline=None, max_examples=1_000)
settings.load_profile("zconsole")
pytest.register_assert_rewrite("tests.lab")  # what its helpers compare is told too

TESTS = Path(__file__).parent
CAPTURES = TESTS / "captures"
SMALL = frozenset(  # done before a second process is there
    {"base", "disks", "guests", "lab", "libvirtd", "bench"}
)


DEAF_S = 60  # a test whose time is up has this long to end
STDERR = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run property and fault tests in full count")
    parser.addoption("--update-frames", action="store_true", help="write the screens' golden frames anew")
    parser.addoption("--update-golden", action="store_true", help="write the golden JSON of reports anew")


def pytest_configure(config: pytest.Config) -> None:
    """What a shell says to all that it starts is not said to the programs under test, nor to test processes.

    Signals that it has them ignore in the background; and to forget what was compiled, which the programs
    of hundreds of tests would each compile again.
    """
    config.stash[STDERR] = os.dup(2)  # before the output of tests is captured
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    for number, default in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, default)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test that does not end when its time is up ends its process: the others go on, and its name is told.

    The end of its time is an exception in whatever runs at that moment. An event loop that never waits, or a
    task that keeps its exceptions to itself, takes it for its own.
    """
    marker = item.get_closest_marker("timeout")
    seconds = float(marker.args[0] if marker else item.config.getini("timeout"))
    faulthandler.dump_traceback_later(seconds + DEAF_S, exit=True, file=item.config.stash[STDERR])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: nobody looks for garbage in it, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Slow tests are left out of runs of folders, unless they are asked for; of some, a few are kept."""
    if config.option.long or "slow" in config.option.markexpr or not _is_of_folders(config):
        return
    kept, left_out, seen = [], [], Counter[str]()
    for item in items:
        slow = item.get_closest_marker("slow")
        name = item.nodeid.partition("[")[0]
        seen[name] += 1
        (kept if slow is None or seen[name] <= slow.kwargs.get("after", 0) else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def _is_of_folders(config: pytest.Config) -> bool:
    """Whether whole folders are run, not files that somebody named."""
    return any(Path(str(each).partition("::")[0]).is_dir() for each in config.args)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A process for each processor; none for what a second one would not make faster, or would disturb."""
    asked = config.option
    named = [Path(str(each).partition("::")[0]).resolve() for each in config.args]
    is_wide = any(path.is_dir() and path.name not in SMALL for path in named)
    is_of_one_machine = asked.markexpr in {"lab", "bench", "libvirt"}
    if not is_wide or is_of_one_machine or asked.keyword or asked.usepdb or asked.collectonly:
        return 0
    return len(os.sched_getaffinity(0))


@pytest.fixture(autouse=True)
def _garbage_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An app keeps what is there when it starts from being looked at: here that would be all tests before."""
    before, freeze, frozen = gc.get_threshold(), gc.freeze, False

    def noted() -> None:
        nonlocal frozen
        frozen = True
        freeze()

    monkeypatch.setattr(gc, "freeze", noted)  # to ask how much is frozen is to count it
    yield
    if frozen:
        gc.unfreeze()
        gc.collect()
        freeze()
    gc.set_threshold(*before)
    gc.enable()


@pytest.fixture
def only_own_time() -> None:
    """The processor's time that a test measures is its own: the collector would look through other tests."""
    gc.disable()  # until the test has ended


@pytest.fixture(autouse=True)
def _no_user_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the user's files nor the user's terminal may change a result."""
    for name in ("NO_COLOR", "SSH_CONNECTION", "SSH_AUTH_SOCK", "COLORTERM", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("TERM", "xterm-256color")
