"""Links the `around` of rules: layers of text around the text of a rule.

A procedure or definition with layers becomes several: the one that is called, whose text is that of the outermost
layer, and inner ones without a name of their own. What `proceed` runs in one is the next one within. The text of an
action or a step, which nothing calls, is put together with those around it instead.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Final, TypeVar

from interpreter.language.diagnostics import Place
from interpreter.language.model.emitted_names import layer
from interpreter.language.model.program import Definition, Item, Procedure
from interpreter.language.tree.statements import Body, Do, Expr, If, IfElse, Let, Name, Proceed, Return, Stmt
from interpreter.language.tree.traversal import walk_tree
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.linking.link_context import Entry, LinkContext, cites, named_items

RESULT: Final = "result"

_Rule = TypeVar("_Rule", Definition, Procedure)


@dataclass(frozen=True, slots=True)
class _Part:
    """`before`, `after` or `instead` of a layer: its condition and its text."""

    place: Place
    when: Expr | None
    body: Body
    value: Expr | None

    def guarded(self) -> Body:
        """The text under its condition."""
        return self.body if self.when is None else (If(self.place, (), ((self.when, self.body),), ()),)


def layered_procedure(context: LinkContext, entry: Entry, make: Callable[[], Procedure]) -> list[Procedure]:
    """A procedure with its layers, the outermost first; `make` reads it without layers."""
    rule = make()
    asked = rule.needs, rule.outcomes
    parts = [(fields, _parts(context, fields)) for _, fields in _layers(context, entry)]
    texts = [rule.body, *(part.body for _, each in parts for key, part in each.items() if key == "instead")]
    gives = rule.written is not None or any(_returns_value(body) for body in texts)
    found = [rule]
    for fields, each in parts:
        if "instead" in each:
            rule = _around(make(), rule, fields, each["instead"].place)
            rule.body = _instead(each["instead"], _proceed(rule, each["instead"].place), gives=gives)
            found.append(rule)
        if "before" in each or "after" in each:
            first = each.get("before") or each["after"]
            rule = _around(make(), rule, fields, first.place)
            rule.body = _beside(each.get("before"), each.get("after"), _proceed(rule, first.place), gives=gives)
            found.append(rule)
    return _named(found, entry.name, entry.name, asked)


def layered_definition(context: LinkContext, entry: Entry, make: Callable[[], Definition]) -> list[Definition]:
    """A definition with its layers, the outermost first."""
    rule = make()
    found = [rule]
    for _, fields in _layers(context, entry):
        part = _parts(context, fields).get("instead")
        if part is not None:
            rule = _around(make(), rule, fields, part.place)
            proceed = _proceed(rule, part.place)
            if part.value is not None:
                value = part.value
                rule.value = value if part.when is None else IfElse(value.place, part.when, value, proceed)
                rule.body = ()
            else:
                rule.value, rule.body = None, _instead(part, proceed, gives=True)
            found.append(rule)
    stem = entry.name if rule.subject is None else layer(entry.name, rule.subject)
    return _named(found, entry.name, stem, ((), {}))


def _named(found: list[_Rule], name: str, stem: str, asked: tuple[tuple[Item, ...], dict[str, Expr]]) -> list[_Rule]:
    """The layers under names of their own, which no ruleset can use."""
    for number, rule in enumerate(found[:-1]):
        rule.name, rule.layer_of = layer(stem, number), name
        if isinstance(rule, Procedure):
            rule.needs, rule.outcomes = (), {}
    outermost = found[-1]
    if isinstance(outermost, Procedure):
        outermost.needs, outermost.outcomes = asked
    return found[::-1]


def _around(rule: _Rule, inner: Definition | Procedure, fields: Mapping, place: Place) -> _Rule:
    rule.place, rule.inner = place, inner
    rule.cites = cites(fields) or rule.cites
    return rule


def layered_body(context: LinkContext, entry: Entry) -> Body:
    """The text of an action or a step with its layers inserted.

    `proceed()` is a line of its own there: nothing can call an action or a step, and neither gives anything.
    """
    body = context.body(entry.fields.get("do"))
    for _, fields in _layers(context, entry):
        each = _parts(context, fields)
        for part in each.values():
            _cite(part.body, cites(fields))
        if (instead := each.get("instead")) is not None:
            otherwise = deepcopy(body)
            within = _in_place(context, instead.body, body)
            body = within if instead.when is None else (If(instead.place, (), ((instead.when, within),), otherwise),)
        if "after" in each:
            _check_goes_on(context, entry, body)
        first, last = each.get("before"), each.get("after")
        body = (*(first.guarded() if first else ()), *body, *(last.guarded() if last else ()))
    return body


def _cite(body: Body, clauses: tuple[str, ...]) -> None:
    """Lines of a layer cite what the layer cites, unless they have citations of their own."""
    for each in (each for root in body for each in walk_tree(root)):
        if isinstance(each, Stmt) and not each.cites:
            each.cites = clauses


def _in_place(context: LinkContext, text: Body, inner: Body) -> Body:
    """A text with the inner text in place of its `proceed()`."""
    calls = [each for root in text for each in walk_tree(root) if isinstance(each, Proceed)]
    for each in calls:
        if each.arguments or each.named:
            message = "an action or a step proceeds with everything as it is here"
            context.fault("wrong-proceed", message, each.place, "write 'proceed()'")
    for each in calls[1:]:
        context.fault("wrong-proceed", "a text proceeds once", each.place, "put what comes twice into a procedure")
    made = _put_in(text, inner)
    if any(isinstance(each, Proceed) for root in made for each in walk_tree(root)):
        message = "an action or a step proceeds in a line of its own, at the top or under an 'if'"
        context.fault("wrong-proceed", message, calls[0].place, "take it out of the loop, the choice or the value")
    return made


def _put_in(text: Body, inner: Body) -> Body:
    found: list[Stmt] = []
    for each in text:
        if isinstance(each, Do) and isinstance(each.value, Proceed):
            found += inner
            continue
        if isinstance(each, If):
            each.branches = tuple((when, _put_in(body, inner)) for when, body in each.branches)
            each.otherwise = _put_in(each.otherwise, inner)
        found.append(each)
    return tuple(found)


def _check_goes_on(context: LinkContext, entry: Entry, body: Body) -> None:
    """Text that runs after another is not skipped by a `return` of it."""
    end = next((each for root in body for each in walk_tree(root) if isinstance(each, Return)), None)
    if end is not None:
        message = f"'{entry.name}' returns in {end.place}, so that nothing can come after it"
        context.fault("aside-ends", message, entry.place, "set its text, or wrap a procedure that it calls")


# ---------------------------------------------------------------- reading
def _layers(context: LinkContext, entry: Entry) -> list[tuple[str, Mapping]]:
    return named_items(context, entry.fields.get("around"), "layer")


def _parts(context: LinkContext, fields: Mapping) -> dict[str, _Part]:
    found: dict[str, _Part] = {}
    for key in ("before", "instead", "after"):
        node = fields.get(key)
        if isinstance(node, Mapping):
            when, value = context.expr(node.get("when")), context.expr(node.get("is"))
            found[key] = _Part(fields.key_place(key), when, context.body(node.get("do")), value)
            if key != "instead":
                _check_aside(context, key, found[key])
    return found


def _check_aside(context: LinkContext, key: str, part: _Part) -> None:
    """A `before` or `after` layer leaves the rule itself as it is."""
    for node in (each for root in part.body for each in walk_tree(root)):
        if isinstance(node, Return | Proceed):
            word = "return" if isinstance(node, Return) else "proceed"
            message = f"'{key}' goes on with the rule itself, and can't {word}"
            context.fault("aside-ends", message, node.place, "say it with 'instead'")


def _returns_value(body: Body) -> bool:
    return any(isinstance(each, Return) and each.value is not None for root in body for each in walk_tree(root))


# ---------------------------------------------------------------- what it comes to
def _proceed(rule: Definition | Procedure, place: Place) -> Proceed:
    """The inner rule, with the same declarations."""
    return Proceed(place, "proceed", tuple(Name(place, each.name) for each in rule.takes), (), {})


def _instead(part: _Part, proceed: Proceed, *, gives: bool) -> Body:
    if part.when is None:
        return part.body
    place = part.place
    end = Return(place, (), proceed) if gives else Do(place, (), proceed)
    if gives:
        return (If(place, (), ((part.when, part.body),), ()), end)
    return (If(place, (), ((part.when, part.body),), (end,)),)


def _beside(before: _Part | None, after: _Part | None, proceed: Proceed, *, gives: bool) -> Body:
    first, place = before.guarded() if before is not None else (), proceed.place
    if after is None:
        return (*first, Return(place, (), proceed) if gives else Do(place, (), proceed))
    if not gives:
        return (*first, Do(place, (), proceed), *after.guarded())
    end = Return(place, (), Name(place, RESULT))
    return (*first, Let(place, (), RESULT, proceed), *after.guarded(), end)
