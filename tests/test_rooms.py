"""The rooms of the interpreter: what each may import, how its parts are named, and that no game is named in any."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from interpreter import load_ruleset
from interpreter.language.model.program import Program

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "interpreter"
ROOMS = (
    "language",
    "world",
    "rules",
    "play",
    "players",
    "inference",
    "simulation",
    "workshop",
    "console",
    "cli",
)
"""From the ground up: a room imports itself and the rooms before it."""
SIDE_BY_SIDE = ("workshop", "console")
"""Neither of these imports the other."""
TWIN_MODULES = {
    *("statements", "decisions", "calls", "collections", "rules", "priors"),  # passes over the same constructs
    *("bench", "check", "diff", "explain", "format", "odds"),  # a command and the module that does its work
}
"""The names that more than one module bears."""
RULESETS = (*sorted((ROOT / "rulesets").iterdir()), *sorted((ROOT / "tests" / "rulesets").glob("*/ruleset.yaml")))
GAMES = re.compile(
    r"napoleon|bonaparte|france|french|austria|prussia|russia|britain|british|spain|spanish|turkey|ottoman|portug"
    r"|marengo|rolica|coalition|empire|guerrilla|cossack|cuirassier|grenadier|hussar|demorali[sz]ed|corsair|skirmish",
    re.IGNORECASE,
)
LONG = 6
"""Shorter ids are words of any language, and would be found in it by chance."""
PLAIN_WORDS = {
    *("advance", "attack", "capture", "holder", "joining", "leaves", "maximum", "movement"),
    *("arrival", "commit", "convert", "counter", "declaration", "discards", "guards", "player", "reading"),
    *("release", "restore", "set_up", "settle", "square", "submit"),
    *("answer", "cancelled", "finish", "points", "stopped", "window"),
    *("center", "charge", "outcome", "played", "ranged", "section", "stands", "starter", "symbol"),
}
"""Ids that are words of rules in general, or of programs."""


@cache
def _modules() -> tuple[Path, ...]:
    return tuple(sorted(ENGINE.rglob("*.py")))


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Facts:
    """What the text of a module imports, defines, writes to and opens, with lines; each module is parsed once."""

    imports: list[tuple[int, str]]
    classes: list[tuple[int, str]]
    long_functions: list[str]
    streams: list[tuple[int, str]]
    openings: list[str]


@cache
def _facts(text: str) -> Facts:
    nodes = [*ast.walk(ast.parse(text))]
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef)]
    return Facts(
        [*_imports(nodes)],
        [(each.lineno, each.name) for each in nodes if isinstance(each, ast.ClassDef)],
        [each.name for each in functions if (each.end_lineno or 0) - each.lineno >= 60],
        [*_uses_of_streams(nodes)],
        [*_openings(nodes)],
    )


def _name(path: Path) -> str:
    return str(path.relative_to(ENGINE))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Every module that a module imports, at its top, inside a function or for its types alone, with the line."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno} imports a module by a relative name"
            yield node.lineno, node.module or ""
            yield from ((node.lineno, f"{node.module}.{each.name}") for each in node.names)


def _dotted(path: Path) -> str:
    """Returns the name by which a module is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _edges() -> list[tuple[Path, Path, int]]:
    """Returns each import between two modules of the interpreter, whatever it is for, with its line."""
    modules = {_dotted(path): path for path in _modules()}
    return [
        (path, modules[name], line)
        for path in modules.values()
        for line, name in _facts(_text(path)).imports
        if name in modules and modules[name] != path
    ]


Edge = tuple[str, str]


def _circles(edges: Iterable[Edge]) -> list[list[str]]:
    """Returns the groups of nodes each of which can be reached from all others of its group."""
    graph: dict[str, set[str]] = {}
    for start, end in edges:
        graph.setdefault(start, set()).add(end)
        graph.setdefault(end, set())
    reached = {node: _reached(graph, node) for node in graph}
    groups = {frozenset(other for other in reached[node] if node in reached[other]) for node in graph}
    return sorted(sorted(group) for group in groups if group)


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph[node]
    return found


def _in_circles(part_of: Callable[[Path], str]) -> list[str]:
    """Returns every import that takes part in a circle of the parts that modules belong to."""
    edges = [(part_of(start), part_of(end), start, end, line) for start, end, line in _edges()]
    between = [each for each in edges if each[0] != each[1]]
    circles = _circles((each[0], each[1]) for each in between)
    return [
        f"{_name(start)}:{line} imports {_name(end)}: circle of {', '.join(circle)}"
        for circle in circles
        for one, other, start, end, line in between
        if one in circle and other in circle
    ]


def test_modules_import_one_another_in_no_circle() -> None:
    """No module imports itself through others, imports for types alone and within functions included."""
    assert _in_circles(_name) == []


def test_folders_import_one_another_in_no_circle() -> None:
    """No sub-package imports itself through others; the modules directly in a folder are one part of their own."""
    assert _in_circles(lambda path: str(path.parent.relative_to(ROOT))) == []


