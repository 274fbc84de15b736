"""Diagnostics for authors: the place in a document, the mistake there, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, NamedTuple, Protocol

from interpreter.language.text_width import width
from interpreter.language.visible_text import visible, visible_line


class Place(NamedTuple):
    """A position in a document; `line` and `column` count from 1, and 0 means the document as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    @property
    def place(self) -> Place:
        """The place itself, so that a place is also `Located`."""
        return self


NOWHERE = Place("<none>")


class Located(Protocol):
    """Anything with a place in a document, which may be computed on demand."""

    @property
    def place(self) -> Place:
        """The place where it is written."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `code` is a short stable word (`unknown-name`, `syntax`, `wrong-type` …), `hint` says what to do, `excerpt` is the
    source line at `place`, if known; of a long line only the part from column `excerpt_start` on.
    """

    code: str
    message: str
    place: Place = NOWHERE
    hint: str | None = None
    excerpt: str | None = None
    severity: str = "error"
    excerpt_start: int = 0

    def __str__(self) -> str:
        lines = [visible_line(f"{self.place}: {self.severity}[{self.code}]: {self.message}")]
        if self.excerpt is not None:
            lines.append(f"    {visible(self.excerpt.rstrip())}")
            if self.place.column:
                before = visible(self.excerpt.ljust(self.place.column)[: self.place.column - 1 - self.excerpt_start])
                lines.append("    " + "".join([each if each == "\t" else " " * width(each) for each in before]) + "^")
        if self.hint:
            lines.append(f"    hint: {visible_line(self.hint)}")
        return "\n".join(lines)


class BicorneError(Exception):
    """A mistake in the input of a person, never a defect of the interpreter."""


class RulesetError(BicorneError):
    """A ruleset, scenario or other document has mistakes; `diagnostics` lists all of them."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(each) for each in self.diagnostics))


class RuleFault(BicorneError):  # noqa: N818 - a fault of the rule
    """A rule failed while it ran: a decision without options, a missing table row, an exceeded budget."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(str(diagnostic))


class UsageError(BicorneError):
    """A command, argument or file that cannot be used; the command line exits with code 2."""


def with_article(noun: object) -> str:
    """Returns a noun with its indefinite article; a `u` is read as in 'unit'."""
    return f"an {noun}" if str(noun)[:1] in "aeio" else f"a {noun}"


def number_of(count: int, noun: str) -> str:
    """Returns a count with its noun: '1 error', '1,200 errors'."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_MAX_SHOWN: Final = 100


def brief(value: object) -> str:
    """Returns the text of a value of a file, for a message; of a long text only its start."""
    text = str(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]} …"


def quoted(names: Iterable[str], between: str = " or ") -> str:
    """Returns names as a message lists them: `'a' or 'b'`."""
    return between.join(f"'{each}'" for each in names)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Returns the known name that is most similar to `name`, or none."""
    candidates = list(known)
    folded = {each.casefold(): each for each in candidates}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.65)
    return folded[close[0]] if close else None


MAX_LISTED = 8
"""The number of names that a hint lists if none of them is similar."""
MAX_LISTED_OPTIONS = 60
"""The number of options that a hint lists: who writes a condition needs to know what there is."""


def did_you_mean(name: str, known: Iterable[str], most: int = MAX_LISTED) -> str | None:
    """Returns a hint with the nearest known name, or with all known names if they are no more than `most`."""
    candidates = sorted(set(known))
    if (close := nearest(name, candidates)) is not None:
        return f"did you mean '{close}'?"
    if 0 < len(candidates) <= most:
        return "known here: " + ", ".join(candidates)
    return None


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """Returns the error that there is no `what` of this name, with a hint at the known ones."""
    return with_hint(f"there is no {what} '{name}'", name, known)


def with_hint(message: str, name: str, known: Iterable[str]) -> UsageError:
    """Returns a usage error about a name, with a hint at the known ones after its message."""
    hint = did_you_mean(name, known)
    return UsageError(message + (f"; {hint}" if hint else ""))
