"""The place that is named as the cut of a supply line: the true cause, not what is nearest to a source on the map."""

from __future__ import annotations

from interpreter import ask

ARGUMENTS = ", ".join(
    ["enemy_zones(coalition)", "enemy_contacts(coalition)", "shut_zones(coalition)", "fed_pontoons(coalition)"]
)


def test_cut_is_where_the_line_would_go_on() -> None:
    """Kienmayer in Bern is cut off at Zurich, where Lecourbe stands on his way, and not at Chambery behind Geneva."""
    given = {
        "board": {"force": [{"id": "force_of_Kienmayer", "at": "h3329"}, {"id": "army_of_Bonaparte", "at": "h3030"}]}
    }
    reached = f"line_places(austria, h3329, {ARGUMENTS}, {{}})"
    assert ask("nations_in_arms/marengo_1800", f"cut_of(austria, h3329, {reached}, {ARGUMENTS})", given) == "h3428"
