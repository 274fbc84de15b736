"""Links the `victory` section: what the seats play for, as definitions that play evaluates for people.

Each text of an entry is a definition of its own, under a name that rule text cannot use. Games whose ruleset has no
such section are compiled to the same code as before.
"""

from __future__ import annotations

from interpreter.language.model.emitted_names import note_role, victory_rule
from interpreter.language.model.program import Definition
from interpreter.language.tree.statements import Each, Expr
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.linking.link_context import Entry, LinkContext, cites


def link_victory(context: LinkContext) -> None:
    """The `victory` section, each entry as one definition for each of its texts."""
    for entry in context.entries("victory"):
        if context.name_is_sound(entry.name, "victory condition", entry.place):
            for role, value in _texts(context, entry).items():
                if value is not None:
                    _store(context, entry, role, value)


def _texts(context: LinkContext, entry: Entry) -> dict[str, Expr | None]:
    """The texts by their roles; those about each of several things become lists in the order of the things."""
    fields = entry.fields
    found = {role: context.expr(fields.get(role)) for role in ("when", "for", "value", "goal")}
    parts, levels = fields.get("parts"), fields.get("levels")
    if isinstance(parts, Mapping):
        found |= {"parts": context.expr(parts.get("of"))}
        found |= {f"part_{key}": _each(context, parts, key) for key in ("value", "most")}
    if isinstance(levels, Mapping):
        found |= {"levels": context.expr(levels.get("of")), "level": context.expr(levels.get("now"))}
        found |= {f"level_{key}": _each(context, levels, key) for key in ("least", "most")}
    for note in context.pairs(fields.get("notes")):
        found[note_role(note.name)] = context.expr(note.fields.get("when"))
        for value in context.pairs(note.fields.get("values")):
            found[note_role(note.name, value.name)] = context.expr(value.node)
    return found


def _each(context: LinkContext, fields: Mapping, key: str) -> Expr | None:
    """The list of the values of `key`, one for each of `of`."""
    value = context.expr(fields.get(key))
    of = None if value is None else context.expr(fields.get("of"))
    return None if of is None or value is None else Each(value.place, of, value, None)


def _store(context: LinkContext, entry: Entry, role: str, value: Expr) -> None:
    rule = Definition(
        name=victory_rule(entry.name, role),
        place=entry.place,
        cites=cites(entry.fields),
        takes=context.parameters(entry.fields.get("takes")),
        value=value,
    )
    rule.address, rule.called = f"victory/{entry.name}/{role}", entry.name
    context.program.definitions[rule.name] = rule
    context.program.victory.append(rule)
