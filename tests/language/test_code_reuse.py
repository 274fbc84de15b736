"""Code that is taken from another unit is the code that compiling would have made."""

from __future__ import annotations

import marshal
from types import CodeType

from hypothesis import given
from hypothesis import strategies as st

from interpreter.language.model.code_reuse import compiled_like
from interpreter.language.model.image import Unit, compiled

_STATEMENTS = (
    "known = {}",
    "def first(x):\n    return [each + x for each in known]",
    "def first(x):\n    return x",
    "def second():\n    found = lambda: (yield 1)\n    return found",
    "def third(x, y):\n    if x:\n        return (lambda: y)()\n    return {each: [x for x in y] for each in y}",
    "table = {1: len, 2: first}",
)
_SOURCES = st.lists(st.sampled_from(_STATEMENTS), max_size=8).map("\n".join).map(lambda text: text + "\n")


@given(_SOURCES, _SOURCES)
def test_code_of_functions_is_taken_with_its_lines(source: str, other: str) -> None:
    """Whatever two sources have in common, the code and the line numbers are those of the source itself."""
    made = marshal.loads(compiled_like(source, Unit("fast", other, (), compiled(other))))
    wanted = marshal.loads(compiled(source))
    assert (made.co_code, made.co_names, made.co_consts) == (wanted.co_code, wanted.co_names, wanted.co_consts)
    assert _lines(made.co_consts) == _lines(wanted.co_consts)


def _lines(constants: tuple[object, ...]) -> list[object]:
    codes = [each for each in constants if isinstance(each, CodeType)]
    return [[*each.co_positions(), _lines(each.co_consts)] for each in codes]
