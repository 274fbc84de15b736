"""Situations with odds to compute: worked examples of the rulesets, whatever they say comes of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from interpreter import load_ruleset
from interpreter.rules.documents.nodes import as_plain_data
from interpreter.rules.documents.yaml_reader import read_yaml
from interpreter.rules.loading.ruleset import Ruleset

KEPT = ("state", "set", "board", "pieces")


class Situation(NamedTuple):
    """A worked example that runs one procedure, and how often it is run where it is sampled in passing."""

    ruleset: str
    example: str
    runs: int
    run: str = ""
    """What is run in place of what the example runs."""

    @property
    def loaded(self) -> Ruleset:
        """Its ruleset, with the example's options."""
        return loaded(self.ruleset, tuple(sorted(examples(self.ruleset)[self.example].get("options", {}).items())))

    @property
    def procedure(self) -> str:
        """What it runs."""
        return self._call[0]

    @property
    def given(self) -> dict[str, Any]:
        """The situation as `odds` takes it; every decision takes its first option."""
        example = examples(self.ruleset)[self.example]
        takes = [each.name for each in self.loaded.program.procedures[self.procedure].takes]
        given = {key: example[key] for key in KEPT if key in example}
        return given | {"with": dict(zip(takes, self._call[1], strict=True))}

    @property
    def _call(self) -> tuple[str, list[str]]:
        name, _, rest = (self.run or str(examples(self.ruleset)[self.example]["run"])).partition("(")
        return name, [each.strip() for each in rest.rstrip(")").split(",") if each.strip()]


@cache
def loaded(ruleset: str, options: tuple[tuple[str, Any], ...]) -> Ruleset:
    """A ruleset, read once."""
    return load_ruleset(ruleset, options=dict(options))


@cache
def examples(ruleset: str) -> dict[str, Any]:
    """All worked examples of a ruleset."""
    found: dict[str, Any] = {}
    for path in sorted(Path(loaded(ruleset, ()).folder).rglob("*.yaml")):
        document = as_plain_data(read_yaml(path))
        if isinstance(document, dict):
            found.update(document.get("examples") or {})
    return found


CRAPS = str(Path(__file__).parents[1] / "rulesets" / "craps")
SITUATIONS = (
    Situation(CRAPS, "seven_wins", 2_000, "pass_line_by_lot(ann)"),
    Situation("fin_napoleon", "peace_becomes_armistice", 2_000),
    Situation("fin_napoleon", "two_allied_armies", 1_000),
    Situation("nations_in_arms", "even_interception_succeeds", 300),
    Situation("nations_in_arms", "initiative_two_against_three_gets_away", 300),
    Situation(
        "nations_in_arms", "a_forced_march", 300, "wear_down(corps, corps.combat_units, corps.supply_units, false)"
    ),
    Situation("nations_in_arms", "recovered_on_a_two", 300),
    Situation("nations_in_arms", "repulsed", 300),
    Situation("nations_in_arms", "walls_alone_hold", 200),
    Situation("nations_in_arms", "more_losses_decide", 100),
    Situation("nations_in_arms", "a_three_leaves_him_unhurt", 200),
)
