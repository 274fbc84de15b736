"""Contents of holders at any depth, as Python text.

A function is written for each kind that is looked for and each kind that it is looked for in: it goes only into what
can hold what is wanted. What it finds is remembered in `Thing.inside` until a piece moves in or out.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from interpreter.language.codegen.core.context import CodeContext
from interpreter.language.model.emitted_names import HOLDS, INSIDE, KIND
from interpreter.language.model.kind_hierarchy import Kind
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
    direct = _may_hold(program, start, kind)
    if not _carriers(program, start, kind):
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
    known = f"{owner}.inside[{_number(kind, program)}]"
    return f"({known} if {known} is not None else {name}({owner}))"


def _write(name: str, kind: str, start: str, cx: CodeContext) -> None:
    program, out = cx.program, cx.emission.out
    root = root_piece(kind, program)
    carriers = _carriers(program, start, kind)
    direct = _may_hold(program, start, kind)
    with out.block(f"def {name}(x):"):
        number = _number(kind, program)
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


@lru_cache(maxsize=1024)
def _number(kind: str, program: Program) -> int:
    """The index of the memoized contents of a kind."""
    return list(program.kinds).index(kind)


@lru_cache(maxsize=64)
def pieces_nest(program: Program) -> bool:
    """Whether pieces can hold pieces: only then a world memoizes contents."""
    pieces = _pieces(program)
    holders = {each for one in pieces for each in program.holders(one.name)}
    return any(program.is_a(one.name, each) for one in pieces for each in holders)


def _held(owner: str, root: str, kind: str, *, every: bool) -> str:
    """Contents in the code for odds, which records the kind that is read."""
    return f'held({owner}, "{HOLDS(root)}", {"None" if every else KIND(kind)})'


@lru_cache(maxsize=1024)
def _carriers(program: Program, start: str, kind: str) -> list[str]:
    """The piece kinds that may be in a thing of the kind `start` and hold one of `kind`, at any depth."""
    found = [
        each.name
        for each in _pieces(program)
        if _is_held(program, each.name, start, {start}) and _reaches(program, each.name, kind)
    ]
    return [each for each in found if not any(other != each and program.is_a(each, other) for other in found)]


@lru_cache(maxsize=1024)
def _reaches(program: Program, start: str, kind: str) -> bool:
    """Whether a thing of the kind `start` may hold one of `kind`, at any depth."""
    seen, open_ = {start}, [start]
    while open_:
        here = open_.pop()
        if any(_is_held(program, lower.name, here, frozenset()) for lower in program.subkinds(kind)):
            return True
        further = [each.name for each in _pieces(program) if _is_held(program, each.name, here, frozenset())]
        open_ += [each for each in further if each not in seen]
        seen.update(further)
    return False


def can_nest(kind: str, program: Program) -> bool:
    """Whether a thing of a kind may be in another of the same kind, at any depth."""
    return may_stand_in(kind, kind, program)


def may_stand_in(kind: str, holder: str, program: Program) -> bool:
    """Whether a thing of a kind may be in one of the kind `holder`, at any depth."""
    return holder not in program.kinds or any(_reaches(program, each.name, kind) for each in program.subkinds(holder))


@lru_cache(maxsize=1024)
def root_pieces_in(holder: str, program: Program) -> tuple[str, ...]:
    """Returns the root kinds of the pieces that may be in a thing of the kind `holder`, at any depth."""
    roots = dict.fromkeys([root_piece(each.name, program) for each in _pieces(program)])
    return tuple([each for each in roots if may_stand_in(each, holder, program)])


def _pieces(program: Program) -> list[Kind]:
    return [each for each in program.kinds.values() if each.root == "piece"]


@lru_cache(maxsize=1024)
def _may_hold(program: Program, start: str, kind: str) -> bool:
    """Whether one of `kind` may be directly in something that is, or may turn out to be, of the kind `start`."""
    return any(_is_held(program, lower.name, start, {start}) for lower in program.subkinds(kind))


def _is_held(program: Program, piece: str, start: str, guesses: Collection[str]) -> bool:
    """Whether a piece of exactly this kind may be in a thing of the kind `start`, or of a kind below it."""
    return any(
        holder in ANYTHING or program.is_a(start, holder) or any(program.is_a(holder, each) for each in guesses)
        for holder in program.holders(piece)
    )


def _slot(start: str, root: str, owner: str, program: Program) -> str:
    """The slot of contents, which a thing of a kind below `start` may have and one of `start` itself lack."""
    every = any(
        holder in ANYTHING or program.is_a(start, holder)
        for each in program.subkinds(root)
        for holder in program.holders(each.name)
    )
    return f"{owner}.{HOLDS(root)}" if every else f'attribute_or({owner}, "{HOLDS(root)}")'
