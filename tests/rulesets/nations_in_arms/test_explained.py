"""Every kind of result is explained in full: modifiers with clauses, row and cell, dice, losses and their bounds."""

from __future__ import annotations

import pytest

from interpreter.console.prompt_commands import PromptCommands
from interpreter.play.game import Game
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.workshop.examples.run_examples import play_example
from interpreter.workshop.explain.explain import explain_entry


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    """The ruleset."""
    return load_ruleset("rulesets/nations_in_arms")


def shown(game: Game, said: str) -> str:
    """The explanation of the first entry of a game's log in which this is said."""
    number = next(each.number for each in game.log if said in each.text)
    return str(explain_entry(game, number))


RESULTS = {
    "field battle": (
        "french_against_prussians",
        "Battle at",
        (
            "+3  lead assault unit  [8.3.7.1",
            "+3  commander  [8.3.5.1",
            "France rolls 3 + 3 = 6 (battle)",
            "combat results table, roll 16, battle size engagement: 4CL  [",
            "Prussia rolls 4 + 4 = 8 (battle)",
            "combat results table, roll 11, battle size engagement: 2  [",
            "at least 1 from Prussian I Guard Corps [8.4.1.2.a, 8.3.7.2]",
            "[8.4.1.2.b, 8.2.4.4.a]",
            "combat results table at 16, engagement: stated",
            "holds together: 2 against a morale of",
        ),
    ),
    "loss within it": (
        "the_guard_cavalry_leads",
        "steps 2 → 1",
        ("at least 1 from French I Guard Cavalry [8.4.1.2.a, 8.3.7.2]", "engagement: 1+  ["),
    ),
    "attrition check": (
        "half_of_them_french",
        "Attrition:",
        (
            "-1  French units  [7.2.4.4, 7.2.5.2, 7.2.4.6.e]",
            "France rolls 6 + 6 = 12 (attrition)",
            "attrition, roll 11, steps 3–4: 1  [",
            "at least 1 from French I Infantry Corps [7.2.5.2]",
            "attrition at 11, 3..4: reconstructed",
        ),
    ),
    "asterisk": ("a_four_costs_a_step", "Attrition:", ("steps 5–6: 0*", "asterisk, die 4 or more: 1  [7.2.5.1]")),
    "siege check": (
        "repulsed_on_a_four",
        "Siege of",
        (
            "siege, roll 4, level 2: ",
            "+0  length of the siege  [9.2.2.e]",
            "steps lost when repulsed, die 4 or more: 1  [9.2.1.1]",
        ),
    ),
    "storm": (
        "walls_alone_hold",
        "fortress points lost",
        (
            "4 combat points against 2 of Ingolstadt (h3926), 2 of them the walls'",
            "+2  combat ratio  [9.3.1.9.a, 8.3.1.4]",
            "combat results table, roll 8, battle size skirmish: 1  [",
            "holds together: 2 against a morale of 2",
        ),
    ),
    "supply line that an army cuts": (
        "a_zone_starves",
        "is cut between",
        (
            "between Kaluga (h7012) and h7011 near Kaluga: the zone of influence of an enemy army",
            "[7.1.4.4]",
            "line bars: zone applies  [7.1.4.4.a]",
        ),
    ),
    "supply line that two armies cut": (
        "two_armies_on_the_line_starve",
        "is cut between",
        ("between h7016 near Kaluga and h7015 near Kaluga: the enemy stands there",),
    ),
    "supply line that a river cuts": (
        "a_river_starves",
        "is cut between",
        ("between h7112 near Kaluga and h7011 near Kaluga: an unbridged river",),
    ),
    "supply line over a strait": (
        "ships_in_the_strait_starve",
        "is cut between",
        ("between Boulogne (h2620) and Dover (h2520): enemy ships in the strait",),
    ),
    "supply line by sea": (
        "ships_at_sea_starve",
        "is cut",
        ("The supply line of France by sea to Alexandria (h7256) is cut: only enemy ships", "[7.1.5.2.b]"),
    ),
    "supply of a box": ("a_box_starves", "In Bosnia", ("nothing passes supply on to Austria", "[7.1.9.1]")),
    "supply of a garrison": (
        "a_besieged_garrison_starves",
        "is besieged",
        ("its fortress feeds 3 of 5 steps", "[7.1.8.1, 7.1.8.2]"),
    ),
    "supply line that is too long": (
        "a_check_lays_it",
        "nothing passes supply on",
        ("Within 4 MP of h7014 near Kaluga nothing passes supply on to Russia", "[7.1.4.2]"),
    ),
    "interception": (
        "light_cavalry_intercepts_succeeds",
        "(interception)",
        ("+1  light cavalry  [6.3.2.1.a]", "special movement, total 10 or more: yes  ["),
    ),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_is_explained_down_to_dice_cell_and_losses(kind: str, rules: Ruleset) -> None:
    """The explanation of the entry, wherever in its span that is, has the example's own figures."""
    example, said, parts = RESULTS[kind]
    text = shown(play_example(rules, example), said)
    for part in parts:
        assert part in text, (part, text)


def test_why_tells_the_last_result_at_the_terminal(rules: Ruleset) -> None:
    """Asked for all, the last roll is shown with what led to it and what followed from it."""
    said: list[str] = []
    PromptCommands(play_example(rules, "bluecher_holds"), "prussian", said.append).run("why", "all")
    text = "\n".join(said)
    parts = ("Prussia rolls 2 (morale check), by field battle", "+1  commander  [8.6.5.a]", "-2  steps lost  [8.6.5.c")
    for part in (
        *parts,
        "combat results table, roll 13, battle size engagement: 3L",
        "and so:",
        "holds together: 2 against a morale of 2",
    ):
        assert part in text, (part, text)


def test_why_is_short_at_first(rules: Ruleset) -> None:
    """A whole battle is shown by what decided it, on one screen, with how to see the rest."""
    said: list[str] = []
    PromptCommands(play_example(rules, "bluecher_holds"), "prussian", said.append).run("why", "")
    text = "\n".join(said)
    assert len(said) <= 22
    assert said[0].startswith("Field battle (summary); 'why all' shows all ")
    parts = (
        "battle of attackers: +2 (commander +2)",
        "combat results table, roll 13, battle size engagement: 3L",
        "Prussia rolls 2 (morale check)",
        "a morale of 2",
    )
    for part in parts:
        assert part in text, (part, text)
    assert "[8.6.5.a]" not in text
