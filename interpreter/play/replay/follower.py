"""A game that follows the transcript of a recorded one under other rules, up to the first divergence.

The game is played live. The dice show the recorded faces under the same label. Each decision gets the recorded answer,
found among the options by its stable form. The games diverge at the first difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from interpreter.language.diagnostics import Diagnostic, RuleFault
from interpreter.language.model.image import Site
from interpreter.play.engine.decision import Decision
from interpreter.play.engine.engine import Observer
from interpreter.play.engine.outcome import Result
from interpreter.play.engine.sequencer import Frame
from interpreter.play.engine.turn_counter import TurnCounter
from interpreter.play.inputs.dice import stable_face
from interpreter.play.inputs.inputs import ANSWER, DIE, PICK, SINGLE, Input
from interpreter.play.inputs.value_codec import encode
from interpreter.play.records.recording import RecordedGame
from interpreter.play.replay.divergence import Describer, Diverged, Divergence
from interpreter.play.replay.state_diff import (
    Values,
    Vocabulary,
    changes_since,
    differing,
    differing_starts,
    values_at_start,
    values_before,
)
from interpreter.play.replay.transcript import Transcript, TranscriptInput, TranscriptStep
from interpreter.play.wording import divergence_messages as said

_ANSWERS: Final = (ANSWER, SINGLE)


class ChangedOptions(NamedTuple):
    """A decision with different options that still contain the recorded answer."""

    turn: int
    step: int
    path: str
    address: str
    was: tuple[Any, ...]
    now: tuple[Any, ...]


class TranscriptDice:
    """Dice that show the recorded faces."""

    def __init__(self, game: Follower) -> None:
        self._game = game

    def roll(self, site: Site, count: int, faces: Sequence[Any]) -> list[int]:
        """Returns the positions of the recorded faces."""
        names = tuple([stable_face(each) for each in faces])
        then = self._game.expected(DIE, site.address, site)
        is_possible = len(then.values) == count and all(each in names for each in then.values)
        if not is_possible or then.possible not in (None, names):
            text = self._game.describer
            faces = ", ".join(map(str, then.values)) or text.say(said.NOTHING)
            was = text.say(said.SHOWED, dice=text.dice(len(then.values), then.possible), faces=faces)
            raise self._game.diverged("dice", was, text.dice(count, names), site)
        self._game.possible = names
        return [names.index(each) for each in then.values]

    def pick(self, site: Site, count: int, of: Sequence[Any]) -> list[int]:
        """Returns the positions of the recorded picks."""
        names = tuple([stable_face(each) for each in of])
        then = self._game.expected(PICK, site.address, site)
        if len(then.values) != min(count, len(of)) or not all(each in names for each in then.values):
            text = self._game.describer
            now = text.say(said.COUNT_OF, count=min(count, len(of)), values=text.values(names))
            raise self._game.diverged("pick", text.values(then.values), now, site)
        self._game.possible = names
        return [names.index(each) for each in then.values]


class Follower(RecordedGame, Observer):
    """A game under the rules of `source` that follows a transcript, and observes itself to compare the two.

    `by_digest` compares states by their digests, for the rules of the record itself. `divergence` is the point where
    the game leaves the transcript, if it does. `changed_options` are the decisions with different options.
    """

    def __init__(
        self,
        source: Any,
        transcript: Transcript,
        seed: int | str,
        *,
        by_digest: bool = False,
        observers: tuple[Observer, ...] = (),
        **more: Any,
    ) -> None:
        self.transcript = transcript
        self.divergence: Divergence | None = None
        self.changed_options: list[ChangedOptions] = []
        self._answered_at: int = 0
        """The number of inputs before the last answered decision."""
        self.possible: tuple[Any, ...] | None = None
        """The possible values of the next input."""
        self._by_digest = by_digest
        self._own_inputs: list[TranscriptInput] = []
        self._own_steps: list[TranscriptStep] = []
        self._start: Values = {}
        self._turns: TurnCounter | None = None
        self._turn = 0
        # the changes of steps are compared instead: digests would take time and show less
        more["hashed"] = transcript.vocabulary is None
        super().__init__(source, seed, dice=TranscriptDice(self), observers=(self, *observers), **more)
        self._follow()

    @property
    def describer(self) -> Describer:
        """The describer of values of both games."""
        return Describer(self.core, self.source.wording)

    def own_transcript(self) -> Transcript:
        """Returns the transcript of this game, with the values and vocabulary of its rules."""
        result = None if self.result is None else (self.result.winners, self.result.reason)
        last_changes = changes_since(self.core, self.steps[-1].journal) if self.steps and result is None else {}
        return Transcript(
            self._own_inputs,
            self._own_steps,
            result,
            self._start,
            Vocabulary.of(self.core),
            self.step_path,
            last_changes,
        )

    @property
    def inputs_before_last_decision(self) -> int:
        """The number of inputs before the last decision of the transcript that this game reached."""
        return self.inputs.position if self.divergence is None or self.decision is not None else self._answered_at

    # ------------------------------------------------------------ following
    def _follow(self) -> None:
        """Gives the recorded answers up to the end of the transcript or to the divergence."""
        while (
            self.decision is not None and self.divergence is None and self.inputs.position < len(self.transcript.inputs)
        ):
            try:
                index = self._answer(self.decision)
            except Diverged as diverged:
                self.divergence = diverged.divergence
                return
            self.choose_index(index)
        if self.divergence is None:
            self._compare_ends()

    def _answer(self, decision: Decision) -> int:
        """Returns the position of the recorded answer among the options."""
        then = self.expected(ANSWER, decision.address, decision.site)
        options = tuple([encode(each) for each in decision.options])
        text = self.describer
        if then.seat != decision.seat:
            was = text.say(said.WHO_DECIDED, who=text.seat(then.seat))
            raise self.diverged("question", was, text.say(said.DECIDES, who=text.seat(decision.seat)), decision.site)
        if then.values[0] not in options:
            now = text.say(said.OPTIONS_ARE, options=text.values(options))
            raise self.diverged("answer", self._answer_text(then), now, decision.site)
        if then.possible is not None and set(then.possible) != set(options):
            self.changed_options.append(
                ChangedOptions(self.turn, len(self.steps), self.step_path, decision.address, then.possible, options)
            )
        self._answered_at = self.inputs.position
        self.possible = options
        return options.index(then.values[0])

    def expected(self, tag: str, address: str, site: Site) -> TranscriptInput:
        """Returns the next recorded input, which must have this tag and address.

        Raises:
            Diverged: if it has not.
        """
        number = self.inputs.position
        now = self.describer.asked(tag, address)
        if number == len(self.transcript.inputs):
            raise self.diverged("end", self._end_text(), now, site)
        then = self.transcript.inputs[number]
        same = then.tag == tag or (then.tag in _ANSWERS and tag in _ANSWERS)
        if not same or then.address != address:
            raise self.diverged("question", self._question_text(then), now, site)
        return then

    def _question_text(self, then: TranscriptInput) -> str:
        """Returns the text of the recorded question or roll, or of the end of the recorded step."""
        number = len(self._own_steps)
        over = number < len(self.transcript.steps) and self.transcript.steps[number].inputs == self.inputs.position
        text = self.describer
        return text.say(said.STEP_WAS_OVER) if over else text.asked(then.tag, then.address)

    def _answer_text(self, then: TranscriptInput) -> str:
        text = self.describer
        return text.say(said.ANSWERED, who=text.seat(then.seat), answer=text.value(then.values[0]))

    def _end_text(self) -> str:
        return self.describer.end(self.transcript.result)

    def on_input(self, item: Input) -> None:
        """Compares a new input with the record.

        Raises:
            Diverged: if something else was recorded.
        """
        tag, site = item[0], self.core.image.sites[item[1]]
        then = self.expected(tag, site.address, site)
        if tag == SINGLE:
            self.possible = (item[2],)
            if then.values[0] != item[2]:
                text = self.describer
                now = text.say(said.ONLY_OPTION, option=text.value(item[2]))
                raise self.diverged("answer", self._answer_text(then), now, site)
            if then.possible is not None and len(then.possible) != 1:
                self.changed_options.append(
                    ChangedOptions(
                        self.turn, len(self.steps), self.step_path, site.address, then.possible, self.possible
                    )
                )
        values = (item[2],) if tag in _ANSWERS else item[2:]
        seat = item[3] if tag in _ANSWERS else ""
        self._own_inputs.append(TranscriptInput(tag, site.address, values, seat, self.possible))
        self.possible = None

    # ------------------------------------------------------------ steps
    def _run(self, answer: Any, frame: Frame | None = None) -> None:
        """Runs the game; at a divergence it stops and keeps its state."""
        try:
            super()._run(answer, frame)
        except Diverged as diverged:
            self.divergence, self.decision = diverged.divergence, None
        except RuleFault as fault:
            self.decision = None
            self.divergence = self._fault(fault.diagnostic)

    def _fault(self, found: Diagnostic) -> Divergence:
        """Returns the divergence of a rule fault; an invariant is named."""
        broken = [name for name, _ in self.core.invariants if f"'{name}'" in found.message]
        rule = f"invariants/{broken[0]}" if found.code == "invariant" and broken else ""
        return self._divergence_here(
            "fault", self.describer.say(said.NO_FAULT), found.message, rule=rule, place=found.place
        )

    def on_step_begin(self) -> None:
        """Compares the new step with that of the transcript."""
        if len(self.steps) == 1:
            self._start = values_at_start(self.core)
            self._turns = TurnCounter(self)
        self.core.begin_query()
        assert self._turns is not None
        self._turn = self._turns.finished()
        if len(self.steps) == 1:
            self._compare_starts()
        self._compare_step(self.steps[-1].frame)

    def _compare_starts(self) -> None:
        transcript = self.transcript
        if transcript.start is None or transcript.vocabulary is None:
            return
        keys = differing_starts(transcript.start, self._start, transcript.vocabulary, Vocabulary.of(self.core))
        if keys:
            was, now = (self.describer.changes(keys, each) for each in (transcript.start, self._start))
            raise Diverged(Divergence("set-up", 0, "", 0, 0, was, now, keys=tuple(keys)))

    def _compare_step(self, frame: Frame) -> None:
        """Compares the path and the scope of the new step with the record."""
        transcript, number = self.transcript, len(self._own_steps)
        assert frame.node is not None
        path = frame.node.path
        if number < len(transcript.steps):
            wanted, scope = transcript.steps[number].path, transcript.steps[number].scope
        elif transcript.over:
            raise self.diverged("end", self._end_text(), self.describer.say(said.STEP_BEGINS, path=path))
        else:
            wanted, scope = transcript.last_step or path, None
        text = self.describer
        if wanted != path:
            raise self.diverged("step", wanted, path)
        own = encode(frame.scope)
        if scope is not None and scope != own:
            raise self.diverged("step", f"{path} ({text.value(scope)})", f"{path} ({text.value(own)})")

    def on_step_end(self) -> None:
        """Compares the changes of the step with the transcript."""
        mark, number, done = self.steps[-1], len(self._own_steps), self.finished[-1]
        changes = changes_since(self.core, mark.journal)
        self._own_steps.append(TranscriptStep(*done, encode(mark.frame.scope), changes))
        if number >= len(self.transcript.steps):
            now = self.describer.say(said.STEP_IS_OVER, path=done.path)
            raise self.diverged("end", self._end_text(), now, back=1)
        then = self.transcript.steps[number]
        if then.changes is not None and self.transcript.vocabulary is not None:
            self._compare_changes(then.changes, changes, self.transcript.vocabulary)
        elif self._comparable(then) and then.state != done.state:
            was = self.describer.say(said.DIGEST_WAS, digest=then.state[:12])
            raise self.diverged("state", was, self.describer.say(said.DIGEST_IS, digest=done.state[:12]))

    def _comparable(self, then: TranscriptStep) -> bool:
        """Whether digests can be compared: under the same rules, or if the first of them is equal."""
        if not self._by_digest and len(self._own_steps) == 1:
            self._by_digest = then.state == self.finished[-1].state
        return self._by_digest

    def _compare_changes(self, then: Values, now: Values, known: Vocabulary) -> None:
        if then == now:
            return
        keys = differing(then, now, known, Vocabulary.of(self.core))
        if keys:
            before = values_before(self.core, self.steps[-1].journal, keys)
            was, came = (self.describer.changes(keys, before | each) for each in (then, now))
            raise self.diverged("state", was, came, keys=tuple(keys))

    # ------------------------------------------------------------ the end
    def on_result(self, result: Result) -> None:
        """Compares the end of the game with the transcript."""
        same = self.transcript.result == (result.winners, result.reason)
        if not same or self.inputs.position < len(self.transcript.inputs):
            now = self.describer.end((result.winners, result.reason))
            raise self.diverged("end", self._end_text(), now)

    def _compare_ends(self) -> None:
        """Compares the changes of the unfinished step where the record ends."""
        transcript = self.transcript
        if self.result is None and self.steps and transcript.vocabulary is not None:
            changes = changes_since(self.core, self.steps[-1].journal)
            try:
                self._compare_changes(transcript.last_changes, changes, transcript.vocabulary)
            except Diverged as diverged:
                self.divergence, self.decision = diverged.divergence, None

    @property
    def turn(self) -> int:
        """The number of the current turn, from 1."""
        return self._turn + 1

    def diverged(self, kind: str, was: str, now: str, site: Site | None = None, **more: Any) -> Diverged:
        """Returns the exception for a divergence at this point."""
        if site is not None:
            more |= {"address": site.address, "rule": site.rule, "place": site.place}
        return Diverged(self._divergence_here(kind, was, now, **more))

    def _divergence_here(self, kind: str, was: str, now: str, back: int = 0, **more: Any) -> Divergence:
        step = len(self.steps) - back
        return Divergence(kind, step, self.step_path, self.turn, self.inputs.position, was, now, **more)
