"""Texts for pieces and options that distinguish them; identical ones are grouped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.console.label_templates import LabelTemplates
from interpreter.language.text_width import width
from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Act
from interpreter.play.views.open_menu import sole_picks
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.play.wording.messages import COMMA, IN_PLACE, REPEATED, VALUE_OF, WITH_TRAITS
from interpreter.play.wording.past_values import thing_in
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Piece, Space, Thing, Word

NO_CHOICE = "none"
"""The key of the option that chooses nothing among the labels of choices."""


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options that differ only in their number, shown as one line."""

    text: str
    positions: tuple[int, ...]
    language: str = "en"

    def __str__(self) -> str:
        count = len(self.positions)
        return self.text if count == 1 else REPEATED.format(self.language, {"name": self.text, "count": count})


def option_groups(game: Game) -> list[OptionGroup]:
    """Returns the options of the decision as its seat may see them, identical ones merged.

    In a block of simultaneous lines they are shown as they were before it.
    """
    decision = game.decision
    assert decision is not None
    words, sights = decision.wording, _Sights(game, decision.seat)
    options = [sights.of(each) for each in decision.options]
    pieces = [each for each, _ in options if isinstance(each, Piece)]
    is_alone = len(pieces) == 1 and _is_on_map(pieces[0])
    placed = is_alone or len({each.at for each in pieces}) > 1
    far_apart = is_alone or len({space_of(each) for each in pieces}) > 1
    lines: dict[Any, tuple[str, list[int]]] = {}
    labelled: set[Any] = set()
    alone = sole_picks(game)
    for position, (option, sight) in enumerate(options):
        visibility, templates = sight.visibility, sight.templates
        own = _own_label(option, templates, decision)
        if isinstance(option, Act) and option.name in alone:
            of, own = words.of(visibility.masked(alone[option.name])), own or decision.label(option)
            own = own if of in own else words.say(VALUE_OF, name=own, value=of)
        label = templates.of(option) if own is None and isinstance(option, Thing) else own
        if label is not None:
            place = (
                words.say(COMMA) + words.of(space_of(option))
                if far_apart and own is None and isinstance(option, Piece)
                else ""
            )
            lines[id(option)] = (label + place, [position])
            labelled.add(id(option))
            continue
        key, text = _group_of(option, decision.label, words, visibility, placed=placed)
        lines.setdefault(key, (text, []))[1].append(position)
    for key, (text, positions) in lines.items():
        if len(positions) == 1 and key not in labelled:
            option, sight = options[positions[0]]
            lines[key] = _single_text(decision, option, text, sight.visibility, placed=placed), positions
    return [OptionGroup(text, tuple(positions), words.language) for text, positions in lines.values()]


def lines_below(game: Game) -> list[str]:
    """Returns what `presentation.below` lists below the question of the decision, as its seat sees it."""
    decision = game.decision
    assert decision is not None
    presentation: Mapping[str, Any] = getattr(game.source.ruleset, "presentation", None) or {}
    attributes: Mapping[str, str] = presentation.get("below", {}).get(decision.address, {})
    named = [each for each in decision.mentioned_values if isinstance(each, Thing)] if attributes else []
    if not named:
        return []
    templates = _Sight(game, decision.seat).templates
    lines = []
    for thing in named:
        for attribute in [attributes[kind] for kind in thing.lineage if kind in attributes]:
            value = templates.seen_value(thing, attribute)
            for each in value if isinstance(value, Collection) else [value]:
                label = templates.of(each) if isinstance(each, Thing) else None
                lines.append(label or decision.wording.of(each))
    return [f"  – {each}" for each in lines]


def _own_label(option: Any, templates: LabelTemplates, decision: Decision) -> str | None:
    """Returns the label that the presentation gives an option of this decision alone; none if it gives none."""
    match option:
        case Thing():
            return templates.option_label(option, decision.address)
        case Act() | Word() | str():
            choice = option if isinstance(option, str) else option.id
        case None:
            choice = NO_CHOICE
        case _:
            return None
    return templates.choice_label(choice, decision.address, (*decision.mentioned_values, decision.seat_object))


class _Sight:
    """How a seat sees the things of one position."""

    def __init__(self, game: Game, seat: str) -> None:
        game.core.begin_query()
        self.visibility = Visibility(game.core, seat_by_id(game.core, seat))
        self.templates = LabelTemplates(game, self.visibility)


class _Sights:
    """How a seat sees the options of an open decision: as they are, or as they were before the present block."""

    def __init__(self, game: Game, seat: str) -> None:
        self._now, before = _Sight(game, seat), game.before_simultaneous()
        self._before = None if before is None else _Sight(before, seat)
        self._objects = () if before is None else before.core.world.objects

    def of(self, option: Any) -> tuple[Any, _Sight]:
        """Returns an option and how it is seen; what the seat could not see before the block is shown as it is now."""
        earlier = thing_in(self._objects, option)
        if self._before is None or earlier is None or self._before.visibility.hides(earlier):
            return option, self._now
        return earlier, self._before


def space_of(piece: Piece) -> Thing | None:
    """Returns the space that contains a piece, directly or inside other pieces."""
    holder: Thing | None = piece
    while isinstance(holder, Piece):
        holder = holder.at
    return holder


