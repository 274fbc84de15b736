"""What fuzzers share: odd values, changes of a tree of JSON data, and commands that are watched.

A command passes if it ends with exit code 0, 1 or 2, reports no defect, writes no control character, uses a bounded
amount of CPU time, and opens, lists and changes nothing outside of the folders that it is given.
"""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any
from unittest.mock import patch

from interpreter.cli import defect, run_command
from interpreter.cli.main import main
from interpreter.cli.parser import build_parser

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
GAMES = TESTS / "support" / "games"
"""A ruleset with every section, and its scenario."""
RULESETS_PATH = os.pathsep.join([str(TESTS), str(GAMES)])
"""The value of `BICORNE_PATH` with which commands find the rulesets of fuzzers."""
MAX_CPU_SECONDS = 20
MAX_MESSAGE = 20_000
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


# ---------------------------------------------------------------- odd values
def nested(depth: int) -> list[Any]:
    """Returns lists within lists."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def copied(data: Any) -> Any:
    """Returns a copy of JSON data, however deep it is."""
    return json.loads(json.dumps(data))


ODD_TEXTS = (
    "", "x", " ", "none", "yes", "0", "1e9", "é", "e\u0301", "𝒳", "\ufeff", "\u202eabc", "\x00", "\x1b[2J", "\n", "\t",
    "a" * 5_000, "/dev/stdin", "/etc/passwd", "../../x", "~", ":list", ":record", ":map", ":action", ":fraction",
    ":reason", "{", "[]", "%s%n", "__class__", "{0.__class__}",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 255, 2**31, 2**63, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308, float("nan"),
    float("inf"), [], {}, [[]], [None], {"": 1}, {"a": {}}, nested(40), nested(400), [0] * 2_000,
    [":fraction", 1, 0], [":fraction", "1", []], [":map", [1]], [":map", [[], 1]], [":record", "x", ["a"]],
    [":record", [], [1, 2]], [":list", [":list", 1]], [":reason", "x", []], [":action", {}], ["", ""], *ODD_TEXTS,
)  # fmt: skip


# ---------------------------------------------------------------- changes of a tree
def change_tree(tree: Any, chance: Random) -> None:
    """Makes one change somewhere in a tree of lists and mappings, which must not be empty."""
    place, key = _place(tree, chance)
    if isinstance(place, list):
        _change_list(place, key, tree, chance)
    else:
        _change_mapping(place, key, tree, chance)


def _place(tree: Any, chance: Random) -> tuple[Any, Any]:
    """Returns a random entry of the tree: its list or mapping, and its key there."""
    place = tree
    while True:
        key = chance.choice(list(place)) if isinstance(place, dict) else chance.randrange(len(place))
        below = place[key]
        if not isinstance(below, list | dict) or not below or chance.random() < 0.2:
            return place, key
        place = below


def _change_list(place: list[Any], key: int, tree: Any, chance: Random) -> None:
    match chance.randrange(8):
        case 0:
            del place[key]
        case 1:
            place.insert(key, copied(place[key]))
        case 2:
            place.insert(key, _odd(tree, chance))
        case 3:
            other = chance.randrange(len(place))
            place[key], place[other] = place[other], place[key]
        case 4:
            del place[key:]
        case _:
            place[key] = _changed(place[key], tree, chance)


def _change_mapping(place: dict[Any, Any], key: Any, tree: Any, chance: Random) -> None:
    match chance.randrange(7):
        case 0:
            del place[key]
        case 1:
            place[chance.choice(ODD_TEXTS)] = place.pop(key)
        case 2:
            other = chance.choice(list(place))
            place[key], place[other] = place[other], place[key]
        case 3:
            place[chance.choice(ODD_TEXTS)] = _odd(tree, chance)
        case _:
            place[key] = _changed(place[key], tree, chance)


def _changed(value: Any, tree: Any, chance: Random) -> Any:
    if chance.random() < 0.5:
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + chance.choice((-1, 1, 1_000_000))
        if isinstance(value, str) and value:
            at = chance.randrange(len(value))
            return value[:at] + chance.choice(("", "x", *ODD_TEXTS)) + value[at + 1 :]
    return _odd(tree, chance)


def _odd(tree: Any, chance: Random) -> Any:
    """Returns an odd value, or a copy of another part of the tree."""
    if chance.random() < 0.3:
        place, key = _place(tree, chance)
        return copied(place[key])
    return copied(chance.choice(ODD_VALUES))


def change_bytes(content: bytes, chance: Random) -> bytes:
    """Returns bytes with a few changes: flipped bits, and parts that are left out, doubled or cut off."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        at = chance.randrange(len(changed) or 1)
        match chance.randrange(12):
            case 0:
                del changed[at : at + chance.randrange(1, 40)]
            case 1:
                changed[at:at] = changed[at : at + chance.randrange(1, 40)]
            case 2:
                changed[at:at] = chance.randbytes(4)
            case 3:
                del changed[at:]
            case _ if changed:
                changed[at] ^= 1 << chance.randrange(8)
    return bytes(changed)


# ---------------------------------------------------------------- watched commands
class TooMuchWorkError(BaseException):
    """A command uses too much CPU time; no handler of exceptions catches it."""


