"""What a game is played for, and how it stands, as the `victory` section of its ruleset says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load_ruleset, load_scenario
from interpreter.console.standing_text import briefing_lines, standing_lines, status_line
from interpreter.language.diagnostics import RulesetError, UsageError
from interpreter.play.views.standing import StandingLevel, StandingNote, StandingPart
from interpreter.rules.loading.ruleset import Ruleset

RULES = """\
ruleset: {id: cities, title: Cities, version: 1.0.0}
kinds:
  side: {is: seat, members: [red, blue], has: {goal: "int = 3"}}
  town: {is: space, has: {owner: "side? = none", worth: "int = 1"}}
  spy: {is: piece, in: town, plural: spies, has: {side: side}}
  verdict: {is: thing, has: {least: "int?", most: "int?"}}
individuals:
  verdict: {great: {least: 2}, small: {least: 1, most: 1}, none_at_all: {most: 0}}
  town: {north: {}, south: {worth: 2}, west: {}}
pieces: {spy: [{id: eye, at: north, side: red}]}
options: {short: {default: false}}
clauses: [{id: "1", kind: rule, says: Towns win.}, {id: "2", kind: rule, says: South counts double.}]
views: {spies: {of: spy, seen_by: spy.side}}
procedures:
  capture: {takes: {town: town}, do: "set town.owner = red"}
sequence:
  game:
    steps:
      first: {do: "let town = red chooses one of towns\\ncapture(town)"}
      second: {do: "let town = blue chooses one of towns\\nwin red \\"enough\\""}
victory:
  towns:
    cite: "1"
    takes: {side: side}
    for: side
    says: {en: "{side} wins with {goal}.", ja: "{side}は{goal}で勝つ。"}
    goal: side.goal
    parts: {of: towns, value: .worth if .owner = side else 0, most: .worth, clauses: {south: {cite: "2"}}}
    notes:
      owned:
        cite: "1"
        says: "{side} has {towns} of {all}."
        values: {towns: towns where .owner = side, all: count(towns)}
      spying: {says: Spies take no town., when: not short}
      later: {says: Look twice., when: not short, at_start: false}
  verdicts:
    when: not short
    says: The verdict at the end.
    value: count(towns where .owner = red)
    levels: {of: verdicts, now: "first(verdicts where .least = 2)", least: .least, most: .most}
  spies: {says: "Spies win nothing.", value: "count(spies)"}
