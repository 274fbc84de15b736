"""A ruleset in memory: documents with positions, schemas, linking, loading, the cache."""

from interpreter.rules.loading import check_ruleset, check_scenario, load_ruleset, load_scenario
from interpreter.rules.ruleset import Clause, Ruleset, Scenario
from interpreter.rules.setup import Setup

__all__ = [
    "Clause",
    "Ruleset",
    "Scenario",
    "Setup",
    "check_ruleset",
    "check_scenario",
    "load_ruleset",
    "load_scenario",
]