def test_rooms_import_one_another_in_no_circle() -> None:
    """No room imports itself through others."""
    assert _in_circles(lambda path: path.relative_to(ROOT).parts[1]) == []


def test_circles_are_found() -> None:
    """A circle of two and one of three are found, and not what only leads to them."""
    edges = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "c"), ("e", "f"), ("g", "a")]
    assert _circles(edges) == [["a", "b"], ["c", "d", "e"]]


def test_class_names_are_unique() -> None:
    """No two classes of the interpreter have the same name; an underscore before it makes no difference."""
    found: dict[str, list[str]] = {}
    for path in _modules():
        for line, name in _facts(_text(path)).classes:
            found.setdefault(name.lstrip("_"), []).append(f"{_name(path)}:{line}")
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_module_names_are_unique() -> None:
    """No two modules of the interpreter have the same name, but for a short list of twins."""
    found: dict[str, list[str]] = {}
    for path in _modules():
        if path.stem not in ("__init__", "__main__"):
            found.setdefault(path.stem, []).append(_name(path))
    twins = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert {name: paths for name, paths in twins.items() if name not in TWIN_MODULES} == {}
    assert TWIN_MODULES - twins.keys() == set(), "these have no twin any more"


def _out_of_reach(room: str) -> set[str]:
    """Returns the rooms that a room may not import."""
    return {*ROOMS[ROOMS.index(room) + 1 :]} | ({*SIDE_BY_SIDE} - {room} if room in SIDE_BY_SIDE else set())


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_downwards(room: str) -> None:
    """No module of a room imports from a room above or beside it, wherever in the module the import is written."""
    above = _out_of_reach(room)
    wrong = [
        f"{_name(path)}:{line} imports {module}"
        for path in sorted((ENGINE / room).rglob("*.py"))
        for line, module in _facts(_text(path)).imports
        if module.startswith("interpreter.") and module.split(".")[1] in above
    ]
    assert wrong == []


def test_there_are_no_other_rooms() -> None:
    """Every folder of the interpreter is one of the rooms."""
    folders = {each.name for each in ENGINE.iterdir() if any(each.rglob("*.py"))}
    assert folders == set(ROOMS)


STREAMS = ENGINE / "cli" / "streams.py"
TOOLS = {"workshop/reference.py", "language/parsing/lalr_tables.py"}
"""Programs of developers, which print what they have written."""
STREAM_NAMES = {"stdin", "stdout", "stderr", "__stdout__", "__stderr__"}
PRINTING = {"print", "input"}


