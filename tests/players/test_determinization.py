"""Look-ahead reveals nothing that the player may not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from matches import load

from interpreter.play.engine.lookahead import speculating
from interpreter.play.game import Game
from interpreter.play.inputs.dice import ScriptedDice
from interpreter.play.inputs.inputs import Input
from interpreter.players.greedy import GreedyPlayer
from interpreter.players.planning.determinization import (
    Determinizer,
    indistinguishable_groups,
    shuffle_indistinguishable,
)
from interpreter.players.planning.held_answers import ShownAnswers
from interpreter.players.planning.search_budget import SearchBudget
from interpreter.players.player import Player
from interpreter.players.search import SearchPlayer
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset, Scenario

SEALED = """\
ruleset: {id: sealed, title: Sealed bids, version: "1.0", engine: ">=0.1 <1"}
kinds:
  player: {is: seat, members: [red, blue], has: {bid: "int = 0", coins: "int = 20"}}
procedures:
  bid:
    takes: {player: player}
    do: |
      let first = player chooses one of {1, 2, 3, 4, 5} "How much?"
      let more = player chooses one of {0, 1, 2} "How much more?"
      set player.bid = first + more
  settle:
    do: |
      for each player in players: set player.coins -= player.bid
      for each player in players where .bid > 5: set player.coins = 0
sequence:
  auction:
    do: |
      together:
        bid(red)
        bid(blue)
      settle()
evaluation:
  takes: {player: player}
  do: |
    let other = red if player = blue else blue
    return player.coins + (10 if player.bid > other.bid else 0)
"""
HELD = """\
ruleset: {id: held, title: A guess, version: "1.0", engine: ">=0.1 <1"}
kinds:
  player: {is: seat, members: [red, blue], has: {points: "int = 0"}}
  pile: {is: space, has: {owner: "player?"}}
  card: {is: piece, in: pile}
individuals:
  pile: {red_hand: {owner: red}, stock: {}}
pieces:
  card: [{id: card, count: 6, at: stock}]
views:
  hand: {of: card, when: card.pile.owner != none, seen_by: card.pile.owner, others_see: []}
  stock: {of: card, when: card.pile = stock, others_see: []}
procedures:
  guess_number:
    do: |
      let held = red secretly chooses one of {1, 2, 3, 4} "Which number?"
      let die = red rolls 1d6 "public"
      let said = blue chooses one of {1, 2, 3, 4} "Which is it?"
      if said = held: set blue.points += 10 + die
  guess_card:
    do: |
      let held = red secretly chooses one of red_hand.cards "Which card?"
      let said = blue chooses one of cards "Which is it?"
      if said = held: set blue.points += 10
sequence:
  game:
    steps:
      deal:
        do: |
          let dealt = draw 3 from stock
          move dealt to red_hand
      number: {do: guess_number()}
      card: {do: guess_card()}
evaluation: {takes: {player: player}, is: player.points}
"""
BLOCK = HELD.replace(
    """      let held = red secretly chooses one of red_hand.cards "Which card?"
      let said = blue chooses one of cards "Which is it?"
""",
    """      let held = first(cards)
      let said = held
      together:
        set held = red chooses one of red_hand.cards "Which card?"
        set said = blue chooses one of cards "Which is it?"
