"""Where on a map to look: at a named place or thing, or at what the decision is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.console.name_lookup import resolve_name
from interpreter.language.model.emitted_names import LOCAL, SLOT
from interpreter.play.game import Game
from interpreter.play.views.seat_data import is_secret_from
from interpreter.play.views.visibility import Visibility
from interpreter.world.things import Piece, Space, Thing

_MAX_OPTIONS = 200


class MapFocus:
    """Finds spaces on a map; `positions` gives the place of each on it, as column and row."""

    def __init__(self, game: Game, visibility: Visibility, positions: Mapping[Space, tuple[int, int]]) -> None:
        self._game = game
        self._visibility = visibility
        self._positions = positions

    def named(self, name: str) -> Space:
        """Returns the space with this id or name, or the space of the thing with this id or name.

        Raises:
            UsageError: if nothing on the map has this name, or several things do.
        """
        words, known = self._game.source.wording, dict[str, Space]()
        for thing in self._game.core.world.objects:
            if not self._visibility.hides(thing) and (space := self.space_of(thing)) is not None:
                known.setdefault(thing.id.casefold(), space)
                known.setdefault(words.of(thing).casefold(), space)
        return resolve_name(name, known, words)

    def current(self, named: Sequence[str], extent: tuple[int, int]) -> Space | None:
        """Returns the space in the middle of what the decision is about; none if there is no such space.

        That is the first of these with spaces on the map, none of them farther apart than `extent`: the state values
        `named`, the arguments of the menu, the subject of the question, the options.
        """
        for things in self._candidates(named):
            spaces = [space for each in things if (space := self.space_of(each)) is not None]
            if spaces:
                return self.middle(spaces, extent)
        return None

    def space_of(self, thing: Any) -> Space | None:
        """Returns the space of a thing on the map: where it is, or a space among its values."""
        if not isinstance(thing, Thing) or self._visibility.hides(thing):
            return None
        holder: Any = thing
        while isinstance(holder, Piece):
            holder = holder.at
        if isinstance(holder, Space) and holder in self._positions:
            return holder
        if isinstance(thing, Piece | Space) or self._visibility.mask(thing) is not None:
            return None
        values = [getattr(thing, slot) for slot in thing.slots]
        return next((each for each in values if isinstance(each, Space) and each in self._positions), None)

    def _candidates(self, named: Sequence[str]) -> Iterator[Iterable[Any]]:
        state = self._game.core.world.state
        yield [getattr(state, SLOT(each), None) for each in named]
        if self._visibility.seat is not None and is_secret_from(self._game, self._visibility.seat):
            return
        yield _bound_variables(self._game)
        decision = self._game.decision
        if decision is not None:
            yield decision.mentioned_values
            yield [*decision.options[:_MAX_OPTIONS], *(decision.chosen or ())]

    def middle(self, spaces: Sequence[Space], extent: tuple[int, int]) -> Space | None:
        """Returns the space nearest to the middle of all; none if there are none, or they lie farther apart."""
        if not spaces:
            return None
        columns, rows = (sorted(self._positions[each][axis] for each in spaces) for axis in (0, 1))
        if columns[-1] - columns[0] > extent[0] or rows[-1] - rows[0] > extent[1]:
            return None
        column, row = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
        return min(
            spaces, key=lambda each: abs(self._positions[each][0] - column) + abs(self._positions[each][1] - row)
        )


def _bound_variables(game: Game) -> list[Any]:
    """Returns the values bound in the rule that asks: the arguments of a menu, the variables of a procedure."""
    asking = next(reversed(list(game.asking_rules)), None)
    bound = asking.gi_frame.f_locals if asking is not None and asking.gi_frame is not None else {}
    return [value for name, value in bound.items() if LOCAL.owns(name)]
