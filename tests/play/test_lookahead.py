"""A rewind asks the same question again, without listing known options."""

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
    """Returns the open question in a form that can be compared later."""
    decision = game.decision
    assert decision is not None
    return decision.address, decision.seat, encode(decision.options), encode(decision.chosen), game.hash()


@pytest.mark.parametrize("name", SCENARIOS)
def test_rewind_asks_same_question(name: str) -> None:
    """After a rewind, the question, options and state equal those of a game played up to there."""
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


def test_rewind_reuses_listed_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """The options of a question are listed once, also after a rewind and a look-ahead."""
    game = Game(load_scenario("breakthrough/standard", paths=[TESTS]), 0)
    mark, listed = game.mark(), []
    options = Game._list_options
    monkeypatch.setattr(Game, "_list_options", lambda self, source: listed.append(game.mark()) or options(self, source))
    game.choose_index(0)
    before = len(listed)
    game.rewind(mark)
    with speculating(game, 0):
        pass
    assert before > 0
    assert len(listed) == before


def test_rewind_uses_pieces_of_last_run(recruits: Ruleset) -> None:
    """A step that runs again creates its pieces again: the options are the new pieces."""
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


def test_mark_of_other_branch_keeps_input_count(recruits: Ruleset) -> None:
    """A mark from before other answers leads to its number of inputs, with the current options."""
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