"""


def write(folder: Path, text: str = RULES) -> Path:
    (folder / "ruleset.yaml").write_text(text)
    return folder


@pytest.fixture
def ruleset(tmp_path: Path) -> Ruleset:
    return load_ruleset(write(tmp_path), cache=False)


def test_a_condition_is_evaluated_for_each_thing_that_it_takes(ruleset: Ruleset) -> None:
    """A condition that takes a seat is shown for each seat, with the seat in its text and in its title."""
    red, blue, *_ = Game(ruleset).standing()
    assert (red.text, red.title, red.seats, red.cites) == ("red wins with 3.", "red towns", ("red",), ("1",))
    assert (blue.text, blue.seats) == ("blue wins with 3.", ("blue",))


def test_the_value_is_the_sum_of_the_parts_and_follows_the_game(ruleset: Ruleset) -> None:
    """Without a value of its own a condition counts the sum of its parts, in the present position."""
    game = Game(ruleset)
    assert game.standing()[0].value == 0
    game.choose("south")
    red, blue, *_ = game.standing()
    assert (red.value, red.goal, blue.value) == (2, 3, 0)
    assert red.parts == (StandingPart("north", 0, 1), StandingPart("south", 2, 2, ("2",)), StandingPart("west", 0, 1))


def test_levels_have_their_limits_and_the_present_one(ruleset: Ruleset) -> None:
    """The possible verdicts are listed with the values they need, and the present one is named."""
    verdicts = Game(ruleset).standing()[2]
    assert verdicts.level == "great"
    assert verdicts.levels == (
        StandingLevel("great", 2),
        StandingLevel("small", 1, 1),
        StandingLevel("none at all", None, 0),
    )


def test_levels_may_be_words(tmp_path: Path) -> None:
    """Verdicts and parts need only a name: they may be words of an enum."""
    words = RULES.replace(
        "verdict: {is: thing, has: {least",
        "grade: {is: enum, members: [won, lost]}\n  verdict: {is: thing, has: {least",
    )
    words = words.replace(
        'levels: {of: verdicts, now: "first(verdicts where .least = 2)", least: .least, most: .most}',
        "levels: {of: grades, now: won, least: 2 if it = won else 0}",
    )
    [verdicts] = [each for each in Game(load_ruleset(write(tmp_path, words))).standing() if each.name == "verdicts"]
    assert verdicts.level == "won"
    assert verdicts.levels == (StandingLevel("won", 2), StandingLevel("lost", 0))


def test_a_condition_is_shown_only_when_it_applies(tmp_path: Path) -> None:
    """A condition whose `when` is false under the options is left out."""
    short = load_ruleset(write(tmp_path), options={"short": True}, cache=False)
    assert [each.name for each in Game(short).standing()] == ["towns", "towns", "spies"]


def test_hidden_pieces_do_not_count(ruleset: Ruleset) -> None:
    """A seat reads the numbers that follow from what it can see; an onlooker those of what everybody can see."""
    game = Game(ruleset)
    before = game.hash()
    assert [game.standing(seat)[-1].value for seat in ("red", "blue", None)] == [1, 0, 0]
    assert game.hash() == before


def test_a_seat_that_does_not_exist_has_no_standing(ruleset: Ruleset) -> None:
    """Asking for a seat that the game does not have is an error with the nearest name."""
    with pytest.raises(UsageError, match="there is no seat 'rod'; did you mean 'red'"):
        Game(ruleset).standing("rod")


def test_looking_records_nothing_and_changes_no_hash(ruleset: Ruleset) -> None:
    """The standing is no event: log, inputs and state stay as they are, in a traced game too."""
    game = Game(ruleset, trace=True)
    game.choose("south")
    before = game.hash(), [each.text for each in game.log], len(game.inputs.items)
    game.standing("red")
    assert (game.hash(), [each.text for each in game.log], len(game.inputs.items)) == before


def test_texts_are_in_the_language_of_the_game(ruleset: Ruleset) -> None:
    """The text of a condition is in the language of the game if it has one there."""
    assert Game(ruleset, language="ja").standing()[0].text == "redは3で勝つ。"


def test_standing_as_text_lists_what_counts_and_what_is_open(ruleset: Ruleset) -> None:
    """The text has a line for each condition and lines for what counts, what is open, and the possible verdicts."""
    game = Game(ruleset)
    game.choose("south")
    assert standing_lines(game, None)[:12] == [
        "red wins with 3. Now: red towns 2 (goal 3).  [1]",
        "  counted: south 2 [2]",
        "  open: north 0 of 1, west 0 of 1",
        "  red has south of 3.  [1]",
        "  Spies take no town.",
        "  Look twice.",
        "blue wins with 3. Now: blue towns 0 (goal 3).  [1]",
        "  open: north 0 of 1, south 0 of 2 [2], west 0 of 1",
        "  blue has none of 3.  [1]",
        "  Spies take no town.",
        "  Look twice.",
        "The verdict at the end. Now: verdicts 1 (great).",
    ]
    verdicts = "possible verdicts: great (2 or more), small (1 to 1), none at all (0 or less)"
    assert verdicts in "\n".join(standing_lines(game, None))
    assert f"  {verdicts}" in briefing_lines(game, None)
    assert status_line(game, None) == "red towns 2 (goal 3); blue towns 0 (goal 3); verdicts 1 (great); spies: 0"


def test_no_blank_stands_between_japanese_words(ruleset: Ruleset) -> None:
    """A sentence, a title for a player and a name before a word follow one another as Japanese does."""
    game = Game(ruleset, language="ja")
    assert standing_lines(game, None)[0].startswith("redは3で勝つ。いま：redのtowns0（目標3）。")
    words = game.source.wording
    assert (words.labelled("首都", "パリ"), words.labelled("ステップ", "2")) == ("首都：パリ", "ステップ 2")


DATE = """
state: {day: "int = 2", leap: "bool = false"}
definitions:
  weekend: {is: day >= 6}
  spied: {is: count(spies)}
