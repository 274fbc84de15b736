"""Heavy cavalry against infantry that forms square, counted by hand from the clauses."""

from __future__ import annotations

from fractions import Fraction

from interpreter import ask, load_ruleset, odds

RULES = load_ruleset("rulesets/commands_and_colors_napoleonics")


def test_cavalry_against_a_square_agrees_with_arithmetic() -> None:
    """The square rolls a die first: 2 faces cost the cavalry a block, 1 repulses it; then the cavalry rolls a die.

    Of the cavalry's die 3 faces hit infantry (combat.melee.hits.2 and .5), and its flag costs a block, too: a square
    cannot retreat (tactics.square.retreat.1) and is not supported by its neighbours (tactics.square.support.1).
    """
    cards = [each for each in ask(RULES, "cards") if "first_strike" not in each]
    found = odds(
        RULES,
        "melee",
        {
            "pieces": {
                "unit": [
                    {
                        "id": "riders",
                        "troop": "br_heavy_cavalry",
                        "blocks": 3,
                        "at": "D6",
                        "ordered": True,
                        "attack": 2,
                    },
                    {"id": "infantry_1", "troop": "fr_line", "blocks": 4, "at": "E6"},
                    {"id": "left", "troop": "fr_line", "blocks": 4, "at": "F5"},
                    {"id": "right", "troop": "fr_line", "blocks": 4, "at": "F6"},
                ]
            },
            "board": {"card": [{"id": each, "at": "french_hand"} for each in cards[:5]]},
            "with": {"unit": "riders", "target": "infantry_1", "bonus": "false"},
            "decisions": {"default": "first", "form_square.square": "yes"},
            "outcomes": {"riders": "riders.blocks", "infantry": "infantry_1.blocks"},
        },
    )
    hit, repulsed = Fraction(2, 6), Fraction(1, 6)
    neither, struck = 1 - hit - repulsed, Fraction(4, 6)
    assert dict(found.rows) == {
        ("3", "4"): neither * (1 - struck) + repulsed,
        ("3", "3"): neither * struck,
        ("2", "4"): hit * (1 - struck),
        ("2", "3"): hit * struck,
    }
