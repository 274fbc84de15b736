"""'why' with a name or with words: the last change of a thing, or the last entry of the log that says the words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.console.prompt_commands import PromptCommands
from interpreter.language.diagnostics import UsageError
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset

RULES = """\
ruleset: {id: realms, title: Realms, version: "1"}
clauses:
  - {id: "1", kind: rule, says: A beaten realm surrenders.}
  - {id: "2", kind: rule, says: Each surrender lowers morale by the roll.}
  - {id: "3", kind: rule, says: The game ends when the last realm surrenders.}
kinds:
  side: {is: seat, members: [red, blue]}
  realm: {is: space, has: {out: "bool = false", lord: "side?"}}
  card: {is: piece, in: realm, has: {good: "bool = false"}}
state: {morale: int = 9}
individuals: {realm: {north: {}, south: {}, hand: {}}}
pieces: {card: [{id: ace, at: hand, good: true}, {id: king, at: hand}]}
views: {hands: {of: card, when: card.realm = hand, seen_by: blue, others_see: []}}
procedures:
  fall:
    cite: ["1"]
    takes: {realm: realm}
    do: |
      log "{realm} surrenders to {red}"
      set realm.out = true
      shake(realm)
      set realm.lord = red
  shake:
    cite: ["2"]
    takes: {realm: realm}
    do: |
      let roll = red rolls 1d6 "morale"
      set morale = morale - roll
actions:
  beat:
    menu: orders
    cite: ["1"]
    pick: {realm: realms where not .out}
    do: fall(realm)
menus: {orders: {prompt: "Orders?"}}
sequence:
  game:
    do: |
      move cards where .good to south
      for each card in cards where not .good: set card.good = true
      red must take orders()
      red must take orders()
      let sure = blue agrees to yield "Stop?"
      if sure: win red "all is lost"  @3
presentation:
  names: {realm: {north: the North, south: the South}, card: {king: the King of Hearts}}
  words: {beat: beat a realm, fall: fall of a realm}
"""


def realms(tmp_path: Path, answers: int = 4) -> Game:
    (tmp_path / "ruleset.yaml").write_text(RULES, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), seed=1, trace=True)
    for _ in range(answers):
        if game.decision is None:
            break
        game.choose_index(0)
    return game


def why(game: Game, text: str, seat: str | None = "red") -> list[str]:
    said: list[str] = []
    PromptCommands(game, seat, said.append).run("why", text)
    return said


@pytest.mark.parametrize("typed", ["the south lord", "South lord", "lord the South"])
def test_change_of_a_thing_is_explained(tmp_path: Path, typed: str) -> None:
    """The change is shown with the calls that the ruleset names, the decision before it and the clause."""
    text = "\n".join(why(realms(tmp_path), typed))
    assert text.startswith("the South: lord is now red  [1]")
    assert "  in: game › beat a realm (the South) › fall of a realm (the South)\n" in text
    assert "  after:\n    red: orders: beat a realm" in text
    assert "  1: A beaten realm surrenders." in text


def test_finished_calls_are_not_named(tmp_path: Path) -> None:
    """A call that has ended is none of those that a later change happened in."""
    game = realms(tmp_path)
    number = next(each.number for each in reversed(game.log) if each.kind == "set" and "morale" in each.text)
    assert [each.short_text for each in game.explain(number).calls][-2:] == ["fall of a realm", "shake"]
    lord = next(each.number for each in reversed(game.log) if "lord" in each.text)
    assert [each.short_text for each in game.explain(lord).calls][-2:] == ["beat a realm", "fall of a realm"]


def test_state_value_is_explained_with_the_roll_before_it(tmp_path: Path) -> None:
    """The values of the game as a whole are found by their words."""
    said = why(realms(tmp_path), "morale")
    assert said[0].startswith("morale ")
    assert any("red rolls" in each for each in said)
    assert any(each.startswith("  before that") for each in said)


def test_words_in_another_form_are_found(tmp_path: Path) -> None:
    """'surrendered' finds the line that says 'surrenders'; of a thing it finds that of the thing."""
    game = realms(tmp_path)
    assert why(game, "surrendered")[0].startswith("the South surrenders to red")
    assert why(game, "the north surrendered")[0].startswith("the North surrenders to red")


@pytest.mark.parametrize(
    "typed",
    [
        "did the South surrender",
        "the south has surrendered to red",
        "was it that the South surrendered",
        "South surrenders",
    ],
)
def test_small_words_of_a_question_count_for_nothing(tmp_path: Path, typed: str) -> None:
    """A question is typed as it is asked: 'why did the South surrender'."""
    assert why(realms(tmp_path), typed)[0] == "the South surrenders to red  [1]"


def test_nearest_entry_is_shown_with_what_it_does_not_say(tmp_path: Path) -> None:
    """Of a thing it is that of the thing, else the one that says the most words; what is missing is named first."""
    game = realms(tmp_path)
    said = why(game, "did the north surrender yesterday evening")
    assert said[:2] == [
        "the log does not say 'yesterday', 'evening' of this; the nearest entry:",
        "the North surrenders to red  [1]",
    ]
    assert why(game, "purple morale")[0] == "the log does not say 'purple' of this; the nearest entry:"
    with pytest.raises(UsageError, match="the log says nothing about 'did it rain'"):
        why(game, "did it rain")


JAPANESE = """\
ruleset: {id: realms, title: Realms, version: "1"}
kinds:
  side: {is: seat, members: [red]}
  realm: {is: space}