presentation: {date: {en: "day {day}{weekend? (weekend)}{spied?, {spied} {spied:spy|spies}}", ja: "{day}日"}}
"""


def test_the_date_stands_before_the_standing_as_a_seat_may_know_it(tmp_path: Path) -> None:
    """Values of the state and of definitions fill the template; hidden pieces count only for who sees them."""
    ruleset = load_ruleset(write(tmp_path, RULES + DATE), cache=False)
    game = Game(ruleset)
    assert status_line(game, "red").startswith("day 2, 1 spy; red towns 0")
    assert status_line(game, "blue").startswith("day 2; red towns 0")
    game.core.world.state.a_day = 6
    assert status_line(game, None).startswith("day 6 (weekend); ")
    assert status_line(Game(ruleset, language="ja"), "red").startswith("2日")


def test_a_date_of_unknown_values_is_reported(tmp_path: Path) -> None:
    """What a date shows is a state value or a definition without parameters."""
    with pytest.raises(RulesetError, match="no state value 'dya' to be shown in a date"):
        load_ruleset(write(tmp_path, RULES + DATE.replace("{day}日", "{dya}日")), cache=False)


def test_notes_name_what_counts_and_are_shown_under_their_condition(tmp_path: Path) -> None:
    """A note is in words with values of the position; its `when` may leave it out."""
    game = Game(load_ruleset(write(tmp_path), options={"short": True}, cache=False))
    game.choose("west")
    assert [each.notes for each in game.standing()] == [
        (StandingNote("red has west of 3.", ("1",)),),
        (StandingNote("blue has none of 3.", ("1",)),),
        (),
    ]


def test_the_briefing_has_the_notes_of_the_readers_own_conditions(tmp_path: Path) -> None:
    """Of conditions that say the same, a seat reads at the start the notes to its own; an onlooker reads all."""
    alike = RULES.replace("{side} wins with {goal}.", "All win.")
    game = Game(load_ruleset(write(tmp_path, alike), cache=False))
    own, all_notes = "\n".join(briefing_lines(game, "blue")), "\n".join(briefing_lines(game, None))
    assert "blue has none" in own
    assert "red has none" not in own
    assert "blue has none" in all_notes
    assert "red has none" in all_notes
    assert all_notes.count("Spies take no town.") == 1
    assert "Look twice." not in all_notes


def test_data_of_a_standing_is_plain(ruleset: Ruleset) -> None:
    """`as_data` has the same values under the same names, without objects of the game."""
    data = Game(ruleset).standing()[0].as_data()
    assert data["parts"][1] == {"name": "south", "value": 0, "most": 2, "cites": ["2"]}
    assert (data["value"], data["goal"], data["seats"]) == (0, 3, ["red"])


def test_a_ruleset_without_the_section_says_so(tmp_path: Path) -> None:
    """A game whose rules have no victory conditions has no standing, and the text says that."""
    game = Game(load_ruleset(write(tmp_path, RULES.partition("victory:\n")[0]), cache=False))
    assert game.standing() == ()
    assert status_line(game, None) == ""
    assert standing_lines(game, None) == ["the rules of this game do not say what wins"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("goal: side.goal", "goal: side", "'goal' of the victory condition 'towns': expected number, found side"),
        ("for: side\n", "for: towns\n", "'for' of the victory condition 'towns': expected seat, found set of town"),
        ("value: .worth if", "value: .owner if", "error[mixed-types]"),
        ("when: not short", "when: 3", "'when' of the victory condition 'verdicts': expected bool, found int"),
        ("{side: side}\n    for", "{side: int}\n    for", "the victory condition 'towns' can take one thing"),
        ("of: verdicts, now", "of: red.goal, now", "expected a collection"),
        ("when: not short}", "when: count(towns)}", "'when' of its notes of the victory condition 'towns'"),
        ("all: count(towns)", "all: count(town)", "unknown"),
        ("parts: {of: towns", "part: {of: towns", "did you mean 'parts'?"),
    ],
)
def test_mistakes_are_reported_at_their_place(tmp_path: Path, before: str, after: str, message: str) -> None:
    """A text of the wrong type, a wrong parameter and a misspelt key are errors of the ruleset."""
    assert before in RULES
    with pytest.raises(RulesetError) as found:
        load_ruleset(write(tmp_path, RULES.replace(before, after)), cache=False)
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("fin_napoleon/campaign", {"points_of_france": 10, "broken_morale": 0}),
        ("fin_napoleon/road_to_paris", {"points_of_france": 10, "surrender_of_france": 0}),
        ("commands_and_colors_napoleonics/rolica_1", {"banners": 5}),
        ("nations_in_arms/marengo_1800", {"balance": None, "cities_of_the_empire": None}),
    ],
)
def test_every_game_says_what_it_is_played_for(scenario: str, expected: dict[str, int | None]) -> None:
    """Each game names its conditions with their goals, and a value that a program can read."""
    found = {each.name: each for each in Game(load_scenario(scenario)).standing()}
    assert expected.items() <= {name: each.goal for name, each in found.items()}.items()
    assert all(found[name].value is not None and found[name].cites for name in expected)
