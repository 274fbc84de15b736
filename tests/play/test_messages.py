"""The message catalogue: every message in every language, with its values."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

from interpreter.play.wording import messages
from interpreter.play.wording.message import LANGUAGES, Formatted, Message
from interpreter.play.wording.messages import WORDS
from interpreter.play.wording.wording import Wording

ENGINE = Path(messages.__file__).resolve().parents[2]
MODULES = [
    import_module(f"interpreter.play.wording.{each.stem}")
    for each in sorted(Path(messages.__file__).parent.glob("*messages.py"))
]
CATALOGUE = {name: each for module in MODULES for name, each in vars(module).items() if isinstance(each, Message)}
ALL = CATALOGUE | {f"WORDS[{name}]": each for name, each in WORDS.items()}
TEXTS_OF_COMMANDS = {"HELP", "CHOOSE", "COMMA"}
MESSAGE = re.compile(r"(?:said|(?:[a-z]+_)?messages)\.([A-Z_]+)|([A-Z_]+)")


def placeholders(text: str, *, counting: bool = False) -> set[str]:
    """Returns the names of the values in a text; without those that only choose a plural, unless `counting`."""
    return {name for _, name, spec, _ in Formatter().parse(text) if name and (counting or "|" not in (spec or ""))}


@cache
def trees() -> tuple[ast.Module, ...]:
    """Returns the modules of the interpreter except the catalogue."""
    catalogue = {Path(str(each.__file__)).resolve() for each in MODULES}
    files = [each for each in ENGINE.rglob("*.py") if each.resolve() not in catalogue]
    return tuple([ast.parse(each.read_text(encoding="utf-8")) for each in files])


def calls() -> Iterator[tuple[str, set[str]]]:
    """Yields each message that is formatted by its name, with the names of its values."""
    for tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args or any(each.arg is None for each in node.keywords):
                continue
            if isinstance(node.func, ast.Attribute | ast.Name) and (
                found := MESSAGE.fullmatch(ast.unparse(node.args[0]))
            ):
                verb = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                name = found[1] or found[2]
                if verb in {"say", "formatted"} and name in CATALOGUE:
                    yield name, {each.arg or "" for each in node.keywords}


@pytest.mark.parametrize("name", ALL)
def test_message_has_every_language(name: str) -> None:
    """No language is missing, all have the same values, and no translation equals the English text."""
    texts = {language: getattr(ALL[name], language) for language in LANGUAGES}
    assert all(texts.values())
    assert len({frozenset(placeholders(each)) for each in texts.values()}) == 1, texts
    words = {re.sub(r"\{[^}]*\}|[\W\d_]", "", each) for each in texts.values()}
    assert len(words) == len(LANGUAGES) or words == {""} or name in TEXTS_OF_COMMANDS, texts


def test_messages_are_formatted_with_their_values() -> None:
    """Every use of a message by its name gives each of its values and no others."""
    formatted = list(calls())
    wrong = [(name, given) for name, given in formatted if given != placeholders(CATALOGUE[name].en, counting=True)]
    assert wrong == []
    assert len({name for name, _ in formatted}) > 60, "no calls with messages were found"


def test_every_message_is_used() -> None:
    """Every message of the catalogue is used by a module."""
    named = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name)
    }
    assert sorted(set(CATALOGUE) - named) == []


def test_number_chooses_singular_or_plural() -> None:
    """English has a singular and a plural; a language without plural has one text."""
    message = Message("{count} {count:step|steps} left", "残り{count}ステップ")
    assert [message.format("en", {"count": count}) for count in (0, 1, 2)] == [
        "0 steps left",
        "1 step left",
        "2 steps left",
    ]
    assert message.format("ja", {"count": 1}) == "残り1ステップ"
    assert message.format("fr", {"count": 1}) == "1 step left"


def test_formatted_message_takes_other_values() -> None:
    """Values can be replaced; messages that differ in one value have equal keys without it."""
    first, second = (
        Formatted(Message("{who} in {place}", "{place}の{who}"), "ja", {"who": who, "place": "P"}) for who in "AB"
    )
    assert (str(first), str(second.replace(who="C"))) == ("PのA", "PのC")
    assert first.key_without("who") == second.key_without("who")
    assert first.key_without("place") != second.key_without("place")


def test_default_words_have_every_language() -> None:
    """The default words follow the language of the game, unless its presentation has its own."""
    assert [Wording({}, "ja").of(each) for each in (None, True, False, ())] == ["なし", "はい", "いいえ", "なし"]
    assert Wording({"words": {"none": "無"}}, "ja").of(None) == "無"


def test_no_message_replaces_another() -> None:
    """Each constant of the catalogue is assigned once."""
    tree = ast.parse("\n".join([Path(str(each.__file__)).read_text() for each in MODULES]))
    names = [target for node in tree.body if isinstance(node, ast.Assign) for target in map(ast.unparse, node.targets)]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_a_sentence_as_a_value_ends_with_one_mark() -> None:
    """Names of cards that end with a full stop stand in a list, and before a hint, with one mark each."""
    names = ["特使：動かす。", "泥濘：移動力－1。"]
    listed = Message("{text}; {hint}", "{text}。{hint}").format("ja", {"text": "、".join(names), "hint": "? で表示"})
    assert listed == "特使：動かす、泥濘：移動力－1。? で表示"
