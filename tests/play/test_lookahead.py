"""Going back to a mark asks the same question again, without listing its options where they are known."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.play.inputs.value_codec import encode
from interpreter.play.records.recording import RecordedGame
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Ruleset

TESTS = Path(__file__).resolve().parent.parent
SCENARIOS = ("fin_napoleon/campaign", "three_suits/standard", "breakthrough/standard")
RECRUITS = """\
ruleset: {id: recruits, title: Recruits, version: "1.0", engine: ">=0.1 <1"}
kinds:
  player: {is: seat, members: [red, blue]}
  place: {is: space}
  unit: {is: piece, in: place, has: {tired: "bool = false"}}
individuals: {place: [camp]}
definitions:
  rested: {is: units where not .tired}
procedures:
  drill:
    do: |
      let fresh = new unit(at: camp)
      let other = new unit(at: camp)
      let chosen = red chooses one of rested() "Who drills?"
      set chosen.tired = true
      let next = red chooses one of rested() + {fresh} "Who is next?"
      set next.tired = true
sequence:
  game: {repeat: 3, steps: {drills: {do: drill()}}}
"""


@pytest.fixture(scope="module")
def recruits(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("rulesets") / "recruits"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(RECRUITS, encoding="utf-8")
    return load_ruleset(folder)


def asked(game: Game) -> object:
    """The question that is open, in a form that outlives it."""
    decision = game.decision
    assert decision is not None
    return decision.address, decision.seat, encode(decision.options), encode(decision.chosen), game.hash()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_rewind_asks_what_was_asked(name: str) -> None:
    """From any mark to any earlier one the question, its options and the state are those of a game played there."""
    scenario, chance = load_scenario(name, paths=[TESTS]), Random(7)
    for seed in range(4):
        game = RecordedGame(scenario, seed)
        marks = [(game.mark(), asked(game), game.history)]
        for _ in range(60):
            assert game.decision is not None
            game.choose_index(chance.randrange(len(game.decision.options)))
            if game.decision is None:
                break
            marks.append((game.mark(), asked(game), game.history))
        for number in sorted(chance.sample(range(len(marks)), 12), reverse=True):
            mark, question, history = marks[number]
            game.rewind(mark)
            assert asked(game) == question
            assert asked(RecordedGame(scenario, seed, inputs=history)) == question


def test_options_are_not_listed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was listed when the question first came up serves after a rewind and after a look ahead."""
    game = Game(load_scenario("breakthrough/standard", paths=[TESTS]), 0)
    mark, listed = game.mark(), []
    options = Game._listed
    monkeypatch.setattr(Game, "_listed", lambda self, given: listed.append(game.mark()) or options(self, given))
    game.choose_index(0)
    before = len(listed)
    game.rewind(mark)
    with speculating(game, 0):
        pass
    assert before > 0
    assert len(listed) == before


def test_pieces_made_in_the_step_are_those_of_its_last_run(recruits: Ruleset) -> None:
    """A step that is carried out again makes its pieces anew: the options are these, and what they suffer counts."""
    game = Game(recruits)
    mark = game.mark()
    game.choose("unit_2")
    for _ in range(2):
        game.rewind(mark)
        assert game.decision is not None
        assert all(game.core.world.objects[each.index] is each for each in game.decision.options)
        game.choose("unit_1")
        assert game.decision is not None
        assert [each.id for each in game.decision.options] == ["unit_2", "unit_1"]
        assert game.core.find("unit", "unit_1").a_tired


def test_a_mark_of_another_course_is_only_a_place(recruits: Ruleset) -> None:
    """A mark set before other answers were given leads to the same number of inputs, with the options of now."""
    game = Game(recruits)
    start = game.mark()
    game.choose("unit_1")
    mark, before = game.mark(), asked(game)
    game.rewind(start)
    game.choose("unit_2")
    other = asked(game)
    assert other != before
    game.choose_index(0)
    game.rewind(mark)
    assert asked(game) == other
