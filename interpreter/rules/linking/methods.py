"""Links methods: rule text that individuals and counters carry, under a signature that their kind declares.

A kind declares a method among its `definitions` or `procedures`, with a text for things that give none. Each text is
a rule of its own; one more rule for each method dispatches a call to the text of its thing. Things are distinguished by
their index: those of one entry are neighbours in the order of all things.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.language.checking.types.derived_attributes import DerivedAttribute
from interpreter.language.diagnostics import Place
from interpreter.language.model.emitted_names import layer
from interpreter.language.model.kind_hierarchy import Kind
from interpreter.language.model.program import Definition, Individual, Parameter, Procedure
from interpreter.language.tree.statements import (
    Attr,
    Body,
    Call,
    Compare,
    Do,
    Expr,
    If,
    IntLit,
    IsKind,
    Name,
    Not,
    Return,
    TypeExpr,
)
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.linking.link_context import Entry, LinkContext, MethodText, cites

_Method = Definition | Procedure
_SECTIONS: dict[str, type[Definition] | type[Procedure]] = {"definitions": Definition, "procedures": Procedure}
_CARRIERS = ("space", "thing", "seat", "piece")


@dataclass(frozen=True, slots=True)
class _Signature:
    """A method as its kind declares it: `section` is the key that it is under."""

    kind: Kind
    section: str
    entry: Entry

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def path(self) -> str:
        return f"kinds/{self.kind.name}/{self.section}/{self.name}"


def declared_methods(context: LinkContext, kind: Kind) -> dict[str, str]:
    """The methods of a kind and its ancestors, each with its section."""
    if kind.name not in context.methods:
        found: dict[str, str] = {}
        lineage = {each.name for each in context.program.lineage(kind.name)}
        for entry in context.entries("kinds"):
            if entry.name in lineage:
                found |= {
                    each.name: section for section in _SECTIONS for each in context.pairs(entry.fields.get(section))
                }
        context.methods[kind.name] = found
    return context.methods[kind.name]


def link_methods(context: LinkContext) -> None:
    """Links the methods of all kinds with their texts."""
    for entry in context.entries("kinds"):
        kind = context.program.kinds.get(entry.name)
        for section in _SECTIONS if kind is not None else ():
            for each in context.pairs(entry.fields.get(section)):
                assert kind is not None
                signature = _Signature(kind, section, each)
                if _is_sound(context, signature) and not _is_override(context, signature):
                    _link_method(context, signature)


def _is_sound(context: LinkContext, signature: _Signature) -> bool:
    kind, entry = signature.kind, signature.entry
    if kind.root not in _CARRIERS:
        message = f"a {kind.root} carries no rule text"
        context.fault("misplaced", message, entry.place, f"methods are for kinds of {', '.join(_CARRIERS)}")
        return False
    if not context.name_is_sound(entry.name, "method", entry.place):
        return False
    attribute = context.program.attribute(kind.name, entry.name)
    computed = context.program.computed(kind.name, entry.name)
    if (known := attribute or computed) is not None:
        context.twice(f"'{entry.name}' is an attribute of '{kind.name}' already", entry.place, known.place)
        return False
    return True


def _is_override(context: LinkContext, signature: _Signature) -> bool:
    """Whether an ancestor declares the method, so that this is the text of the sub-kind's things."""
    for ancestor in context.program.lineage(signature.kind.name)[1:]:
        if signature.name not in declared_methods(context, ancestor):
            continue
        for key in ("takes", "gives"):
            if key in signature.entry.fields:
                message = f"the kind '{ancestor.name}' says what '{signature.name}' {key}"
                context.fault("wrong-shape", message, signature.entry.fields.key_place(key), f"leave '{key}' out here")
        return True
    return False


# ---------------------------------------------------------------- one method
def _link_method(context: LinkContext, signature: _Signature) -> None:
    make = _SECTIONS[signature.section]
    fallbacks = _fallbacks(context, signature)
    needs_value = make is Definition or "gives" in signature.entry.fields
    if needs_value and all(kind is not signature.kind for kind, _ in fallbacks):
        message = f"'{signature.name}' gives a value, and nothing says what it is for things without a text"
        hint = f"add '{'is' if make is Definition else 'do'}:' to its declaration"
        context.fault("missing-key", message, signature.entry.place, hint)
        return
    segments = [
        (first, last, _text(context, signature, text, f"{_section_of(text)}/{text.kind}/{text.name}", text.name))
        for first, last, text in _segments(context, signature)
    ]
    dispatcher = _rule(context, signature, signature.entry)
    dispatcher.name, dispatcher.address = layer(signature.kind.name, signature.name), signature.path
    dispatcher.called = f"{signature.kind.name}.{signature.name}"
    dispatcher.body = _Dispatch(dispatcher, fallbacks, needs_value).body(segments)
    _store(context, dispatcher)
    signature.kind.methods[signature.name] = dispatcher


def _section_of(text: MethodText) -> str:
    return "pieces" if text.is_counter else "individuals"


def _segments(context: LinkContext, signature: _Signature) -> Iterator[tuple[int, int, MethodText]]:
    """The texts of the method with the first and last index of their things, in order."""
    program, run = context.program, None
    for index, each in enumerate(program.individuals.values()):
        text = _text_of(context, signature, each)
        if run is not None and (text is None or text.entry is not run[2].entry):
            yield run
            run = None
        if text is not None:
            run = (index if run is None else run[0], index, text)
    if run is not None:
        yield run


