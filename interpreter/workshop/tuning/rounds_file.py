"""The file of the rounds of an interrupted tuning, with which the same command continues."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from interpreter.language.diagnostics import UsageError
from interpreter.language.plain_files import read_plain, replacing
from interpreter.language.strict_json import JsonError, read_json

GAMES_PER_ROUND: Final = 2
_FORMAT: Final = "bicorne-tuning-1"
_MAX_BYTES: Final = 1 << 24


class RoundsFile:
    """A file of JSON lines: what the rounds depend on, then the score of each round: games won less games lost."""

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        self._head = json.dumps({"form": _FORMAT, **identity}, ensure_ascii=False)
        self._scores: list[int] = []

    def read(self) -> list[int]:
        """Returns the scores of the rounds in the file; none if there is no file.

        An incomplete last line is left out.

        Raises:
            UsageError: if the file can't be read, or holds the rounds of another tuning.
        """
        if self.path.exists():
            lines = read_plain(self.path, _MAX_BYTES).decode(errors="replace").splitlines(keepends=True)
            if not lines or lines[0].rstrip("\n") != self._head:
                raise UsageError(f"{self.path} holds the rounds of another tuning; remove it, or choose another --out")
            whole = [each for each in lines[1:] if each.endswith("\n")]
            self._scores = [_score(self.path, number, each) for number, each in enumerate(whole, 2)]
        return list(self._scores)

    def add(self, score: int) -> None:
        """Adds the score of a round; the file is replaced atomically.

        Raises:
            UsageError: if the file can't be written.
        """
        self._scores.append(score)
        try:
            with replacing(self.path) as new:
                new.write_text("\n".join([self._head, *map(str, self._scores)]) + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror or error}") from error

    def remove(self) -> None:
        """Removes the file, when the tuning is complete."""
        self.path.unlink(missing_ok=True)


def _score(path: Path, number: int, line: str) -> int:
    try:
        score = read_json(line.encode())
    except JsonError:
        score = None
    if isinstance(score, bool) or not isinstance(score, int) or abs(score) > GAMES_PER_ROUND:
        expected = f"the score of a round, a whole number from -{GAMES_PER_ROUND} to {GAMES_PER_ROUND}"
        raise UsageError(f"{path}:{number}: expected {expected}, not '{line.strip()}'")
    return score
