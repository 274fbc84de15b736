"""The glossary of a ruleset: the words that come from it, the texts that speak against it, and missing translations."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import odds
from interpreter.console.odds_text import odds_lines
from interpreter.inference.ahead_results import AheadOdds
from interpreter.language.diagnostics import RulesetError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.coverage.lint import lint_ruleset, lint_scenario
from interpreter.workshop.coverage.terms import TermWords
from interpreter.workshop.coverage.translations import languages, translations

HEAD = """\
ruleset: {id: depots, title: {en: Depots, ja: 兵站所}, version: "1"}
include: [rules.yaml]
"""
RULES = """\
kinds:
  player: {is: seat, members: [red]}
  town: {is: space, has: {mood: "mood = high", price: "int = 1"}}
  mood: {is: enum, members: [high, low]}
individuals: {town: {t1: {}, ulm: {}}}
clauses:
  - {id: "1", kind: rule, says: {en: A depot feeds., ja: 兵站所は補給する。}}
  - {id: "2.p1", kind: note, says: {en: Nothing., ja: 無。}}
  - {id: "2", kind: rule, says: {en: A depot costs 1 MP., ja: 費用は1MPで、t1の補給中継点が払う。}}
restrictions:
  bars:
    takes: {town: town}
    each: [{id: closed, cite: "1", when: town.mood = low, says: {en: It is closed., ja: 閉まっている。}}]
options:
  full_depots: {cite: "1", says: {en: Full., ja: 満杯}, type: word, choices: [by_river, dry], default: dry}
readings:
  - id: r
    clauses: ["1"]
    reading: {en: So., ja: そう。}
    reason: {en: As., ja: 故。}
    alternatives: [{en: No., ja: 否。}]
left_out: [{clauses: ["2.p1"], reason: {en: A note., ja: 注。}}]
sequence:
  game: {cite: "1", each: player in players, do: 'let goal = player chooses one of towns "Which town?"  @2'}
invariants:
  open: {cite: "1", is: not any(bars(t1))}
presentation:
  names: {player: {red: {en: Red, ja: 赤}}, town: {t1: {en: Town, ja: 町}, ulm: {en: Ulm, ja: ウルム}}}
  words: {town: {ja: 町}, low: {en: gloomy}, by_river: {ja: 川}, dry: {ja: 無}}
  attributes: {town.price: {ja: 値段}}
  prompts: {game.goal: {ja: "どの町ですか"}}
glossary:
  depot: {cite: "1", word: {en: depot, ja: 兵站所}, avoid: {en: store, ja: [補給所, 中継点]}}
  relay: {cite: "2", word: {en: relay, ja: 補給中継点}}
  mp: {cite: "2", word: {en: MP, ja: MP}}
  high: {word: {en: in high spirits, ja: 士気旺盛}, standing: derived}
  low: {word: {en: low, ja: 士気低下}}
  mood: {word: {ja: 士気}}
