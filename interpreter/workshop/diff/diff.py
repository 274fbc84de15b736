"""What overlays change in a ruleset, and which of its worked examples come out otherwise for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.language.diagnostics import Diagnostic
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.loading.scenario_patches import scenario_id, scenario_under
from interpreter.workshop.diff.compare import Difference, clause_ids, differences, scenario_differences
from interpreter.workshop.examples.run_examples import list_examples, run_examples

Result = tuple[str, ...] | None
"""What was wrong with an example, nothing if it holds; none if there is no such example."""


@dataclass(frozen=True, slots=True)
class ExampleChange:
    """An example that comes out otherwise, is new, or is gone."""

    name: str
    before: Result
    after: Result

    @property
    def says(self) -> str:
        """What has become of it, in words."""
        if self.before is None:
            return "new, and holds" if not self.after else "new, and does not hold"
        if self.after is None:
            return "gone"
        if not self.after:
            return "holds now"
        return "does not hold any more" if not self.before else "fails otherwise"

    def as_json(self) -> dict[str, Any]:
        """The change as plain data."""
        sides = {"before": self.before, "after": self.after}
        return {"name": self.name, **{key: each if each is None else list(each) for key, each in sides.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetDiff:
    """Two states of a ruleset: the bare one, and the one under overlays."""

    before: Ruleset
    after: Ruleset
    differences: tuple[Difference, ...]
    examples: tuple[ExampleChange, ...] | None = None
    """None if the examples were not run."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that are changed, or that something changed rests on."""
        return tuple(clause_ids(self.differences))

    def as_json(self) -> dict[str, Any]:
        """The whole as plain data."""
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
    """What is different about the documents of two states of a ruleset, and about scenarios under its overlays.

    Raises:
        RulesetError: if a scenario can't be changed as the overlays say.
    """
    found = differences(before.documents, after.documents)
    for path in scenarios:
        bare, laid = scenario_under(path, after)
        found += scenario_differences(scenario_id(bare), bare, laid)
    return RulesetDiff(before=before, after=after, differences=tuple(found))


def example_results(ruleset: Ruleset) -> Iterator[tuple[str, Result]]:
    """How each example of a ruleset comes out, one by one.

    Raises:
        RulesetError: if its documents have changed since it was loaded.
    """
    for each in list_examples(ruleset):
        (report,) = run_examples(ruleset, [each.name])
        yield each.name, tuple([_told(failure) for failure in report.failures])


def _told(failure: Diagnostic) -> str:
    return f"{failure.message}; {failure.hint}" if failure.hint else failure.message


def changed_examples(before: Mapping[str, Result], after: Mapping[str, Result]) -> tuple[ExampleChange, ...]:
    """The examples that come out otherwise, those of the bare ruleset first."""
    found = [ExampleChange(name, before.get(name), after.get(name)) for name in dict.fromkeys((*before, *after))]
    return tuple([each for each in found if each.before != each.after])
