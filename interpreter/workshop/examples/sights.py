"""Compares what seats know at the end of an example with its claims under `sees`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from interpreter.language.diagnostics import Diagnostic, did_you_mean
from interpreter.play.game import Game
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.rules.documents.nodes import Scalar
from interpreter.rules.linking.examples import Example, SeatSight
from interpreter.world.things import Piece, Thing

ONLOOKER: Final = "nobody"
"""The name of an onlooker in place of a seat."""


def wrong_sights(example: Example, game: Game) -> Iterator[Diagnostic]:
    """Yields the claims about what seats know that are false, or that name nothing."""
    seats = [each.id for each in game.core.seats]
    for each in example.sees:
        if each.seat not in (ONLOOKER, *seats):
            message = f"there is no seat '{each.seat}'"
            yield Diagnostic("unknown-name", message, each.place, did_you_mean(each.seat, seats))
            continue
        seat = None if each.seat == ONLOOKER else seat_by_id(game.core, each.seat)
        with game.unlogged():
            found = list(_SightClaims(game, each, Visibility(game.core, seat)).mistakes())
        yield from found


class _SightClaims:
    """The claims about one seat."""

    def __init__(self, game: Game, sight: SeatSight, visibility: Visibility) -> None:
        self._things = {name: each for each in game.core.world.objects for name in (each.id, each.ref)}
        self._sight, self._visibility = sight, visibility

    def mistakes(self) -> Iterator[Diagnostic]:
        """Yields the false claims and the unknown names."""
        for node in self._sight.knows:
            if (thing := self._things.get(node.text)) is None:
                yield self._unknown(node.text, node)
            elif self._hides(thing):
                yield Diagnostic("not-seen", f"{self._sight.seat} does not see all of '{node.text}'", node.place)
        for node in self._sight.hidden:
            if (thing := self._things.get(node.text)) is None:
                yield self._unknown(node.text, node)
            elif not self._hides(thing):
                yield Diagnostic(
                    "not-hidden", f"nothing of '{node.text}' is hidden from {self._sight.seat}", node.place
                )
        for name, attributes in self._sight.shows.items():
            yield from self._wrong_values(name, {each.text for each in attributes})

    def _wrong_values(self, name: str, wanted: set[str]) -> Iterator[Diagnostic]:
        thing = self._things.get(name)
        if thing is None:
            yield Diagnostic("unknown-name", f"there is no thing '{name}'", self._sight.place, self._near(name))
            return
        seen = set(self._visibility.seen_values(thing)) if self._hides(thing) else set(thing.attributes)
        if seen != wanted:
            shown = ", ".join(sorted(seen)) or "nothing"
            message = f"{self._sight.seat} sees of '{name}': {shown}"
            yield Diagnostic("wrong-sight", message, self._sight.place, "the example says " + ", ".join(sorted(wanted)))

    def _hides(self, thing: Thing) -> bool:
        return self._visibility.mask(thing) is not None or (isinstance(thing, Piece) and self._visibility.hides(thing))

    def _unknown(self, name: str, node: Scalar) -> Diagnostic:
        return Diagnostic("unknown-name", f"there is no thing '{name}'", node.place, self._near(name))

    def _near(self, name: str) -> str | None:
        return did_you_mean(name, self._things)
