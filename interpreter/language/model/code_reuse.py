"""Code of functions that two units of generated Python have in common: only the others are compiled."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from types import CodeType

from interpreter.language.model.image import CODE_NAME, Unit


def compiled_like(source: str, like: Unit) -> bytes:
    """Returns the marshalled code of generated Python; of each function that `like` has, too, the code is taken."""
    lines = source.split("\n")[:-1]
    functions = _functions_of(like)
    taken: dict[int, CodeType] = {}
    for start, end in _statements(lines):
        found = functions.get("\n".join(lines[start:end]))
        if found is not None:
            taken[start + 1] = found
            lines[start + 1] = "    pass"
            lines[start + 2 : end] = [""] * (end - start - 2)
    code = compile("\n".join(lines) + "\n", CODE_NAME, "exec", dont_inherit=True, optimize=0)
    constants = tuple([_taken(each, taken) if isinstance(each, CodeType) else each for each in code.co_consts])
    return marshal.dumps(code.replace(co_consts=constants))


def _functions_of(unit: Unit) -> dict[str, CodeType]:
    """Returns the code of the functions of a unit by their text."""
    lines = unit.source.split("\n")[:-1]
    code = marshal.loads(unit.code)  # noqa: S302 - made by our own emitter
    known = {each.co_firstlineno: each for each in code.co_consts if isinstance(each, CodeType)}
    return {
        "\n".join(lines[start:end]): known[start + 1]
        for start, end in _statements(lines)
        if start + 1 in known and end > start + 1 and lines[start].startswith("def ")
    }


def _statements(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yields the first line of each statement of a module and the line after it."""
    start = 0
    for number in range(1, len(lines) + 1):
        if number == len(lines) or not lines[number].startswith(" "):
            yield start, number
            start = number


def _taken(stub: CodeType, taken: dict[int, CodeType]) -> CodeType:
    found = taken.get(stub.co_firstlineno)
    return stub if found is None else _moved(found, stub.co_firstlineno - found.co_firstlineno)


def _moved(code: CodeType, lines: int) -> CodeType:
    """Returns code with the line numbers that it has that number of lines further down."""
    inner = tuple([_moved(each, lines) if isinstance(each, CodeType) else each for each in code.co_consts])
    return code.replace(co_firstlineno=code.co_firstlineno + lines, co_consts=inner) if lines else code
