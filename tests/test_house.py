"""What docs/architecture.md says of the structure of the code holds; `tests/house.py` measures it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests import house, repetition

LARGEST_FOLDER = 20
BROUGHT = {"requests", "urllib3"}  # by prometheus-api-client, whose errors they are
OF_THE_HOST = {
    "libvirt",  # of the system's Python; the extra `guests` builds it where libvirt's headers are
    "libzfs_core",  # comes with its OpenZFS; PyPI's pyzfs breaks under Python 3
}
UNUSED = {  # names that no module of the package uses, and why they are there
    **dict.fromkeys(
        (
            "connection_made",
            "data_received",
            "eof_received",
            "pause_writing",
            "resume_writing",
            "process_exited",
        ),
        "asyncio calls it",
    ),
    **dict.fromkeys(("pipe_connection_lost", "pipe_data_received"), "asyncio calls it"),
    **dict.fromkeys(
        (
            "auth_completed",
            "begin_auth",
            "exit_signal_received",
            "exit_status_received",
            "kbdint_auth_requested",
            "password_auth_requested",
        ),
        "asyncssh calls it",
    ),
    **dict.fromkeys(
        ("public_key_auth_requested", "session_started", "validate_host_public_key"), "asyncssh calls it"
    ),
    **dict.fromkeys(
        ("can_replace", "discover", "get_default_screen", "render_line", "run_input_thread"),
        "Textual calls it",
    ),
    **dict.fromkeys(
        ("_disable_mouse_support", "_enable_mouse_pixels", "_enable_mouse_support", "_set_pointer_shape"),
        "Textual calls it",
    ),
    "redirect_request": "urllib calls it",
    "whole_parser": "completion and the manual page are made from it",
    **dict.fromkeys(("COVERAGE_IDS", "IDS"), "docs/findings.md must have these findings"),
    **dict.fromkeys(("cut_link", "set_slow", "set_tail"), "a lever of the practice host, for tests"),
    "is_settled": "tells tests that the planner's screen has worked out everything",
}
NOT_USED_YET = {"libvirt-python"}


def test_no_module_imports_one_that_imports_it_not_even_for_typing() -> None:
    assert [] == house.circles()


def test_a_circle_would_be_found() -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": []}
    assert [("a", "b", "c")] == house.strongly_connected(graph)


def test_no_folder_is_too_full_to_be_read_at_a_glance() -> None:
    full = {name: count for name, count in house.folders().items() if count > LARGEST_FOLDER}
    assert {} == full, (
        f"a folder holds at most {LARGEST_FOLDER} modules: move some into a folder of their own"
    )


def test_a_recipe_names_files_that_are_there() -> None:
    text = house.RECIPES.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:zconsole|tests)/[a-z0-9_/]+\.(?:py|sh))`", text))

    assert len(named) > 10
    assert [] == sorted(each for each in named if not (house.ROOT / each).exists())


def test_a_module_that_tests_and_documents_name_by_its_path_is_there() -> None:
    """Those of the lab too, which are run seldom."""
    texts = [*house.ROOT.glob("tests/**/*.py"), *house.ROOT.glob("docs/*.md"), house.ROOT / "README.md"]
    named = {
        (str(each.relative_to(house.ROOT)), path)
        for each in texts
        for path in re.findall(r"(?:zconsole/)?(zconsole/[a-z0-9_/]+\.py)", each.read_text("utf-8"))
    }

    missing = {(where, path) for where, path in named if not (house.ROOT / path).exists()}
    assert len(named) > 10
    assert {("docs/testing.md", "zconsole/a/b.py"), ("tests/test_house.py", "zconsole/a/b.py")} == missing


def test_hosts_know_nothing_of_zfs() -> None:
    found = [
        f"{name}: {line.strip()}"
        for name, path in house.modules().items()
        if name.startswith("zconsole.hosts")
        for line in path.read_text(encoding="utf-8").split("\n")
        if re.search(r"\b(zfs|zpool)\b", line, re.IGNORECASE)
    ]
    assert [] == found


def test_a_public_class_name_stands_for_one_thing() -> None:
    assert {} == house.names_of_several_classes()


def test_what_only_tests_use_is_not_shipped() -> None:
    found = house.unused_names()
    assert {} == {name: where for name, where in found.items() if name not in UNUSED}
    assert [] == sorted(UNUSED.keys() - found.keys())


def test_every_package_says_what_it_holds() -> None:
    bare = [
        name
        for name, path in house.modules().items()
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert [] == bare


def test_nothing_is_said_twice() -> None:
    assert [] == repetition.repetitions()


def test_a_copy_with_other_names_would_be_found() -> None:
    body = "".join(f"    total = total + each.part_{number}(size)\n" for number in range(9))
    copy = body.replace("total", "sum_so_far").replace("each", "found")
    sources = {"a": f"def one(each):\n{body}", "b": f"# more\n\ndef other(found):\n    pass\n{copy}"}

    assert [("a:2", "b:5", 9)] == repetition.of_modules(sources)


def test_what_every_module_has_is_no_repetition() -> None:
    imports = "".join(f"import module_{number}\n" for number in range(12))
    signature = "def one(\n" + "".join(f"    word_{number}: int,\n" for number in range(12)) + ") -> None:\n"
    text = f'"""Words."""\n{imports}\n\n{signature}    pass\n'

    assert [] == repetition.of_modules({"a": text, "b": text})


def test_names_of_datasets_are_taken_apart_in_one_place() -> None:
    """Apart from the child that runs alone on a host, and the `userquota@name` of properties."""
    allowed = {
        "zconsole.model.dataset_names",
        "zconsole.zfs.change.libzfs_core_child",
        "zconsole.actions.checks.property_value_checks",
    }
    found = {
        name
        for name, path in house.modules().items()
        if re.search(r"""\bpartition\(["'][@#]["']\)\[""", path.read_text(encoding="utf-8"))
    }
    assert allowed == found


def test_the_expected_value_is_on_the_left_of_an_assert() -> None:
    assert [] == house.expected_on_the_right()


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (True, "found == 3"),
        (True, "found() != -1"),
        (True, "found == ['a', ('b', 2)]"),
        (True, "found == {'a': 1}"),
        (True, "len(found) == 2 * 3"),
        (False, "3 == found"),
        (False, "one == other"),
        (False, "found == [other]"),
        (False, "found is None"),
        (False, "found <= 3"),
        (False, "found"),
    ],
)
def test_an_assert_that_is_turned_would_be_found(words: str, *, expected: bool) -> None:
    assert expected is house.is_turned(ast.parse(words, mode="eval").body)