"""


def depots(folder: Path, rules: str = RULES) -> Ruleset:
    """Writes the ruleset into a folder and loads it."""
    (folder / "ruleset.yaml").write_text(HEAD, encoding="utf-8")
    (folder / "rules.yaml").write_text(rules, encoding="utf-8")
    return load_ruleset(folder, cache=False)


def warnings(ruleset: Ruleset) -> list[tuple[str, int, int, str]]:
    """Returns the code, the line, the column and the first quoted word of each warning about a text."""
    found = [each for each in lint_ruleset(ruleset) if each.code in {"avoided-word", "foreign-word"}]
    return [(each.code, each.place.line, each.place.column, each.message.split("'")[1]) for each in found]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("費用", "補給所", [("avoided-word", "補給所")]),
        ("A depot costs", "A store costs", [("avoided-word", "store")]),
        ("A depot costs", "It is stored and costs", []),
        ("費用", "depotの費用", [("foreign-word", "depot")]),
        ("どの町ですか", "どのtownですか", [("foreign-word", "town")]),
        ("閉まっている。", "closed", [("foreign-word", "closed")]),
        ("どの町ですか", "{town}はどこですか", []),
        ("どの町ですか", "どこですか{town?（TOWN）}", [("foreign-word", "TOWN")]),
        ("ウルム", "Ulm", [("foreign-word", "Ulm")]),
        ("ウルム", "t1", []),
        ("閉まっている。", "2.p1による。", []),
        ("閉まっている。", "2.p2による。", [("foreign-word", "p")]),
        ("ウルム", "ulm", [("foreign-word", "ulm")]),
        ("補給中継点", "中継点", [("avoided-word", "中継点")]),
        ("閉まっている。", "オプションfull_depotsのby_riverによる。", []),
        ("閉まっている。", "full_depotによる。", [("foreign-word", "full"), ("foreign-word", "depot")]),
    ],
)
def test_lint_finds_words_against_the_glossary(
    tmp_path: Path, old: str, new: str, found: list[tuple[str, str]]
) -> None:
    """An avoided word and a word in foreign letters are found where they are; parts of terms and ids are not."""
    assert warnings(depots(tmp_path)) == []
    text = RULES.replace(old, new, 1)
    changed = depots(tmp_path, text)
    assert [(code, word) for code, _, _, word in warnings(changed)] == found
    for _, line, column, word in warnings(changed):
        assert text.split("\n")[line - 1][column - 1 :].startswith(word)


def test_scenario_is_checked_by_the_glossary_of_its_ruleset(tmp_path: Path) -> None:
    """The texts of a scenario are held against the words of its ruleset."""
    depots(tmp_path)
    folder = tmp_path / "scenarios"
    folder.mkdir()
    (folder / "one.yaml").write_text(
        "scenario: {id: one, title: {en: One, ja: 補給所の戦い}, ruleset: depots}\nseats: {red: {en: R, ja: R}}\n",
        encoding="utf-8",
    )
    found = lint_scenario(load_scenario(folder / "one.yaml", paths=[tmp_path], cache=False))
    assert [(each.code, each.message.split("'")[1], each.place.line) for each in found] == [
        ("avoided-word", "補給所", 1),
        ("foreign-word", "R", 2),
    ]


def test_words_come_from_the_glossary(tmp_path: Path) -> None:
    """A word or an attribute has its own text in a language, else that of the term, else its name."""
    ruleset = depots(tmp_path)
    texts = {}
    for language in ("en", "ja"):
        game = Game(ruleset, seed=1, language=language)
        words, town = game.source.wording, game.core.find("town", "ulm")
        texts[language] = [words.word(each) for each in ("high", "low", "town")]
        texts[language] += [words.attribute(each, town) for each in ("mood", "price")]
    assert texts["en"] == ["in high spirits", "gloomy", "town", "mood", "price"]
    assert texts["ja"] == ["士気旺盛", "士気低下", "町", "士気", "値段"]


def test_attribute_may_have_a_text_for_its_kind_alone(tmp_path: Path) -> None:
    """`kind.attribute` is the text for things of the kind, `attribute` for all others."""
    rules = RULES.replace("attributes: {town.price", "attributes: {price: {ja: 価格}, town.price")
    words = Game(depots(tmp_path, rules), seed=1, language="ja").source.wording
    game = Game(depots(tmp_path, rules), seed=1, language="ja")
    assert words.attribute("price", game.core.find("town", "ulm")) == "値段"
    assert words.attribute("price") == words.attribute("price", game.core.find("player", "red")) == "価格"


def test_translations_count_what_a_language_lacks(tmp_path: Path) -> None:
    """Each part has the number of its texts and the names of those without the language; English is not counted."""
    rules = RULES.replace("ulm: {en: Ulm, ja: ウルム}", "ulm: Ulm").replace(", ja: 閉まっている。", "")
    ruleset = depots(tmp_path, rules)
    assert languages(ruleset) == ["ja"]
    counted = {each.part: (each.texts, each.missing) for each in translations(ruleset)}
    assert counted["names"] == (3, ("town/ulm",))
    assert counted["conditions"] == (1, ("restrictions/bars/closed",))
    assert counted["clauses"] == (3, ())
    assert counted["prompts"] == (1, ())
    assert counted["words"] == (7, ("player", "game"))
    assert counted["attributes"] == (2, ())


@pytest.mark.parametrize(
    ("text", "part", "name"),
    [
        (", ja: そう。", "readings", "r"),
        (", ja: 故。", "readings", "r/reason"),
        (", ja: 否。", "readings", "r/alternatives/1"),
        (", ja: 注。", "left out", "['2.p1']"),
        (", ja: 満杯", "options", "full_depots"),
    ],
)
def test_translations_count_what_readings_and_options_say(tmp_path: Path, text: str, part: str, name: str) -> None:
    """Readings with their reasons and alternatives, options and reasons for what is left out count as texts."""
    assert all(not each.missing for each in translations(depots(tmp_path)) if each.part == part)
    counted = {each.part: each.missing for each in translations(depots(tmp_path, RULES.replace(text, "")))}
    assert counted[part] == (name,)


STORM = """\
definitions:
  fate: {takes: {lost: int}, gives: text, is: '"in ruins" if lost > 3 else "-"'}
