"""Samples of answers that a seat does not know: secret ones that a running step still holds, and simultaneous ones.

The step is played again from its start in a sampled world, with other answers of the other seats, and with everything
that the seat has seen as it was. A sample is one of the worlds in which the seat sees the same now. In a block of
simultaneous lines the seat has seen nothing since it began: all other seats answer in it from what they have in the
sampled world.

An answer may be secret because its options are, and still show in its effect: a piece is chosen from secret ones, and
placed openly. Such answers are found after the first failures, and kept: sampled at random they would hardly ever give
what was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar, cast

from interpreter.language.diagnostics import BicorneError
from interpreter.language.model.image import Site
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER, PICK, SINGLE, Input, is_answer_of
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.play.views.picture import picture_of
from interpreter.world.things import Piece, Thing

Draw = Callable[[], float]
AnyThing = TypeVar("AnyThing", bound=Thing)
Groups = Callable[[Game, str], list[list[Piece]]]
NO_PIECES: Final[Mapping[Piece, Piece]] = MappingProxyType({})
MAX_TRIES = 48
"""The number of worlds that are tried for one sample.

If none of them fits, the hidden pieces stay where they are; if still none does, the seat is taken to know the answers.
"""
MAX_TRIES_UNSIFTED = 2
"""The number of worlds that are tried before the answers that have shown are sought."""
MAX_OTHER_ANSWERS = 8
"""The number of worlds with another answer of which one must look the same, or the seat is taken to know the answer."""


class ShownAnswers:
    """The secret answers of other seats that have shown in their effects; a seat does not forget them."""

    def __init__(self) -> None:
        self._records: list[Input] = []

    def __contains__(self, record: Input) -> bool:
        return any(each is record for each in self._records)

    def add(self, record: Input) -> None:
        """Adds the record of an answer."""
        self._records.append(record)

    def keep_only(self, records: Sequence[Input]) -> None:
        """Forgets all but these: answers of steps that are over, or that were undone."""
        present = set(map(id, records))
        self._records = [each for each in self._records if id(each) in present]


class HeldSample(NamedTuple):
    """A course of a step that a seat cannot distinguish from the true one."""

    step: int
    """The position of the step among those of the game."""
    holders: tuple[tuple[Piece, Thing | None], ...]
    """The pieces that were moved at the start of the step, each with its holder."""
    records: tuple[Input, ...]

    def play(self, game: Game) -> None:
        """Plays the course again."""
        _play_step(game, self.step, self.records, lambda: _place(game, self.holders))


class HeldAnswers:
    """The unknown answers of other seats in the step under way of a game, from one decision of a seat on.

    Answers to menus before a block are not among them: what an action does is in the state, or in the answers to its
    picks. `groups` lists the pieces that a seat cannot distinguish.
    """

    def __init__(self, game: Game, seat: str, groups: Groups, shown: ShownAnswers) -> None:
        self._seat, self._groups = seat, groups
        self._steps, self._start = len(game.steps), game.steps[-1].inputs
        records, self._block = game.inputs.items, game.core.simultaneous_since
        self._records = records[self._start : self._block]
        self._own = [each[2] for each in records[self._start + len(self._records) :] if is_answer_of(each, seat)]
        """The answers of the seat in the block."""
        self._true_records = records[self._start :]
        shown.keep_only(self._records)
        self._shown, self._is_sifted = shown, self._block is not None
        secret = [number for number, each in enumerate(self._records) if _is_held(game, each, seat)]
        self._leave_out([number for number in secret if self._records[number] not in shown])
        self._now: list[list[Piece]] = []
        self._before: list[tuple[list[Piece], list[Thing | None]]] = []
        """The pieces that look the same at the start of the step and now, with their holders at the start."""
        if self:
            self._asked, self._seen = _what_is_asked(game), picture_of(game, seat)
            visible, objects = game.before_simultaneous() or game, game.core.world.objects
            found = groups(visible, seat)
            self._now = [[cast(Piece, objects[each.index]) for each in group] for group in found]
            self._holders = {objects[each.index]: _number(each.at) for group in found for each in group}
            self._note_start(game)

    def __bool__(self) -> bool:
        """Whether the seat may not know an answer."""
        return bool(self._held) or self._block is not None

    def _leave_out(self, held: list[int]) -> None:
        """Takes the answers with these numbers among the records of the step for unknown."""
        self._held = held
        self._known = [each for number, each in enumerate(self._records) if number not in set(held)]
        """The records without the unknown answers."""
        self._gaps = frozenset([self._start + number - before for before, number in enumerate(held)])
        """The positions among the inputs where answers are unknown, if these are left out."""

    def _sift(self, game: Game) -> None:
        """Leaves out only those answers without which the seat could see the same; later ones come first.

        Answers in a block have not shown, and with them a step cannot be compared.
        """
        self._is_sifted = True
        draw = Random(self._start).random  # noqa: S311 - a guess, not a secret
        secret, hidden = self._held, list[int]()
        for number in reversed(secret):
            self._leave_out([number, *hidden])
            with speculating(game, 0):
                is_hidden = any(
                    self._played(game, draw, unlike=(self._records[number][2],)) for _ in range(MAX_OTHER_ANSWERS)
                )
            if is_hidden:
                hidden.insert(0, number)
            else:
                self._shown.add(self._records[number])
        self._leave_out(hidden)
        self._note_start(game)

    def _note_start(self, game: Game) -> None:
        self._before.clear()
        with speculating(game, 0):
            _play_step(game, self._steps - 1, [], lambda: self._note_holders(game))

    def _note_holders(self, game: Game) -> None:
        for earlier in self._groups(game, self._seat):
            for group in self._now:
                if len(pieces := [each for each in group if each in earlier]) > 1:
                    pieces.sort(key=lambda each: (_number(each.at), self._holders[each], self._occurrences(each)))
                    self._before.append((pieces, [each.at for each in pieces]))

    def _occurrences(self, piece: Piece) -> list[int]:
        """Returns the positions of the inputs that name a piece, but for those that are sampled."""
        return [at for at, each in enumerate(self._records) if at not in self._held and _names(each, piece)]

    def sample(self, game: Game, draw: Draw) -> HeldSample | None:
        """Plays the step again in a world that looks the same to the seat; returns the course, if one is found.

        If not, the game is where it was, and this is not tried again.
        """
        for tries in range(MAX_TRIES if self else 0):
            if tries == MAX_TRIES_UNSIFTED and not self._is_sifted:
                self._return(game)
                self._sift(game)
                return self.sample(game, draw)
            if (found := self._played(game, draw, self._permutation(draw))) is not None:
                return found
        if self:
            self._return(game)
            if self._before:
                self._before = []
                return self.sample(game, draw)
            self._held, self._block = [], None
        return None

    def _return(self, game: Game) -> None:
        """Returns to the decision itself."""
        game.go_back(self._steps - 1, self._start, self._true_records)

    def _permutation(self, draw: Draw) -> dict[Piece, Piece]:
        """Draws for each hidden piece the one that takes its part; independent of who has it in truth."""
        found: dict[Piece, Piece] = {}
        for pieces, _ in self._before:
            others = shuffled(pieces, draw)
            found.update(zip(pieces, others, strict=True))
        return found

    def _played(
        self, game: Game, draw: Draw, permuted: Mapping[Piece, Piece] = NO_PIECES, unlike: tuple[Stable, ...] = ()
    ) -> HeldSample | None:
        """Plays the step again with other pieces in the places of some, and with other answers.

        The first unknown answer is none of `unlike` if there is another. Returns the course if the seat sees the same.
        """
        names = {encode(one): encode(other) for one, other in permuted.items()}
        moved = [
            (permuted[piece], holder)
            for pieces, at in (self._before if permuted else ())
            for piece, holder in zip(pieces, at, strict=True)
        ]
        records = [_renamed(each, names) for each in self._known]
        course = HeldSample(self._steps - 1, tuple(moved), tuple(records))
        answers = _NewAnswers(self._seat, self._gaps, draw, unlike)
        answers.game = game
        verified, observers = game.verified, game.observers
        game.verified, game.observers = True, (*observers, answers)
        try:
            course.play(game)
            end = self._start + len(course.records) + answers.given
            if not (self._looks_the_same(game, end) if self._block is None else self._block_played(game, end, draw)):
                return None
        except BicorneError:  # the records do not fit this world
            return None
        finally:
            game.verified, game.observers = verified, observers
        return course._replace(records=tuple(game.inputs.items[self._start :]))

    def _looks_the_same(self, game: Game, end: int) -> bool:
        """Whether the game is after this number of inputs, and the seat is asked and sees the same as in truth."""
        return (
            game.inputs.position == end
            and len(game.steps) == self._steps
            and _what_is_asked(game) == self._asked
            and picture_of(game, self._seat, self._seen).shows_the_same_as(self._seen)
        )

    def _block_played(self, game: Game, since: int, draw: Draw) -> bool:
        """Plays a block that begins here up to the seat's next question; returns whether it does begin here.

        If the block never asks the seat again, the game is left at the end of the block.
        """
        if game.core.simultaneous_since != since:
            return False
        own = list(self._own)
        while (decision := game.decision) is not None and game.core.simultaneous_since is not None:
            if decision.seat != self._seat:
                game.choose_index(int(draw() * len(decision.options)))
            elif own:
                game.choose(own.pop(0))
            else:
                break
        return True


class _NewAnswers(Observer):
    """Answers the secret questions of other seats at random where their true answers are left out of a replay."""

    def __init__(self, seat: str, gaps: frozenset[int], draw: Draw, unlike: tuple[Stable, ...]) -> None:
        self._seat, self._gaps, self._draw, self._unlike = seat, gaps, draw, unlike
        self.given = 0

    def on_ask(self, ask: Any) -> None:
        site, seat, source, _, _ = ask
        game, inputs = self.game, self.game.inputs
        if inputs.position - self.given not in self._gaps or not _is_secret_of_another(site, seat.id, self._seat):
            return
        options = [encode(each) for each in (source() if callable(source) else source)]
        if options and game.core.simultaneous_since is None:
            others = [each for each in options if self.given or each not in self._unlike] or options
            answer = others[int(self._draw() * len(others))]
            inputs.items.insert(inputs.position, (ANSWER, site.number, answer, seat.id))
            self.given += 1


def shuffled(things: Sequence[AnyThing], draw: Draw) -> list[AnyThing]:
    """Shuffles things into an order that does not depend on the one that they come in."""
    found = sorted(things, key=lambda each: each.index)
    for last in range(len(found) - 1, 0, -1):
        other = int(draw() * (last + 1))
        found[last], found[other] = found[other], found[last]
    return found


def _number(thing: Thing | None) -> int:
    return -1 if thing is None else thing.index


def _place(game: Game, holders: Iterable[tuple[Piece, Thing | None]]) -> None:
    for piece, holder in holders:
        game.core.world.place(piece, holder)


def _play_step(game: Game, step: int, records: Sequence[Input], change: Callable[[], object]) -> None:
    """Plays a step again with these inputs, in a state that is changed before; the next return undoes the change."""
    mark, world = game.steps[step], game.core.world
    world.rollback(mark.journal)
    change()
    game.steps[step] = mark._replace(journal=len(world.journal))
    try:
        game.go_back(step, mark.inputs, records)
    finally:
        game.steps[step] = mark


def _is_held(game: Game, item: Input, seat: str) -> bool:
    return item[0] in (ANSWER, SINGLE) and _is_secret_of_another(game.core.image.sites[item[1]], item[3], seat)


def _is_secret_of_another(site: Site, asked: str, seat: str) -> bool:
    return asked != seat and site.secret and site.kind != "menu"


def _what_is_asked(game: Game) -> tuple[Any, ...]:
    decision = game.decision
    if decision is None:
        return ()
    return decision.site.number, decision.seat, tuple([encode(each) for each in decision.options])


def _renamed(item: Input, names: dict[Stable, Stable]) -> Input:
    """Returns an input with other pieces in the places of those that take their part; picks name them by id."""
    if item[0] == PICK:
        ids = {one[1]: other[1] for one, other in names.items() if isinstance(one, tuple) and isinstance(other, tuple)}
        return (*item[:2], *[ids.get(each, each) for each in item[2:]])
    return tuple([_substituted(each, names) for each in item])


def _substituted(value: Any, names: dict[Stable, Stable]) -> Any:
    if not isinstance(value, tuple):
        return value
    return names[value] if value in names else tuple([_substituted(each, names) for each in value])


def _names(item: Input, piece: Piece) -> bool:
    name = encode(piece)
    return _renamed(item, {name: ("", "")}) != item
