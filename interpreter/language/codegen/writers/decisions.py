"""Decisions and chance as Python text: the two ways out of a rule."""

from __future__ import annotations

from interpreter.language.codegen.core.context import CodeContext
from interpreter.language.codegen.core.dispatch import VALUES, value
from interpreter.language.codegen.writers.calls import call_arguments
from interpreter.language.codegen.writers.scalars import text_parts
from interpreter.language.model.emitted_names import FACES, MENU_CHOICE, WORD
from interpreter.language.tree.statements import (
    Agree,
    Assign,
    Choose,
    ChooseNumber,
    DecisionExpr,
    Draw,
    Expr,
    Random,
    Rank,
    RollApart,
    RollSum,
    Spread,
    Take,
    Term,
    TextLit,
)
from interpreter.language.tree.types import MapType, present


def site_name(owner: object, cx: CodeContext) -> str:
    """The global name of the site of a node."""
    site = cx.emission.sites.by_owner[id(owner)]
    return f"S{site.number}"


def prompt_text(prompt: TextLit | None, cx: CodeContext) -> str:
    """The parts of a prompt with values, which the reader formats; a fixed prompt belongs to the site."""
    if prompt is None or all(isinstance(each, str) for each in prompt.parts):
        return "None"
    return f"({text_parts(prompt, cx)},)"


def _head(node: DecisionExpr, cx: CodeContext) -> str:
    return f"{site_name(node, cx)}, {value(node.who, cx)}"


def members_text(of: Expr, cx: CodeContext) -> str:
    """A collection as a sequence: of a map, its keys."""
    text = value(of, cx)
    return f"(*{text},)" if isinstance(present(of.type), MapType) else text


def options_text(of: Expr, cx: CodeContext, extra: str = "", *, secret: bool = False) -> str:
    """Options as a sequence; as a function where they are expensive, or where listing them leaves no trace."""
    text = f"(*{value(of, cx)}, {extra})" if extra else members_text(of, cx)
    return f"lambda: {text}" if secret or cx.emission.is_expensive(of) else text


def _whole(node: DecisionExpr, call: str, cx: CodeContext) -> str:
    """A decision made pick by pick; if it is secret, its seat is asked at least once, and nothing of it is traced."""
    if not node.secret:
        return f"(yield from {call})"
    return f"(yield from asked({_head(node, cx)}, quietly, lambda: {call}, {prompt_text(node.prompt, cx)}))"


def _choose(node: Choose, cx: CodeContext) -> str:
    return choose_under(node, (), cx)


def choose_under(node: Choose, terms: tuple[Term, ...], cx: CodeContext) -> str:
    """A choice, with the terms that a `let … with:` adds to it."""
    head, prompt = _head(node, cx), prompt_text(node.prompt, cx)
    if terms:
        return _with_terms(node, terms, head, prompt, cx)
    if node.mode == "one":
        return f"(yield ({head}, {options_text(node.of, cx, secret=node.secret)}, {prompt}, None))"
    if node.mode == "maybe":
        return f"(yield ({head}, {options_text(node.of, cx, 'None', secret=node.secret)}, {prompt}, None))"
    of = members_text(node.of, cx)
    if node.mode == "any" or node.amount is None:
        return _whole(node, f"choose_up_to({head}, None, {of}, {prompt})", cx)
    function = "choose_some" if node.mode == "some" else "choose_up_to"
    return _whole(node, f"{function}({head}, {value(node.amount, cx)}, {of}, {prompt})", cx)


def _with_terms(node: Choose, terms: tuple[Term, ...], head: str, prompt: str, cx: CodeContext) -> str:
    amount = value(node.amount, cx) if node.amount is not None else "None"
    least, most = {"some": (amount, amount), "up_to": ("0", amount)}.get(node.mode, ("0", "None"))
    of, term_text = members_text(node.of, cx), _terms(terms, cx)
    call = f"choose_with_terms({head}, {least}, {most}, {of}, {prompt}, {term_text}{_noted(node, terms, cx)})"
    return _whole(node, call, cx)


def _terms(terms: tuple[Term, ...], cx: CodeContext) -> str:
    parts = []
    for term in terms:
        of = _per_element(term.of, cx) if term.mode == "total" else members_text(term.of, cx)
        parts.append(f'("{term.mode}", {value(term.amount, cx)}, {of}), ')
    return f"({''.join(parts)})"


def _noted(node: DecisionExpr, terms: tuple[Term, ...], cx: CodeContext) -> str:
    """The function to which a traced decision reports its terms, with the clauses of each."""
    return f", T, {tuple([each.cites for each in terms])!r}" if cx.emission.traced and not node.secret else ""