""",
)
PLAYERS: dict[str, Callable[[int, str], Player]] = {
    "greedy": lambda seed, seat: GreedyPlayer(seed, seat, trials=4),
    "search": lambda seed, seat: SearchPlayer(seed, seat, SearchBudget(trials=24)),
}


def written(folder: Path, text: str) -> Ruleset:
    """Writes a ruleset of one document, and loads it."""
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    return load_ruleset(folder)


@pytest.fixture(scope="module")
def cards() -> Scenario:
    return load("three_suits/standard")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return written(tmp_path_factory.mktemp("rulesets") / "held", HELD)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return written(tmp_path_factory.mktemp("rulesets") / "sealed", SEALED)


def before_lead(scenario: Scenario, seed: int) -> Game:
    """Returns a game in which every seat has kept its hand, and the first card is to be led."""
    game = Game(scenario, seed)
    while game.decision is not None and game.decision.address == "exchange.unwanted":
        game.choose(None)
    assert game.decision is not None
    assert game.decision.address == "play_card.card"
    return game


def hand(game: Game, seat: str) -> set[str]:
    """Returns the cards in the hand of a seat."""
    return {each.id for each in game.core.find("pile", f"{seat}_hand").c_card}


def redealt(scenario: Scenario, game: Game, chance: Random) -> Game:
    """Returns a game that looks the same to the deciding seat, with a different deal of the cards hidden from it."""
    assert game.decision is not None
    asked = game.decision.seat
    hidden = sorted(each.id for each in game.core.world.find("pile", "deck").c_card)
    hidden += sorted(card for seat in game.seats if seat != asked for card in hand(game, seat))
    other = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    dealt = Game(scenario, game.seed, inputs=[tuple(_exchanged(each, other)) for each in game.history])
    assert hand(dealt, asked) == hand(game, asked)
    return dealt


def _exchanged(item: Input, other: dict[str, str]) -> Iterator[object]:
    for each in item:
        yield other.get(each, each) if isinstance(each, str) else each


@pytest.mark.parametrize("name", PLAYERS)
def test_hidden_cards_change_no_choice(cards: Scenario, name: str) -> None:
    """A player with the same seed leads the same card, whatever the other hands and the deck contain."""
    chance = Random(0)
    for seed in range(12):
        game = before_lead(cards, seed)
        assert game.decision is not None
        seat = game.decision.seat
        chosen = PLAYERS[name](seed, seat).choose(game)
        for _ in range(3):
            other = redealt(cards, game, chance)
            assert other.hash() != game.hash()
            assert PLAYERS[name](seed, seat).choose(other) == chosen


def test_hidden_cards_change_choices_without_sampling(cards: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without sampling, a different deal of hidden cards does change choices: the test above can fail."""
    monkeypatch.setattr("interpreter.players.planning.determinization.shuffle_indistinguishable", lambda *_: [])
    chance, changed = Random(0), 0
    for seed in range(12):
        game = before_lead(cards, seed)
        assert game.decision is not None
        seat = game.decision.seat
        choices = {PLAYERS["search"](seed, seat).choose(each) for each in (game, redealt(cards, game, chance))}
        changed += len(choices) > 1
    assert changed > 2


def test_sample_agrees_with_view(cards: Scenario) -> None:
    """A sample keeps the seat's view, changes the hidden cards, and is undone afterwards."""
    game = before_lead(cards, 5)
    assert game.decision is not None
    seat = game.decision.seat
    before, seen, dealt = game.hash(), game.view(seat), set()
    others = [each for each in game.seats if each != seat]
    for number in range(20):
        with speculating(game, 0):
            shuffle_indistinguishable(game, indistinguishable_groups(game, seat), Random(number).random)
            assert game.view(seat) == seen
            dealt.add(tuple(tuple(sorted(hand(game, each))) for each in others))
        assert game.hash() == before
    assert len(dealt) == 20


@pytest.mark.parametrize("name", PLAYERS)
def test_simultaneous_bids_change_no_choice(sealed: Ruleset, name: str) -> None:
    """Another seat's secret bid has no influence on a choice, though the rules already know it."""
    for seed in range(6):
        for first in range(2):
            choices = set()
            for bid in range(5):
                game = Game(sealed, seed)
                game.choose_index(bid)
                game.choose_index(bid % 3)
                if first:
                    game.choose(2)
                assert game.decision is not None
                assert game.decision.seat == "blue"
                choices.add(PLAYERS[name](seed, "blue").choose(game))
            assert len(choices) == 1


def test_resampling_keeps_own_choices(sealed: Ruleset) -> None:
    """Resampling the other seats' bids keeps the seat's own bid, and is undone afterwards."""
    game = Game(sealed, 0)
    for answer in (5, 2, 4):
        game.choose(answer)
    before, history, bids = game.hash(), game.history, set()
    determinizer = Determinizer(game, "blue")
    for number in range(20):
        with speculating(game, 0):
            determinizer.sample(game, number)
            assert game.decision is not None
            assert game.decision.address == "bid.more"
            assert [each[2] for each in game.history if each[3] == "blue"] == [4]
            bids.add(game.core.find("player", "red").a_bid)
        assert (game.hash(), game.history) == (before, history)
    assert len(bids) > 3