individuals: {realm: {north: {}, south: {}}}
sequence:
  game:
    do: |
      log "{north}が降伏"
      log "{south}へ侵攻"
      let sure = red agrees to yield "やめるか"
presentation:
  names: {realm: {north: {en: the North, ja: 北方王国}, south: {en: the South, ja: ナポリ}}}
"""


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("北方王国はなぜ降伏したのですか", ["北方王国が降伏"]),
        ("どうして 降伏した", ["北方王国が降伏"]),
        ("ナポリに侵攻しました", ["ナポリへ侵攻"]),
        ("なぜナポリは降伏したか", ["「降伏」を含む記録はありません。最も近いもの：", "ナポリへ侵攻"]),
    ],
)
def test_japanese_questions_need_no_blanks(tmp_path: Path, typed: str, said: list[str]) -> None:
    """Particles and endings count for nothing; kanji, katakana and the names of things do."""
    (tmp_path / "ruleset.yaml").write_text(JAPANESE, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), seed=1, trace=True, language="ja")
    assert why(game, typed)[: len(said)] == said


def test_end_of_the_game_is_explained(tmp_path: Path) -> None:
    """Once the game is over 'why' explains its end, as does 'why result'."""
    game = realms(tmp_path)
    assert game.result is not None
    for typed in ("", "result"):
        said = why(game, typed, None)
        assert said[0] == "red wins: all is lost  [3]"
        assert "  3: The game ends when the last realm surrenders." in said


def test_hidden_things_have_no_changes_to_explain(tmp_path: Path) -> None:
    """Who may not see a card learns nothing of it by its name; its owner does."""
    game = realms(tmp_path, 1)
    assert why(game, "king of hearts", "blue")[0] == "the King of Hearts: now good"
    assert why(game, "ace", "red")[0] == "ace moves from hand to the South"
    with pytest.raises(UsageError, match="the log says nothing about 'king of hearts'"):
        why(game, "king of hearts", "red")


def test_unknown_words_are_reported(tmp_path: Path) -> None:
    """Words that the log does not say are an error with a hint."""
    with pytest.raises(UsageError, match="the log says nothing about 'weather'"):
        why(realms(tmp_path), "weather")


DRAWS = """\
ruleset: {id: draws, title: Draws, version: "1"}
clauses: [{id: "1", kind: rule, says: Each side draws a card.}]
kinds:
  side: {is: seat, members: [red, blue]}
  pile: {is: space}
  card: {is: piece, in: pile}
individuals: {pile: {deck: {}, hand: {}}}
pieces: {card: [{id: ace, at: deck}, {id: two, at: deck}]}
procedures:
  take_new:
    cite: ["1"]
    do: |
      let card = draw one from deck
      move card to hand
sequence:
  dealing:
    do: |
      take_new()
      let ready = red agrees to go "Go?"
"""


@pytest.mark.parametrize(
    ("presentation", "rule"), [("", "in dealing"), ("presentation: {words: {take_new: the deal}}\n", "by the deal")]
)
def test_draw_is_explained_in_words(tmp_path: Path, presentation: str, rule: str) -> None:
    """A draw is by its rule, if that has a word, which is said once, else by the step; no id of a rule is shown."""
    (tmp_path / "ruleset.yaml").write_text(DRAWS + presentation, encoding="utf-8")
    game = Game(load_ruleset(tmp_path), seed=1, trace=True)
    assert re.fullmatch(rf"at random: (ace|two), {rule}  \[1\]", why(game, "")[0])
    assert not any("take new" in each.text for each in game.log)
