"""Dice, random picks and draws as emitted code calls them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.language.model.image import Site
from interpreter.play.inputs.dice import MOST_FACES, Dice, DiceSource, check_dice, stable_face
from interpreter.play.inputs.inputs import DIE, PICK, SHOWN, Inputs, Record
from interpreter.world.things import Thing

Tracer = Callable[[str, int, Any], None]
Revealer = Callable[[Any, Any], None]


def pile_cards(pile: Any) -> Sequence[Any]:
    """What lies in a pile: the contents of a thing in canonical order, or the collection itself."""
    if isinstance(pile, Thing):
        return sorted([card for slot in pile.holds for card in getattr(pile, slot)], key=lambda card: card.index)
    return pile if isinstance(pile, Sequence) else tuple(pile)


def _nothing(site: Site, what: str) -> RuleFault:
    message = f"{what} of nothing" if site.kind == "random" else "a draw where nothing is left"
    return RuleFault(Diagnostic("empty-pick", message, site.place, "test first that there is something"))


def _positions(site: Site, record: Record, count: int, of: Sequence[Any]) -> list[int]:
    names = [stable_face(each) for each in of]
    faces = record[2:]
    if len(faces) == count and all(face in names for face in faces):
        return [names.index(face) for face in faces]
    raise RuleFault(
        Diagnostic(
            "divergence",
            f"'{site.address}' came up as {', '.join(map(str, faces)) or 'nothing'} when it was recorded, "
            f"and is {count} of {len(names)} now",
            site.place,
            "the inputs belong to other rules, another scenario or other options",
        )
    )


def chance_names(source: Any) -> dict[str, object]:
    """The rolls and picks of a source of chance by the names of emitted code; a draw is a pick of what a pile holds."""
    return {
        "roll_sum": source.roll_sum,
        "roll_apart": source.roll_apart,
        "random_one": source.random_one,
        "random_some": source.random_some,
        "draw_one": lambda site, pile: source.random_one(site, pile_cards(pile)),
        "draw_some": lambda site, count, pile: source.random_some(site, count, pile_cards(pile)),
    }


class Chance:
    """The ways in which chance enters rules; every outcome is recorded, or fed from what was recorded."""

    def __init__(self, inputs: Inputs, dice: DiceSource, revealed: Revealer, trace: Tracer | None) -> None:
        self.inputs = inputs
        self.dice = dice
        self._revealed = revealed
        self._trace = trace

    def names(self) -> dict[str, object]:
        """The functions by the names under which emitted code calls them."""
        return {**chance_names(self), "shuffle": self.shuffle, "reveal": self.reveal}

    def roll_sum(self, site: Site, seat: Any, count: int, faces: int) -> int:
        """The sum of dice numbered from 1."""
        inputs = self.inputs
        if count == 1 and faces <= MOST_FACES and self._trace is None and inputs.position == len(inputs.records):
            return self._one(site, faces)
        check_dice(site, count, faces)
        numbers = range(1, faces + 1)
        positions = self._rolled(site, count, numbers)
        total = sum(positions) + count
        if self._trace is not None:
            self._trace("roll", site.number, (seat, tuple([numbers[each] for each in positions]), total))
        return total

    def roll_apart(self, site: Site, seat: Any, count: int, faces: Sequence[Any]) -> list[Any]:
        """The faces of dice, in the order of the faces and not of the dice: rolls have no order."""
        check_dice(site, count, len(faces))
        positions = self._rolled(site, count, faces)
        if self._trace is not None:
            self._trace("roll", site.number, (seat, tuple([faces[each] for each in positions]), None))
        return [faces[position] for position in sorted(positions)]

    def _one(self, site: Site, faces: int) -> int:
        """One numbered die of a game that lives and tells nothing: what most rolls are."""
        face = self.dice.roll(site, 1, range(1, faces + 1))[0] + 1
        self.inputs.live((DIE, site.number, face))
        return face

    def _rolled(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        record = self.inputs.feed(DIE, site)
        if record is not None:
            return _positions(site, record, count, faces)
        positions = self.dice.roll(site, count, faces)
        self.inputs.live((DIE, site.number, *[stable_face(faces[each]) for each in positions]))
        return positions

    def random_one(self, site: Site, of: Sequence[Any]) -> Any:
        """One of a collection."""
        if not of:
            raise _nothing(site, "a random one")
        return of[self._picked(site, 1, of)[0]]

    def random_some(self, site: Site, count: int, of: Sequence[Any]) -> list[Any]:
        """Some of a collection, in its order; all of it if there are not so many."""
        return [of[each] for each in sorted(self._picked(site, max(count, 0), of))]

    def _picked(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        record = self.inputs.feed(PICK, site)
        if record is None:
            positions = self.dice.pick(site, count, of)
            self.inputs.live((PICK, site.number, *[stable_face(of[each]) for each in positions]))
        else:
            positions = _positions(site, record, min(count, len(of)), of)
        if self._trace is not None:
            self._trace("random", site.number, tuple([of[each] for each in positions]))
        return positions

    def shuffle(self, site: Site, pile: Any) -> None:
        """Notes that a pile was shuffled: piles have no order, each draw is a random pick."""
        if self._trace is not None:
            self._trace("shuffle", site.number, pile)

    def reveal(self, site: Site, what: Any, seats: Any) -> None:
        """Shows things to seats, or to all (`seats` none)."""
        if self.inputs.feed(SHOWN, site) is None:
            self.inputs.live((SHOWN, site.number))
        self._revealed(what, seats)
        if self._trace is not None:
            self._trace("reveal", site.number, (what, seats))


class BulkChance:
    """The same outcomes from the same stream, neither recorded nor traced; for many games in a row."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice

    def names(self) -> dict[str, object]:
        """The functions by the names under which emitted code calls them."""
        return chance_names(self)

    def roll_sum(self, site: Site, seat: Any, count: int, faces: int) -> int:  # noqa: ARG002 - as emitted code calls it
        """The sum of dice numbered from 1."""
        if count == 1 and faces <= MOST_FACES:
            return self.dice.below(faces) + 1
        check_dice(site, count, faces)
        below, total = self.dice.below, count
        for _ in range(count):
            total += below(faces)
        return total

    def roll_apart(self, site: Site, seat: Any, count: int, faces: Sequence[Any]) -> list[Any]:  # noqa: ARG002
        """The faces of dice, in the order of the faces."""
        check_dice(site, count, len(faces))
        return [faces[position] for position in sorted(self.dice.roll(site, count, faces))]

    def random_one(self, site: Site, of: Sequence[Any]) -> Any:
        """One of a collection."""
        if not of:
            raise _nothing(site, "a random one")
        return of[self.dice.pick(site, 1, of)[0]]

    def random_some(self, site: Site, count: int, of: Sequence[Any]) -> list[Any]:
        """Some of a collection, in its order."""
        return [of[each] for each in sorted(self.dice.pick(site, max(count, 0), of))]