def _uses_of_streams(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yields the uses of standard streams, prompts and the consoles of Rich in a module, with their lines."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in STREAM_NAMES and ast.unparse(node.value) == "sys":
            yield node.lineno, f"sys.{node.attr}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PRINTING:
            yield node.lineno, node.func.id
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rich"):
            yield node.lineno, str(node.module)


def test_one_module_writes_to_the_terminal() -> None:
    """Only `cli/streams.py`, which makes control characters visible, writes to a stream, prompts or imports Rich."""
    found = [
        f"{_name(path)}:{line} {what}"
        for path in _modules()
        if path != STREAMS and _name(path) not in TOOLS
        for line, what in _facts(_text(path)).streams
    ]
    assert found == []
    assert {what for _, what in _facts(_text(STREAMS)).streams} >= {"print", "sys.stdout"}


OPENERS = {
    "language/plain_files.py": "opens what strangers may have made, for all other modules",
    "rules/loading/cache.py": "checks whose its entries are",
    "play/records/owned_file.py": "has its file open, and asks the kernel who else has",
    "simulation/results_file.py": "appends to what it has read through the opener",
    "cli/streams.py": "opens descriptors, of the standard streams",
    "language/parsing/lalr_tables.py": "reads Bicorne's own grammar",
    "rules/schema/validate.py": "reads Bicorne's own schemas",
    "rules/documents/package_data.py": "reads Bicorne's own project file",
    "workshop/scaffold.py": "reads Bicorne's own templates",
    "workshop/editor/key_index.py": "reads Bicorne's own schemas",
    "workshop/reference.py": "reads Bicorne's own schemas and pages",
}
"""Modules that open files by themselves, and why they may."""
OPENING = {"open", "fdopen", "read_bytes", "read_text"}
RECORDS = {"Save", "LogFile"}
"""Classes that open records, through the opener."""


def _openings(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yields the calls in a module that open a path or a descriptor."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            function = ast.unparse(node.func)
            holder, _, name = function.rpartition(".")
            no_file = holder in RECORDS or holder in ("self", "checker") or function == "read_bytes"
            if name in OPENING and not no_file:
                yield ast.unparse(node)


def test_files_of_strangers_have_one_opener() -> None:
    """Only listed modules open files by themselves, and all of those do."""
    assert {_name(path) for path in _modules() if _facts(_text(path)).openings} == OPENERS.keys()


@pytest.mark.parametrize(
    "call", ["open(path)", "path.open('rb')", "os.open(path, 0)", "path.read_text()", "Path(name).read_bytes()"]
)
def test_openings_are_found(call: str) -> None:
    assert _facts(f"def read(path):\n    return {call}").openings == [call]


JSON_READERS = {
    "language/strict_json.py": "the reader",
    "language/parsing/lalr_tables.py": "reads Bicorne's own tables",
    "rules/schema/validate.py": "reads Bicorne's own schemas",
    "workshop/editor/key_index.py": "reads Bicorne's own schemas",
    "workshop/reference.py": "reads Bicorne's own schemas",
}
"""Modules that read JSON by themselves, and why they may."""


def test_json_of_strangers_has_one_reader() -> None:
    """Only listed modules read JSON by themselves, and all of those do."""
    reading = re.compile(r"\bjson\.(loads?|JSONDecoder)\b")
    assert {_name(path) for path in _modules() if reading.search(_text(path))} == set(JSON_READERS)


UNSAFE = {"pickle", "pickletools", "shelve", "dill", "cloudpickle", "joblib", "copyreg"}
"""Modules that make any object of bytes, and so run what is in them."""
MARSHALLING = {
    "language/model/code_reuse.py",
    "language/model/image.py",
    "play/engine/core.py",
}
"""Modules that write or read marshalled data."""


def _importers(names: Iterable[str]) -> set[str]:
    """Returns the modules that import one of these libraries."""
    wanted = set(names)
    return {
        _name(path)
        for path in _modules()
        for _, name in _facts(_text(path)).imports
        if name.partition(".")[0] in wanted
    }


def test_nothing_is_unpickled() -> None:
    """No module imports a library that makes any object of bytes, and only listed ones read marshalled data."""
    assert _importers(UNSAFE) == set()
    assert _importers({"marshal"}) == MARSHALLING


def test_modules_are_of_a_size_to_be_read() -> None:
    """No module of the interpreter has more than 480 lines, no function more than 60."""
    wrong = []
    for path in _modules():
        if len(_text(path).splitlines()) > 480:
            wrong.append(_name(path))
        wrong += [f"{_name(path)}: {name}" for name in _facts(_text(path)).long_functions]
    assert wrong == []


def _ids(program: Program) -> set[str]:
    """What a ruleset calls its kinds, words, individuals and rules."""
    found: set[str] = {name for _, name in program.individuals}
    found.update(word for enum in program.enums.values() for word in enum.words)
    for section in (program.kinds, program.enums, program.state, program.tables, program.procedures, program.actions):
        found.update(section)
    return {each.casefold() for each in found if len(each) >= LONG}


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.stem if each.is_dir() else each.parent.name)
def test_no_game_is_spoken_of(ruleset: Path) -> None:
    """No id that a ruleset gives is a word of the interpreter's code, texts or comments."""
    ids = _ids(load_ruleset(ruleset if ruleset.is_dir() else ruleset.parent).program) - PLAIN_WORDS
    assert ids
    words = _words()
    assert {each: words[each] for each in ids & words.keys()} == {}


@cache
def _words() -> dict[str, list[str]]:
    """Returns every word in the modules of the interpreter, with the places where it is."""
    found: dict[str, list[str]] = {}
    for path in _modules():
        for number, line in enumerate(_text(path).splitlines(), 1):
            for word in re.findall(r"\w+", line):
                found.setdefault(word.casefold(), []).append(f"{_name(path)}:{number}")
    return found


def test_no_word_of_the_period_is_in_the_interpreter() -> None:
    """Neither code nor grammar nor any other file of the interpreter knows a nation, a game or an arm of service."""
    found = [
        f"{path.relative_to(ENGINE)}:{number} {match[0]}"
        for path in sorted(ENGINE.rglob("*"))
        if path.suffix in {".py", ".lark", ".json"}
        for number, line in enumerate(_text(path).splitlines(), 1)
        if (match := GAMES.search(line)) is not None
    ]
    assert found == []


TEXTS = r"(arrow|cell|clause|condition|document|figure|flag|heading|id|key|line|name|number|row|sign|text|value)s?"
OLD_WORDS = re.compile(
    r"\b(\w*_)?(told|reckon\w*|so many|what comes of|stands in the way|affairs?|bygone)(\b|_)"
    rf"|\b{TEXTS} (now |that |which )?stands? (?!for\b)|\bstands? (before|after|behind) the (bar|arrow|colon)",
    re.IGNORECASE,
)
"""Words that are not plain English for what a program does (it reports, shows, logs, computes) and where a text is."""


def test_no_old_word_is_used() -> None:
    """Code, tests, schemas and pages are in plain present-day English."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "schemas").rglob("*.json")]
    found = [
        f"{path.relative_to(ROOT)}:{number} {word[0]}"
        for path in (*pages, *_modules(), *(ROOT / "tests").rglob("*.py"))
        if path != Path(__file__).resolve()
        for number, line in enumerate(_text(path).splitlines(), 1)
        for word in OLD_WORDS.finditer(line)
    ]
    assert found == []
