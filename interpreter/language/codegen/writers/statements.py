"""Statements as lines of Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Never

from interpreter.language.codegen.analysis.containment import contents, root_pieces_in
from interpreter.language.codegen.analysis.dice_partition import readers
from interpreter.language.codegen.analysis.log_only import only_logs
from interpreter.language.codegen.core.context import CodeContext, atomic, quiet, static_kind
from interpreter.language.codegen.core.dispatch import condition, value
from interpreter.language.codegen.writers.calls import on_board, stored
from interpreter.language.codegen.writers.decisions import choose_under, prompt_text, site_name, spread_under
from interpreter.language.codegen.writers.scalars import text_parts
from interpreter.language.model.emitted_names import LOCAL, SLOT, is_hidden_name
from interpreter.language.model.kind_hierarchy import Attribute
from interpreter.language.model.program import Parameter, Procedure, StateValue
from interpreter.language.tree.statements import (
    Attr,
    Body,
    Call,
    Choice,
    ChoiceBlock,
    Choose,
    DecimalLit,
    Do,
    End,
    Expr,
    ForEach,
    If,
    IntLit,
    Let,
    Log,
    Move,
    Name,
    Remove,
    Repeat,
    Return,
    Reveal,
    Set,
    Shuffle,
    Spread,
    Stmt,
    Stop,
    Tie,
    Together,
    While,
    Win,
)
from interpreter.language.tree.traversal import walk_tree
from interpreter.language.tree.types import INT, NUMBER, ListType, OptionalType, SetType, element, present

_LONG, _OFTEN = 32, 8
"""Longer bodies tick the budget every few lines: each line may iterate over everything."""
_MADE_ANEW = ("kept(", "{")
"""Prefixes of collection texts that always make a new object."""
_ASKS = re.compile(r"\b[dmxbr]_\w+\(")
"""Calls of rules, whose results may be memoized."""


def body(statements: Body, cx: CodeContext, first: int = 0, last: int | None = None) -> None:
    """Writes the statements of a body, or a slice of them, each with its place in the documents."""
    for number, statement in list(enumerate(statements))[first:last]:
        with cx.emission.out.at(statement.place):
            if len(statements) > _LONG and number % _OFTEN == 0 and not cx.emission.for_odds:
                cx.emission.out.line("tick()")
            if not isinstance(statement, If):
                _cited(statement, cx)
            if cx.emission.for_odds:
                cx = replace(cx, readers=readers(statements, number, cx))
            _STATEMENTS[type(statement)](statement, cx)


def _cited(statement: Stmt, cx: CodeContext) -> None:
    """Writes the event of a traced line with citations; a condition reports only if one of its branches is taken."""
    if cx.emission.traced and statement.cites:
        cx.emission.out.line(f'T("line", {site_name(statement, cx)[1:]}, None)')


def _let(node: Let, cx: CodeContext) -> None:
    if node.terms and isinstance(node.value, Choose):
        text = choose_under(node.value, node.terms, cx)
    elif node.terms and isinstance(node.value, Spread):
        text = spread_under(node.value, node.terms, cx)
    else:
        text = value(node.value, cx)
    cx.emission.out.line(f"{LOCAL(node.name)} = {text}")


# ---------------------------------------------------------------- changes
def _set(node: Set, cx: CodeContext) -> None:
    target, out = node.target, cx.emission.out
    if isinstance(target, Name) and isinstance(target.ref, Parameter):
        name = cx.parameter(target.ref)
        out.line(f"{name} = {_bounded(_new_value(node, name, cx), node)}")
    elif isinstance(target, Name) and isinstance(target.ref, StateValue):
        _assign("G", target.ref.attribute, node, cx)
    elif isinstance(target, Attr) and isinstance(target.ref, Attribute):
        if target.spread:
            _set_each(target, target.ref, node, cx)
        else:
            _assign(_kept(value(target.of, cx), cx), target.ref, node, cx)
    else:
        _unsettable(node)


def _unsettable(node: Set) -> Never:
    raise AssertionError(f"{node.place}: nothing that can be set")


def _bounded(text: str, node: Set) -> str:
    """A number tested for its size, unless it was stored before or the text shows how far it changes."""
    if present(node.target.type) not in (INT, NUMBER) or isinstance(node.target.type, OptionalType):
        return text
    small = isinstance(node.value, IntLit | DecimalLit) or (
        not node.op and isinstance(node.value, Attr | Name) and isinstance(node.value.ref, Attribute | StateValue)
    )
    return text if small else f"bounded({text})"


def _kept(text: str, cx: CodeContext) -> str:
    if text.isidentifier():
        return text
    kept = cx.fresh()
    cx.emission.out.line(f"{kept} = {text}")
    return kept


def _new_value(node: Set, old: str, cx: CodeContext, given: str | None = None) -> str:
    text = given or value(node.value, cx)
    if not node.op:
        return text
    kind = present(node.target.type)
    of = element(kind) if not (isinstance(node.target, Attr) and node.target.spread) else None
    if of is None:
        return f"{old} {node.op} {text}"
    if element(present(node.value.type)) is None:
        text = f"optional_one({text})" if isinstance(node.value.type, OptionalType) else f"({text},)"
    function = "difference" if node.op == "-" else "joined" if isinstance(kind, ListType) else "union"
    return f"{function}({old}, {text})"


def _assign(owner: str, attribute: Attribute, node: Set, cx: CodeContext) -> None:
    slot = SLOT(attribute.name)
    given = None if quiet(node.value) else _kept(value(node.value, cx), cx)
    if node.op:
        text = _new_value(node, f"{owner}.{slot}", cx, given)
        if isinstance(present(attribute.type), SetType | ListType):
            text = f"kept({text})"
    else:
        text = stored(node.value, attribute.type, cx, given)
    _write(owner, slot, _bounded(text, node), node, cx)


def _write(owner: str, slot: str, text: str, node: Set, cx: CodeContext) -> None:
    out = cx.emission.out
    if cx.emission.traced and not is_hidden_name(SLOT.id(slot)):
        new = _kept(text, cx)
        out.line(f'T("set", {site_name(node, cx)[1:]}, ({owner}, "{SLOT.id(slot)}", {owner}.{slot}, {new}))')
        text = new
    if _ASKS.search(text):  # memo tables learn from the journal what has changed
        text = _kept(text, cx)
    if cx.emission.for_odds:
        out.line(f'put({owner}, "{slot}", {text})')
        return
    test = ""
    if cx.emission.variant == "fast" and not node.op and not text.startswith(_MADE_ANEW):
        text = text if atomic(text) or text == "()" else _kept(text, cx)
        test = _differs(f"{owner}.{slot}", text, node)
    forgets = f"; forget({owner})" if slot in cx.emission.piece_memo_slots and _has_inside(node, cx) else ""
    out.line(f'{test}JA(({owner}, "{slot}", {owner}.{slot})); {owner}.{slot} = {text}{forgets}')


def _has_inside(node: Set, cx: CodeContext) -> bool:
    """Whether the changed object is a thing that may have a piece memo, or be inside one that has."""
    if not isinstance(node.target, Attr):
        return False
    kind = cx.program.kinds.get(static_kind(node.target.of.type))
    return kind is None or kind.root != "record"


def _differs(old: str, new: str, node: Set) -> str:
    """The condition that skips a change without effect, so that memoized results stay valid."""
    if new == "()":
        return "" if isinstance(node.target.type, OptionalType) else f"if {old}: "
    if new.isdigit():
        return f"if {old} != {new}: " if present(node.target.type) == INT else ""
    return f"if {old} is not {new}: "


def _set_each(target: Attr, attribute: Attribute, node: Set, cx: CodeContext) -> None:
    given = _kept(stored(node.value, attribute.type, cx), cx)
    each, slot = cx.fresh(), SLOT(attribute.name)
    with cx.emission.out.block(f"for {each} in {value(target.of, cx)}:"):
        text = f"{each}.{slot} {node.op} {given}" if node.op else given
        _write(each, slot, _bounded(text, node) if node.op else text, node, cx)


def _place(what: Expr, to: str, node: Stmt, cx: CodeContext) -> None:
    out = cx.emission.out
    text = value(what, cx)
    if element(present(what.type)) is not None:
        if not atomic(to):
            to = _kept(to, cx)
        each = cx.fresh()
        with out.block(f"for {each} in {text}:"):
            _place_one(each, to, node, cx)
    else:
        _place_one(text, to, node, cx)


def _place_one(piece: str, to: str, node: Stmt, cx: CodeContext) -> None:
    out = cx.emission.out
    if isinstance(node, Remove):
        piece = _empty(piece, node, cx)
    if cx.emission.traced:
        piece, to = _kept(piece, cx), _kept(to, cx)
        out.line(f'T("move", {site_name(node, cx)[1:]}, ({piece}, {piece}.at, {to}))')
    out.line(f"place({piece}, {to})")


def _empty(piece: str, node: Remove, cx: CodeContext) -> str:
    """Takes the pieces in a removed piece off the board; returns the name of a local with the piece."""
    start, out = static_kind(node.what.type), cx.emission.out
    inner = []
    for root in root_pieces_in(start, cx.program):
        piece = _kept(piece, cx)
        inner.append(_kept(contents(root, start, piece, cx), cx))
    for pieces in inner:
        each = cx.fresh()
        with out.block(f"for {each} in {pieces}:"):
            if cx.emission.traced:
                out.line(f'T("move", {site_name(node, cx)[1:]}, ({each}, {each}.at, None))')
            out.line(f"place({each}, None)")
    return piece


def _move(node: Move, cx: CodeContext) -> None:
    _place(node.what, on_board(node.to, cx), node, cx)


def _remove(node: Remove, cx: CodeContext) -> None:
    _place(node.what, "None", node, cx)


def _shuffle(node: Shuffle, cx: CodeContext) -> None:
    cx.emission.out.line(f"shuffle({site_name(node, cx)}, {value(node.pile, cx)})")


def _reveal(node: Reveal, cx: CodeContext) -> None:
    to = value(node.to, cx) if node.to is not None else "None"
    cx.emission.out.line(f"reveal({site_name(node, cx)}, {value(node.what, cx)}, {to})")


# ---------------------------------------------------------------- leaving
def _return(node: Return, cx: CodeContext) -> None:
    text = "" if node.value is None else f" {value(node.value, cx)}"
    if cx.together:
        text = text and f" {_kept(text.strip(), cx)}"
        cx.emission.out.line("together(False)")
    cx.emission.out.line(f"return{text}")


def _stop(_: Stop, cx: CodeContext) -> None:
    if cx.together_in_loop:
        cx.emission.out.line("together(False)")
    cx.emission.out.line("break")


def _end(node: End, cx: CodeContext) -> None:
    for each in cx.program.state.values():
        if is_hidden_name(each.name):  # the end of a step closes all windows
            slot = SLOT(each.name)
            cx.emission.out.line(f'JA((G, "{slot}", G.{slot})); G.{slot} = 0')
    cx.emission.out.line(f'raise EndStep("{node.step}")')


def _win(node: Win, cx: CodeContext) -> None:
    reason = f"text({text_parts(node.reason, cx)})" if node.reason is not None else '""'
    cx.emission.out.line(f"raise EndGame({value(node.who, cx)}, {reason})")


def _tie(node: Tie, cx: CodeContext) -> None:
    reason = f"text({text_parts(node.reason, cx)})" if node.reason is not None else '""'
    cx.emission.out.line(f"raise EndGame(None, {reason})")


def _log(node: Log, cx: CodeContext) -> None:
    if cx.emission.traced:
        cx.emission.out.line(f"log({site_name(node, cx)}, ({text_parts(node.text, cx)},))")


def _is_logged(call: Expr, cx: CodeContext) -> bool:
    """Whether a call only writes to the log."""
    return (
        isinstance(call, Call)
        and isinstance(call.ref, Procedure)
        and only_logs(call.ref, cx.emission)
        and all(map(quiet, call.ordered))
    )


def _do(node: Do, cx: CodeContext) -> None:
    if cx.emission.variant == "fast" and _is_logged(node.value, cx):
        return  # untraced games write no log
    text = value(node.value, cx)
    cx.emission.out.line(text[1:-1] if text.startswith("(yield") else text)


# ---------------------------------------------------------------- branches and loops
def _if(node: If, cx: CodeContext) -> None:
    for number, (test, lines) in enumerate(node.branches):
        with cx.emission.out.block(f"{'elif' if number else 'if'} {condition(test, cx)}:"):
            _cited(node, cx)
            body(lines, cx)
    if node.otherwise:
        with cx.emission.out.block("else:"):
            _cited(node, cx)
            body(node.otherwise, cx)


def _for_each(node: ForEach, cx: CodeContext) -> None:
    out = cx.emission.out
    if node.chosen_by is None:
        with out.block(f"for {LOCAL(node.name)} in {value(node.of, cx)}:"):
            _pass(node.body, cx)
        return
    left = cx.fresh()
    out.line(f"{left} = list({value(node.of, cx)})")
    options = f"(*{left}, None)" if node.may_stop else f"tuple({left})"
    with out.block(f"while {left}:"):
        head = f"{site_name(node, cx)}, {value(node.chosen_by, cx)}"
        out.line(f"{LOCAL(node.name)} = yield ({head}, {options}, {prompt_text(node.prompt, cx)}, None)")
        if node.may_stop:
            out.line(f"if {LOCAL(node.name)} is None: break")
        out.line(f"{left}.remove({LOCAL(node.name)})")
        body(node.body, _in_loop(cx))


def _repeat(node: Repeat, cx: CodeContext) -> None:
    with cx.emission.out.block(f"for {cx.fresh()} in passes({value(node.times, cx)}):"):
        cx.emission.out.line("tick()")
        body(node.body, _in_loop(cx))


def _while(node: While, cx: CodeContext) -> None:
    out = cx.emission.out
    with out.block(f"for {cx.fresh()} in passes({value(node.times, cx)}):"):
        out.line("tick()")
        out.line(f"if not {condition(node.condition, cx)}: break")
        body(node.body, _in_loop(cx))


def _pass(statements: Body, cx: CodeContext) -> None:
    """Writes one pass of a loop; it ticks the budget inside another loop, or where work can multiply."""
    if cx.loops or any(_multiplies(each) or cx.emission.calls_much_work(each) for each in statements):
        cx.emission.out.line("tick()")
    body(statements, _in_loop(cx))


def _in_loop(cx: CodeContext) -> CodeContext:
    return replace(cx, loops=cx.loops + 1, together_in_loop=False)


def _multiplies(node: Stmt) -> bool:
    return any(
        isinstance(each, ForEach | Repeat | While) or (isinstance(each, Call) and isinstance(each.ref, Procedure))
        for each in walk_tree(node)
    )


def _together(node: Together, cx: CodeContext) -> None:
    out = cx.emission.out
    if cx.together:
        body(node.body, cx)
        return
    out.line("together(True)")
    body(node.body, replace(cx, together=True, together_in_loop=True))
    out.line("together(False)")


def _choice_block(node: ChoiceBlock, cx: CodeContext) -> None:
    out = cx.emission.out
    options, answer = offered(node, cx), cx.fresh()
    head = f"{site_name(node, cx)}, {value(node.who, cx)}"
    out.line(f"{answer} = yield ({head}, {options}, {prompt_text(node.prompt, cx)}, None)")
    for number, choice in enumerate(node.choices):
        with out.block(f'{"elif" if number else "if"} {answer} == "{choice.name}":'), out.at(choice.place):
            body(choice.body, cx)


def offered(node: ChoiceBlock, cx: CodeContext) -> str:
    """The names of the choices that are open."""
    text = f"({''.join([_offer(each, cx) for each in node.choices])})"
    return f"lambda: {text}" if node.secret else text


def _offer(choice: Choice, cx: CodeContext) -> str:
    if choice.when is None:
        return f'"{choice.name}", '
    return f'*(("{choice.name}",) if {condition(choice.when, cx)} else ()), '


_STATEMENTS: dict[type[Stmt], Callable[[Any, CodeContext], None]] = {
    Let: _let,
    Set: _set,
    Move: _move,
    Remove: _remove,
    Shuffle: _shuffle,
    Reveal: _reveal,
    Return: _return,
    Stop: _stop,
    End: _end,
    Win: _win,
    Tie: _tie,
    Log: _log,
    Do: _do,
    If: _if,
    ForEach: _for_each,
    Repeat: _repeat,
    While: _while,
    Together: _together,
    ChoiceBlock: _choice_block,
}