def _text_of(context: LinkContext, signature: _Signature, individual: Individual) -> MethodText | None:
    if not context.program.is_a(individual.kind, signature.kind.name):
        return None
    return context.method_texts.get(individual.place, {}).get(signature.name)


def _fallbacks(context: LinkContext, signature: _Signature) -> list[tuple[Kind, _Method]]:
    """The texts of kinds for things that give none, sub-kinds first."""
    found: list[tuple[Kind, _Method]] = []
    entries = {each.name: each for each in context.entries("kinds")}
    for kind in reversed(context.program.subkinds(signature.kind.name)):
        declared = entries[kind.name].fields.get(signature.section)
        entry = next((each for each in context.pairs(declared) if each.name == signature.name), None)
        if entry is not None and ("is" in entry.fields or "do" in entry.fields):
            text = MethodText(kind.name, "", entry, cites(entry.fields), is_counter=False)
            path = f"kinds/{kind.name}/{signature.section}"
            found.append((kind, _text(context, signature, text, path, f"of_{kind.name}")))
    depth = {each.name: len(context.program.lineage(each.name)) for each, _ in found}
    return sorted(found, key=lambda each: -depth[each[0].name])


def _text(context: LinkContext, signature: _Signature, text: MethodText, path: str, stem: str) -> _Method:
    """One text of a method as a rule."""
    rule = _rule(context, signature, text.entry)
    rule.cites, rule.standing, rule.source = text.cites, text.standing, text.source
    rule.name = layer(layer(signature.kind.name, signature.name), stem)
    rule.address = f"{path}/{signature.name}"
    rule.called = f"{text.name or text.kind}.{signature.name}"
    node = text.entry.node
    fields = node if isinstance(node, Mapping) else None
    if isinstance(rule, Procedure):
        rule.body = context.body(fields.get("do") if fields is not None else node)
    elif fields is not None and "do" in fields:
        rule.body = context.body(fields.get("do"))
    else:
        rule.value = context.expr(fields.get("is") if fields is not None else node)
    _store(context, rule)
    return rule


def _rule(context: LinkContext, signature: _Signature, at: Entry) -> _Method:
    """A rule with the signature of the method, without text; its first parameter is the thing."""
    declared = signature.entry.fields
    kind = signature.kind.name
    thing = Parameter(name=kind, place=at.place, written=TypeExpr(at.place, "name", kind, ()))
    return _SECTIONS[signature.section](
        name=signature.name,
        place=at.place,
        cites=cites(declared),
        takes=(thing, *context.parameters(declared.get("takes"))),
        written=context.type(declared.get("gives")),
    )


def _store(context: LinkContext, rule: _Method) -> None:
    if isinstance(rule, Procedure):
        context.program.procedures[rule.name] = rule
    else:
        context.program.definitions[rule.name] = rule


# ---------------------------------------------------------------- dispatch
@dataclass(frozen=True, slots=True)
class _Dispatch:
    """The text of a dispatcher: a binary search for the index of the thing, then a call of the text."""

    dispatcher: _Method
    fallbacks: list[tuple[Kind, _Method]]
    gives: bool

    @property
    def _place(self) -> Place:
        return self.dispatcher.place

    def body(self, segments: list[tuple[int, int, _Method]]) -> Body:
        """The text for these runs of indexes, each with its rule."""
        leaves: list[tuple[int, _Method | None]] = [(0, None)]
        for first, last, rule in segments:
            if leaves[-1][0] == first:
                leaves.pop()
            leaves += [(first, rule), (last + 1, None)]
        return self._search(leaves)

    def _search(self, leaves: list[tuple[int, _Method | None]]) -> Body:
        if len(leaves) == 1:
            rule = leaves[0][1]
            return self._fallback() if rule is None else self._call(rule)
        middle = len(leaves) // 2
        index = Attr(self._place, self._thing(), "index")
        index.ref = DerivedAttribute(how="index")
        before = Compare(self._place, "<", index, IntLit(self._place, leaves[middle][0]))
        low, high = self._search(leaves[:middle]), self._search(leaves[middle:])
        if not low and not high:
            return ()
        if not low:
            return (If(self._place, (), ((Not(self._place, before), high),), ()),)
        return (If(self._place, (), ((before, low),), high),)

    def _fallback(self) -> Body:
        branches: list[tuple[Expr, Body]] = []
        otherwise: Body = ()
        for kind, rule in self.fallbacks:
            if kind.name == self.dispatcher.takes[0].name:
                otherwise = self._call(rule)
            else:
                test = IsKind(self._place, self._thing(), kind.name, negated=False, kind_place=self._place)
                branches.append((test, self._call(rule)))
        return (If(self._place, (), tuple(branches), otherwise),) if branches else otherwise

    def _thing(self) -> Name:
        return Name(self._place, self.dispatcher.takes[0].name)

    def _call(self, rule: _Method) -> Body:
        given = tuple([Name(self._place, each.name) for each in self.dispatcher.takes])
        call = Call(self._place, rule.name, given, (), {})
        return (Return(self._place, (), call) if self.gives else Do(self._place, (), call),)
