"""Playing a game through its public interface."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import CODE, CORPS, FIGHT, TINY, image, leaf_image, played, step

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.engine.decision import IllegalChoice
from interpreter.play.engine.lookahead import speculating
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.play.inputs.dice import ScriptedDice

CHOICES = st.lists(st.integers(0, 5), max_size=60)


def test_decision_has_public_attributes() -> None:
    """A decision has seat, kind, address, prompt, options, labels and citations."""
    decision = Game(TINY).decision
    assert decision is not None
    assert (decision.seat, decision.kind, decision.address) == ("red", "maybe", "march.unit")
    assert decision.prompt == "Which unit marches?"
    assert decision.labels == ("red 1", "red 2", "none")
    assert decision.options[-1] is None
    assert decision.cites == ("1.1",)


def test_labels_use_presentation() -> None:
    """The labels of options come from the presentation."""
    decision = Game(GameSource(TINY, wording=CORPS)).decision
    assert decision is not None
    assert decision.labels == ("Red Guards", "red 2", "nobody")


@pytest.mark.parametrize("answer", ["red_2", "unit/red_2", ("unit", "red_2"), ["unit", "red_2"], "red 2"])
def test_choose_accepts_every_form_of_answer(answer: object) -> None:
    """An id, a full name, the stable form and the label all choose the same option."""
    game = Game(TINY)
    game.choose(answer)
    assert game.history[0] == ("a", 0, ("unit", "red_2"), "red")


def test_choose_accepts_option_itself() -> None:
    """An option itself is an answer, including `None`."""
    game = Game(TINY)
    assert game.decision is not None
    game.choose(game.decision.options[0])
    assert game.history[0][2] == ("unit", "red_1")
    assert Game(TINY).decision is not None
    passing = Game(TINY)
    passing.choose(None)
    assert passing.history[0][2] is None


def test_wrong_answer_names_nearest_option() -> None:
    """A refused answer names the question and the nearest option; the decision stays open."""
    game = Game(TINY)
    before = game.hash()
    with pytest.raises(IllegalChoice, match=r"'red_3' is not among the options.*march\.unit.*did you mean 'red_\d'"):
        game.choose("red_3")
    assert (game.hash(), game.history) == (before, ())
    with pytest.raises(UsageError, match="3 are offered"):
        game.choose_index(3)


def test_choose_takes_no_position() -> None:
    """`choose(0)` is not the first option: only `choose_index` takes positions."""
    with pytest.raises(IllegalChoice):
        Game(TINY).choose(0)


def test_single_option_is_recorded() -> None:
    """A single option is chosen without a question, and recorded."""
    game = Game(TINY)
    game.choose("red_1")
    assert game.history == (("a", 0, ("unit", "red_1"), "red"), ("s", 1, ("area", "hill"), "red"))


def test_game_over_refuses_choices() -> None:
    """At the end there is a result and no decision, and choices are refused."""
    game = played(Game(TINY, 1), [2] * 200)
    assert game.decision is None
    assert game.result is not None
    assert game.result.winner is None
    with pytest.raises(UsageError, match="the game is over"):
        game.choose(None)


def test_result_names_winner() -> None:
    """A rule that ends the game gives the winner and the reason."""
    code = '\ndef s_win(): raise EndGame(i_playerːblue, "it was agreed")\n'
    result = Game(leaf_image(code, step("win", flags="do", scope=()))).result
    assert result is not None
    assert (result.winner, result.reason, result.steps) == ("blue", "it was agreed", 1)
    assert str(result) == "blue wins: it was agreed"


def test_invariants_are_checked_after_each_step() -> None:
    """In a checked game, a step that breaks an invariant is a fault that names both."""
    code = "\ndef s_bad(): G.a_points = 200\n"
    with pytest.raises(RuleFault, match="invariant 'points' does not hold after step 'game/bad'"):
        Game(leaf_image(code, step("bad", flags="do", scope=())), checked=True)
    assert Game(leaf_image(code, step("bad", flags="do", scope=()))).result is not None


def test_decision_without_options_is_fault() -> None:
    """A decision without options is a fault at its place."""
    code = "\ndef s_ask(): yield (S0, i_playerːred, (), None, None)\n"
    with pytest.raises(RuleFault, match=r"rules\.yaml:7:3: error\[no-option\]"):
        Game(leaf_image(code, step("ask", flags="do asks", scope=())))


def test_seed_determines_dice() -> None:
    """The same seed and choices give the same state, another seed another state."""
    assert played(Game(TINY, 7), FIGHT).hash() == played(Game(TINY, 7), FIGHT).hash()
    assert len({played(Game(TINY, seed), FIGHT).history for seed in range(6)}) == 6


@settings(max_examples=40)
@given(CHOICES, st.integers(0, 60))
def test_rewind_equals_straight_play(choices: list[int], keep: int) -> None:
    """Play, rewind and other choices give the same as these choices at once."""
    straight = played(Game(TINY, 5), choices[:keep])
    game = played(Game(TINY, 5), choices[:keep])
    mark, before = game.mark(), game.hash()
    assert straight.hash() == before
    with speculating(game, "other dice"):
        played(game, [1, 0, 0, 2, 1, 1])
    assert (game.hash(), game.history, game.step_path) == (before, straight.history, straight.step_path)
    game.rewind(mark)
    rest = choices[keep:]
    assert played(game, rest).hash() == played(straight, rest).hash()
    assert game.history == straight.history
    assert game.result == straight.result


def test_speculation_does_not_use_dice() -> None:
    """Rolls of look-ahead neither use nor predict the dice of the game."""
    choices = FIGHT
    game = Game(TINY, 9)
    for choice in choices:
        if game.decision is None:
            break
        with speculating(game, "ahead"):
            played(game, [0, 0, 0])
        game.choose_index(choice % len(game.decision.options))
    assert game.history == played(Game(TINY, 9), choices).history


def test_scripted_dice_show_faces_in_order() -> None:
    """The faces of an example come up under their labels, named faces by name."""
    dice = ScriptedDice({"attack": [6, 6], "points": ["hit"]})
    game = Game(TINY, dice=dice)
    with pytest.raises(RuleFault, match=r"dice given for 'attack' have run out \(die 1 of 2\)"):
        played(game, FIGHT)
    rolled = [record for record in game.history if record[0] == "d"]
    assert rolled == [("d", 2, 6, 6), ("d", 3, "hit")]
    assert dice.unused == {}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ({"attacks": [1]}, "no dice are given for 'attack'.*\n.*did you mean 'attacks'"),
        ({"attack": [1, 7]}, "'7' is not possible in 'attack' .die 2 of 2"),
    ],
)
def test_wrong_dice_script_is_fault(script: dict[str, list[int]], message: str) -> None:
    """A missing label, or an impossible face, is a fault that names it."""
    with pytest.raises(RuleFault, match=message):
        played(Game(TINY, dice=ScriptedDice(script)), FIGHT)


def test_games_share_classes_not_objects() -> None:
    """Games of one image share its classes, not its objects."""
    one, two = Game(TINY), Game(TINY)
    assert one.core.shared is two.core.shared
    assert one.core.find("unit", "red_1") is not two.core.find("unit", "red_1")


def test_unplayable_source_is_refused() -> None:
    """A source that is neither scenario, ruleset nor image is refused by its type."""
    with pytest.raises(UsageError, match="expected a scenario or a ruleset, not int"):
        Game(42)


def test_traced_variant_equals_fast() -> None:
    """The traced variant reaches the same state as the fast one."""
    choices = [0, 0, 1, 2, 0] * 10
    assert played(Game(TINY, 3, trace=True), choices).hash() == played(Game(TINY, 3), choices).hash()


def test_image_without_sequence_is_refused() -> None:
    """A ruleset without a sequence can't be played."""
    bare = image(CODE, None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no sequence of play"):
        Game(bare)
