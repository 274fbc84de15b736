"""Builds statements, types and declarations: one method for each rule or alias of `grammar.lark`.

Each method receives the offset of its text, and the values of its symbols (none for an absent optional one).
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.language.parsing.build_expressions import ExpressionBuilder
from interpreter.language.parsing.lexer import Token
from interpreter.language.tree import statements as s

Cites = tuple[str, ...]


class Suite(NamedTuple):
    """The part after a header: the clauses in the header's line, and the body."""

    cites: Cites
    body: s.Body


class ElifPart(NamedTuple):
    condition: s.Expr
    suite: Suite


class ChosenOrder(NamedTuple):
    """`, next chosen by who "prompt"`."""

    who: s.Expr
    prompt: Token | None


class CitedTerm(NamedTuple):
    term: s.Term
    cites: Cites


class CitedChoice(NamedTuple):
    choice: s.Choice
    cites: Cites


class Builder(ExpressionBuilder):
    """Builds the tree of one text: statements, types and declarations, and by inheritance the expressions."""

    # ------------------------------------------------------------ statements
    def block(self, _at: int, *statements: s.Stmt) -> s.Body:
        return statements

    def line(self, _at: int, statement: s.Stmt, cites: Cites) -> s.Stmt:
        statement.cites = cites
        return statement

    def cites(self, _at: int, *tokens: Token) -> Cites:
        return tuple(token.text[1:] for token in tokens)

    def let(self, at: int, name: Token, value: s.Expr) -> s.Let:
        return s.Let(self._place(at), (), self._new_name(name), value)

    def let_terms(self, at: int, name: Token, value: s.Expr, cites: Cites, *terms: CitedTerm) -> s.Let:
        cites = cites + tuple(cite for term in terms for cite in term.cites)
        return s.Let(self._place(at), cites, self._new_name(name), value, tuple(term.term for term in terms))

    def set_to(self, at: int, target: s.Expr, value: s.Expr) -> s.Set:
        return s.Set(self._place(at), (), target, "", value)

    def set_by(self, at: int, target: s.Expr, op: Token, value: s.Expr) -> s.Set:
        return s.Set(self._place(at), (), target, op.text[0], value)

    def move(self, at: int, what: s.Expr, to: s.Expr) -> s.Move:
        return s.Move(self._place(at), (), what, to)

    def remove(self, at: int, what: s.Expr) -> s.Remove:
        return s.Remove(self._place(at), (), what)

    def shuffle(self, at: int, pile: s.Expr) -> s.Shuffle:
        return s.Shuffle(self._place(at), (), pile)

    def reveal(self, at: int, what: s.Expr, to: s.Expr | None) -> s.Reveal:
        return s.Reveal(self._place(at), (), what, to)

    def return_value(self, at: int, value: s.Expr | None) -> s.Return:
        return s.Return(self._place(at), (), value)

    def stop(self, at: int) -> s.Stop:
        return s.Stop(self._place(at), ())

    def end(self, at: int, step: Token) -> s.End:
        return s.End(self._place(at), (), step.text, self._place(step.at))

    def win(self, at: int, who: s.Expr, reason: Token | None) -> s.Win:
        return s.Win(self._place(at), (), who, self._prompt(reason))

    def tie(self, at: int, reason: Token | None) -> s.Tie:
        return s.Tie(self._place(at), (), self._prompt(reason))

    def log(self, at: int, text: Token) -> s.Log:
        return s.Log(self._place(at), (), self._text(text))

    def do(self, at: int, value: s.Expr) -> s.Do:
        return s.Do(self._place(at), (), value)

    # ------------------------------------------------------------ blocks
    def suite_line(self, _at: int, statement: s.Stmt, cites: Cites) -> Suite:
        statement.cites = cites
        return Suite((), (statement,))

    def suite_block(self, _at: int, cites: Cites, *statements: s.Stmt) -> Suite:
        return Suite(cites, statements)

    def if_block(self, at: int, condition: s.Expr, suite: Suite, *rest: ElifPart | Suite | None) -> s.If:
        branches, cites = [(condition, suite.body)], suite.cites
        otherwise: s.Body = ()
        for part in rest:
            if isinstance(part, ElifPart):
                branches.append((part.condition, part.suite.body))
                cites += part.suite.cites
            elif part is not None:
                otherwise = part.body
                cites += part.cites
        return s.If(self._place(at), cites, tuple(branches), otherwise)

    def elif_part(self, _at: int, condition: s.Expr, suite: Suite) -> ElifPart:
        return ElifPart(condition, suite)

    def for_each(self, at: int, name: Token, of: s.Expr, order: ChosenOrder | None, suite: Suite) -> s.ForEach:
        return self._loop(at, name, of, order, suite, may_stop=False)

    def for_any(self, at: int, name: Token, of: s.Expr, order: ChosenOrder, suite: Suite) -> s.ForEach:
        return self._loop(at, name, of, order, suite, may_stop=True)

    def _loop(
        self, at: int, name: Token, of: s.Expr, order: ChosenOrder | None, suite: Suite, *, may_stop: bool
    ) -> s.ForEach:
        who, prompt = (None, None) if order is None else (order.who, self._prompt(order.prompt))
        return s.ForEach(self._place(at), suite.cites, self._new_name(name), of, suite.body, who, prompt, may_stop)

    def chosen_order(self, _at: int, who: s.Expr, prompt: Token | None) -> ChosenOrder:
        return ChosenOrder(who, prompt)

    def repeat_block(self, at: int, times: s.Expr, suite: Suite) -> s.Repeat:
        return s.Repeat(self._place(at), suite.cites, times, suite.body)

    def while_block(self, at: int, condition: s.Expr, times: s.Expr, suite: Suite) -> s.While:
        return s.While(self._place(at), suite.cites, condition, times, suite.body)

    def together_block(self, at: int, suite: Suite) -> s.Together:
        return s.Together(self._place(at), suite.cites, suite.body)

    def choice_block(
        self, at: int, who: s.Expr, name: Token, prompt: Token | None, cites: Cites, *choices: CitedChoice
    ) -> s.ChoiceBlock:
        cites = cites + tuple(cite for choice in choices for cite in choice.cites)
        made = tuple(choice.choice for choice in choices)
        return self._asked(s.ChoiceBlock(self._place(at), cites, who, self._new_name(name), self._prompt(prompt), made))

    def choice(self, at: int, name: Token, prompt: Token | None, when: s.Expr | None, suite: Suite) -> CitedChoice:
        made = s.Choice(self._place(at), self._new_name(name), self._prompt(prompt), when, suite.body)
        return CitedChoice(made, suite.cites)

    def at_least(self, at: int, amount: s.Expr, of: s.Expr, cites: Cites) -> CitedTerm:
        return CitedTerm(s.Term(self._place(at), "at_least", amount, of, cites), cites)

    def at_most(self, at: int, amount: s.Expr, of: s.Expr, cites: Cites) -> CitedTerm:
        return CitedTerm(s.Term(self._place(at), "at_most", amount, of, cites), cites)

    def total(self, at: int, of: s.Expr, amount: s.Expr, cites: Cites) -> CitedTerm:
        return CitedTerm(s.Term(self._place(at), "total", amount, of, cites), cites)

    # ------------------------------------------------------------ types and declarations
    def named_type(self, at: int, name: Token) -> s.TypeExpr:
        return s.TypeExpr(self._place(at), "name", name.text, ())

    def set_type(self, at: int, of: s.TypeExpr) -> s.TypeExpr:
        return s.TypeExpr(self._place(at), "set", "", (of,))

    def list_type(self, at: int, of: s.TypeExpr) -> s.TypeExpr:
        return s.TypeExpr(self._place(at), "list", "", (of,))

    def map_type(self, at: int, key: s.TypeExpr, value: s.TypeExpr) -> s.TypeExpr:
        return s.TypeExpr(self._place(at), "map", "", (key, value))

    def optional_type(self, at: int, of: s.TypeExpr) -> s.TypeExpr:
        return s.TypeExpr(self._place(at), "optional", "", (of,))

    def attr(self, at: int, declared: s.TypeExpr, default: s.Expr | None) -> s.AttrDecl:
        return s.AttrDecl(self._place(at), declared, default)

    def binding(self, at: int, name: Token, of: s.Expr) -> s.Binding:
        return s.Binding(self._place(at), self._new_name(name), of)
