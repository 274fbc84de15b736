"""What the engine itself says: each sentence in every language, with the values that it is said with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from interpreter.play.wording import messages
from interpreter.play.wording.messages import LANGUAGES, WORDS, Formatted, Message
from interpreter.play.wording.wording import Wording

ENGINE = Path(messages.__file__).resolve().parents[2]
CATALOGUE = {name: each for name, each in vars(messages).items() if isinstance(each, Message)}
ALL = CATALOGUE | {f"WORDS[{name}]": each for name, each in WORDS.items()}
TEXTS_OF_COMMANDS = {"HELP", "CHOOSE", "CHOOSE_NUMBER", "COMMA"}
SAYING = re.compile(r"(?:said|messages)\.([A-Z_]+)|([A-Z_]+)")


def placeholders(text: str, *, counting: bool = False) -> set[str]:
    """The names of the values in a text; without those that only choose a word by a number, unless `counting`."""
    return {name for _, name, spec, _ in Formatter().parse(text) if name and (counting or "|" not in (spec or ""))}


@cache
def trees() -> tuple[ast.Module, ...]:
    """The modules of the interpreter but the catalogue."""
    files = [each for each in ENGINE.rglob("*.py") if each.name != "messages.py"]
    return tuple([ast.parse(each.read_text(encoding="utf-8")) for each in files])


def calls() -> Iterator[tuple[str, set[str]]]:
    """Each saying that is said by its name, with the names of its values."""
    for tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args or any(each.arg is None for each in node.keywords):
                continue
            if isinstance(node.func, ast.Attribute | ast.Name) and (
                found := SAYING.fullmatch(ast.unparse(node.args[0]))
            ):
                verb = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                name = found[1] or found[2]
                if verb in {"say", "told"} and name in CATALOGUE:
                    yield name, {each.arg or "" for each in node.keywords}


@pytest.mark.parametrize("name", ALL)
def test_a_saying_has_every_language(name: str) -> None:
    """No language is missing, each tells the same values, and a translation is not the English text again."""
    texts = {language: getattr(ALL[name], language) for language in LANGUAGES}
    assert all(texts.values())
    assert len({frozenset(placeholders(each)) for each in texts.values()}) == 1, texts
    words = {re.sub(r"\{[^}]*\}|[\W\d_]", "", each) for each in texts.values()}
    assert len(words) == len(LANGUAGES) or words == {""} or name in TEXTS_OF_COMMANDS, texts


def test_a_saying_is_said_with_its_values() -> None:
    """Wherever the engine says a sentence by its name it gives each of its values and no others."""
    said = list(calls())
    wrong = [(name, given) for name, given in said if given != placeholders(CATALOGUE[name].en, counting=True)]
    assert wrong == []
    assert len({name for name, _ in said}) > 60, "the sayings are not found in the modules any more"


def test_every_saying_is_said() -> None:
    """Nothing stands in the catalogue that no module names."""
    named = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name)
    }
    assert sorted(set(CATALOGUE) - named) == []


def test_a_word_is_chosen_by_a_number() -> None:
    """One step, two steps; a language that knows no plural has one text."""
    saying = Message("{count} {count:step|steps} left", "残り{count}ステップ")
    assert [saying.within("en", {"count": count}) for count in (0, 1, 2)] == [
        "0 steps left",
        "1 step left",
        "2 steps left",
    ]
    assert saying.within("ja", {"count": 1}) == "残り1ステップ"
    assert saying.within("fr", {"count": 1}) == "1 step left"


def test_what_was_told_is_told_again() -> None:
    """Values can be replaced; two that differ in one value alone are alike without it."""
    first, second = (
        Formatted(Message("{who} in {place}", "{place}の{who}"), "ja", {"who": who, "place": "P"}) for who in "AB"
    )
    assert (str(first), str(second.but(who="C"))) == ("PのA", "PのC")
    assert first.without("who") == second.without("who")
    assert first.without("place") != second.without("place")


def test_plain_words_have_every_language() -> None:
    """Yes, no and none are said in the language of the game, unless its presentation has words of its own."""
    assert [Wording({}, "ja").of(each) for each in (None, True, False, ())] == ["なし", "はい", "いいえ", "なし"]
    assert Wording({"words": {"none": "無"}}, "ja").of(None) == "無"
