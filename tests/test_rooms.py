"""The rooms of the interpreter: what each may import, and that no game is spoken of in any of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter import load_ruleset
from interpreter.language.model.program import Program

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "interpreter"
ROOMS = ("language", "world", "rules", "play", "players", "reckoning", "workshop", "cli")
"""From the ground up: a room imports itself and the rooms before it."""
RULESETS = (*sorted((ROOT / "rulesets").iterdir()), *sorted((ROOT / "tests" / "rulesets").glob("*/ruleset.yaml")))
GAMES = re.compile(
    r"napoleon|bonaparte|france|french|austria|prussia|russia|britain|british|spain|spanish|turkey|ottoman|portug"
    r"|marengo|rolica|coalition|empire|guerrilla|cossack|cuirassier|grenadier|hussar|demorali[sz]ed|corsair|skirmish",
    re.IGNORECASE,
)
LONG = 6
"""Shorter ids are words of any language, and would be found in it by chance."""
PLAIN_WORDS = {
    *("advance", "attack", "holder", "joining", "leaves", "maximum", "movement"),
    *("counter", "guards", "player", "reading", "restore", "set_up", "settle", "square", "submit"),
}
"""Ids that are words of rules in general, or of programs."""


def _modules() -> list[Path]:
    return sorted(ENGINE.rglob("*.py"))


def _name(path: Path) -> str:
    return str(path.relative_to(ENGINE))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a module imports, at its top, inside a function or for its types alone, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} names a module by where it stands"
            yield node.lineno, node.module or ""
            yield from ((node.lineno, f"{node.module}.{each.name}") for each in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_downwards(room: str) -> None:
    """No module of a room imports from a room above it, wherever in the module the import stands."""
    above = set(ROOMS[ROOMS.index(room) + 1 :])
    wrong = [
        f"{_name(path)}:{line} imports {module}"
        for path in sorted((ENGINE / room).rglob("*.py"))
        for line, module in _imports(path)
        if module.startswith("interpreter.") and module.split(".")[1] in above
    ]
    assert wrong == []


def test_there_are_no_other_rooms() -> None:
    """Every folder of the interpreter is one of the rooms."""
    folders = {each.name for each in ENGINE.iterdir() if any(each.rglob("*.py"))}
    assert folders == set(ROOMS)


def test_modules_are_of_a_size_to_be_read() -> None:
    """No module has more than 480 lines, no function more than 60."""
    wrong = []
    for path in _modules():
        text = path.read_text(encoding="utf-8")
        sizes = [(node.name, node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        if len(text.splitlines()) > 480:
            wrong.append(_name(path))
        wrong += [f"{_name(path)}: {name}" for name, node in sizes if (node.end_lineno or 0) - node.lineno >= 60]
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
    """No id that a ruleset gives stands as a word in the interpreter's code, texts or comments."""
    ids = _ids(load_ruleset(ruleset if ruleset.is_dir() else ruleset.parent).program) - PLAIN_WORDS
    assert ids
    found = [
        f"{_name(path)}:{number} {word}"
        for path in _modules()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for word in re.findall(r"\w+", line)
        if word.casefold() in ids
    ]
    assert found == []


def test_no_word_of_the_period_stands_in_the_interpreter() -> None:
    """Neither code nor grammar nor any other file of the interpreter knows a nation, a game or an arm of service."""
    found = [
        f"{path.relative_to(ENGINE)}:{number} {match[0]}"
        for path in sorted(ENGINE.rglob("*"))
        if path.suffix in {".py", ".lark", ".json"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := GAMES.search(line)) is not None
    ]
    assert found == []
