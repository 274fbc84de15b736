"""Why an answer that is no thing is not among the options: a number, yes or no, a pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.play.engine.decision import Decision
from interpreter.play.refusals import Reason
from interpreter.play.wording import messages
from interpreter.play.wording.wording import Wording

_DECLINES = ("none", "pass", "stop", "no more", "no")
_AGREEING = ("yes", "no")


def against_answer(decision: Decision, text: str) -> list[Reason] | None:
    """Returns the reasons why a text is no answer now, empty if it is one; none if it means something else."""
    words, wanted = decision.wording, text.casefold()
    options = decision.options
    if any(decision.label(each).casefold() == wanted for each in options):
        return []
    refusal = words.say(messages.NOT_OFFERED, value=f"'{text}'")
    if wanted.isdecimal() and _are_numbers(options):
        return _against_number(decision, int(wanted[:9]), refusal)
    if wanted in _spoken(_DECLINES, words):
        if any(each is None or each == () for each in options):
            return []
        if decision.kind != "agree":
            return [Reason(words.say(messages.MUST_CHOOSE, refusal=refusal), decision.cites)]
    if wanted in _spoken((*_DECLINES, *_AGREEING), words):
        return [Reason(words.say(messages.NOT_ASKED_FOR, refusal=refusal, question=decision.prompt), decision.cites)]
    return None


def _are_numbers(options: Sequence[Any]) -> bool:
    return any(isinstance(each, int) and not isinstance(each, bool) for each in options)


def _against_number(decision: Decision, number: int, refusal: str) -> list[Reason]:
    numbers = [each for each in decision.options if isinstance(each, int)]
    if number in numbers:
        return []
    text = messages.ONLY_NUMBERS
    say = decision.wording.say
    return [Reason(say(text, refusal=refusal, least=min(numbers), most=max(numbers)), decision.cites)]


def _spoken(keys: Sequence[str], words: Wording) -> set[str]:
    """Returns words in English and in the language of the game."""
    return {*keys, *[words.word(each).casefold() for each in keys]}
