"""Warns of decisions from which a seat could tell what a view hides from it.

A decision shows something if it depends on hidden things whether it is asked at all, or whether there is more than one
option: with one option nobody is asked. A secret decision (`secretly`) is asked in any case, but its own seat sees the
options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.language.checking.program.hidden_values import (
    IT,
    OPEN,
    HiddenValues,
    Path,
    Secret,
    Value,
    path_of,
)
from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.program import Action, Individual, Parameter, Procedure, Program, Step
from interpreter.language.tree.statements import (
    Agree,
    Assign,
    Call,
    Choice,
    ChoiceBlock,
    Choose,
    ChooseNumber,
    DecisionExpr,
    End,
    Expr,
    ForEach,
    If,
    Let,
    Move,
    Name,
    Rank,
    Repeat,
    Return,
    Reveal,
    Set,
    Spread,
    Stmt,
    Stop,
    SyntaxNode,
    Take,
    Term,
    Tie,
    Together,
    While,
    Win,
)
from interpreter.language.tree.traversal import children, walk_tree

Guard = frozenset[Secret]
_LEAVING = (Return, End, Win, Tie)
_MAX_ROUNDS = 8
"""The number of times that the values of parameters are passed on from calls to the rules that they call."""
_ASK_ALWAYS = "ask in any case, and put the condition into the options: '… secretly chooses one or none of …'"
_ASK_SECRETLY = (
    "write 'secretly' (of an action or a menu 'secret: true'), so that the seat is asked with any number of options"
)
_ASK_OPENLY = "offer what the seat can see, and let what follows decide on the hidden things"


def check_secrets(program: Program) -> list[Diagnostic]:
    """Returns a warning for each decision from which a seat could tell what is hidden from it."""
    values = HiddenValues(program)
    if not values.views:
        return []
    rules = _Rules(program, values)
    for _ in range(_MAX_ROUNDS):
        before = dict(rules.given)
        rules.read()
        if rules.given == before:
            break
    return rules.report


class _Rules:
    """Reads all texts that ask; `given` are the values that procedures get, and give, in all calls."""

    def __init__(self, program: Program, values: HiddenValues) -> None:
        self.program, self.values = program, values
        self.given: dict[tuple[str, str], Value] = {}
        """By the path of a procedure and its parameter; what it returns has no parameter."""
        self.report: list[Diagnostic] = []

    def read(self) -> None:
        """Reads every text once."""
        self.report = []
        for procedure in self.program.procedures.values():
            known = {each.name: self.given.get((procedure.key, each.name), OPEN) for each in procedure.takes}
            reader = _Reader(self, known)
            reader.block(procedure.body, frozenset())
            self.given[procedure.key, ""] = reader.returned
        for action in self.program.actions.values():
            self._action(action)
        if self.program.sequence is not None:
            self._step(self.program.sequence, frozenset())

    def _action(self, action: Action) -> None:
        reader, menu = _Reader(self, {}), self.program.menus[action.menu]
        if not (menu.secret or action.secret):
            for pick in action.picks:
                reader.options(pick.of, (), is_secret=False, what=f"'{action.name}.{pick.parameter.name}'")
        reader.block(action.body, frozenset())

    def _step(self, step: Step, guard: Guard) -> None:
        reader = _Reader(self, {})
        texts = [step.when, step.repeat, step.until, None if step.each is None else step.each.of]
        for each in texts:
            if each is not None:
                guard |= reader.values.of(each, {}).tells
        if step.body:
            reader.block(step.body, guard)
        for inner in step.steps:
            self._step(inner, guard)

    def pass_on(self, procedure: Procedure, arguments: Iterable[tuple[Parameter, Value, Path]]) -> None:
        """Notes what a call gives to the parameters of a procedure, with owners as the procedure names them."""
        pairs = list(arguments)
        names = {path: parameter.name for parameter, _, path in pairs if path}
        for parameter, value, _ in pairs:
            renamed = Value(_renamed(value.tells, names), _renamed(value.holds, names))
            key = procedure.key, parameter.name
            self.given[key] = self.given.get(key, OPEN) | renamed


def _renamed(secrets: Guard, names: dict[Path, str]) -> Guard:
    """Returns secrets with the owners that a procedure has a name for, and no others."""
    return frozenset([each._replace(owner=(names[each.owner],) if each.owner in names else ()) for each in secrets])


class _Reader:
    """Reads one text from its beginning; `known` are the values of its local names."""

    def __init__(self, rules: _Rules, known: dict[str, Value]) -> None:
        self._rules, self.values, self.known = rules, rules.values, known
        self.returned = OPEN

    # ------------------------------------------------------------ statements
    def block(self, body: Iterable[Stmt], guard: Guard) -> Guard:
        """Reads statements; returns what decides whether the line after them is reached."""
        for each in body:
            guard = self._statement(each, guard)
        return guard

    def _statement(self, node: Stmt, guard: Guard) -> Guard:
        match node:
            case If(branches=branches, otherwise=otherwise):
                return self._branches(branches, otherwise, guard)
            case ForEach(of=source, body=body):
                found = self._value(source, guard)
                self.known[node.name] = Value(holds=found.holds)
                if node.chosen_by is not None:
                    self.options(source, path_of(node.chosen_by), is_secret=False, what=f"'{node.address}'")
                    self._asks(guard, f"'{node.address}'")
                return self._loop(body, guard, found.tells)
            case Repeat(times=times, body=body):
                return self._loop(body, guard, self._value(times, guard).tells)
            case While(condition=condition, times=times, body=body):
                return self._loop(body, guard, (self._value(condition, guard) | self._value(times, guard)).tells)
            case Together(body=body):
                return self.block(body, guard)
            case ChoiceBlock():
                return self._choice_block(node, guard)
            case Let(name=name, value=value, terms=terms):
                self._terms(value, terms)
                self.known[name] = self._value(value, guard)
            case Set(target=Name(name=name, ref=Parameter()), value=value):
                self.known[name] = self.known.get(name, OPEN) | self._value(value, guard)
            case Return(value=value):
                returned = OPEN if value is None else self._value(value, guard)
                self.returned |= Value(returned.tells | guard, returned.holds)
            case Reveal(what=Name(name=name)):
                self.known[name] = OPEN
            case Move(what=Name(name=name), to=Name(ref=Individual()) as to) if self.values.is_open(to):
                self.known[name] = OPEN
            case _:
                for each in children(node):
                    if isinstance(each, Expr):
                        self._value(each, guard)
        return guard

    def _branches(
        self, branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...], otherwise: tuple[Stmt, ...], guard: Guard
    ) -> Guard:
        decides, after = guard, guard
        for condition, body in [*branches, (None, otherwise)]:
            if condition is not None:
                decides |= self._value(condition, decides).tells
            before = dict(self.known)
            after |= self.block(body, decides) - decides
            self.known = {**before, **{name: before[name] | self.known[name] for name in before}}
            if _leaves(body, (*_LEAVING, Stop)):
                after |= decides
        return after

    def _loop(self, body: tuple[Stmt, ...], guard: Guard, decides: Guard) -> Guard:
        after = self.block(body, guard | decides)
        return after if _leaves(body, _LEAVING) else guard

    def _choice_block(self, node: ChoiceBlock, guard: Guard) -> Guard:
        what, who = f"'{node.address}'", path_of(node.who)
        self._asks(guard, what)
        is_always_asked = sum(each.when is None for each in node.choices) > 1
        for choice in node.choices:
            if choice.when is not None:
                self.options(choice.when, who, is_secret=node.secret or is_always_asked, what=what)
        ends = [self._choice(choice, guard) for choice in node.choices]
        return frozenset().union(*ends)

    def _choice(self, choice: Choice, guard: Guard) -> Guard:
        before = dict(self.known)
        end = self.block(choice.body, guard)
        self.known = before
        return end

    # ------------------------------------------------------------ expressions
    def _value(self, expr: Expr, guard: Guard) -> Value:
        """Returns the value of an expression; what is asked in it is checked."""
        given = OPEN
        for node in walk_tree(expr):
            if isinstance(node, DecisionExpr):
                self._decision(node, guard)
            elif isinstance(node, Call) and isinstance(node.ref, Procedure):
                given |= self._called(node, node.ref, guard)
        return self.values.of(expr, self.known) | given

    def _called(self, node: Call, procedure: Procedure, guard: Guard) -> Value:
        if procedure.effects.asks:
            self._asks(guard, f"'{procedure.title}'")
        pairs = zip(procedure.takes, node.ordered, strict=False)
        self._rules.pass_on(
            procedure, [(name, self.values.of(each, self.known), path_of(each)) for name, each in pairs]
        )
        return Value(_renamed(self._rules.given.get((procedure.key, ""), OPEN).tells, {}))

    def _decision(self, node: DecisionExpr, guard: Guard) -> None:
        what = f"'{node.address}'" if node.address else "this"
        self._asks(guard, what)
        for each in _option_texts(node):
            self.options(each, path_of(node.who), is_secret=node.secret, what=what, element=_chosen_from(node))

    def _terms(self, value: Expr, terms: tuple[Term, ...]) -> None:
        if isinstance(value, DecisionExpr):
            for term in terms:
                for each in (term.amount, term.of):
                    what, element = f"'{value.address}'", _chosen_from(value)
                    self.options(each, path_of(value.who), is_secret=value.secret, what=what, element=element)

    # ------------------------------------------------------------ findings
    def _asks(self, guard: Guard, what: str) -> None:
        for secret in sorted(guard):
            message = (
                f"whether {what} is asked depends on what '{secret.view}' hides: other seats can tell it from that"
            )
            self._warn("secret-condition", message, secret, _ASK_ALWAYS)

    def options(self, text: Expr, who: Path, *, is_secret: bool, what: str, element: Expr | None = None) -> None:
        """Warns if the options of a decision depend on hidden things, unless it is secret and they are its seat's.

        `element` is the collection of which `it` is an element in the text.
        """
        known = self.known
        if element is not None:
            known = {**known, IT: Value(holds=self.values.of(element, known).holds)}
        for secret in sorted(self.values.of(text, known).tells):
            if secret.is_of_another(who):
                message = f"the options of {what} depend on what '{secret.view}' hides from the seat that is asked"
                self._warn("secret-of-another", message, secret, _ASK_OPENLY)
            elif not is_secret:
                message = (
                    f"the options of {what} depend on what '{secret.view}' hides: whether there is a choice shows it"
                )
                self._warn("secret-options", message, secret, _ASK_SECRETLY)

    def _warn(self, code: str, message: str, secret: Secret, hint: str) -> None:
        found = Diagnostic(code, message, secret.place, hint, severity="warning")
        if all((each.code, each.message) != (code, message) for each in self._rules.report):
            self._rules.report.append(found)


def _option_texts(node: DecisionExpr) -> Iterator[Expr]:
    """Yields the texts that decide about the options of a decision."""
    match node:
        case Choose(amount=amount, of=source):
            yield from (source,) if amount is None else (source, amount)
        case ChooseNumber(low=low, high=high):
            yield from (low, high)
        case Rank(of=source):
            yield source
        case Assign(of=source, to=target):
            yield from (source, target)
        case Spread(amount=amount, over=over, at_most=most):
            yield from (amount, over, most)
        case Take(times=times):
            yield from () if times is None else (times,)
        case Agree():
            return


def _chosen_from(node: DecisionExpr) -> Expr | None:
    """Returns the collection whose elements a decision is about."""
    match node:
        case Choose(of=source) | Rank(of=source) | Assign(of=source) | Spread(over=source):
            return source
    return None


def _leaves(body: Iterable[SyntaxNode], kinds: tuple[type[SyntaxNode], ...]) -> bool:
    """Whether a body can leave what it is in by a statement of these kinds."""
    return any(isinstance(node, kinds) for each in body for node in walk_tree(each))
