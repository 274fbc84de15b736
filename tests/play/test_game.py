"""Playing a game through its public face."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_game import CODE, CORPS, FIGHT, TINY, image, leaf_image, played, step

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.engine.decision import IllegalChoice
from interpreter.play.engine.lookahead import playout, speculating, try_options
from interpreter.play.engine.source import GameSource
from interpreter.play.game import Game
from interpreter.play.inputs.dice import ScriptedDice

CHOICES = st.lists(st.integers(0, 5), max_size=60)


def test_decision_says_who_is_asked_what() -> None:
    """A decision carries seat, kind, address, prompt, options, labels and citations."""
    decision = Game(TINY).decision
    assert decision is not None
    assert (decision.seat, decision.kind, decision.address) == ("red", "maybe", "march.unit")
    assert decision.prompt == "Which unit marches?"
    assert decision.labels == ("red 1", "red 2", "none")
    assert decision.options[-1] is None
    assert decision.cites == ("1.1",)


def test_labels_use_the_presentation() -> None:
    """Options are called what the presentation calls them."""
    decision = Game(GameSource(TINY, wording=CORPS)).decision
    assert decision is not None
    assert decision.labels == ("Red Guards", "red 2", "nobody")


@pytest.mark.parametrize("answer", ["red_2", "unit/red_2", ("unit", "red_2"), ["unit", "red_2"], "red 2"])
def test_answers_are_taken_in_every_form(answer: object) -> None:
    """An id, a full name, the stable form and the label all mean the same option."""
    game = Game(TINY)
    game.choose(answer)
    assert game.history[0] == ("a", 0, ("unit", "red_2"), "red")


def test_values_themselves_are_answers() -> None:
    """An option can be given as it was offered, `None` among them."""
    game = Game(TINY)
    assert game.decision is not None
    game.choose(game.decision.options[0])
    assert game.history[0][2] == ("unit", "red_1")
    assert Game(TINY).decision is not None
    passing = Game(TINY)
    passing.choose(None)
    assert passing.history[0][2] is None


def test_wrong_answer_names_the_nearest_option_and_changes_nothing() -> None:
    """A refused answer says what was asked and what may have been meant; the decision stays open."""
    game = Game(TINY)
    before = game.hash()
    with pytest.raises(IllegalChoice, match=r"'red_3' is not an answer.*march\.unit.*did you mean 'red_\d'"):
        game.choose("red_3")
    assert (game.hash(), game.history) == (before, ())
    with pytest.raises(UsageError, match="3 are offered"):
        game.choose_index(3)


def test_numbers_are_no_positions() -> None:
    """`choose(0)` is not the first option: only `choose_index` counts."""
    with pytest.raises(IllegalChoice):
        Game(TINY).choose(0)


def test_single_options_answer_themselves_and_are_recorded() -> None:
    """Where one option is left nobody is asked, and the inputs say so."""
    game = Game(TINY)
    game.choose("red_1")
    assert game.history == (("a", 0, ("unit", "red_1"), "red"), ("s", 1, ("area", "hill"), "red"))


def test_game_over_says_so() -> None:
    """At the end there is a result and no decision, and choosing is refused."""
    game = played(Game(TINY, 1), [2] * 200)
    assert game.decision is None
    assert game.result is not None
    assert game.result.winner is None
    with pytest.raises(UsageError, match="the game is over"):
        game.choose(None)


def test_winner_is_named() -> None:
    """A rule that ends the game names winner and reason."""
    code = '\ndef s_win(): raise EndGame(i_player__blue, "it was agreed")\n'
    result = Game(leaf_image(code, step("win", flags="do", scope=()))).result
    assert result is not None
    assert (result.winner, result.reason, result.steps, result.cites) == ("blue", "it was agreed", 1, ("0",))
    assert str(result) == "blue wins: it was agreed"


def test_invariants_are_tested_after_each_step() -> None:
    """A step that breaks an invariant is a fault that names both, where a game is checked."""
    code = "\ndef s_bad(): G.a_points = 200\n"
    with pytest.raises(RuleFault, match="invariant 'points' does not hold after step 'game/bad'"):
        Game(leaf_image(code, step("bad", flags="do", scope=())), checked=True)
    assert Game(leaf_image(code, step("bad", flags="do", scope=()))).result is not None


def test_no_option_is_a_fault() -> None:
    """A decision without options is a fault at its place."""
    code = "\ndef s_ask(): yield (S0, i_player__red, (), None, None)\n"
    with pytest.raises(RuleFault, match=r"rules\.yaml:7:3: error\[no-option\]"):
        Game(leaf_image(code, step("ask", flags="do asks", scope=())))


def test_seed_decides_the_dice() -> None:
    """The same seed and choices give the same state, another seed another one."""
    assert played(Game(TINY, 7), FIGHT).hash() == played(Game(TINY, 7), FIGHT).hash()
    assert len({played(Game(TINY, seed), FIGHT).history for seed in range(6)}) == 6


@settings(max_examples=40, deadline=None)
@given(CHOICES, st.integers(0, 60))
def test_rewinding_equals_straight_play(choices: list[int], keep: int) -> None:
    """Going on, coming back to a mark and taking other choices gives what taking them at once would have."""
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


def test_exploring_leaves_the_dice_alone() -> None:
    """What is rolled while looking ahead does not use up or foretell the true dice."""
    choices = FIGHT
    game = Game(TINY, 9)
    for choice in choices:
        if game.decision is None:
            break
        with speculating(game, "ahead"):
            playout(game, lambda decision: 0, 3)
        game.choose_index(choice % len(game.decision.options))
    assert game.history == played(Game(TINY, 9), choices).history


def test_every_option_can_be_tried() -> None:
    """`try_options` values the state after each option and comes back."""
    game = Game(TINY)
    before = game.hash()
    assert try_options(game, 1, lambda each: each.step_path) == [
        "game/turn/march",
        "game/turn/march",
        "game/turn/rally",
    ]
    assert game.hash() == before


def test_scripted_dice_come_up_in_order() -> None:
    """An example's faces come up under their labels; named faces by name."""
    dice = ScriptedDice({"attack": [6, 6], "points": ["hit"]})
    game = Game(TINY, dice=dice)
    with pytest.raises(RuleFault, match=r"dice given for 'attack' have run out \(die 1 of 2\)"):
        played(game, FIGHT)
    rolled = [record for record in game.history if record[0] == "d"]
    assert rolled == [("d", 2, 6, 6), ("d", 3, "hit")]
    assert dice.left == {}


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ({"attacks": [1]}, "no dice are given for 'attack'.*\n.*did you mean 'attacks'"),
        ({"attack": [1, 7]}, "'7' can't come up in 'attack' .die 2 of 2"),
    ],
)
def test_wrong_scripts_are_told(script: dict[str, list[int]], said: str) -> None:
    """A missing label, or a face that the dice do not have, is a fault that says so."""
    with pytest.raises(RuleFault, match=said):
        played(Game(TINY, dice=ScriptedDice(script)), FIGHT)


def test_wording_of_the_emitted_code_is_not_needed_twice() -> None:
    """Games of one image share its classes, not its objects."""
    one, two = Game(TINY), Game(TINY)
    assert one.core.shared is two.core.shared
    assert one.core.find("unit", "red_1") is not two.core.find("unit", "red_1")


def test_source_must_be_playable() -> None:
    """What is neither scenario, ruleset nor image is refused by name."""
    with pytest.raises(UsageError, match="not from int"):
        Game(42)


def test_variants_play_the_same_game() -> None:
    """The traced variant of the code comes to the same state as the fast one."""
    choices = [0, 0, 1, 2, 0] * 10
    assert played(Game(TINY, 3, trace=True), choices).hash() == played(Game(TINY, 3), choices).hash()


def test_image_without_a_sequence_cannot_be_played() -> None:
    """A ruleset without a sequence says so when a game is begun."""
    bare = image(CODE, None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no sequence of play"):
        Game(bare)
