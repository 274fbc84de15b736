"""Decisions: the question to a seat, its options, and the check of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.language.answer_words import DECLINING
from interpreter.language.diagnostics import BicorneError, Diagnostic, RuleFault, brief, did_you_mean
from interpreter.language.model.image import Site
from interpreter.play.inputs.inputs import ANSWER, Input
from interpreter.play.inputs.value_codec import encode, encode_json, full_name, short_name
from interpreter.play.wording.messages import OF_SUBJECT
from interpreter.play.wording.wording import Wording
from interpreter.world.things import Piece


class IllegalChoice(BicorneError):  # noqa: N818 - the choice is what is wrong
    """Raised for an answer that is not among the options."""


class Decision:
    """A question to a seat. `options` are the legal answers; `None` among them is 'none', 'pass' or 'no more'.

    `chosen` are the earlier picks of a decision that is made pick by pick: a tuple, or a mapping for allocations.
    `live_picks` is the collection that the rule extends: the same object for all picks of one decision.
    """

    __slots__ = ("_prompt", "chosen", "live_picks", "options", "seat", "seat_object", "site", "wording")

    def __init__(self, ask: tuple[Any, ...], options: tuple[Any, ...], wording: Wording) -> None:
        self.site: Site
        self.site, self.seat_object, _, self._prompt, live_picks = ask
        self.live_picks = live_picks
        self.chosen = None if live_picks is None else _copied(live_picks)
        self.seat: str = self.seat_object.id
        self.options = options
        self.wording = wording

    @property
    def kind(self) -> str:
        """The kind of decision: `one`, `maybe`, `some`, `menu`, `pick` and so on."""
        return self.site.kind

    @property
    def address(self) -> str:
        """The name of the decision in examples and logs: `procedure.name`."""
        return self.site.address

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses of the decision."""
        return self.site.cites

    @property
    def cite(self) -> tuple[str, ...]:
        """The same as `cites`, under the name that the command line uses."""
        return self.site.cites

    @property
    def prompt(self) -> str:
        """The text of the question."""
        question = self.wording.prompt(self.site, self._prompt, self.options)
        subject = subject_of(self.site, self.live_picks)
        if subject is None:
            return question
        return self.wording.say(OF_SUBJECT, question=question, subject=self.wording.of(subject))

    @property
    def asked(self) -> Any:
        """The question as its rule makes it: a text, or its parts."""
        return self._prompt

    @property
    def mentioned_values(self) -> tuple[Any, ...]:
        """The values that the question names, and the subject of an assignment pick."""
        parts = () if self._prompt is None or isinstance(self._prompt, str) else self._prompt
        subject = subject_of(self.site, self.live_picks)
        return (*[each for each in parts if not isinstance(each, str)], *([] if subject is None else [subject]))

    @property
    def labels(self) -> tuple[str, ...]:
        """The texts of the options."""
        return tuple(self.label(each) for each in self.options)

    def label(self, option: Any) -> str:
        """Returns the text of one option."""
        if option is None:
            return self.wording.none_text(self.site, has_picks=bool(self.chosen))
        if isinstance(option, str):
            return self.wording.word(option, dict(self.site.labels).get(option))
        return self.wording.of(option)

    def index_of(self, answer: Any) -> int:
        """Returns the position of an answer: the option itself, its stable form, its id, or its label.

        Raises:
            IllegalChoice: if the answer matches no option, or more than one.
        """
        options = self.options
        for number, option in enumerate(options):
            if option is answer or (option == answer and type(option) is type(answer)):
                return number
        found = [number for number, option in enumerate(options) if _matches(answer, option)]
        if not found and isinstance(answer, str):
            found = [number for number, option in enumerate(options) if self.label(option) == answer]
        if len(found) == 1:
            return found[0]
        raise self._illegal_choice(answer, [options[number] for number in found])

    def _illegal_choice(self, answer: Any, matches: list[Any]) -> IllegalChoice:
        problem = "is not among the options"
        typed = answer if isinstance(answer, str) else short_name(answer)
        names = [short_name(each) for each in self.options]
        if any(each is answer or _matches(answer, each) for each in self.chosen or ()):
            problem = "is chosen already"
            hint = f"the remaining options are {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"
        elif matches:
            hint = "it could be " + " or ".join(full_name(each) for each in matches)
        else:
            hint = did_you_mean(typed, names) or f"one of {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"
        question = f"{self.seat} is asked '{self.prompt}' ({self.address})"
        return IllegalChoice(f"'{typed}' {problem}: {question}; {hint}")

    def __repr__(self) -> str:
        return f"<decision of {self.seat}: {self.address}, {len(self.options)} options>"


def _copied(live_picks: Any) -> tuple[Any, ...] | dict[Any, Any]:
    """Returns a copy of the current picks."""
    return dict(live_picks) if isinstance(live_picks, dict) else tuple(live_picks)


def piece_in(asked: Any) -> Any:
    """Returns the piece that a question names first, or none."""
    return next((each for each in asked if isinstance(each, Piece)), None) if isinstance(asked, tuple) else None


def subject_of(site: Site, live_picks: Any) -> Any:
    """Returns the item that a pick of an assignment assigns, or none."""
    return next(reversed(live_picks)) if site.kind == "assign" and live_picks else None


_NO_OPTION = {
    "menu": "write 'may take', or test first whether an action of the menu is possible",
    "number": "test first that the lower number is not above the higher",
}
"""The hint for a decision without options, by the kind of its site."""


def no_options(site: Site) -> RuleFault:
    """Returns the fault for a decision without options."""
    return RuleFault(
        Diagnostic(
            "no-option",
            f"'{site.address}' has no option to choose from",
            site.place,
            _NO_OPTION.get(site.kind, "test first whether there is any, or offer 'one or none of'"),
        )
    )


def check_answer(site: Site, item: Input, options: tuple[Any, ...]) -> None:
    """Checks a recorded answer against the current options.

    Raises:
        RuleFault: `divergence`, if the answer is not an option, or is no longer the only one.
    """
    stable = [encode(each) for each in options]
    if item[2] in stable and (item[0] == ANSWER or len(stable) == 1):
        return
    problem = "is not an option" if item[2] not in stable else "is not the only option"
    raise RuleFault(
        Diagnostic(
            "divergence",
            f"'{site.address}' was answered with {brief(repr(item[2]))}, which {problem} now",
            site.place,
            "the inputs belong to other rules, another scenario or other options",
        )
    )


def _matches(answer: Any, option: Any) -> bool:
    if isinstance(answer, str):
        stripped = answer.strip()
        names = {short_name(option), full_name(option)}
        return stripped in names or (option is None and stripped in DECLINING)
    if isinstance(answer, tuple | list):
        return bool(encode_json(encode(option)) == encode_json(tuple(answer)))
    if isinstance(answer, Mapping):
        return bool(option == answer)
    return False
