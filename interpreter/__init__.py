"""Bicorne: a rules interpreter for board wargames."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.inference.ahead import odds_ahead
    from interpreter.inference.odds import odds
    from interpreter.play.game import Game
    from interpreter.play.views.view import apply_changes
    from interpreter.players.orders.order_execution import OrderExecution
    from interpreter.players.orders.plan_search import plans_for
    from interpreter.rules.loading.load import load_ruleset, load_scenario
    from interpreter.workshop.examples.query import ask

__version__ = "0.1.0"

__all__ = [
    "Game",
    "OrderExecution",
    "__version__",
    "apply_changes",
    "ask",
    "load_ruleset",
    "load_scenario",
    "odds",
    "odds_ahead",
    "plans_for",
]

_MODULES = {
    "Game": "interpreter.play.game",
    "OrderExecution": "interpreter.players.orders.order_execution",
    "apply_changes": "interpreter.play.views.view",
    "ask": "interpreter.workshop.examples.query",
    "load_ruleset": "interpreter.rules.loading.load",
    "load_scenario": "interpreter.rules.loading.load",
    "odds": "interpreter.inference.odds",
    "odds_ahead": "interpreter.inference.ahead",
    "plans_for": "interpreter.players.orders.plan_search",
}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'interpreter' has no attribute '{name}'")
    return getattr(import_module(module), name)
