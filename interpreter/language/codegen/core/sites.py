"""Finds every site of a program, in the same order for all variants."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.codegen.core.context import Sites
from interpreter.language.model.kind_hierarchy import Symbol
from interpreter.language.model.program import Item, Menu, Program
from interpreter.language.model.rule_bodies import evaluation_rules, rule_texts, steps_of
from interpreter.language.tree.statements import (
    Agree,
    Assign,
    Call,
    ChoiceBlock,
    Choose,
    ChooseNumber,
    DecisionExpr,
    Draw,
    ForEach,
    Log,
    Random,
    Rank,
    Reveal,
    RollApart,
    RollSum,
    Shuffle,
    Spread,
    Stmt,
    SyntaxNode,
    Take,
    TextLit,
)
from interpreter.language.tree.traversal import children


def find_sites(program: Program) -> Sites:
    """All sites, numbered in document order."""
    sites = Sites()
    for symbol, roots, items in _texts(program):
        path = f"{symbol.section}/{symbol.title}"
        sites.add(symbol, symbol.section, path, symbol.place, symbol.cites, symbol.title)
        for item in items:
            cites = item.cites or symbol.cites
            sites.add(item, "item", path, item.place, cites, item.name, item.says, texts=item.texts)
        for root in roots:
            _walk(root, symbol, path, sites)
    _pick_sites(program, sites)
    return sites


def _texts(program: Program) -> Iterator[tuple[Symbol, list[SyntaxNode], list[Item]]]:
    for table in program.tables.values():
        yield table, [], []
    for section in (program.definitions, program.invariants):
        for definition in section.values():
            yield definition, list(rule_texts(definition)), []
    for opinion in evaluation_rules(program):
        yield opinion, list(rule_texts(opinion)), []
    for modifiers in program.modifiers.values():
        items: list[Item] = [*modifiers.items, *modifiers.limits]
        yield modifiers, list(rule_texts(modifiers)), items
    for restrictions in program.restrictions.values():
        yield restrictions, list(rule_texts(restrictions)), list(restrictions.items)
    for search in program.searches.values():
        yield search, [], [*search.bars, *search.stops]
    for procedure in program.procedures.values():
        yield procedure, list(procedure.body), []
    for menu in program.menus.values():
        yield menu, [], []
    for action in program.actions.values():
        yield action, list(action.body), list(action.needs)
    for step in steps_of(program.sequence):
        yield step, list(step.body), []


def _walk(root: SyntaxNode, symbol: Symbol, path: str, sites: Sites) -> None:
    stack = [(root, symbol.cites)]
    while stack:
        node, cites = stack.pop()
        if isinstance(node, Stmt):
            cites = node.cites or cites
        kind = _kind(node)
        if kind is not None:
            address, prompt = _said(node, symbol)
            labels = _labels(node) if isinstance(node, ChoiceBlock) else ()
            sites.add(node, kind, path, node.place, cites, address, prompt, labels, secret=_is_secret(node))
        stack += [(each, cites) for each in reversed(children(node))]


_KINDS: dict[type[SyntaxNode], str] = {
    ChooseNumber: "number",
    Rank: "rank",
    Assign: "assign",
    Spread: "spread",
    Agree: "agree",
    Take: "menu",
    ChoiceBlock: "choice",
    RollSum: "roll",
    RollApart: "roll",
    Random: "random",
    Draw: "draw",
    Log: "log",
    Reveal: "reveal",
    Shuffle: "shuffle",
}


def _kind(node: SyntaxNode) -> str | None:
    if isinstance(node, Choose):
        return node.mode
    if isinstance(node, ForEach) and node.chosen_by is not None:
        return "next"
    found = _KINDS.get(type(node))
    return "line" if found is None and isinstance(node, Stmt) else found


def _said(node: SyntaxNode, symbol: Symbol) -> tuple[str, str]:
    """The address of a site with its fixed prompt, or the template of a log line; a draw has that of its rule."""
    match node:
        case Take(menu=Call(ref=Menu(prompt=prompt))) if node.prompt is None:
            return node.address, prompt
        case DecisionExpr() | ForEach() | ChoiceBlock():
            return node.address, _fixed(node.prompt)
        case RollSum() | RollApart():
            return node.label, ""
        case Random() | Draw():
            return symbol.title, ""
        case Log():
            return "", node.text.template
    return "", ""


def _is_secret(node: SyntaxNode) -> bool:
    match node:
        case Take(menu=Call(ref=Menu(secret=True))):
            return True
        case DecisionExpr() | ChoiceBlock():
            return node.secret
    return False


def _labels(node: ChoiceBlock) -> tuple[tuple[str, str], ...]:
    """The labels of the named choices of a block, where the text gives them."""
    return tuple([(each.name, _fixed(each.prompt)) for each in node.choices if _fixed(each.prompt)])


def _fixed(prompt: TextLit | None) -> str:
    if prompt is None or not all(isinstance(each, str) for each in prompt.parts):
        return ""
    return "".join([each for each in prompt.parts if isinstance(each, str)])


def _pick_sites(program: Program, sites: Sites) -> None:
    """The sites of the picks of actions, after all others."""
    for action in program.actions.values():
        menu = program.menus.get(action.menu)
        secret = action.secret or (menu is not None and menu.secret)
        for pick in action.picks:
            address = f"{action.name}.{pick.parameter.name}"
            place = pick.parameter.place
            sites.add(pick, "pick", action.path, place, action.cites, address, pick.prompt, secret=secret)
