"""What lies before a seat in a game: odds, the choice on which they depend, or what would lead to a roll."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from interpreter.inference.assumptions import Assumption
from interpreter.inference.modifier_sums import ModifierSum
from interpreter.inference.odds import Odds


@dataclass(frozen=True, slots=True)
class EarlierOutcome:
    """An outcome of an earlier procedure: the title of that, the name of the outcome, and its value as text."""

    title: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class AheadOdds:
    """The outcomes of the procedure that an option leads to.

    `title` is the call in words, `arguments` are those of the procedure that are not none. `samples` is the number
    of samples from which a distribution is estimated, 0 if it is exact; `reached` is the share of all samples that
    come to this procedure.
    """

    procedure: str
    title: str
    arguments: tuple[tuple[str, str], ...]
    assumptions: tuple[Assumption, ...]
    odds: Odds
    modifiers: tuple[ModifierSum, ...] = ()
    """The sums of modifiers of one run of the procedure; of an estimate, of some samples."""
    reached: Fraction = Fraction(1)
    samples: int = 0
    only_if: tuple[EarlierOutcome, ...] = ()
    """The outcomes of procedures before it without which it does not come to this one."""
    exact_follows: bool = False
    """Whether the exact distribution is computed next, which may turn out to have too many branches."""

    @property
    def is_exact(self) -> bool:
        """Whether the distribution is exact."""
        return self.samples == 0

    def as_data(self) -> dict[str, Any]:
        """Returns the odds as plain data; fractions as text, beside their decimal value."""
        return self.odds.as_json() | {
            "title": self.title,
            "arguments": dict(self.arguments),
            "assumptions": [each.as_data() for each in self.assumptions],
            "modifiers": [asdict(each) for each in self.modifiers],
            "only_if": [asdict(each) for each in self.only_if],
            "exact": self.is_exact,
            "samples": self.samples,
            "reached": float(self.reached),
        }

    def error_of(self, share: Fraction) -> float:
        """Returns the standard error of an estimated probability; 0 if it is exact."""
        return sqrt(float(share * (1 - share)) / self.samples) if self.samples else 0.0


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """The first further decision of the same seat, where it depends on such decisions what follows: in words."""

    seat: str
    question: str
    answers: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """Returns the choice as plain data."""
        return {"depends_on": asdict(self)}


@dataclass(frozen=True, slots=True)
class RollAfter:
    """The answers on the way that lead to a procedure with outcomes, where the likeliest ones lead to none."""

    choices: tuple[tuple[Assumption, str, str], ...]
    """The answers, each with the procedure to which it leads and its call in words."""

    def as_data(self) -> dict[str, Any]:
        """Returns the answers as plain data."""
        return {
            "follows_if": [
                answer.as_data() | {"procedure": name, "title": title} for answer, name, title in self.choices
            ]
        }


Ahead = AheadOdds | OpenChoice | RollAfter
"""What lies ahead: odds, the choice on which they depend, or what would lead to a procedure."""
