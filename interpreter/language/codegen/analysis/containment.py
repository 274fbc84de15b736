"""Contents of holders at any depth, as Python text.

A function is written for each kind that is looked for and each kind that it is looked for in: it goes only into what
can hold what is wanted. What it finds is remembered in `Thing.inside` until a piece moves in or out.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache

from interpreter.language.codegen.core.context import CodeContext
from interpreter.language.model.emitted_names import HOLDS, INSIDE, KIND
from interpreter.language.model.program import Program

ANYTHING = frozenset({"space", "piece"})
"""Holder names that mean every kind of their sort."""


def root_piece(kind: str, program: Program) -> str:
    """The most general piece kind above a kind: contents are kept by it."""
    return program.lineage(kind)[-1].name


def contents(kind: str, start: str, owner: str, cx: CodeContext) -> str:
    """The contents of a kind in a thing of the kind `start`, whose Python text is `owner`."""
    program = cx.program
    root = root_piece(kind, program)
    direct = _containment(program).may_hold(start, kind)
    if not _containment(program).carriers(start, kind):
        if cx.emission.for_odds:
            return _held(owner, root, kind, every=kind == root and direct)
        slot = _slot(start, root, owner, program)
        if kind == root and direct:
            return slot
        if not pieces_nest(program):
            return f"[_p for _p in {slot} if isinstance(_p, {KIND(kind)})]"
    name = INSIDE(kind, start)
    cx.emission.needed.setdefault(name, lambda: _write(name, kind, start, cx))
    if cx.emission.for_odds or not owner.isidentifier():  # a memoized value would not be recorded as read
        return f"{name}({owner})"
    known = f"{owner}.inside[{_containment(program).numbers[kind]}]"
    return f"({known} if {known} is not None else {name}({owner}))"


def _write(name: str, kind: str, start: str, cx: CodeContext) -> None:
    program, out = cx.program, cx.emission.out
    root = root_piece(kind, program)
    carriers = _containment(program).carriers(start, kind)
    direct = _containment(program).may_hold(start, kind)
    with out.block(f"def {name}(x):"):
        number = _containment(program).numbers[kind]
        out.line(f"found = x.inside[{number}]")
        out.line("if found is not None: return found")
        if direct:
            out.line(f"found = [_p for _p in {_slot(start, root, 'x', program)} if isinstance(_p, {KIND(kind)})]")
        else:
            out.line("found = []")
        for carrier in carriers:
            slot = _slot(start, root_piece(carrier, program), "x", program)
            with out.block(f"for _c in {slot}:"):
                if carrier != root_piece(carrier, program):
                    out.line(f"if not isinstance(_c, {KIND(carrier)}): continue")
                out.line(f"found += {contents(kind, carrier, '_c', cx)}")
        out.line("if x.inside is NOTHING: x.inside = NOTHING.copy()")
        if carriers:
            out.line("if len(found) > 1: found = ordered(found)")
        out.line(f"x.inside[{number}] = found = tuple(found)")
        out.line("return found")


def _held(owner: str, root: str, kind: str, *, every: bool) -> str:
    """Contents in the code for odds, which records the kind that is read."""
    return f'held({owner}, "{HOLDS(root)}", {"None" if every else KIND(kind)})'


def can_nest(kind: str, program: Program) -> bool:
    """Whether a thing of a kind may be in another of the same kind, at any depth."""
    return may_stand_in(kind, kind, program)


def may_stand_in(kind: str, holder: str, program: Program) -> bool:
    """Whether a thing of a kind may be in one of the kind `holder`, at any depth."""
    return holder not in program.kinds or any(
        _containment(program).reaches(each.name, kind) for each in program.subkinds(holder)
    )


def root_pieces_in(holder: str, program: Program) -> tuple[str, ...]:
    """Returns the root kinds of the pieces that may be in a thing of the kind `holder`, at any depth."""
    return tuple([each for each in _containment(program).roots if may_stand_in(each, holder, program)])


def _slot(start: str, root: str, owner: str, program: Program) -> str:
    """The slot of contents, which a thing of a kind below `start` may have and one of `start` itself lack."""
    every = any(
        holder in ANYTHING or program.is_a(start, holder)
        for each in program.subkinds(root)
        for holder in program.holders(each.name)
    )
    return f"{owner}.{HOLDS(root)}" if every else f'attribute_or({owner}, "{HOLDS(root)}")'


class _Containment:
    """What may be in what, among the kinds of a program; the results are kept."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._pieces = [each for each in program.kinds.values() if each.root == "piece"]
        self.roots = [*dict.fromkeys([root_piece(each.name, program) for each in self._pieces])]
        """The root kinds of all pieces."""
        self.numbers = {each: number for number, each in enumerate(program.kinds)}
        """The index of the memoized contents of each kind."""
        holders = {each for one in self._pieces for each in program.holders(one.name)}
        self.pieces_nest = any(program.is_a(one.name, each) for one in self._pieces for each in holders)
        self.carriers = cache(self._carriers)
        self.reaches = cache(self._reaches)
        self.may_hold = cache(self._may_hold)

    def _carriers(self, start: str, kind: str) -> list[str]:
        """The piece kinds that may be in a thing of the kind `start` and hold one of `kind`, at any depth."""
        is_a = self._program.is_a
        names = [each.name for each in self._pieces]
        found = [each for each in names if self._is_held(each, start, {start}) and self.reaches(each, kind)]
        return [each for each in found if not any(other != each and is_a(each, other) for other in found)]

    def _reaches(self, start: str, kind: str) -> bool:
        """Whether a thing of the kind `start` may hold one of `kind`, at any depth."""
        seen, open_ = {start}, [start]
        while open_:
            here = open_.pop()
            if any(self._is_held(lower.name, here, frozenset()) for lower in self._program.subkinds(kind)):
                return True
            further = [each.name for each in self._pieces if self._is_held(each.name, here, frozenset())]
            open_ += [each for each in further if each not in seen]
            seen.update(further)
        return False

    def _may_hold(self, start: str, kind: str) -> bool:
        """Whether one of `kind` may be directly in something that is, or may turn out to be, of the kind `start`."""
        return any(self._is_held(lower.name, start, {start}) for lower in self._program.subkinds(kind))

    def _is_held(self, piece: str, start: str, guesses: Collection[str]) -> bool:
        """Whether a piece of exactly this kind may be in a thing of the kind `start`, or of a kind below it."""
        is_a = self._program.is_a
        return any(
            holder in ANYTHING or is_a(start, holder) or any(is_a(holder, each) for each in guesses)
            for holder in self._program.holders(piece)
        )


@lru_cache(maxsize=8)
def _containment(program: Program) -> _Containment:
    return _Containment(program)


def pieces_nest(program: Program) -> bool:
    """Whether pieces can hold pieces: only then a world memoizes contents."""
    return _containment(program).pieces_nest
