"""Why an answer that is no thing is not among the options: a number, yes or no, a pass."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.language.answer_words import ANSWER_WORDS, DECLINING
from interpreter.play.engine.decision import Decision
from interpreter.play.refusals import Reason
from interpreter.play.wording import messages
from interpreter.play.wording.wording import Wording


def against_answer(decision: Decision, text: str) -> list[Reason] | None:
    """Returns the reasons why a text is no answer now, empty if it is one; none if it means something else."""
    words, wanted = decision.wording, text.casefold()
    options = decision.options
    if any(decision.label(each).casefold() == wanted for each in options):
        return []
    refusal = words.say(messages.NOT_OFFERED, value=f"'{text}'")
    if wanted.isdecimal() and (numbers := [each for each in options if type(each) is int]):
        return _against_number(decision, numbers, int(wanted[:9]), refusal)
    if wanted in _spoken((*DECLINING, "no"), words):
        if any(each is None or each == () for each in options):
            return []
        if decision.kind != "agree":
            return [Reason(words.say(messages.MUST_CHOOSE, refusal=refusal), decision.cites)]
    if wanted in _spoken(ANSWER_WORDS, words):
        return [Reason(words.say(messages.NOT_ASKED_FOR, refusal=refusal, question=decision.prompt), decision.cites)]
    return None


def _against_number(decision: Decision, numbers: Sequence[int], number: int, refusal: str) -> list[Reason]:
    if number in numbers:
        return []
    limits = {"least": min(numbers), "most": max(numbers)}
    return [Reason(decision.wording.say(messages.ONLY_NUMBERS, refusal=refusal, **limits), decision.cites)]


def _spoken(keys: Sequence[str], words: Wording) -> set[str]:
    """Returns words in English and in the language of the game."""
    return {*keys, *[words.word(each).casefold() for each in keys]}
