"""The differences that overlays make in a ruleset, and the worked examples whose results they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import Diagnostic
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.loading.scenario_patches import read_patched_scenario, scenario_id
from interpreter.workshop.diff.compare import Difference, clause_ids, differences, scenario_differences
from interpreter.workshop.examples.run_examples import each_example

Result = tuple[str, ...] | None
"""The failures of an example, empty if it holds; none if there is no such example."""


@dataclass(frozen=True, slots=True)
class ExampleChange:
    """An example that is new, is gone, or has another result."""

    name: str
    before: Result
    after: Result

    @property
    def summary(self) -> str:
        """The change in words."""
        if self.before is None:
            return "new, and holds" if not self.after else "new, and does not hold"
        if self.after is None:
            return "gone"
        if not self.after:
            return "holds now"
        return "no longer holds" if not self.before else "fails differently"

    def as_json(self) -> dict[str, Any]:
        """Returns the change as JSON data."""
        sides = {"before": self.before, "after": self.after}
        return {"name": self.name, **{key: each if each is None else list(each) for key, each in sides.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetDiff:
    """Two states of a ruleset, without and with overlays, and their differences."""

    before: Ruleset
    after: Ruleset
    differences: tuple[Difference, ...]
    examples: tuple[ExampleChange, ...] | None = None
    """None if the examples were not run."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that are changed, or that a changed thing cites."""
        return tuple(clause_ids(self.differences))

    def as_json(self) -> dict[str, Any]:
        """Returns the diff as JSON data."""
        return {
            "ruleset": self.after.name,
            "version": self.after.version,
            "overlays": [each.id for each in self.after.layers],
            "hash": {"before": self.before.hash, "after": self.after.hash},
            "differences": [each.as_json() for each in self.differences],
            "clauses": list(self.clauses),
            "examples": None if self.examples is None else [each.as_json() for each in self.examples],
        }


def diff(before: Ruleset, after: Ruleset, scenarios: Iterable[Path] = ()) -> RulesetDiff:
    """Compares the documents of two states of a ruleset, and scenarios under its overlays.

    Raises:
        RulesetError: if the overlays can't be applied to a scenario.
    """
    found = differences(before.documents, after.documents)
    for path in scenarios:
        bare, patched = read_patched_scenario(path, after)
        found += scenario_differences(scenario_id(bare), bare, patched)
    return RulesetDiff(before=before, after=after, differences=tuple(found))


def example_results(ruleset: Ruleset) -> Iterator[tuple[str, Result]]:
    """Yields the result of each example of a ruleset.

    Raises:
        RulesetError: if its documents have changed since it was loaded.
    """
    for report in each_example(ruleset):
        yield report.name, tuple([_failure_text(failure) for failure in report.failures])


def _failure_text(failure: Diagnostic) -> str:
    return f"{failure.message}; {failure.hint}" if failure.hint else failure.message


def changed_examples(before: Mapping[str, Result], after: Mapping[str, Result]) -> tuple[ExampleChange, ...]:
    """Returns the examples whose results differ, those of the ruleset without overlays first."""
    found = [ExampleChange(name, before.get(name), after.get(name)) for name in dict.fromkeys((*before, *after))]
    return tuple([each for each in found if each.before != each.after])
