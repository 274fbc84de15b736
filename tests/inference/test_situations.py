"""An impossible situation is refused with reason and place, before anything is computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load_ruleset, odds
from interpreter.inference.sampling import with_dice
from interpreter.language.diagnostics import RulesetError
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.ruleset import Ruleset

PROUD = """\
overlay: {id: proud, for: fin_napoleon}
patches:
  - {at: presentation/words/french_losses, remove: true}
  - {at: presentation/words/allied_losses, remove: true}
  - at: procedures/combat
    set:
      cite: "10.2"
      takes: {area: area, active: country}
      when:
        - {id: somebody, unless: not any(area.units), says: Nobody is there.}
        - {id: there, cite: "10.21", when: "any(army_in(area, active))", says: The active country has no army there.}
      do: 'log "Combat in {area}: {0} French and {0} allied losses"'
"""
ARMY = {"unit": [{"id": "France_1", "at": "Austria_area"}]}


@pytest.fixture(scope="module")
def proud() -> Ruleset:
    """A ruleset with a procedure that states conditions for its situations."""
    return load_ruleset("fin_napoleon", [OverlayFile(Path("proud.yaml"), PROUD.encode())])


def given(country: str, decisions: object = None) -> dict[str, object]:
    """A French army in Austria, and the country that fights there."""
    asked: dict[str, object] = {"with": {"area": "Austria_area", "active": country}, "board": ARMY}
    return asked if decisions is None else asked | {"decisions": decisions}


def test_possible_situation_has_odds(proud: Ruleset) -> None:
    """Where every condition holds the odds are those of the procedure; both ways of asking agree."""
    assert odds(proud, "combat", given("France")).rows[0][1] == 1
    assert with_dice(proud, "combat", given("France"), 1).run()


def test_impossible_situation_is_refused(proud: Ruleset) -> None:
    """The failed condition is reported in its own words, with its clause, at the arguments."""
    for ask in (
        lambda: odds(proud, "combat", given("Austria")),
        lambda: with_dice(proud, "combat", given("Austria"), 1),
    ):
        with pytest.raises(RulesetError, match=r"no army there\.  \[10\.21\]") as caught:
            ask()
        (fault,) = caught.value.diagnostics
        assert (fault.code, fault.place.file) == ("impossible-situation", "<given>")
        assert "proud.yaml:11" in str(fault.hint)


def test_first_failed_condition_is_reported(proud: Ruleset) -> None:
    """Only the first failed condition is reported; without clauses of its own it has those of its procedure."""
    with pytest.raises(RulesetError, match=r"Nobody is there\.  \[10\.2\]"):
        odds(proud, "combat", {"with": {"area": "Britain_area", "active": "France"}})


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        ({"suffer.sharee": [{}]}, "there is no decision 'suffer.sharee'"),
        ({"default": "frist"}, "did you mean 'first'"),
        ("frist", "did you mean 'first'"),
        ({"default": 1}, "expected one of first, last, likeliest, uniform"),
    ],
)
def test_misspelt_decisions_are_reported(decisions: object, said: str) -> None:
    """An unknown address and an unknown policy are reported with their places."""
    battle = given("France", decisions)
    for ask in (odds, lambda *given: with_dice(*given, 1)):
        with pytest.raises(RulesetError, match=said) as caught:
            ask(load_ruleset("fin_napoleon"), "combat", battle)
        assert caught.value.diagnostics[0].place.line > 0


def test_any_is_a_synonym_of_uniform(proud: Ruleset) -> None:
    """The deprecated spelling of the policy gives the odds of the present one."""
    one, two = (odds(proud, "combat", given("France", {"default": each})) for each in ("any", "uniform"))
    assert one.rows == two.rows


CAUTIOUS = """\
overlay: {id: cautious, for: fin_napoleon}
patches:
  - {at: presentation/words/french_losses, remove: true}
  - {at: presentation/words/allied_losses, remove: true}
  - at: procedures/combat
    set:
      cite: "10.2"
      takes: {area: area, active: "country?"}
      gives: int
      when:
        - {id: fresh, cite: "10.22", unless: "any(area.units where .face = back)", says: Somebody is worn., warns: true}
        - {id: named, when: active != none, says: Nobody is active.}
        - {id: there, when: "any(army_in(area, active))", says: The active country has no army there., warns: true}
      do: |
        log "Combat in {area}: {0} French and {0} allied losses"
        return count(area.units)
"""


def test_condition_that_warns_refuses_nothing() -> None:
    """A situation that does not meet it has odds and the warning, in the order of the conditions, with clauses."""
    cautious = load_ruleset("fin_napoleon", [OverlayFile(Path("cautious.yaml"), CAUTIOUS.encode())])
    worn = {"unit": [{"id": "France_1", "at": "Austria_area", "face": "back"}]}
    fresh = odds(cautious, "combat", given("France"))
    assert fresh.warnings == ()
    warned = odds(cautious, "combat", given("Russia") | {"board": worn})
    assert warned.rows == fresh.rows
    assert [str(each) for each in warned.warnings] == [
        "Somebody is worn.  [10.22]",
        "The active country has no army there.  [10.2]",
    ]
    assert with_dice(cautious, "combat", given("Russia") | {"board": worn}, 1).run() == ("1",)


def test_condition_that_must_hold_is_met_beside_warnings() -> None:
    """A failed condition refuses the situation whatever else only warns."""
    cautious = load_ruleset("fin_napoleon", [OverlayFile(Path("cautious.yaml"), CAUTIOUS.encode())])
    with pytest.raises(RulesetError, match=r"Nobody is active"):
        odds(cautious, "combat", given("none"))


def test_condition_that_warns_narrows_no_type() -> None:
    """What only warns may fail, so that texts after it cannot rely on it."""
    text = CAUTIOUS.replace("says: Nobody is active.", "says: Nobody is active., warns: true")
    with pytest.raises(RulesetError, match=r"country\?"):
        load_ruleset("fin_napoleon", [OverlayFile(Path("cautious.yaml"), text.encode())])


def test_action_has_no_warnings() -> None:
    """An action is offered or not: `warns` is unknown there."""
    text = """\
overlay: {id: wary, for: fin_napoleon}
patches:
  - at: actions/mobilise/when/last_level
    set: {id: last_level, when: active.level < active.levels, warns: true}
"""
    with pytest.raises(RulesetError, match="warns"):
        load_ruleset("fin_napoleon", [OverlayFile(Path("wary.yaml"), text.encode())])


def test_outcomes_may_be_listed_by_name() -> None:
    """A list names outcomes of the procedure; those it does not have are refused with what there is."""
    units = [*ARMY["unit"], {"id": "Austria_1", "at": "Austria_area"}]
    asked = {**given("France"), "board": {"unit": units}, "outcomes": ["french_losses"]}
    assert odds("fin_napoleon", "combat", asked).names == ("french_losses",)
    for name, said in (("french_loses", "mean 'french_losses'"), ("zzz", "it has french_losses, allied_losses")):
        with pytest.raises(RulesetError, match=f"unknown-outcome.*'combat' has no outcome '{name}'(.|\n)*{said}"):
            odds("fin_napoleon", "combat", {**asked, "outcomes": [name]})
    with pytest.raises(
        RulesetError, match=r"nothing is called 'allied_loses'(.|\n)*list names, as in \[allied_losses\]"
    ):
        odds("fin_napoleon", "combat", {**asked, "outcomes": {"lost": "allied_loses"}})