def _per_element(node: Expr, cx: CodeContext) -> str:
    variable = cx.fresh()
    return f"lambda {variable}: {value(node, cx.element(variable, None))}"


def _number(node: ChooseNumber, cx: CodeContext) -> str:
    options = f"span({value(node.low, cx)}, {value(node.high, cx)})"
    if node.secret:
        options = f"lambda: {options}"
    return f"(yield ({_head(node, cx)}, {options}, {prompt_text(node.prompt, cx)}, None))"


def _rank(node: Rank, cx: CodeContext) -> str:
    prompt = prompt_text(node.prompt, cx)
    return _whole(node, f"rank({_head(node, cx)}, {members_text(node.of, cx)}, {node.every}, {prompt})", cx)


def _assign(node: Assign, cx: CodeContext) -> str:
    prompt = prompt_text(node.prompt, cx)
    variable = cx.fresh()
    to = f"lambda {variable}: {members_text(node.to, cx.element(variable, None))}"
    return _whole(node, f"assign({_head(node, cx)}, {members_text(node.of, cx)}, {to}, {prompt})", cx)


def _spread(node: Spread, cx: CodeContext) -> str:
    return spread_under(node, (), cx)


def spread_under(node: Spread, terms: tuple[Term, ...], cx: CodeContext) -> str:
    """An allocation, with the terms that a `let … with:` adds to it."""
    amount, over = value(node.amount, cx), members_text(node.over, cx)
    most, prompt = _per_element(node.at_most, cx), prompt_text(node.prompt, cx)
    given = f"{_head(node, cx)}, {amount}, {over}, {most}, {prompt}"
    if terms:
        return _whole(node, f"spread_with_terms({given}, {_terms(terms, cx)}{_noted(node, terms, cx)})", cx)
    return _whole(node, f"spread({given})", cx)


def _agree(node: Agree, cx: CodeContext) -> str:
    return f"(yield ({_head(node, cx)}, YES_NO, {prompt_text(node.prompt, cx)}, None))"


def _take(node: Take, cx: CodeContext) -> str:
    arguments = call_arguments(node.menu, cx)
    tail = f", {arguments}" if arguments else ""
    call = f"{MENU_CHOICE(node.menu.name)}({_head(node, cx)}, {node.must}, {prompt_text(node.prompt, cx)}{tail})"
    if node.times is None:
        return f"(yield from {call})"
    return f"(yield from take_many(lambda: {call}, {value(node.times, cx)}))"


# ---------------------------------------------------------------- chance
def _roll_sum(node: RollSum, cx: CodeContext) -> str:
    if (text := cx.replaced.get(id(node))) is not None:
        return text
    return f"roll_sum({site_name(node, cx)}, {value(node.who, cx)}, {node.count}, {node.faces}{_reader(node, cx)})"


def _reader(node: Expr, cx: CodeContext) -> str:
    return f", {cx.readers.get(id(node), 'None')}" if cx.emission.for_odds else ""


def _roll_apart(node: RollApart, cx: CodeContext) -> str:
    head = f"{site_name(node, cx)}, {value(node.who, cx)}, {value(node.count, cx)}, {faces_name(node, cx)}"
    return f"roll_apart({head}{_reader(node, cx)})"


def faces_name(node: RollApart, cx: CodeContext) -> str:
    """The global name of the faces of a sort of dice."""
    name = FACES(node.dice)

    def write() -> None:
        dice = cx.program.dice.get(node.dice)
        if dice is None:
            faces = ", ".join([str(each) for each in range(1, int(node.dice[1:]) + 1)])
        elif dice.enum is None:
            faces = ", ".join([str(each) for each in dice.faces])
        else:
            faces = ", ".join([WORD(dice.enum, str(each)) for each in dice.faces])
        cx.emission.out.line(f"{name} = ({faces},)")

    cx.emission.needed.setdefault(name, write)
    return name


def _random(node: Random, cx: CodeContext) -> str:
    if node.amount is None:
        return f"random_one({site_name(node, cx)}, {members_text(node.of, cx)})"
    return f"random_some({site_name(node, cx)}, {value(node.amount, cx)}, {members_text(node.of, cx)})"


def _draw(node: Draw, cx: CodeContext) -> str:
    if node.amount is None:
        return f"draw_one({site_name(node, cx)}, {value(node.pile, cx)})"
    return f"draw_some({site_name(node, cx)}, {value(node.amount, cx)}, {value(node.pile, cx)})"


VALUES.update(
    {
        Choose: _choose,
        ChooseNumber: _number,
        Rank: _rank,
        Assign: _assign,
        Spread: _spread,
        Agree: _agree,
        Take: _take,
        RollSum: _roll_sum,
        RollApart: _roll_apart,
        Random: _random,
        Draw: _draw,
    }
)
