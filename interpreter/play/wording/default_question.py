"""The question of a choice for which a ruleset has no text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from interpreter.play.wording import messages
from interpreter.play.wording.message import Message
from interpreter.world.things import Thing, Word


class Words(Protocol):
    """The words of a ruleset in one language."""

    def word(self, word: str) -> str:
        """Returns the text of a word, without one its name."""

    def has_word(self, name: str) -> bool:
        """Whether the ruleset has a text for a word."""

    def say(self, message: Message, **values: object) -> str:
        """Returns a message of the interpreter with its values."""


def default_question(words: Words, name: str, options: Iterable[Any]) -> str:
    """Returns the question for a choice without a text: by the word for its name, else for what the options are."""
    called = words.word(name)
    begun = called[:1].upper() + called[1:]
    kinds = {each.kind for each in options if isinstance(each, Thing | Word)}
    kind = kinds.pop() if len(kinds) == 1 and not words.has_word(name) else None
    if kind is None or not words.has_word(kind):
        return words.say(messages.WHAT_IS_CHOSEN, what=begun)
    if called == words.word(kind):
        return words.say(messages.WHICH, kind=called)
    return words.say(messages.WHICH_AS, name=begun, kind=words.word(kind))
