"""What every game shows on a screen of 80 columns and 24 lines, in both languages: nothing wraps, and one sees the aim.

Tables and drawings keep to the width by themselves; prose is broken between words by the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from soak import load

from interpreter.console.board import board_text, map_text, place_text
from interpreter.console.odds_text import ahead_lines
from interpreter.console.standing_text import briefing_lines, standing_lines, status_line
from interpreter.inference.ahead import Lookout
from interpreter.language.text_width import width
from interpreter.play.game import Game
from interpreter.play.wording.messages import HELP
from interpreter.play.wording.text_table import fitted
from interpreter.players.random import RandomPlayer

COLUMNS = 80
GAMES = {
    "age_of_napoleon/ulm_1805": 40,
    "commands_and_colors_napoleonics/rolica_1": 60,
    "fin_napoleon/road_to_paris": 60,
    "napoleonic_wars/campaign_4": 60,
    "nations_in_arms/marengo_1800": 40,
}
"""A scenario of every game, with the number of decisions until its screens are looked at again."""
every_game = pytest.mark.parametrize("name", GAMES)
both_languages = pytest.mark.parametrize("language", ["en", "ja"])


def positions(name: str, language: str) -> Iterator[tuple[Game, str]]:
    """The first position of a game and a later one, each with the seat that decides."""
    game = Game(load(name), seed=2, language=language, trace=True)
    players = {seat: RandomPlayer(2, seat) for seat in game.seats}
    for count in range(GAMES[name] + 1):
        assert game.decision is not None
        if count in (0, GAMES[name]):
            yield game, game.decision.seat
        game.choose_index(players[game.decision.seat].choose(game))


def too_wide(text: str) -> list[str]:
    """The lines that a terminal of 80 columns would wrap."""
    return [each for each in text.split("\n") if width(each) > COLUMNS]


def is_drawn(line: str) -> bool:
    """Whether a line is part of a drawing, whose columns are apart by blanks; a row of a list has one such gap."""
    return len(re.findall(r"\S {2,}(?=\S)", line)) > 1


@every_game
@both_languages
def test_no_drawing_or_table_wraps(name: str, language: str) -> None:
    """The map, all of it and around a place, the board, and the help fit 80 columns."""
    for game, seat in positions(name, language):
        place = next(each for each in game.core.world.objects if each.root == "space" and any(each.neighbours))
        for around in ("", "all", place.id):
            assert not any(is_drawn(each) for each in too_wide(str(map_text(game, seat, around, COLUMNS))))
        assert [each for each in too_wide(board_text(game, seat, COLUMNS)) if "  " in each or each[0] == " "] == []
        assert too_wide(place_text(game, place.id, seat, COLUMNS)) == []
        assert too_wide(game.source.wording.say(HELP)) == []


@both_languages
@pytest.mark.parametrize("name", ["age_of_napoleon/ulm_1805", "napoleonic_wars/duel_1805"])
def test_map_around_a_place_fits_the_screen(name: str, language: str) -> None:
    """On 24 lines, with a command and a prompt, a drawn map is cut to a place; `all` shows all of it."""
    game = Game(load(name), seed=2, language=language)
    seat, whole = game.seats[0], str(map_text(game, None, "all", COLUMNS, 22)).split("\n")
    assert len(whole) > 22
    places = [each for each in game.core.world.objects if each.root == "space" and any(each.neighbours)]
    for place in places[::4]:
        shown = str(map_text(game, seat, place.id, COLUMNS, 22)).split("\n")
        assert len(shown) <= 22
        assert too_wide("\n".join(shown)) == []
        assert game.source.wording.of(place)[:4] in "\n".join(shown)


@every_game
@both_languages
def test_no_prose_wraps_within_a_word(name: str, language: str) -> None:
    """The briefing, the standing, the status line and the odds are broken between words, and no row of odds is."""
    for game, seat in positions(name, language):
        prose = [*briefing_lines(game, seat), *standing_lines(game, seat), status_line(game, seat)]
        assert too_wide(fitted("\n".join(prose), COLUMNS)) == []
    found = Lookout(game).estimate(None)
    if found is not None:
        lines = ahead_lines(found, game.source.wording)
        assert too_wide(fitted("\n".join(lines), COLUMNS)) == []
        assert too_wide("\n".join([each for each in lines if "±" in each])) == []


@every_game
@both_languages
def test_first_screen_says_what_wins(name: str, language: str) -> None:
    """The briefing names each way to win and how far it is, with its clause, and fits a screen with its commands."""
    game, seat = next(positions(name, language))
    wins = standing_lines(game, seat)
    briefing = fitted("\n".join(briefing_lines(game, seat)), COLUMNS).split("\n")
    assert len(briefing) <= 24
    assert any("[" in each for each in briefing)
    first = wins[0].partition("  [")[0]
    assert first.partition(":")[0].partition("：")[0] in " ".join(briefing_lines(game, seat))
    assert status_line(game, seat)


def test_japanese_name_does_not_repeat_its_values() -> None:
    """A hand that is named after its owner is not said to belong to it, though no blank parts the words of its name."""
    *_, (game, _) = positions("napoleonic_wars/campaign_4", "ja")
    assert "フランスの手札（" not in board_text(game, None, COLUMNS)
    assert "フランスの手札 " in board_text(game, None, COLUMNS)
