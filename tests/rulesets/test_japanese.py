"""The Japanese of the rulesets: by the words of their glossaries, complete, and without a sentence half in English."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from foreign_words import ForeignWords, shown_in_play

from interpreter.rules.documents.nodes import as_plain_data
from interpreter.rules.linking.presentation import question_values
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.workshop.coverage.lint import lint_ruleset, lint_scenario
from interpreter.workshop.coverage.terms import localized_texts
from interpreter.workshop.coverage.translations import translations

_FOLDER = Path(__file__).parents[2]
RULESETS = sorted(each.parent.name for each in (_FOLDER / "rulesets").glob("*/ruleset.yaml"))
SCENARIOS = [
    f"{ruleset}/{path.stem}"
    for ruleset in RULESETS
    for path in sorted((_FOLDER / "scenarios" / ruleset).glob("*.yaml"))
]
COMMANDS = {"why", "all", "map", "options", "agree", "undo", "save", "board", "log", "rule", "not"}
"""Words that are typed."""
_FIELD = re.compile(r"\{(\w+)")
_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")


@pytest.mark.parametrize("name", RULESETS)
def test_texts_use_the_words_of_the_glossary(name: str) -> None:
    """No text has a word that the glossary rules out, or a word in Latin letters that is not printed so."""
    found = [each for each in lint_ruleset(load_ruleset(name)) if each.code in {"avoided-word", "foreign-word"}]
    assert [str(each) for each in found] == []


@pytest.mark.parametrize("name", RULESETS)
def test_terms_are_checked_in_every_japanese_text(name: str) -> None:
    """Whatever stands in Japanese letters in a document is held against the glossary, but for the glossary itself."""
    documents = load_ruleset(name).documents.documents
    sections = [part for each in documents for part in as_plain_data(each.root).items()]
    written = [text for section, data in sections if section != "glossary" for text in _texts(data)]
    checked = [each.node.text for document in documents for each in localized_texts(document.root, {"ja"})]
    assert len(written) > 400
    assert Counter(written) - Counter(checked) == Counter()


def _texts(data: Any) -> Iterator[str]:
    """Yields the texts in plain data that have Japanese letters."""
    if isinstance(data, dict):
        for each in data.values():
            yield from _texts(each)
    elif isinstance(data, list):
        for each in data:
            yield from _texts(each)
    elif isinstance(data, str) and _JAPANESE.search(data):
        yield data


@pytest.mark.parametrize("name", SCENARIOS)
def test_texts_of_scenarios_use_the_words_of_the_glossary(name: str) -> None:
    """Titles, notices and seats of scenarios do so too."""
    assert [str(each) for each in lint_scenario(load_scenario(name))] == []


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_untranslated(name: str) -> None:
    """Every text that a player can meet has its Japanese."""
    counted = [each for each in translations(load_ruleset(name)) if each.language == "ja"]
    assert {each.part: each.missing for each in counted if each.missing} == {}
    assert sum(each.texts for each in counted) > 400


@pytest.mark.parametrize("name", RULESETS)
def test_questions_say_what_they_are_about(name: str) -> None:
    """A question shows in Japanese all values that it has in the rules, such as the unit that moves."""
    ruleset = load_ruleset(name)
    asked = {each: ruleset.presentation["prompts"].get(each) for each in question_values(ruleset.program)}
    fields = {each: set(_FIELD.findall(text["ja"])) for each, text in asked.items() if isinstance(text, dict)}
    counts = question_values(ruleset.program)
    assert {each: asked[each]["ja"] for each, found in fields.items() if len(found) < counts[each]} == {}


@pytest.mark.parametrize("name", SCENARIOS)
def test_game_shows_no_foreign_word(name: str) -> None:
    """Questions, options, board, log and the answers to all commands are in Japanese throughout a random game."""
    scenario = load_scenario(name)
    foreign = ForeignWords(scenario.ruleset, "ja")
    shown = shown_in_play(scenario, 3, "ja", decisions=120, every=60)
    assert len(shown) > 300
    words = [(word, source, line) for line, source in shown.items() for word in foreign(line)]
    typed = {source: {*COMMANDS, *source.replace("_", " ").split()} for source in shown.values()}
    found = {(word, source): line for word, source, line in words if word not in typed[source]}
    assert found == {}


@pytest.mark.parametrize("name", RULESETS)
def test_ruleset_presents_itself_in_japanese(name: str) -> None:
    """The title, the notice and the word for a turn are in Japanese."""
    _assert_in_japanese(load_ruleset(name).info, ("title", "notice", "turn_word"))


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_presents_itself_in_japanese(name: str) -> None:
    """The title, the notice if there is one, and what a scenario says it is about are in Japanese."""
    info = load_scenario(name).info
    _assert_in_japanese(info, ("title", "says", *[each for each in info if each == "notice"]))


def _assert_in_japanese(info: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    """Asserts that each of the texts is there and has Japanese letters in its Japanese."""
    texts = {key: info.get(key) for key in keys}
    assert [
        key for key, text in texts.items() if not isinstance(text, dict) or not _JAPANESE.search(text.get("ja", ""))
    ] == []
