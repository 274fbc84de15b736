"""The log in words, explanations, and reasons why not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tiny_game import CORPS, FIGHT, TINY, leaf_image, played, step, without

from interpreter.language.diagnostics import UsageError
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_scenario
from interpreter.workshop.scaffold import make_ruleset


def fought(**rest: object) -> Game:
    """A game in which red_1 and blue_1 have fought."""
    return played(Game(GameSource(TINY, wording=CORPS), 1, **rest), FIGHT[:6])  # type: ignore[arg-type]


def test_log_says_what_happened_under_which_clause() -> None:
    """Answers, moves and rolls are told in words, with presentation names and citations."""
    entries = {each.kind: each for each in reversed(fought().log)}
    assert entries["answer"].text == "red: unit: Red Guards"
    assert (entries["answer"].seat, entries["answer"].cites) == ("red", ("1.1",))
    assert entries["roll"].text.startswith("blue rolls ")
    assert entries["roll"].cites == ("2.1",)
    assert entries["roll"].data["label"] == "attack"
    assert sum(entries["roll"].data["faces"]) == entries["roll"].data["total"]
    assert entries["step"].text == "March (red)"
    assert entries["set"].text == "Red Guards: at north → hill"


def test_log_of_an_untraced_game_is_that_of_a_traced_one() -> None:
    """The log can be had afterwards, by playing the inputs again with the traced code."""
    assert fought().log == fought(trace=True).log


def test_log_follows_the_game_back() -> None:
    """What is taken back is in the log no more."""
    game = fought(trace=True)
    told = list(game.log)
    mark = game.mark()
    one = list(played(game, [0]).log)
    game.rewind(mark)
    assert game.log == told
    assert played(game, [1]).log not in (one, told)


def test_explanation_gives_modifiers_table_and_dice() -> None:
    """A roll is explained by what its rule looked up and added before it, each with its clause."""
    game = fought()
    number = next(each.number for each in game.log if each.kind == "roll")
    explanation = game.explain(number)
    assert explanation.rule == "battle (hill)"
    assert [each.kind for each in explanation.lines] == ["modifiers", "table", "roll"]
    assert explanation.lines[0].text == "attack bonus: +1 (uphill +1 [2.3.a])"
    assert explanation.lines[1].text == "odds, foes 1: 7"
    assert explanation.lines[1].cites == ("2.4",)
    with pytest.raises(UsageError, match="the log has no entry 9999"):
        game.explain(9999)


def test_tables_are_told_by_the_heading_that_holds_the_key() -> None:
    """A key within a range is shown under the range's heading."""
    code = '\ndef s_look(): \n    roll_sum(S2, i_player__red, 1, 6)\n    T("table", 9, ((5,), 7))\n'
    game = Game(leaf_image(code, step("look", flags="do", scope=())))
    assert "odds, foes 2..: 7" in [each.text for each in game.log]


@pytest.mark.parametrize(("value", "said"), [("25/2", "12.5"), ("-1/4", "-0.25"), ("2/3", "2/3"), ("3", "3")])
def test_fractions_are_told_with_a_point_where_they_come_out_even(value: str, said: str) -> None:
    """Half a point reads as a person writes it; a third stays a third."""
    assert CORPS.of(Fraction(value)) == said


def test_log_without_traced_code_is_refused() -> None:
    """An image that was compiled without its traced variant says so."""
    with pytest.raises(UsageError, match="without its variant 'traced'"):
        _ = Game(without("traced")).log


def test_listing_options_is_not_told() -> None:
    """What rules look up to list options leaves no entries, but its sites count as run."""
    code = """
def options():
    T("table", 9, ((1,), 7))
    return (1, 2)
def s_ask(): yield (S0, i_player__red, options, None, None)
"""
    game = Game(leaf_image(code, step("ask", flags="do asks", scope=())), trace=True)
    assert [kind for kind, _, _ in game.events] == ["step"]
    assert game.evaluated_sites == {9}


def test_an_affair_is_explained_as_a_whole(tmp_path: Path) -> None:
    """What a procedure with outcomes did is one explanation, whatever entry of it is asked about."""
    make_ruleset("race", tmp_path)
    game = Game(load_scenario(tmp_path / "race" / "scenarios" / "standard.yaml"), seed=1)
    for answer in ("rest", "run"):
        game.choose(answer)
    rolled = next(each for each in game.log if each.kind == "roll")
    found, later = game.explain(rolled.number), game.explain(rolled.number + 2)
    assert found.whole
    assert found.lines == later.lines
    assert found.lines[found.after - 1].text == rolled.text
    assert {"modifiers", "table", "move"} <= {each.kind for each in found.lines[found.after :]}
