"""The words of what a person types: keywords of answers, and words about the log or an action with their forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final

from interpreter.play.wording.message import LANGUAGES
from interpreter.play.wording.why_messages import SMALL_WORDS

_KANA, _KATAKANA, _KANJI = "぀-ゟ", "゠-ヿ", "一-鿿々〆"
_WORD: Final = re.compile(rf"[{_KANJI}]+|[{_KATAKANA}]+|[{_KANA}]+|[^\W{_KANA}{_KATAKANA}{_KANJI}]+")
"""A word; of Japanese, which has no blanks, what is written in one script."""
_IS_KANA: Final = re.compile(rf"[{_KANA}]+").fullmatch
_ENDS_IN_KANJI: Final = re.compile(rf"[{_KANJI}]$").search
_ANY_WORD: Final = re.compile(r"\w+")
_NUMBER: Final = re.compile(r"[+-]?\d+([.,]\d*)?")
_SMALL: Final = frozenset(word for each in LANGUAGES for word in getattr(SMALL_WORDS, each).split())
_SMALL_KANA: Final = sorted(filter(_IS_KANA, _SMALL), key=len, reverse=True)
_ENDING: Final = 3
"""The most letters in which the form of a typed word may differ from that of a word in a text at its end."""
_MIN_STEM: Final = 4


class Keyword(Enum):
    """A word for several answers."""

    ALL = "all"
    SAME = "same"
    DONE = "done"
    STAY = "stay"


_KEYWORDS: Final[Mapping[str, Keyword]] = {
    word: keyword
    for keyword, typed in {
        Keyword.ALL: ("all", "rest", "すべて", "全部", "残り"),
        Keyword.SAME: ("same", "同じ"),
        Keyword.DONE: ("done", "終わり", "終了"),
        Keyword.STAY: ("stay", "そのまま"),
    }.items()
    for word in typed
}


def keyword_of(text: str) -> Keyword | None:
    """Returns the keyword that a text is, if it is one."""
    return _KEYWORDS.get(text.casefold())


def said_words(text: str) -> list[str]:
    """Returns the words of a text, in lower case, that say what it is about: without the small words of a question."""
    found, folded = [], text.casefold()
    for each in _WORD.finditer(folded):
        word = each[0]
        if _IS_KANA(word):  # after kanji it is the ending of their word
            word = "" if _ENDS_IN_KANJI(folded[: each.start()]) else _without_small(word)
        is_letter = len(word) == 1 and (word.isascii() or _IS_KANA(word)) and not word.isdecimal()
        if word and word not in _SMALL and not is_letter:
            found.append(word)
    return list(dict.fromkeys(found))


def _without_small(word: str) -> str:
    """Returns a word in kana without the small words that it begins or ends with."""
    for small in _SMALL_KANA:
        if word.startswith(small):
            return _without_small(word[len(small) :])
    for small in _SMALL_KANA:
        if word.endswith(small):
            return _without_small(word[: -len(small)])
    return word


def says_word(text: str, word: str) -> bool:
    """Whether a text, in lower case, says a word, perhaps in another form."""
    stem = word[: max(_MIN_STEM, len(word) - _ENDING)]
    return word in text or (len(stem) >= _MIN_STEM and any(each.startswith(stem) for each in _ANY_WORD.findall(text)))


def is_number(text: str) -> bool:
    """Whether a text is written as a number, perhaps with a sign or a fraction."""
    return _NUMBER.fullmatch(text) is not None


def typed_path(text: str) -> Path:
    """Returns the path that a text names, with `~` for the home folder; the `~NAME` of nobody is a name like any."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
