"""The sources of figures: their standing, public source, and exceptions for single cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from interpreter.language.diagnostics import NOWHERE, Located, Place, did_you_mean
from interpreter.language.model.program import STANDINGS, Datum
from interpreter.rules.documents.nodes import Mapping, Node, Scalar
from interpreter.rules.linking.figure import Basis, Figure
from interpreter.rules.linking.link_context import LinkContext, cites, text_of, texts, words


@dataclass(slots=True, eq=False)
class Exceptions:
    """The `figures` of an entry: single figures with another basis than the entry."""

    general: Basis
    single: dict[str, Basis] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    _offered: dict[str, None] = field(default_factory=dict)

    def at(self, *paths: str) -> Basis:
        """The basis of a figure with these paths; the first path that is named decides."""
        self._offered.update(dict.fromkeys(paths))
        for path in paths:
            if path in self.single:
                self._used.update(each for each in paths if each in self.single)
                return self.single[path]
        return self.general

    def close(self, context: LinkContext, offered: Callable[[], Iterable[str]] | None = None) -> None:
        """Reports the exceptions that name no figure, after all figures have been read.

        `offered` gives what could be named, where not every figure was asked for.
        """
        for path, place in self.places.items():
            if path not in self._used:
                hint = did_you_mean(path, self._offered if offered is None else offered())
                context.fault("unknown-figure", f"'{path}' names no figure here", place, hint)


def read_basis(context: LinkContext, fields: Mapping, around: Basis | None = None) -> Basis:
    """The `standing`, `source` and `cite` of an entry; missing ones are inherited from the enclosing entry."""
    outer = around or Basis()
    node = fields.get("standing")
    standing = _standing(context, node) if node is not None else outer.standing
    source_node = fields.get("source")
    source = ", ".join(texts(source_node)) or outer.source
    _check_source(context, standing, source, node, source_node)
    return Basis(standing, source, cites(fields) or outer.cites)


def read_exceptions(context: LinkContext, fields: Mapping) -> Exceptions:
    """The bases of an entry and of single figures in it."""
    general = read_basis(context, fields)
    found = Exceptions(general)
    for entry in context.pairs(fields.get("figures")):
        found.places[entry.name] = entry.place
        if isinstance(entry.node, Scalar):
            standing = _standing(context, entry.node)
            _check_source(context, standing, general.source, entry.node, None)
            found.single[entry.name] = Basis(standing, general.source, general.cites)
        else:
            found.single[entry.name] = read_basis(context, entry.fields, general)
    return found


def _standing(context: LinkContext, node: Node) -> str:
    word = text_of(node)
    if word in STANDINGS:
        return word
    hint = did_you_mean(word, STANDINGS) or "a standing is one of " + ", ".join(STANDINGS)
    context.fault("unknown-standing", f"'{word}' is no standing of a figure", node.place, hint)
    return STANDINGS[0]


def _check_source(
    context: LinkContext, standing: str, source: str | None, said: Node | None, named: Node | None
) -> None:
    place = said.place if said is not None else named.place if named is not None else NOWHERE
    if standing == "found" and source is None:
        hint = "add 'source:' with the name of an entry in 'sources'"
        context.fault("no-source", "a found figure must name the public source it was found in", place, hint)
    if named is None:
        return
    known = [entry.name for entry in context.entries("sources")]
    for each in words(named) if known else ():
        if each.text not in known:
            context.unknown("source", each.text, known, each.place)


def record_figure(
    context: LinkContext, path: str, value: Datum, basis: Basis, at: Located, *, has_own_basis: bool = False
) -> None:
    """Records a value as a figure of the ruleset if it is a number, or has a basis of its own, as a text may."""
    if context.tells_figures and (has_own_basis or is_figure(value)):
        context.figures.append(Figure(path, value, basis.standing, basis.cites, basis.source, at.place))


def is_figure(value: Datum) -> bool:
    """Whether a value is a number; truth values are not."""
    return isinstance(value, int) and not isinstance(value, bool)
