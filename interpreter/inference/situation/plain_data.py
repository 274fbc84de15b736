"""Plain data of Python as the text of a YAML document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import yaml

from interpreter.language.diagnostics import UsageError
from interpreter.rules.documents.yaml_reader import MAX_DEPTH, MAX_NODES

_SCALARS: Final = (bool, int, float, str)


def document_text(data: Mapping[str, Any]) -> str:
    """Returns plain data as a YAML document; an object that occurs twice is written twice.

    Raises:
        UsageError: if it contains itself, is nested too deep or too large, or has values that no document can have.
    """
    copied = _DataCopy().of(data, ())
    return yaml.dump(copied, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True)


class _PlainDumper(yaml.SafeDumper):
    """Writes no anchors, which documents may not have."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - of nothing
        return True


class _DataCopy:
    """Copies plain data, and checks it on the way."""

    def __init__(self) -> None:
        self._around: list[int] = []
        """The identities of the collections around the present one."""
        self._count = 0

    def of(self, value: Any, path: tuple[str, ...]) -> Any:
        """Returns a copy of a value that is found under the keys and numbers of `path`."""
        self._count += 1
        if self._count > MAX_NODES:
            raise UsageError(f"the given data has more than {MAX_NODES:,} values")
        if value is None or isinstance(value, _SCALARS):
            return value if value is None else next(kind(value) for kind in _SCALARS if isinstance(value, kind))
        if not isinstance(value, Mapping | list | tuple):
            expected = "mappings, lists, texts, numbers, true, false and none"
            raise UsageError(f"the given data has a {type(value).__name__} at {_written(path)}; expected {expected}")
        if id(value) in self._around:
            raise UsageError(f"the given data contains itself at {_written(path)}")
        if len(path) >= MAX_DEPTH:
            raise UsageError(f"the given data is nested deeper than {MAX_DEPTH} at {_written(path)}")
        self._around.append(id(value))
        if isinstance(value, Mapping):
            found: Any = {str(key): self.of(each, (*path, str(key))) for key, each in value.items()}
        else:
            found = [self.of(each, (*path, str(number))) for number, each in enumerate(value)]
        self._around.pop()
        return found


def _written(path: tuple[str, ...]) -> str:
    return f"'{'/'.join(path)}'" if path else "its top"
