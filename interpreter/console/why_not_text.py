"""What a person means after 'why not': an action with values, actions named loosely, or a thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.console.typed_words import said_words, says_word
from interpreter.language.model.image import Image
from interpreter.play.wording.wording import Wording, readable


class ActionNames:
    """The actions of a game by their words; those in `near` may be shortened further."""

    def __init__(self, image: Image, words: Wording, near: Sequence[str]) -> None:
        self._picks = {each.name: [pick.name for pick in each.picks] for each in image.actions}
        self._by_word = {words.word(each).casefold(): each for each in self._picks}
        self._near = [words.word(each).casefold() for each in near]

    @property
    def known(self) -> list[str]:
        """The words of all actions."""
        return sorted(self._by_word)

    def is_whole(self, text: str) -> bool:
        """Whether a text is the name or the whole word of an action."""
        return text.casefold() in self._by_word or text in self._picks

    def with_values(self, text: str) -> tuple[str, dict[str, Any]] | None:
        """Returns the action that a text begins with, and its picks; none if it begins with no action."""
        name, bare, picks = self._parsed(text)
        completed = _completed_name(name, self._by_word)
        if not name or completed not in {*self._by_word, *self._picks}:
            return None
        action = self._by_word.get(completed, name)
        known = self._picks.get(action, [])
        values = [" ".join(map(str, bare))] if len(known) == 1 and len(bare) > 1 else bare
        return action, dict(zip(known, values, strict=False)) | picks

    def loosely(self, text: str) -> list[str]:
        """Returns the actions whose name or word has all words of a text, those of the near menus if there are any."""
        typed = said_words(text) or text.casefold().split()
        said = {each: f"{word} {readable(each)}" for word, each in self._by_word.items()}
        found = [each for each, text in said.items() if all(says_word(text, word) for word in typed)]
        near = [each for each in found if any(self._by_word[word] == each for word in self._near)]
        return near or found

    def _parsed(self, text: str) -> tuple[str, list[Any], dict[str, Any]]:
        """Returns an action, the values given in the order of its picks, and the values given by name.

        The first words may be the beginning of a near action, if values follow.
        """
        words = [each for each in text.split() if "=" not in each]
        picks = {
            pick: _parse_value(given) for pick, given in (each.split("=", 1) for each in text.split() if "=" in each)
        }
        known = {each.casefold() for each in (*self._picks, *self._by_word)}
        for count in range(len(words), 0, -1):
            name = " ".join(words[:count])
            if name.casefold() in known:
                return name, [_parse_value(each) for each in words[count:]], picks
        for count in range(len(words) - 1, 0, -1):
            begun = [each for each in self._near if each.startswith(" ".join(words[:count]).casefold())]
            if len(begun) == 1:
                return begun[0], [_parse_value(each) for each in words[count:]], picks
        return "_".join(words), [], picks


def _completed_name(name: str, words: Mapping[str, str]) -> str:
    """Returns the word for an action in which words begin with `name`, if only one is such; else the folded name."""
    folded_name = name.replace("_", " ").casefold()
    meant = [each for each in words if re.search(rf"(?<![a-z]){re.escape(folded_name)}", each)]
    return meant[0] if len(meant) == 1 and folded_name not in words else folded_name


def _parse_value(given: str) -> int | str:
    return int(given) if given.isdecimal() and len(given) < 10 else given
