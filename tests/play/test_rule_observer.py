"""Observers of rules, and evaluation of rules from outside."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter.language.diagnostics import RuleFault, UsageError
from interpreter.play.engine.lookahead import speculating
from interpreter.play.engine.rule_observer import RuleObserver
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

HEAD = """
ruleset: {id: ferry, title: {en: Ferry}, version: 1.0.0, notice: For tests.}
include: [rules.yaml]
"""
RULES = """
kinds:
  player: {is: seat, members: [red, blue]}
  bank: {is: space, plural: banks}
  squad: {is: piece, plural: squads, in: bank, has: {owner: player, tired: "bool = false"}}
  guard_squad: {is: squad, plural: guard_squads}
individuals:
  bank:
    east: {}
    west: {}
pieces:
  squad:
    - {id: red, count: 2, owner: red, at: east}
    - {id: blue, owner: blue, at: west}
  guard_squad:
    - {id: guard, owner: blue, at: west}
state:
  money: "int = 9"
tables:
  fares: {keys: {number: int}, gives: int, grid: "number | 0 1 2 3..\\nfare | 0 1 1 2"}
definitions:
  twice: {takes: {number: int}, gives: int, is: number + number}
  squad.strength: {gives: int, is: 1 if .tired else 2}
  guard_squad.strength: {gives: int, is: 3}
  fresh: {takes: {player: player}, gives: set of squad, is: squads where .owner = player and not .tired}
  share: {takes: {number: int}, gives: int, is: "fares[number]"}
modifiers:
  toll:
    takes: {squad: squad}
    each:
      - {id: heavy, when: squad.strength > 2, value: 1}
      - {id: always, value: 1}
procedures:
  pay:
    takes: {amount: int}
    do: set money -= fares[min(amount, 3)]
  cross:
    takes: {squad: squad}
    gives: int
    do: |
      let there = squad.owner chooses one of banks "Which bank?"
      move squad to there
      set squad.tired = true
      pay(toll(squad))
      let strength = squad.strength
      return twice(strength)
sequence:
  game:
    repeat: 3
    steps:
      turn:
        each: player in [red, blue]
        do: |
          if any(fresh(player)):
            let mover = player chooses one of fresh(player) "Who crosses?"
            let strength = cross(mover)
            set money += strength - twice(strength) + strength
