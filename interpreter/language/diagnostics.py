"""What is said to an author: a place in a document, what is wrong there, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple, Protocol

from interpreter.language.text_width import width


class Place(NamedTuple):
    """A position in a document; `line` and `column` count from 1, and 0 means the document as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    @property
    def place(self) -> Place:
        """Itself: a place is located where it says."""
        return self


NOWHERE = Place("<none>")


class Located(Protocol):
    """Anything that knows where it is written, and need not work it out before somebody asks."""

    @property
    def place(self) -> Place:
        """Where it is written."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `code` is a short stable word (`unknown-name`, `syntax`, `wrong-type` …), `hint` says what to do, `excerpt` is the
    source line that `place` points into, where it is known; of a long line the part from `excerpt_start` on.
    """

    code: str
    message: str
    place: Place = NOWHERE
    hint: str | None = None
    excerpt: str | None = None
    severity: str = "error"
    excerpt_start: int = 0

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.severity}[{self.code}]: {self.message}"]
        if self.excerpt is not None:
            lines.append(f"    {self.excerpt.rstrip()}")
            if self.place.column:
                before = self.excerpt.ljust(self.place.column)[: self.place.column - 1 - self.excerpt_start]
                lines.append("    " + "".join([each if each == "\t" else " " * width(each) for each in before]) + "^")
        if self.hint:
            lines.append(f"    hint: {self.hint}")
        return "\n".join(lines)


class BicorneError(Exception):
    """Anything that is wrong with what a person gave: never a fault of the interpreter."""


class RulesetError(BicorneError):
    """A ruleset, scenario or other document is not sound; `diagnostics` says where and why, all faults at once."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(each) for each in self.diagnostics))


class RuleFault(BicorneError):  # noqa: N818 - the rule is what is at fault
    """A rule went wrong while it ran: no option where one is needed, a missing table row, a budget exceeded."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(str(diagnostic))


class UsageError(BicorneError):
    """A command, argument or file that cannot be used; the command line answers it with exit code 2."""


def with_article(noun: object) -> str:
    """A noun with its article; a `u` sounds as in 'unit'."""
    return f"an {noun}" if str(noun)[:1] in "aeio" else f"a {noun}"


def number_of(count: int, noun: str) -> str:
    """'1 error', '1,200 errors'."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def quoted(names: Iterable[str], between: str = " or ") -> str:
    """Names as a message lists them: `'a' or 'b'`."""
    return between.join(f"'{each}'" for each in names)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was most likely meant to be, or none."""
    candidates = list(known)
    folded = {each.casefold(): each for each in candidates}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.65)
    return folded[close[0]] if close else None


MOST_LISTED = 8
"""How many names a hint lists when none of them is near."""


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint that offers the nearest known name, or lists the few there are."""
    candidates = sorted(set(known))
    if (close := nearest(name, candidates)) is not None:
        return f"did you mean '{close}'?"
    if 0 < len(candidates) <= MOST_LISTED:
        return "known here: " + ", ".join(candidates)
    return None


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """Returns the error that there is no `what` of this name, with a hint at the known ones."""
    return with_hint(f"there is no {what} '{name}'", name, known)


def with_hint(message: str, name: str, known: Iterable[str]) -> UsageError:
    """Returns a usage error about a name, with a hint at the known ones behind its message."""
    hint = did_you_mean(name, known)
    return UsageError(message + (f"; {hint}" if hint else ""))
