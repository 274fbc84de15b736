"""Pieces and options in words that tell them apart, like ones taken together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.console.label_templates import Portraits
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility, seat_named
from interpreter.play.wording.messages import COMMA, IN_PLACE
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Piece, Thing, Word


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options that differ in nothing but their number: taken together, they are one line."""

    text: str
    positions: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.text} (×{len(self.positions)})" if len(self.positions) > 1 else self.text


def choices(game: Game) -> list[OptionGroup]:
    """The options of the decision as its seat may read them, identical ones merged."""
    decision = game.decision
    assert decision is not None
    words = game.setting.wording
    game.core.look()
    sight = Visibility(game.core, seat_named(game.core, decision.seat))
    portraits = Portraits(game, sight)
    placed = len({each.at for each in decision.options if isinstance(each, Piece)}) > 1
    far_apart = len({space_of(each) for each in decision.options if isinstance(each, Piece)}) > 1
    told: dict[Any, tuple[str, list[int]]] = {}
    drawn: set[Any] = set()
    for position, option in enumerate(decision.options):
        own = portraits.offered(option, decision.address) if isinstance(option, Thing) else None
        portrait = portraits.of(option) if own is None and isinstance(option, Thing) else own
        if portrait is not None:
            place = (
                words.say(COMMA) + words.of(space_of(option))
                if far_apart and own is None and isinstance(option, Piece)
                else ""
            )
            told[id(option)] = (portrait + place, [position])
            drawn.add(id(option))
            continue
        key, text = _described(option, decision.label, words, sight, placed=placed)
        told.setdefault(key, (text, []))[1].append(position)
    return [
        OptionGroup(
            text if len(positions) > 1 or key in drawn else _single(decision, positions[0], text, sight, placed=placed),
            tuple(positions),
        )
        for key, (text, positions) in told.items()
    ]


def space_of(piece: Piece) -> Thing | None:
    """The space in which a piece stands, however deep in other pieces."""
    holder: Thing | None = piece
    while isinstance(holder, Piece):
        holder = holder.at
    return holder


def _described(
    option: Any, label: Callable[[Any], str], words: Wording, sight: Visibility, *, placed: bool
) -> tuple[Any, str]:
    """What an option must share with another to be the same line, and that line; `placed` if places tell them apart."""
    if not isinstance(option, Piece):
        return (id(option) if isinstance(option, Thing) else repr(option)), label(sight.masked(option))
    if sight.hides(option):
        hidden = sight.name(option)
        return (hidden.kind, option.at), label(hidden) + (
            words.say(COMMA) + words.say(IN_PLACE, place=words.of(option.at))
            if placed and option.at is not None
            else ""
        )
    stem = words.stem(option)
    key = (option.kind, stem, option.at, tuple(repr(getattr(option, slot)) for slot in option.slots))
    return key, stem + marks_of(option, words, placed=placed)


def _single(decision: Any, position: int, text: str, sight: Visibility, *, placed: bool) -> str:
    option = decision.options[position]
    if not isinstance(option, Piece) or sight.hides(option):
        return text
    return str(decision.label(option)) + marks_of(option, decision.wording, placed=placed)


def marks_of(piece: Piece, words: Wording, *, placed: bool) -> str:
    """What tells a piece from its like: what is special about it, and where it stands."""
    marks = [
        *traits(piece, words),
        *([words.say(IN_PLACE, place=words.of(piece.at))] if placed and piece.at is not None else []),
    ]
    return "".join([words.say(COMMA) + each for each in marks])


def traits(thing: Thing, words: Wording) -> list[str]:
    """The values of a thing that are worth saying: marks that are set, words, numbers other than 0."""
    name = words.of(thing).casefold()
    found = []
    for attribute, slot in zip(thing.attributes, thing.slots, strict=True):
        said = trait(words.attribute(attribute), getattr(thing, slot), words)
        if said and not _in_name(said, name):
            found.append(said)
    return found


def _in_name(said: str, name: str) -> bool:
    return said.casefold() in name or said.rpartition(" ")[2].casefold() in name.split()


def trait(attribute: str, value: Any, words: Wording) -> str:
    """One value in words, empty where there is nothing to say."""
    match value:
        case None | False | 0 | () | "":
            return ""
        case True:
            return attribute
        case Word():
            return words.of(value)
        case _:
            said = words.of(value)
            return said if said.casefold().startswith(attribute.casefold()) else f"{attribute} {said}"


def grouped(pieces: Sequence[Piece], words: Wording) -> list[str]:
    """Pieces that stand together, like ones counted."""
    groups: dict[Any, list[Piece]] = {}
    for each in pieces:
        key = (each.kind, words.stem(each), tuple(repr(getattr(each, slot)) for slot in each.slots))
        groups.setdefault(key, []).append(each)
    return [_group(group, words) for group in groups.values()]


def _group(pieces: Sequence[Piece], words: Wording) -> str:
    first = pieces[0]
    marks = traits(first, words)
    name = f"{len(pieces)} {words.stem(first)}" if len(pieces) > 1 else words.of(first)
    return name + (f" ({', '.join(marks)})" if marks else "")