"""


class Recorder(RuleObserver):
    """Keeps the calls of some rules."""

    def __init__(self, *rules: str) -> None:
        self.rules = rules
        self.calls: list[tuple[str, str, tuple[Any, ...], Any]] = []

    def before(self, rule: str, arguments: tuple[Any, ...]) -> None:
        self.calls.append(("before", rule, arguments, None))

    def after(self, rule: str, arguments: tuple[Any, ...], result: Any) -> None:
        self.calls.append(("after", rule, arguments, result))

    @property
    def counted(self) -> Counter[tuple[str, str]]:
        """The number of starts and ends of each rule."""
        return Counter((when, rule) for when, rule, _, _ in self.calls)


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """The ruleset of these tests."""
    folder: Path = tmp_path_factory.mktemp("ferry")
    folder.joinpath("ruleset.yaml").write_text(HEAD, encoding="utf-8")
    folder.joinpath("rules.yaml").write_text(RULES, encoding="utf-8")
    return load_ruleset(folder)


def play(game: Game, seed: int = 1) -> Game:
    """Plays a game by random choices to its end."""
    random = Random(seed)
    while game.decision is not None:
        game.choose_index(random.randrange(len(game.decision.options)))
    return game


def test_inlined_definition_is_observed(ferry: Ruleset) -> None:
    """A definition that is inlined elsewhere has its own calls in an observed game."""
    assert "d_twice(" not in ferry.unit("traced").source.replace("def d_twice(", "")
    recorder = Recorder("definitions/twice")
    game = Game(ferry, 1, observers=(recorder,))
    game.choose_index(0)
    game.choose_index(0)
    assert ("after", "definitions/twice", (1,), 2) in recorder.calls
    assert recorder.counted["before", "definitions/twice"] == recorder.counted["after", "definitions/twice"] >= 2


def test_asking_procedure_ends_after_last_answer(ferry: Ruleset) -> None:
    """The call of a procedure that asks ends when its last question is answered, and not before."""
    recorder = Recorder("procedures/cross", "procedures/pay", "modifiers/toll", "tables/fares")
    game = Game(ferry, 1, observers=(recorder,))
    mover = game.core.find("squad", "red_1")
    game.choose(mover)
    assert recorder.calls == [("before", "procedures/cross", (mover,), None)]
    game.choose("west")
    toll = ("modifiers/toll", (mover,))
    assert recorder.calls[1:] == [
        ("before", *toll, None),
        ("after", *toll, 1),
        ("before", "procedures/pay", (1,), None),
        ("before", "tables/fares", (1,), None),
        ("after", "tables/fares", (1,), 1),
        ("after", "procedures/pay", (1,), None),
        ("after", "procedures/cross", (mover,), 2),
    ]


def test_overriding_attribute_is_observed(ferry: Ruleset) -> None:
    """The function of a kind is observed where the attribute of the kind above is read."""
    recorder = Recorder("definitions/guard_squad.strength", "definitions/squad.strength")
    game = play(Game(ferry, 1, observers=(recorder,)))
    guard = game.core.find("guard_squad", "guard")
    seen = {(rule, arguments[0].id): result for when, rule, arguments, result in recorder.calls if when == "after"}
    assert seen["definitions/guard_squad.strength", guard.id] == 3
    assert seen["definitions/squad.strength", guard.id] == 3
    assert seen["definitions/squad.strength", "red_1"] in {1, 2}


@pytest.mark.parametrize("trace", [False, True])
def test_observed_game_equals_plain_game(ferry: Ruleset, trace: bool) -> None:
    """Observed rules give the same decisions, states and events as rules that nobody observes."""
    recorder = Recorder("definitions/twice", "definitions/fresh", "procedures/cross", "modifiers/toll")
    plain, observed = Game(ferry, 1, trace), Game(ferry, 1, trace, observers=(recorder,))
    random = Random(1)
    while plain.decision is not None:
        assert observed.decision is not None
        assert observed.decision.labels == plain.decision.labels
        assert observed.hash() == plain.hash()
        index = random.randrange(len(plain.decision.options))
        plain.choose_index(index)
        observed.choose_index(index)
    assert observed.result == plain.result
    assert (observed.hash(), observed.history) == (plain.hash(), plain.history)
    assert [str(each.text) for each in observed.log] == [str(each.text) for each in plain.log]
    assert [each[:2] for each in observed.events] == [each[:2] for each in plain.events]
    assert recorder.calls


def test_games_share_no_observer(ferry: Ruleset) -> None:
    """A game of the same ruleset without an observer runs the code for play, and nobody sees its rules."""
    recorder = Recorder("procedures/pay")
    Game(ferry, 1, observers=(recorder,))
    plain = play(Game(ferry, 1))
    assert plain.core.variant == "fast"
    assert recorder.calls == []


def test_abandoned_call_has_no_end(ferry: Ruleset) -> None:
    """A call that a return to an earlier point abandons begins again and ends once."""
    recorder = Recorder("procedures/cross")
    game = Game(ferry, 1, observers=(recorder,))
    game.choose_index(0)
    with speculating(game, 7):
        game.choose_index(0)
    game.undo()
    game.choose_index(0)
    game.choose_index(0)
    began, ended = (recorder.counted[when, "procedures/cross"] for when in ("before", "after"))
    assert (began, ended) == (3, 2)


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("definitions/twise", "did you mean 'definitions/twice'"),
        ("procedures/cros", "did you mean 'procedures/cross'"),
        ("twice", "there is no rule 'twice'"),
        ("kinds/squad", "there is no rule 'kinds/squad'"),
        ("definitions/twice__now", "there is no rule"),
    ],
)
def test_unknown_rule_is_refused(ferry: Ruleset, path: str, hint: str) -> None:
    """A path that the ruleset does not have can be neither observed nor evaluated."""
    with pytest.raises(UsageError, match=hint):
        Game(ferry, 1, observers=(Recorder("procedures/pay", path),))
    with pytest.raises(UsageError, match=hint):
        Game(ferry, 1).evaluate(path)


@pytest.mark.parametrize("observers", [(), (Recorder(),)])
def test_rule_is_evaluated_by_its_path(ferry: Ruleset, observers: tuple[RuleObserver, ...]) -> None:
    """A definition, modifiers, a table and a computed attribute give their values for given ones."""
    game = Game(ferry, 1, observers=observers)
    guard, red = game.core.find("guard_squad", "guard"), game.core.find("player", "red")
    assert game.evaluate("definitions/twice", 4) == 8
    assert [each.id for each in game.evaluate("definitions/fresh", red)] == ["red_1", "red_2"]
    assert game.evaluate("definitions/squad.strength", guard) == 3
    assert game.evaluate("modifiers/toll", guard) == 2
    assert game.evaluate("tables/fares", 7) == 2
    assert game.core.evaluate("definitions/twice", 5) == 10


def test_evaluation_is_no_event(ferry: Ruleset) -> None:
    """An evaluation from outside changes neither the events nor the state."""
    game = Game(ferry, 1, trace=True)
    events, state = len(game.events), game.hash()
    assert game.evaluate("modifiers/toll", game.core.find("squad", "red_1")) == 1
    assert (len(game.events), game.hash()) == (events, state)


def test_wrong_evaluation_is_refused(ferry: Ruleset) -> None:
    """A procedure changes the game, values must fit, and the fault of a rule has its place."""
    game = Game(ferry, 1)
    with pytest.raises(UsageError, match="'procedures/pay' changes the game"):
        game.evaluate("procedures/pay", 1)
    with pytest.raises(UsageError, match="evaluated with 2 values"):
        game.evaluate("definitions/twice", 1, 2)
    with pytest.raises(RuleFault) as fault:
        game.evaluate("definitions/share", -1)
    assert fault.value.diagnostic.place.file.endswith("rules.yaml")


def test_observer_does_not_see_own_evaluations(ferry: Ruleset) -> None:
    """Evaluations by an observer during a call are not observed."""

    class Asking(Recorder):
        def before(self, rule: str, arguments: tuple[Any, ...]) -> None:
            super().before(rule, arguments)
            assert self.game.evaluate("definitions/twice", 50) == 100

    asking = Asking("definitions/twice", "procedures/pay")
    play(Game(ferry, 1, observers=(asking,)))
    assert not [each for each in asking.calls if each[1:3] == ("definitions/twice", (50,))]
    assert asking.counted["before", "procedures/pay"] == 4
