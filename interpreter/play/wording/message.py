"""A message: a sentence of the engine in each language, formatted with values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from string import Formatter
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence of the engine in each language."""

    en: str
    ja: str

    def format(self, language: str, values: Mapping[str, Any]) -> str:
        """Returns the sentence with these values; in English if it lacks the language.

        Where a value is a sentence and the text goes on after it, one of their two marks is enough.
        """
        text = _FORMATTER.vformat(str(getattr(self, language, self.en)), (), values)
        return text.replace("。。", "。").replace("。、", "、") if "。" in text else text


@dataclass(frozen=True, slots=True)
class Formatted:
    """A message with its values, which can be formatted again with other values."""

    message: Message
    language: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return self.message.format(self.language, self.values)

    def replace(self, **values: Any) -> Formatted:
        """Returns a copy with some values replaced."""
        return replace(self, values={**self.values, **values})

    def key_without(self, name: str) -> tuple[Any, ...]:
        """Returns a key that is equal for messages that differ at most in the value `name`."""
        return self.message, tuple(sorted((each, str(value)) for each, value in self.values.items() if each != name))


class _PluralFormatter(Formatter):
    """Formats like `str.format`, and chooses between singular and plural with `{count:one|many}`."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        return str(super().format_field(value, format_spec)) if not bar else one if value == 1 else many


_FORMATTER = _PluralFormatter()
LANGUAGES: Final = tuple([each.name for each in fields(Message)])
