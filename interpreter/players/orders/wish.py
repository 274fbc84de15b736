"""Wishes: what the end of an order names, and the options that fulfil it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.play.engine.decision import Decision
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import Stable, encode, short_name
from interpreter.play.views.thing_names import ThingNames
from interpreter.play.views.visibility import Visibility, seat_by_id
from interpreter.world.things import Piece, Space, Thing


@dataclass(frozen=True, slots=True)
class Wish:
    """A text and the things that it means: by full name, the distance from the thing that is named itself.

    A named piece is at distance 0; what holds it is further away, so that an order to march to a piece leads to its
    place.
    """

    text: str
    things: dict[str, int]

    @property
    def is_known(self) -> bool:
        """Whether the text names anything that the seat can see."""
        return bool(self.things)

    def distance(self, decision: Decision, option: Any) -> int | None:
        """Returns how closely an option fulfils the wish, 0 for what is named itself; none if it does not."""
        if isinstance(option, Thing):
            return self.things.get(option.ref)
        if option is None:
            return None
        known = (short_name(option).casefold(), decision.label(option).casefold())
        return 0 if any(name.startswith(self.text) for name in known) else None


def wish_of(game: Game, seat: str, text: str) -> Wish:
    """Returns the wish that a text expresses to a seat, which knows no hidden thing by its name."""
    game.core.begin_query()
    visibility = Visibility(game.core, seat_by_id(game.core, seat))
    things: dict[str, int] = {}
    for each in ThingNames(game, visibility).named(text):
        holder: Any = each
        distance = 0
        while holder is not None:
            things[holder.ref] = min(distance, things.get(holder.ref, distance))
            holder = holder.at if isinstance(holder, Piece) else None
            distance += 1
    return Wish(text.casefold(), things)


def has_to_start(game: Game, start: str) -> bool:
    """Whether an order has still to choose where it begins: it says where, and what is asked about is not there."""
    decision = game.decision
    if not start or decision is None:
        return False
    holders: list[Any] = list(decision.mentioned_values)
    wish = wish_of(game, decision.seat, start)
    while holders:
        if any(isinstance(each, Thing) and each.ref in wish.things for each in holders):
            return False
        holders = [each.at for each in holders if isinstance(each, Piece)]
    return True


def distances_from(game: Game, wish: Wish) -> dict[Stable, int]:
    """Returns how many spaces away from what is named each space is, by its stable value."""
    ring: list[Space] = [
        each for each in game.core.world.objects if isinstance(each, Space) and each.ref in wish.things
    ]
    found = dict.fromkeys(map(encode, ring), 0)
    while ring:
        around = {encode(near): near for each in ring for near in each.neighbours}
        depth = 1 + max(found.values())
        ring = [near for key, near in around.items() if key not in found]
        found |= dict.fromkeys(map(encode, ring), depth)
    return found