@pytest.mark.parametrize(
    ("expected", "source"),
    [
        (False, "LIMIT = 3\nclass Kind(Enum):\n    A = 1\n"),
        (False, 'class Host(Protocol):\n    def run(self) -> int:\n        """Run."""\n'),
        (False, "if TYPE_CHECKING:\n    import x\n"),
        (True, "def two() -> int:\n    return 2\n"),
        (True, "class Kind(Enum):\n    @property\n    def word(self) -> str:\n        return self.name\n"),
        (True, "SQUARES = [n * n for n in range(9)]\n"),
        (True, "key = lambda value: value\n"),
    ],
)
def test_only_what_does_nothing_needs_no_test(source: str, *, expected: bool) -> None:
    assert expected is house.can_fail(ast.parse(source))


class TestDependencies:
    """pyproject names what is imported, and nothing else."""

    def names(self) -> set[str]:
        project = tomllib.loads((house.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        optional = project.get("optional-dependencies", {})
        wanted = [
            *project["dependencies"],
            *(each for key, extra in optional.items() if key != "dev" for each in extra),
        ]
        return {_plain(re.split(r"[^A-Za-z0-9_.-]", each, maxsplit=1)[0]) for each in wanted}

    def imported(self) -> set[str]:
        found = set()
        for path in house.modules().values():
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Import(names=names):
                        found |= {each.name.split(".")[0] for each in names}
                    case ast.ImportFrom(module=str(module), level=0):
                        found.add(module.split(".")[0])
        return found - set(sys.stdlib_module_names) - {"zconsole"}

    def test_what_is_imported_is_named(self) -> None:
        known = packages_distributions()
        missing = {
            each
            for each in self.imported()
            if not self.names() & {_plain(name) for name in [*known.get(each, ()), each]}
        }
        assert BROUGHT | OF_THE_HOST == missing

    def test_what_is_named_is_imported(self) -> None:
        known = packages_distributions()
        used = {_plain(name) for each in self.imported() for name in [*known.get(each, ()), each]}
        assert NOT_USED_YET == self.names() - used


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


@pytest.mark.parametrize("name", ["zconsole.practice"])
def test_what_only_the_command_line_may_know_is_in_the_contracts(name: str) -> None:
    text = (house.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    assert any([name] == each.get("forbidden_modules") for each in contracts)


def test_classes_of_values_are_those_whose_methods_are_compiled_when_they_are_called() -> None:
    at_once = [
        name
        for name, path in house.modules().items()
        if name != "zconsole.base.lazy_dataclass"
        and re.search(r"^from dataclasses import .*\bdataclass\b", path.read_text(), re.MULTILINE)
    ]

    assert [] == at_once, "take `dataclass` from zconsole.base.lazy_dataclass"
