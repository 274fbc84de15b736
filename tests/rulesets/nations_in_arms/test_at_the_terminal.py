"""What a person at the terminal is asked and shown: who, where, at what cost, in both languages, on one screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from soak import load

from interpreter.console.board import board_text, map_window
from interpreter.console.coloured_text import ColouredText
from interpreter.console.human import HumanPlayer
from interpreter.console.narration import Narrator
from interpreter.console.option_labels import option_groups
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.undo import UndoRefused
from interpreter.play.wording.messages import MOVES_OF_OTHERS
from interpreter.players.random import RandomPlayer
from interpreter.rules.linking.presentation import decisions
from interpreter.rules.loading.load import load_ruleset, load_scenario
from interpreter.workshop.examples.run_examples import play_example

LATIN_WORDS = re.compile(r"\b(which|what|where|who|does|none|no more|yes)\b", re.IGNORECASE)


def begun() -> Game:
    """Marengo, with Moreau's army activated in Basel."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), seed=7, trace=True)
    for answer in ("empire_land_2", "activate", "army_of_Moreau", None):
        game.choose(answer)
    return game


def test_a_stack_is_shown_with_what_it_can_do() -> None:
    """Who leads it, where it stands, its strength, and how far it may go."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), seed=7)
    game.choose("empire_land_2")
    game.choose("activate")
    outcome = [str(each) for each in option_groups(game)]
    assert "Moreau in Basel (h3328), Armée du Rhin, steps 10, trains 1, engineers 1, initiative 3, 6 MP" in outcome
    assert "Suchet in h3135 near Toulon, steps 2, trains 1, initiative 3, 6 MP" in outcome


def test_a_march_is_shown_with_its_costs() -> None:
    """The question names the stack, the place and the MP that are left; the options and the map what each hex costs."""
    game = begun()
    assert game.decision is not None
    for part in ("force of Moreau in Basel (h3328)", "ordinary march", "steps 10", "6 MP left"):
        assert part in game.decision.prompt
    drawn = str(map_window(game, "french"))
    assert ">F10" in drawn
    assert "h3427 f 2" in drawn
    game.choose("go")
    outcome = [str(each) for each in option_groups(game)]
    assert "h3427 near Basel: 2 MP, forest, there: force of Kienmayer" in outcome


def test_an_interception_is_shown_with_what_it_takes() -> None:
    """Kray needs a 12: he crosses a river and has the worse initiative; the line of the march is shown once."""
    game = begun()
    narrator = Narrator(game)
    narrator.news(game)
    game.choose("go")
    game.choose("h3427")
    assert game.decision is not None
    assert game.decision.prompt.startswith("force of Moreau has come to h3427 near Basel")
    assert "by itself on 12 or more with 2d6" in str(option_groups(game)[0])
    outcome = [each.text for each in narrator.news(game)]
    assert outcome == ["force of Moreau marches to h3427 near Basel for 2 MP"]


def test_a_prize_is_no_price_of_another() -> None:
    """Who retreats is not shown what the active stack would pay to go there."""
    for game in wars("en", 33, *range(3, 30)):
        assert game.decision is not None
        if game.decision.address in ("retire.there", "retire.beyond", "choose_havens.goal"):
            assert not any(" MP" in str(each) for each in option_groups(game))
            return
    pytest.fail("nobody had to give way")


def test_a_stack_goes_by_the_name_of_who_leads_it() -> None:
    """A marshal joins a general's corps: until then the log names the general's force, and from then on his."""
    game = play_example(load_ruleset("nations_in_arms"), "a_stack_is_called_by_what_lies_uppermost")
    assert "marshal moves from force of marshal to force of general" in [each.text for each in game.log]
    assert game.source.wording.of(game.core.find("force", "stack")) == "force of marshal"


def test_a_retreat_is_shown_with_its_price() -> None:
    """Where the way back costs steps the options say how many, and the log shows what was paid."""
    for game in wars("en", 33, *range(3, 30)):
        assert game.decision is not None
        if game.decision.address in ("retire.there", "retire.beyond"):
            priced = [each for each in option_groups(game) if "steps lost on the way: " in str(each)]
            if priced:
                steps = re.findall(r"steps lost on the way: (\d+)", str(priced[0]))[0]
                before = len(game.log)
                game.choose_index(priced[0].positions[0])
                since = " ".join([each.text for each in game.log[before:]])
                assert re.search(f"(pays for|perishes on) its retreat.*: steps to lose {steps}", since), since
                return
    pytest.fail("no retreat cost anything")


def wars(language: str, *seeds: int) -> Iterator[Game]:
    """Games of random players, at every decision."""
    for seed in seeds:
        game = Game(load("nations_in_arms/marengo_1800"), seed=seed, language=language)
        players = {seat: RandomPlayer(seed, seat) for seat in game.seats}
        while game.decision is not None:
            yield game
            game.choose_index(players[game.decision.seat].choose(game))


def test_every_question_is_asked_in_japanese() -> None:
    """Each decision has its question in both languages, with the current value in every field."""
    ruleset = load_ruleset("nations_in_arms")
    prompts = ruleset.presentation["prompts"]
    assert [each for each in decisions(ruleset.program) if "ja" not in prompts.get(each, {})] == []
    asked = 0
    for game in wars("ja", 3):
        assert game.decision is not None
        prompt = game.decision.prompt
        assert "…" not in prompt, prompt
        assert LATIN_WORDS.search(prompt) is None, prompt
        assert not any(LATIN_WORDS.search(str(each)) for each in option_groups(game)[-1:]), game.decision.address
        asked += 1
    assert asked > 100


def test_a_war_is_shown_by_the_words_of_the_rulebook() -> None:
    """The log speaks of dice, tables, marches, attrition and step losses as the rulebook does."""
    games = {id(game): game for game in wars("ja", 3, 4, 5)}
    text = "\n".join([each.text for game in games.values() for each in game.log])
    for part in ("のダイス：", "戦闘結果表、ダイス ", "へ移動", "のステップロス：", "損耗：", "率先能力", "ブロック"):
        assert part in text


def test_a_board_keeps_to_the_width_of_the_terminal() -> None:
    """At 80 columns in Japanese the rows of the board are broken where they end, and nowhere else."""
    game = next(wars("ja", 3))
    lines = board_text(game, "french", 80).split("\n")
    assert max(map(width, lines)) <= 80
    (at,) = [
        number for number, line in enumerate(lines) if line.startswith("  グラン・サン・ベルナール、アオスタ（h3231）")
    ]
    assert lines[at].endswith("ピエモンテ")
    assert lines[at + 1].startswith(" " * 40)


MAX_ASKED = 20_000
"""More questions than three games have: a terminal whose answers are not taken is a failure and no endless loop."""


class Screen:
    """A terminal at which the first option is always taken, with what it has shown.

    The map of what others moved is above the question and may scroll away, so it is not kept.
    """

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.asked = 0
        self._passing = False

    def ask(self, prompt: str, words: object) -> str | None:
        """The first option that has a number, or the least number."""
        self.asked += 1
        assert self.asked < MAX_ASKED, f"no answer is taken: {self.shown[-3:]}"
        found = re.search(r"-?\d+", prompt)
        return None if found is None else found[0]

    def say(self, text: str | ColouredText, style: str | None = None) -> None:
        """Keeps the lines."""
        is_heading = text == MOVES_OF_OTHERS.en
        if not self._passing and not is_heading:
            self.shown += str(text).split("\n")
        self._passing = is_heading

    @property
    def lines(self) -> int:
        """How many lines of a terminal of 80 columns that is, with the prompt."""
        return 1 + sum(-(-max(width(each), 1) // 80) for each in self.shown)


def test_most_questions_fit_a_small_screen() -> None:
    """At 80 columns and 24 lines the map, the question and its options are seen together, but for long lists."""
    screens: dict[str, Screen] = {}
    players: dict[str, HumanPlayer] = {}
    sizes: list[int] = []
    for game in wars("en", 3):
        assert game.decision is not None
        seat = game.decision.seat
        screen = screens.setdefault(seat, Screen())
        player = players.setdefault(seat, HumanPlayer(seat, screen, lambda *_: "", lambda: (80, 24)))
        screen.shown.clear()
        player.choose(game)
        sizes.append(screen.lines)
    assert sum(each <= 24 for each in sizes) > 0.8 * len(sizes), sorted(sizes)
    assert max(sizes) <= 32


@pytest.mark.parametrize(
    ("language", "called", "consent"),
    [("en", "Austria", "the consent of Austria"), ("ja", "オーストリア", "オーストリアの同意が必要")],
)
def test_who_plays_is_called_in_the_language(language: str, called: str, consent: str) -> None:
    """The scenario says who plays; those who do not are not asked for their consent when a decision is taken back."""
    game = Game(load_scenario("nations_in_arms/marengo_1800"), seed=1, language=language)
    assert game.source.wording.of(game.core.find("player", "austrian")) == called
    game.choose("empire_land_2")
    game.choose("activate")
    game.choose("army_of_Moreau")
    for answer in (None, "go", "h3427", "army_of_Kray", None):
        assert game.decision is not None
        game.choose(answer)
    with pytest.raises(UndoRefused) as refused:
        game.undo("french")
    assert consent in str(refused.value)
    assert called in str(refused.value)
