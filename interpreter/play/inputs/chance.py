"""Dice, random picks and draws as emitted code calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from interpreter.language.diagnostics import Diagnostic, RuleFault, brief
from interpreter.language.model.image import Site
from interpreter.play.inputs.dice import MAX_FACES, Dice, DiceSource, check_dice, stable_face
from interpreter.play.inputs.inputs import DIE, PICK, REVEAL, Input, Inputs, count_drawn
from interpreter.world.things import Thing

Tracer = Callable[[str, int, Any], None]
Audit = Callable[[Site, Sequence[Any], list[int], Callable[[Dice], list[int]]], None]
"""Receives every replayed roll or pick: its site, the possible values, the recorded positions, and how other dice would
give them."""


class Revealer(Protocol):
    """Keeps what is revealed, and to whom."""

    def reveal(self, what: Any, seats: Any) -> None:
        """Reveals things to seats, or to all (`seats` none)."""


def pile_cards(pile: Any) -> Sequence[Any]:
    """Returns the cards of a pile: the contents of a thing in canonical order, or the collection itself."""
    if isinstance(pile, Thing):
        return sorted([card for slot in pile.holds for card in getattr(pile, slot)], key=lambda card: card.index)
    return pile if isinstance(pile, Sequence) else tuple(pile)


def _empty_pick(site: Site, what: str) -> RuleFault:
    message = f"{what} of an empty collection" if site.kind == "random" else "a draw from an empty pile"
    return RuleFault(Diagnostic("empty-pick", message, site.place, "test first that it is not empty"))


def _positions(site: Site, item: Input, count: int, of: Sequence[Any]) -> list[int]:
    names = [stable_face(each) for each in of]
    faces = item[2:]
    if len(faces) == count and all(face in names for face in faces):
        return [names.index(face) for face in faces]
    raise RuleFault(
        Diagnostic(
            "divergence",
            f"'{site.address}' was recorded as {brief(', '.join(map(str, faces))) or 'nothing'}, "
            f"but is {count} of {len(names)} now",
            site.place,
            "the inputs belong to other rules, another scenario or other options",
        )
    )


def chance_names(source: Any) -> dict[str, object]:
    """Returns the functions of a source of chance by their names in emitted code; a draw is a pick from a pile."""
    return {
        "roll_sum": source.roll_sum,
        "roll_apart": source.roll_apart,
        "random_one": source.random_one,
        "random_some": source.random_some,
        "draw_one": lambda site, pile: source.random_one(site, pile_cards(pile)),
        "draw_some": lambda site, count, pile: source.random_some(site, count, pile_cards(pile)),
    }


class Chance:
    """Dice and random picks of rules; every outcome is recorded, or replayed from the record."""

    core: Revealer
    """Where revealed things are kept."""

    def __init__(self, inputs: Inputs, dice: DiceSource, trace: Tracer | None) -> None:
        self.inputs = inputs
        self.dice = dice
        self.audit: Audit | None = None
        self._trace = trace

    def move_dice(self, dropped: Iterable[Input], fed: Iterable[Input]) -> None:
        """Keeps the seeded dice after the last recorded one, when the game drops inputs and replays others.

        So a roll that was undone shows the same faces again, and recorded dice are always those of the seed, in order.
        """
        if isinstance(self.dice, Dice):
            self.dice.drawn = max(self.dice.drawn + count_drawn(fed) - count_drawn(dropped), 0)

    def names(self) -> dict[str, object]:
        """Returns the functions by their names in emitted code."""
        return {**chance_names(self), "shuffle": self.shuffle, "reveal": self.reveal}

    def roll_sum(self, site: Site, seat: Any, count: int, faces: int) -> int:
        """Returns the sum of dice numbered from 1."""
        inputs = self.inputs
        if count == 1 and faces <= MAX_FACES and self._trace is None and inputs.position == len(inputs.items):
            return self._new_die(site, faces)
        check_dice(site, count, faces)
        numbers = range(1, faces + 1)
        positions = self._rolled(site, count, numbers)
        total = sum(positions) + count
        if self._trace is not None:
            self._trace("roll", site.number, (seat, tuple([numbers[each] for each in positions]), total))
        return total

    def roll_apart(self, site: Site, seat: Any, count: int, faces: Sequence[Any]) -> list[Any]:
        """Returns the faces of dice in the order of the faces, not of the dice: rolls have no order."""
        check_dice(site, count, len(faces))
        positions = self._rolled(site, count, faces)
        if self._trace is not None:
            self._trace("roll", site.number, (seat, tuple([faces[each] for each in positions]), None))
        return [faces[position] for position in sorted(positions)]

    def _new_die(self, site: Site, faces: int) -> int:
        """Rolls a single new die of an untraced game, which is the most frequent roll."""
        face = self.dice.roll(site, 1, range(1, faces + 1))[0] + 1
        self.inputs.append((DIE, site.number, face))
        return face

    def _rolled(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        item = self.inputs.replay(DIE, site)
        if item is not None:
            positions = _positions(site, item, count, faces)
            if self.audit is not None:
                self.audit(site, faces, positions, lambda dice: dice.roll(site, count, faces))
            return positions
        positions = self.dice.roll(site, count, faces)
        self.inputs.append((DIE, site.number, *[stable_face(faces[each]) for each in positions]))
        return positions

    def random_one(self, site: Site, of: Sequence[Any]) -> Any:
        """Returns a random item of a collection."""
        if not of:
            raise _empty_pick(site, "a random one")
        return of[self._picked(site, 1, of)[0]]

    def random_some(self, site: Site, count: int, of: Sequence[Any]) -> list[Any]:
        """Returns `count` random items of a collection, in its order; all of them if there are fewer."""
        return [of[each] for each in sorted(self._picked(site, max(count, 0), of))]

    def _picked(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        item = self.inputs.replay(PICK, site)
        if item is None:
            positions = self.dice.pick(site, count, of)
            self.inputs.append((PICK, site.number, *[stable_face(of[each]) for each in positions]))
        else:
            positions = _positions(site, item, min(count, len(of)), of)
            if self.audit is not None:
                self.audit(site, of, positions, lambda dice: dice.pick(site, count, of))
        if self._trace is not None:
            self._trace("random", site.number, tuple([of[each] for each in positions]))
        return positions

    def shuffle(self, site: Site, pile: Any) -> None:
        """Traces a shuffle: piles have no order, because each draw is a random pick."""
        if self._trace is not None:
            self._trace("shuffle", site.number, pile)

    def reveal(self, site: Site, what: Any, seats: Any) -> None:
        """Reveals things to seats, or to all (`seats` none).

        It is no input if all can see that nothing is revealed; with seats, the others may not know that.
        """
        shows = hasattr(what, "ref") or any(what)
        if (shows or seats is not None) and self.inputs.replay(REVEAL, site) is None:
            self.inputs.append((REVEAL, site.number))
        self.core.reveal(what, seats)
        if self._trace is not None:
            self._trace("reveal", site.number, (what, seats))


class BulkChance:
    """The same outcomes from the same stream, neither recorded nor traced; for bulk play."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice

    def names(self) -> dict[str, object]:
        """Returns the functions by their names in emitted code."""
        return chance_names(self)

    def roll_sum(self, site: Site, seat: Any, count: int, faces: int) -> int:  # noqa: ARG002 - as emitted code calls it
        """Returns the sum of dice numbered from 1."""
        if count == 1 and faces <= MAX_FACES:
            return self.dice.below(faces) + 1
        check_dice(site, count, faces)
        below, total = self.dice.below, count
        for _ in range(count):
            total += below(faces)
        return total

    def roll_apart(self, site: Site, seat: Any, count: int, faces: Sequence[Any]) -> list[Any]:  # noqa: ARG002
        """Returns the faces of dice in the order of the faces."""
        check_dice(site, count, len(faces))
        return [faces[position] for position in sorted(self.dice.roll(site, count, faces))]

    def random_one(self, site: Site, of: Sequence[Any]) -> Any:
        """Returns a random item of a collection."""
        if not of:
            raise _empty_pick(site, "a random one")
        return of[self.dice.pick(site, 1, of)[0]]

    def random_some(self, site: Site, count: int, of: Sequence[Any]) -> list[Any]:
        """Returns `count` random items of a collection, in its order."""
        return [of[each] for each in sorted(self.dice.pick(site, max(count, 0), of))]
