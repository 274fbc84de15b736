"""What a seat is asked, and how an answer is told from a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.language.diagnostics import BicorneError, Diagnostic, RuleFault, did_you_mean
from interpreter.language.model.image import Site
from interpreter.play.inputs.inputs import ANSWER, Record
from interpreter.play.inputs.value_codec import encode, full, plain, short
from interpreter.play.wording.messages import OF_SUBJECT
from interpreter.play.wording.wording import Wording


class IllegalChoice(BicorneError):  # noqa: N818 - the choice is what is wrong
    """An answer that is not among the options."""


class Decision:
    """A question to a seat. `options` are the legal answers; `None` among them is 'none', 'pass' or 'no more'.

    `chosen` is what was already picked, where a decision is made pick by pick (a tuple, or a mapping for allocations);
    `course` is the same object for all picks of one decision.
    """

    __slots__ = ("_prompt", "chosen", "course", "options", "seat", "seat_object", "site", "wording")

    def __init__(self, ask: tuple[Any, ...], options: tuple[Any, ...], wording: Wording) -> None:
        self.site: Site
        self.site, self.seat_object, _, self._prompt, course = ask
        self.course = course
        self.chosen = None if course is None else _settled(course)
        self.seat: str = self.seat_object.id
        self.options = options
        self.wording = wording

    @property
    def kind(self) -> str:
        """What sort of decision it is: `one`, `maybe`, `some`, `menu`, `pick` and so on."""
        return self.site.kind

    @property
    def address(self) -> str:
        """The name under which examples and logs know the decision: `procedure.name`."""
        return self.site.address

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses that the decision stands under."""
        return self.site.cites

    @property
    def cite(self) -> tuple[str, ...]:
        """The same as `cites`: the name in the command line's contract."""
        return self.site.cites

    @property
    def prompt(self) -> str:
        """The question in words."""
        question = self.wording.prompt(self.site, self._prompt)
        subject = subject_of(self.site, self.course)
        if subject is None:
            return question
        return self.wording.say(OF_SUBJECT, question=question, subject=self.wording.of(subject))

    @property
    def asked_about(self) -> tuple[Any, ...]:
        """The values that the question names, and what a pick of an assignment is for."""
        parts = () if self._prompt is None or isinstance(self._prompt, str) else self._prompt
        subject = subject_of(self.site, self.course)
        return (*[each for each in parts if not isinstance(each, str)], *([] if subject is None else [subject]))

    @property
    def labels(self) -> tuple[str, ...]:
        """The options in words."""
        return tuple(self.label(each) for each in self.options)

    def label(self, option: Any) -> str:
        """One option in words."""
        if option is None:
            return self.wording.nothing(self.site.kind)
        if isinstance(option, str):
            return self.wording.word(option, dict(self.site.labels).get(option))
        return self.wording.of(option)

    def position(self, answer: Any) -> int:
        """Where an answer stands among the options: the value itself, its stable form, its id, or its label.

        Raises:
            IllegalChoice: if it is none of them, or more than one.
        """
        options = self.options
        for number, option in enumerate(options):
            if option is answer or (option == answer and type(option) is type(answer)):
                return number
        found = [number for number, option in enumerate(options) if _means(answer, option)]
        if not found and isinstance(answer, str):
            found = [number for number, option in enumerate(options) if self.label(option) == answer]
        if len(found) == 1:
            return found[0]
        raise self._illegal(answer, [options[number] for number in found])

    def _illegal(self, answer: Any, matches: list[Any]) -> IllegalChoice:
        said = "is not an answer to this"
        given = answer if isinstance(answer, str) else short(answer)
        names = [short(each) for each in self.options]
        if any(each is answer or _means(answer, each) for each in self.chosen or ()):
            said = "can't be chosen once more"
            hint = f"left are {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"
        elif matches:
            hint = "it could be " + " or ".join(full(each) for each in matches)
        else:
            hint = did_you_mean(given, names) or f"one of {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"
        question = f"{self.seat} is asked '{self.prompt}' ({self.address})"
        return IllegalChoice(f"'{given}' {said}: {question}; {hint}")

    def __repr__(self) -> str:
        return f"<decision of {self.seat}: {self.address}, {len(self.options)} options>"


def _settled(course: Any) -> tuple[Any, ...] | dict[Any, Any]:
    """What was chosen so far, as it stands now."""
    return dict(course) if isinstance(course, dict) else tuple(course)


def subject_of(site: Site, course: Any) -> Any:
    """What a pick of an assignment is for, or none."""
    return next(reversed(course)) if site.kind == "assign" and course else None


_NO_OPTION = {
    "menu": "say 'may take', or test first whether an action of the menu is possible",
    "number": "test first that the lower number is not above the higher",
}
"""What to do about a decision without options, by the kind of its site."""


def no_options(site: Site) -> RuleFault:
    """The fault of a decision that nothing can be chosen in."""
    return RuleFault(
        Diagnostic(
            "no-option",
            f"'{site.address}' has no option to choose from",
            site.place,
            _NO_OPTION.get(site.kind, "test first whether there is any, or offer 'one or none of'"),
        )
    )


def check_answer(site: Site, record: Record, options: tuple[Any, ...]) -> None:
    """Tests a recorded answer against the options that there are now.

    Raises:
        RuleFault: `divergence`, if it is none of them, or was the only one and is not now.
    """
    known = [encode(each) for each in options]
    if record[2] in known and (record[0] == ANSWER or len(known) == 1):
        return
    what = "is not an option" if record[2] not in known else "is not the only option"
    raise RuleFault(
        Diagnostic(
            "divergence",
            f"'{site.address}' was answered with {record[2]!r}, which {what} now",
            site.place,
            "the inputs belong to other rules, another scenario or other options",
        )
    )


def _means(answer: Any, option: Any) -> bool:
    if isinstance(answer, str):
        folded = answer.strip()
        names = {short(option), full(option)}
        return folded in names or (option is None and folded in {"pass", "none", "no more"})
    if isinstance(answer, tuple | list):
        return bool(plain(encode(option)) == plain(tuple(answer)))
    if isinstance(answer, Mapping):
        return bool(option == answer)
    return False
