"""What comes between an answer of a seat and its next question: chance, another seat, the sight of something hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from interpreter.language.diagnostics import BicorneError
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.lookahead import speculating
from interpreter.play.engine.marks import Mark
from interpreter.play.game import Game
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, SINGLE
from interpreter.play.inputs.value_codec import Stable, encode
from interpreter.play.views.visibility import withheld_from
from interpreter.play.wording import messages
from interpreter.play.wording.message import Message
from interpreter.players.orders.order_plan import declining
from interpreter.players.planning.determinization import Determinizer
from interpreter.world.things import Thing

_SAMPLES: Final = 8
"""How often an answer is tried under other dice."""
_MAX_OTHERS: Final = 40
"""The most questions to others that are tried before the next one to the seat."""
_Question = tuple[str, tuple[Stable, ...], tuple[Stable, ...]]
"""The address of a decision, its options, and the things that it names."""


class Watch:
    """Notices what interferes with a plan of a seat: a die, a random pick, or another seat that does something."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._seen = 0

    def start(self, game: Game, answer: int) -> None:  # noqa: ARG002 - a subclass tries the answer again
        """Begins to watch from the option that is chosen now."""
        self._seen = _visible_inputs(game)

    def interference(self, game: Game) -> Message | None:
        """Returns what has happened since that the seat may know, as a message; none if nothing interfered."""
        return next(self._happened(game), None)

    def _happened(self, game: Game) -> Iterator[Message]:
        sites = game.core.image.sites
        for tag, site, *values in game.inputs.items[self._seen : _visible_inputs(game)]:
            if tag in (DIE, PICK):
                yield messages.DICE_FELL
            elif tag in (ANSWER, SINGLE) and not sites[site].secret:
                answer, seat = values
                if seat != self._seat and answer is not None and answer is not False:
                    yield messages.SOMEBODY_REACTED


class AnswerWatch(Watch):
    """Notices what interferes with answers that a seat gave before their questions came.

    That is also the sight of something that was hidden from the seat. Dice are none if the seat would be asked the
    same, about the same things and with the same options, whatever they showed.
    """

    def __init__(self, seat: str) -> None:
        super().__init__(seat)
        self._answered: tuple[Mark, int] | None = None
        self._withheld: frozenset[str] = frozenset()

    def start(self, game: Game, answer: int) -> None:
        """Begins to watch from the option that is chosen now."""
        super().start(game, answer)
        self._answered = game.mark(), answer
        self._withheld = frozenset() if _is_in_block(game) else withheld_from(game.core, self._seat)

    def interference(self, game: Game) -> Message | None:
        """Returns what has happened since that the seat may know, as a message; none if nothing interfered."""
        happened = set(self._happened(game))
        if messages.SOMEBODY_REACTED in happened:
            return messages.SOMEBODY_REACTED
        if not _is_in_block(game) and not self._withheld <= withheld_from(game.core, self._seat):
            return messages.HIDDEN_SEEN
        return messages.DICE_FELL if happened and not self._was_foreseen(game) else None

    def _was_foreseen(self, game: Game) -> bool:
        """Whether the answer leads to the open question whatever the dice show, as far as the seat can know."""
        decision, since = game.decision, game.inputs.items[self._seen :]
        if decision is None or self._answered is None or any(each[0] == PICK for each in since):
            return False
        mark, answer = self._answered
        asked = _question(decision)
        return all(each == asked for each in _next_questions(game.replayed_to(mark), self._seat, answer))


def _is_in_block(game: Game) -> bool:
    """Whether a block of simultaneous lines is open, in which a seat sees nothing new."""
    return game.core.simultaneous_since is not None


def _next_questions(game: Game, seat: str, answer: int) -> Iterator[_Question | None]:
    """Yields the next question to a seat after an answer under other dice, again and again; none if there is none.

    What is hidden from the seat is sampled, and the others do nothing.
    """
    hidden = Determinizer(game, seat)
    for number in range(_SAMPLES):
        with speculating(game, f"answers {number}"):
            try:
                hidden.sample(game, number)
                game.choose_index(answer)
                yield _next_question(game, seat)
            except BicorneError:  # a sample may be a position that never comes about
                yield None


def _next_question(game: Game, seat: str) -> _Question | None:
    for _ in range(_MAX_OTHERS):
        decision = game.decision
        if decision is None or decision.seat == seat:
            return None if decision is None else _question(decision)
        nothing = declining(decision)
        if nothing is None:
            return None
        game.choose_index(nothing)
    return None


def _question(decision: Decision) -> _Question:
    named = [encode(each) for each in decision.mentioned_values if isinstance(each, Thing)]
    return decision.address, tuple([encode(each) for each in decision.options]), tuple(named)


def _visible_inputs(game: Game) -> int:
    """Returns the number of inputs before a block of simultaneous lines, of which no seat sees anything yet."""
    since = game.core.simultaneous_since
    return len(game.inputs.items) if since is None else since
