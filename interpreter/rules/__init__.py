"""A ruleset in memory: documents with positions, schemas, linking, loading, the cache."""

from interpreter.rules.linking.setup import Setup
from interpreter.rules.loading.load import check_ruleset, check_scenario, load_ruleset, load_scenario
from interpreter.rules.loading.ruleset import Clause, Ruleset, Scenario

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