procedures:
  storm:
    gives: int
    do: return red rolls 1d6 "storm"
    outcomes: {fort: fate(result), blow: '"heavy" if result > 5 else "light"', dice: result}
restrictions:
"""


def test_texts_that_outcomes_can_be_have_words(tmp_path: Path) -> None:
    """A text that an outcome or what it calls can give is translated by `words`; one without letters needs none."""
    rules = RULES.replace("restrictions:\n", STORM)
    words = "words: {fort: {ja: 砦}, blow: {ja: 打撃}, dice: {ja: 出目}, in ruins: {ja: 廃墟}, heavy: {ja: 重い}, "
    ruleset = depots(tmp_path, rules.replace("words: {", words))
    counted = next(each for each in translations(ruleset) if each.part == "words")
    assert {"in ruins", "heavy", "light", "-"} & set(counted.missing) == {"light"}
    game = Game(ruleset, seed=1, language="ja")
    found = AheadOdds("storm", "攻城", (), (), odds(ruleset, "storm", {}))
    shown = "\n".join(odds_lines(found, game.source.wording))
    assert "砦" in shown
    assert "廃墟" in shown
    assert "重い" in shown
    assert "in ruins" not in shown
    assert "heavy" not in shown


def test_value_of_individual_has_texts_by_language(tmp_path: Path) -> None:
    """Rules read the English text, readers see theirs; one that lacks a language is counted."""
    rules = RULES.replace('price: "int = 1"', 'price: "int = 1", motto: "text?"')
    rules = rules.replace("t1: {}, ulm: {}", "t1: {motto: {en: Hold, ja: 守れ}}, ulm: {motto: Yield}")
    ruleset = depots(tmp_path, rules)
    game = Game(ruleset, language="ja")
    value = next(each.a_motto for each in game.core.world.objects if each.id == "t1")
    assert (value, game.source.wording.of(value)) == ("Hold", "守れ")
    assert Game(ruleset).source.wording.of(value) == "Hold"
    counted = next(each for each in translations(ruleset) if each.part == "values")
    assert (counted.texts, counted.missing) == (2, ("town/ulm/motto",))
    spoken = depots(tmp_path, rules.replace("守れ", "補給所を守れ"))
    assert [found[3] for found in warnings(spoken)] == ["補給所"]


def test_texts_by_language_need_an_english_one(tmp_path: Path) -> None:
    """The value that rules read is the English text."""
    rules = RULES.replace('price: "int = 1"', 'price: "int = 1", motto: "text?"').replace(
        "t1: {}", "t1: {motto: {ja: 守れ}}"
    )
    with pytest.raises(RulesetError, match="'motto' must be a value") as found:
        depots(tmp_path, rules)
    assert found.value.diagnostics[0].hint == "texts by language need one in English: '{en: …}'"


def test_vocabulary_of_latin_letters_allows_them() -> None:
    """A language whose words are mostly in Latin letters has no foreign words."""
    assert list(TermWords({"a": "Lager", "b": "Heer"}).findings("any word")) == []
    assert [each.word for each in TermWords({"a": "兵站所", "b": "MP"}).findings("MP any 3MP")] == ["any"]
    assert list(TermWords({}).findings("any word")) == []
