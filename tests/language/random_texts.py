"""Random well-typed rule text over the guide's ruleset, for the property tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

MAX_DEPTH = 4
Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """The names in scope of a text by type, and its nesting depth."""

    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    depth: int = 0
    names: int = 0

    def deeper(self) -> Scope:
        """Returns the scope one level deeper."""
        return replace(self, depth=self.depth + 1)

    def with_it(self, sort: str) -> Scope:
        """Returns the scope in which only `it` is an element of this sort."""
        bare = replace(
            self.deeper(), units=_no_it(self.units), places=_no_it(self.places), numbers=_no_it(self.numbers)
        )
        return bare.adding(sort, "it")

    def with_name(self, sort: str) -> tuple[Scope, str]:
        """Returns the scope with a new named element of this sort, and its name."""
        name = f"e{self.names}"
        inner = replace(self.deeper(), names=self.names + 1)
        return inner.adding(sort, name), name

    def adding(self, sort: str, name: str) -> Scope:
        """Returns the scope with one more name of a sort."""
        if sort == "units":
            return replace(self, units=(*self.units, name))
        if sort == "places":
            return replace(self, places=(*self.places, name))
        return replace(self, numbers=(*self.numbers, name))


def _no_it(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([each for each in names if each != "it"])


class Texts:
    """Draws texts: each method returns one of its type, in parentheses where it can be an operand."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def _one(self, *ways: Callable[[], str]) -> str:
        return self._draw(st.sampled_from(ways))()  # type: ignore[no-any-return]

    def _pick(self, *items: Any) -> Any:
        return self._draw(st.sampled_from(items))

    # ------------------------------------------------------------ numbers
    def integer(self, at: Scope) -> str:
        """Returns a text of type int."""
        simple: list[Callable[[], str]] = [lambda: str(self._pick(0, 1, 2, 3, 5)), lambda: "turn"]
        simple += [lambda name=name: name for name in at.numbers]  # type: ignore[misc]
        simple += [lambda name=name: self._of(name, "steps", "full") for name in at.units]  # type: ignore[misc]
        if at.depth >= MAX_DEPTH:
            return self._one(*simple)
        inner = at.deeper()
        return self._one(
            *simple,
            lambda: f"({self.integer(inner)} {self._pick('+', '-', '*')} {self.integer(inner)})",
            lambda: f"({self.integer(inner)} mod {self._pick(1, 2, 3, 7)})",
            lambda: f"(-{self.integer(inner)})",
            lambda: f"count({self.collection(inner)})",
            lambda: f"sum({self.mapped(inner)})",
            lambda: f"({self._pick('max', 'min')}({self.mapped(inner)}) otherwise {self.integer(inner)})",
            lambda: f"{self._pick('max', 'min')}({self.integer(inner)}, {self.integer(inner)})",
            lambda: f"({self.integer(inner)} if {self.condition(inner)} else {self.integer(inner)})",
            lambda: f"({self.number(inner)} rounded {self._pick('up', 'down', 'at 0.75')})",
            lambda: f"losses[{self._pick(1, 3, 6)}]",
            lambda: f"crt[{self.integer(inner)}, {self.integer(inner)}]",
            lambda: f"entry[{self.place(inner)}.ground]",
        )

    def number(self, at: Scope) -> str:
        """Returns a text of type number."""
        return self._one(
            lambda: f"{self.integer(at.deeper())} / {self._pick(2, 3, 7)}",
            lambda: f"{self.integer(at.deeper())} * 0.25",
        )

    def _of(self, name: str, *attributes: str) -> str:
        attribute = self._pick(*attributes)
        return f".{attribute}" if name == "it" and self._pick(True, False) else f"{name}.{attribute}"

    # ------------------------------------------------------------ conditions
    def condition(self, at: Scope) -> str:
        """Returns a condition."""
        simple: list[Callable[[], str]] = [lambda: self._pick("true", "false", "turn > 3", "red.points = 0")]
        simple += [lambda name=name: self._of(name, "tired") for name in at.units]  # type: ignore[misc]
        simple += [lambda name=name: f"{name}.owner = red" for name in at.units]  # type: ignore[misc]
        if at.depth >= MAX_DEPTH:
            return f"({self._one(*simple)})"
        inner = at.deeper()
        compare = "=", "!=", "<", "<=", ">", ">="
        return self._one(
            *[lambda way=way: f"({way()})" for way in simple],
            lambda: f"({self.integer(inner)} {self._pick(*compare)} {self.integer(inner)})",
            lambda: f"({self.condition(inner)} {self._pick('and', 'or')} {self.condition(inner)})",
            lambda: f"(not {self.condition(inner)})",
            lambda: f"any({self.collection(inner)})",
            lambda: f"{self._pick('any', 'all')}({self.units(inner)} each {self.condition(inner.with_it('units'))})",
            lambda: f"({self.integer(inner)} {self._pick('in', 'not in')} {self._pick('0..3', '{1, 2, 5}')})",
            lambda: f"({self.units(inner)} {self._pick('=', '!=')} {self.units(inner)})",
            lambda: f"({self.place(inner)} in {self.places(inner)})",
            lambda: f"({self._pick('first', 'first')}({self.units(inner)}) {self._pick('=', '!=')} none)",
        )

    # ------------------------------------------------------------ things
    def place(self, at: Scope) -> str:
        """Returns a text for one place."""
        return str(self._pick("ford", "mill", "ridge", "fen", "camp", *at.places))

    def places(self, at: Scope) -> str:
        """Returns a set of places, in parentheses or as a plain name."""
        if at.depth >= MAX_DEPTH:
            return self._one(lambda: "places", lambda: f"{self.place(at)}.neighbours")
        inner = at.deeper()
        return self._one(
            lambda: "places",
            lambda: f"{self.place(at)}.neighbours",
            lambda: f"({self.places(inner)} where {self.condition(inner.with_it('places'))})",
            lambda: f"({self.places(inner)} {self._pick('+', '-')} {self.places(inner)})",
            lambda: f"({self.places(inner)} - {self.place(inner)})",
        )

    def units(self, at: Scope) -> str:
        """Returns a set of units, in parentheses or as a plain name."""
        simple: list[Callable[[], str]] = [lambda: "units", lambda: f"{self.place(at)}.units", lambda: "red.units"]
        if at.depth >= MAX_DEPTH:
            return self._one(*simple)
        inner = at.deeper()
        return self._one(
            *simple,
            lambda: f"({self.units(inner)} where {self.condition(inner.with_it('units'))})",
            lambda: self._named_where(inner),
            lambda: f"({self.units(inner)} {self._pick('+', '-')} {self.units(inner)})",
            lambda: f"({self.units(inner)} otherwise {self.units(inner)})",
            lambda: f"({self.units(inner)} if {self.condition(inner)} else {self.units(inner)})",
            lambda: f"{self.places(inner)}.units",
        )

    def _named_where(self, at: Scope) -> str:
        inner, name = at.with_name("units")
        return f"({self.units(at)} as {name} where {self.condition(inner)})"

    def collection(self, at: Scope) -> str:
        """Returns any collection."""
        return self._one(lambda: self.units(at), lambda: self.places(at), lambda: f"distinct({self.mapped(at)})")

    def mapped(self, at: Scope) -> str:
        """Returns a list of ints."""
        inner = at.deeper()
        return self._one(
            lambda: f"{self.units(inner)} each {self.integer(inner.with_it('units'))}",
            lambda: f"{self.places(inner)} each {self.integer(inner.with_it('places'))}",
            lambda: f"(0..{self._pick(0, 2, 4)}) each {self.integer(inner.with_it('numbers'))}",
            lambda: f"{self.units(inner)}.steps",
            lambda: f"({self.units(inner)} by {self.integer(inner.with_it('units'))}).steps",
        )

    def any_text(self) -> str:
        """Returns a text of any type."""
        at = Scope()
        return self._one(
            lambda: self.integer(at),
            lambda: self.number(at),
            lambda: self.condition(at),
            lambda: self.units(at),
            lambda: self.places(at),
            lambda: self.mapped(at),
            lambda: f"{self.units(at)} by {self.integer(at.with_it('units'))}",
        )


@st.composite
def texts(draw: Draw) -> str:
    """Draws expressions of every type."""
    return Texts(draw).any_text()