_READING = frozenset({"open", "os.listdir", "os.scandir", "sqlite3.connect"})
_CHANGING = frozenset(
    {"os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown",
     "os.utime", "os.setxattr", "os.removexattr", "shutil.rmtree", "shutil.move", "shutil.copyfile"}
)  # fmt: skip
_FORBIDDEN = re.compile(
    r"pickle\.|subprocess\.|os\.(system|exec|fork|posix_spawn|spawn|kill)|socket\.|ctypes\.|urllib\."
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Watch:
    """The paths that may be read and changed, and what was touched beside them."""

    active: Watch | None = None

    def __init__(self, readable: Sequence[Path], writable: Sequence[Path]) -> None:
        self._writable = tuple([str(each.resolve()) for each in writable])
        self._readable = (*self._writable, *[str(each.resolve()) for each in readable])
        self.outside: list[str] = []

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Notes an event of the interpreter that is not allowed."""
        if event in _READING:
            writes = event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & _WRITING)
            self._check(event, arguments[0], self._writable if writes else self._readable)
        elif event in _CHANGING:
            for each in arguments[: 2 if event in {"os.rename", "os.link", "os.symlink"} else 1]:
                self._check(event, each, self._writable)
        elif _FORBIDDEN.match(event):
            self.outside.append(event)

    def _check(self, event: str, path: Any, allowed: tuple[str, ...]) -> None:
        if path in {":memory:", os.devnull} or not isinstance(path, str | bytes | os.PathLike):
            return
        real = os.path.realpath(os.fsdecode(path))
        if not any(real == each or real.startswith(each + os.sep) for each in allowed):
            self.outside.append(f"{event} {os.fsdecode(path)}")


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    watch = Watch.active
    if watch is not None:
        Watch.active = None
        try:
            watch.note(event, arguments)
        finally:
            Watch.active = watch


sys.addaudithook(_on_event)


@dataclass
class Findings:
    """The exit codes of commands, and what was wrong: each problem with how often it came and where it came first."""

    codes: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, problem: str, where: str) -> None:
        """Adds a problem."""
        self.problems[problem] += 1
        self.first.setdefault(problem, where)

    def lines(self) -> list[str]:
        """Returns the problems, the most frequent first."""
        return [f"{count:6} {problem}\n       {self.first[problem]}" for problem, count in self.problems.most_common()]


@dataclass(frozen=True)
class Ran:
    """A command that has run: its exit code, its output, and what was wrong with it."""

    code: int
    out: str
    err: str
    problems: list[str]


_parser_made_once = cache(build_parser)
_plugins_found_once = cache(metadata.entry_points)


@contextmanager
def _started_before() -> Iterator[None]:
    """Spares a command what every start does anew, and what takes most of its time: the parser and the plugins."""
    with (
        patch.object(run_command, "build_parser", _parser_made_once),
        patch.object(metadata, "entry_points", _plugins_found_once),
    ):
        yield


def run(words: Sequence[str], watch: Watch) -> Ran:
    """Runs a command in this process and says what is wrong with how it ended."""
    out, err, problems, code = io.StringIO(), io.StringIO(), [], -1
    defects: list[BaseException] = []
    watch.outside.clear()
    with redirect_stdout(out), redirect_stderr(err), _noting_defects(defects), _cpu_limit(), _started_before():
        Watch.active = watch
        try:
            code = main(words)
        except TooMuchWorkError as error:
            problems.append(f"more than {MAX_CPU_SECONDS} seconds of CPU time at {_where(error)}")
        except BaseException as error:
            defects.append(error)
        finally:
            Watch.active = None
    problems += [f"{type(each).__name__} at {_where(each)}" for each in defects]
    problems += sorted({f"outside: {each}" for each in watch.outside})
    if not problems and code not in {0, 1, 2}:
        problems.append(f"exit code {code}")
    if code != 0 and not problems and not err.getvalue() + out.getvalue():
        problems.append(f"exit code {code} without a message")
    if len(err.getvalue()) > MAX_MESSAGE:
        problems.append("a message of more than 20,000 characters")
    if (found := _CONTROLS.search(out.getvalue() + err.getvalue())) is not None:
        problems.append(f"the control character {found[0]!r} in the output")
    return Ran(code, out.getvalue(), err.getvalue(), problems)


@contextmanager
def _noting_defects(defects: list[BaseException]) -> Iterator[None]:
    """Notes the exceptions that the command line reports as defects of Bicorne."""
    usual = defect.defect_text

    def noting(error: BaseException) -> str:
        defects.append(error)
        return usual(error)

    with patch.object(defect, "defect_text", noting):
        yield


@contextmanager
def _cpu_limit() -> Iterator[None]:
    """Stops a command that does not end."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooMuchWorkError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _where(error: BaseException) -> str:
    """Returns the last lines of the interpreter that an exception came through."""
    places = [
        f"{Path(each.filename).relative_to(ROOT)}:{each.lineno}"
        for each in traceback.extract_tb(error.__traceback__)
        if Path(each.filename).is_relative_to(ROOT / "interpreter")
    ]
    return " < ".join(reversed(places[-2:])) + f": {str(error)[:100]!r}"


def watch_for(folder: Path, cache: Path) -> Watch:
    """Returns the watch of commands that may change what is in a folder and the cache, and read the rulesets."""
    bytecode = [] if sys.pycache_prefix is None else [Path(sys.pycache_prefix)]
    return Watch([ROOT, *map(Path, {sys.prefix, sys.base_prefix, *sys.path})], [folder, cache, *bytecode])