def _is_on_map(piece: Piece) -> bool:
    """Whether a piece is in a space that has neighbours, and not in a hand or a box."""
    space = space_of(piece)
    return isinstance(space, Space) and any(space.neighbours)


def _group_of(
    option: Any, label: Callable[[Any], str], words: Wording, visibility: Visibility, *, placed: bool
) -> tuple[Any, str]:
    """Returns the key that options of one line share, and that line; `placed` adds the place to the line."""
    if not isinstance(option, Piece):
        return (id(option) if isinstance(option, Thing) else repr(option)), label(visibility.masked(option))
    if visibility.hides(option):
        hidden = visibility.name(option)
        return (hidden.kind, option.at), label(hidden) + (
            words.say(COMMA) + words.say(IN_PLACE, place=words.of(option.at))
            if placed and option.at is not None
            else ""
        )
    stem = words.stem(option)
    key = (option.kind, stem, option.at, tuple(repr(getattr(option, slot)) for slot in option.slots))
    return key, stem + trait_suffix(option, words, placed=placed)


def _single_text(decision: Any, option: Any, text: str, visibility: Visibility, *, placed: bool) -> str:
    if not isinstance(option, Piece) or visibility.hides(option):
        return text
    return str(decision.label(option)) + trait_suffix(option, decision.wording, placed=placed)


def trait_suffix(piece: Piece, words: Wording, *, placed: bool) -> str:
    """Returns the traits of a piece, and its place if `placed`, each after a comma."""
    details = [
        *traits(piece, words),
        *([words.say(IN_PLACE, place=words.of(piece.at))] if placed and piece.at is not None else []),
    ]
    return "".join([words.say(COMMA) + each for each in details])


def traits(thing: Thing, words: Wording, slots: Collection[str] | None = None, *, named: bool = False) -> list[str]:
    """Returns the values of a thing worth showing: flags that are set, words, numbers other than 0.

    Only those of `slots`, if these are given. A word stands after its attribute if `named`.

    A value that no rule changes and that the thing's name says already is left out: a word that is in the name, and a
    number if the name consists of such values alone.
    """
    thing_name = words.of(thing).casefold()
    said = thing_name.split()
    values = [(name, slot, getattr(thing, slot)) for name, slot in zip(thing.attributes, thing.slots, strict=True)]
    fixed = {name: _said_value(value, words) for name, slot, value in values if slot not in thing.changing}
    is_made_of_values = all(any(word in text.split() for text in fixed.values()) for word in said)
    texts = []
    for name, slot, value in values:
        is_named = name in fixed and fixed[name] != "" and _is_said(fixed[name], thing_name)
        if is_named and (is_made_of_values or not isinstance(value, int)):
            continue
        if slots is not None and slot not in slots:
            continue
        texts.append(trait_text(words.attribute(name, thing), value, words, named=named))
    return [each for each in texts if each]


def _is_said(value: str, name: str) -> bool:
    """Whether a name contains the words of a value; wide characters of East Asian scripts have no blanks between."""
    return set(value.split()) <= set(name.split()) or (width(value) > len(value) and value in name)


def _said_value(value: Any, words: Wording) -> str:
    """Returns a word, thing or number as it appears in a name; empty for anything else."""
    is_plain = isinstance(value, Word | Thing | int) and not isinstance(value, bool)
    return words.of(value).casefold() if is_plain else ""


def trait_text(attribute: str, value: Any, words: Wording, *, named: bool = False) -> str:
    """Returns one value as text, empty for none, no, 0 and empty values; a word after its attribute if `named`."""
    match value:
        case None | False | 0 | () | "":
            return ""
        case True:
            return attribute
        case Word() if not named:
            return words.of(value)
        case _:
            text = words.of(value)
            return text if text.casefold().startswith(attribute.casefold()) else words.labelled(attribute, text)


def group_texts(pieces: Sequence[Piece], words: Wording, without: Collection[str] = ()) -> list[str]:
    """Returns the texts of pieces in one place; identical pieces are counted.

    Attributes of `without` (`kind.attribute`) are not shown.
    """
    groups: dict[Any, list[Piece]] = {}
    for each in pieces:
        key = (each.kind, words.stem(each), tuple(repr(getattr(each, slot)) for slot in shown_slots(each, without)))
        groups.setdefault(key, []).append(each)
    return [_group_text(group, words, without) for group in groups.values()]


def shown_slots(thing: Thing, without: Collection[str]) -> list[str]:
    """Returns the slots of a thing except those of the attributes `without` (`kind.attribute`)."""
    named = zip(thing.attributes, thing.slots, strict=True)
    return [slot for name, slot in named if not any(f"{kind}.{name}" in without for kind in thing.lineage)]


def _group_text(pieces: Sequence[Piece], words: Wording, without: Collection[str]) -> str:
    first = pieces[0]
    found = traits(first, words, shown_slots(first, without) if without else None)
    return with_traits(words.several(first, len(pieces)), found, words)


def with_traits(name: str, found: Sequence[str], words: Wording) -> str:
    """Returns a name with values in brackets; the name alone without values."""
    return words.say(WITH_TRAITS, name=name, traits=words.say(COMMA).join(found)) if found else name