@pytest.mark.parametrize("name", PLAYERS)
def test_held_answer_changes_no_guess(held: Ruleset, name: str) -> None:
    """What another seat has secretly chosen, and the step still holds, has no influence on a guess."""
    right = 0
    for seed in range(8):
        guesses = set()
        for number in (1, 2, 3, 4):
            game = Game(held, seed)
            game.choose(number)
            assert game.decision is not None
            assert game.decision.address == "guess_number.said"
            before, history = game.hash(), game.history
            guess = PLAYERS[name](seed, "blue").choose(game)
            assert (game.hash(), game.history) == (before, history)
            guesses.add(guess)
            right += guess == number - 1
        assert len(guesses) == 1
    assert right == 8


@pytest.fixture(scope="module")
def block(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return written(tmp_path_factory.mktemp("rulesets") / "held", BLOCK)


@pytest.mark.parametrize("rules", ["held", "block"])
@pytest.mark.parametrize("name", PLAYERS)
def test_held_card_gives_no_hand_away(rules: str, name: str, request: pytest.FixtureRequest) -> None:
    """The card that another seat holds in mind or chose at the same time, and its hand, change no guess."""
    source = request.getfixturevalue(rules)
    for seed in range(4):
        guesses = set()
        for hand in (("card_1", "card_2", "card_3"), ("card_4", "card_5", "card_6")):
            for card in hand:
                game = Game(source, seed, dice=ScriptedDice({"deal": hand, "public": [1]}))
                game.choose(1)
                game.choose(1)
                game.choose(card)
                assert game.decision is not None
                assert game.decision.address == "guess_card.said"
                guesses.add(PLAYERS[name](seed, "blue").choose(game))
        assert len(guesses) == 1


def test_a_sampled_answer_fits_what_was_seen(tmp_path: Path) -> None:
    """Blue has seen that the number is even: only such numbers are sampled, and the state is as before afterwards."""
    rules = HELD.replace(
        """      let die = red rolls 1d6 "public"\n""",
        """      let die = 0\n      set red.points = held mod 2\n""",
    )
    game = Game(written(tmp_path / "held", rules), 3)
    game.choose(2)
    before, found = game.hash(), set()
    determinizer = Determinizer(game, "blue")
    for number in range(30):
        with speculating(game, number):
            determinizer.sample(game, number)
            found.add(game.inputs.items[-1][2])
        assert game.hash() == before
    assert found == {2, 4}


def test_answers_that_have_shown_are_known_and_others_are_not(tmp_path: Path) -> None:
    """Three secret numbers are seen at once, a fourth is not: it alone is sampled, also at the next question."""
    numbers = ", ".join(map(str, range(1, 41)))
    asked = "".join(
        f"""      let {name} = red secretly chooses one of {{{numbers}}} "How many {name}?"
      set red.{name} = {name}
"""
        for name in ("men", "guns", "horses")
    )
    rules = HELD.replace('points: "int = 0"', 'points: "int = 0", men: "int = 0", guns: "int = 0", horses: "int = 0"')
    rules = rules.replace("    do: |\n      let held", f"    do: |\n{asked}      let held", 1).replace(
        "      let said = blue", """      let more = blue chooses one of {1, 2} "More?"\n      let said = blue""", 1
    )
    game, shown = Game(written(tmp_path / "held", rules), 3), ShownAnswers()
    for answer in (7, 39, 22, 2):
        game.choose(answer)
    for address in ("guess_number.more", "guess_number.said"):
        assert game.decision is not None
        assert game.decision.address == address
        determinizer, found = Determinizer(game, "blue", shown), []
        for number in range(30):
            with speculating(game, number):
                determinizer.sample(game, number)
                found.append([each[2] for each in game.history if each[0] == "a" and each[3] == "red"])
        assert {tuple(each[:3]) for each in found} == {(7, 39, 22)}
        assert {each[3] for each in found} == {1, 2, 3, 4}
        game.choose(1)


@pytest.mark.parametrize("rules", ["held", "block", "cards"])
def test_a_seed_gives_the_same_sample_again(rules: str, request: pytest.FixtureRequest) -> None:
    """A sample that is played again has the state, the inputs and the question of the first time; others differ."""
    game = Game(request.getfixturevalue(rules), 4)
    for _ in range(3):
        game.choose_index(0)
    assert game.decision is not None
    determinizer, found = Determinizer(game, game.decision.seat), {}
    for number in (0, 1, 2, 3, 4, 5, 2, 0, 5):
        with speculating(game, number):
            determinizer.sample(game, number)
            assert game.decision is not None
            sample = game.hash(), game.history, game.decision.address, game.chance.dice.drawn
        assert found.setdefault(number, sample) == sample
    assert len(set(found.values())) > 2
