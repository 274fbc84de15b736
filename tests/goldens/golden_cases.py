"""Reads and writes the cases of `tests/goldens/*.txt`: each is a mistake in the ruleset under `base`, and its output.

    === name of the case
    @ rules.yaml           the file that is changed
    - old text             these lines, which may begin and end within a line of the file, occur once in it …
    + new text             … and are replaced by these; without old text the new text is appended
    ---
    what the command prints

`@ new.yaml whole` replaces the whole file. A file of cases whose first line is `command: test` runs `bicorne test`.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).parent
BASE = HERE / "base"


@dataclass(frozen=True)
class Change:
    """A replacement of text in a file, or of the whole file if `whole` is set."""

    file: str
    whole: bool
    old: tuple[str, ...]
    new: tuple[str, ...]

    def apply(self, folder: Path) -> None:
        path = folder / self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.exists() and not self.whole else ""
        old, new = "\n".join(self.old), "\n".join(self.new)
        if not old:
            path.write_text(before + new + "\n", encoding="utf-8")
            return
        assert before.count(old) == 1, f"{self.file} contains {before.count(old)} times: {old}"
        path.write_text(before.replace(old, new), encoding="utf-8")


@dataclass(frozen=True)
class Case:
    """A mistake, and the expected output of the command."""

    group: str
    name: str
    command: str
    patch: tuple[str, ...]
    output: str

    def changes(self) -> list[Change]:
        found: list[Change] = []
        for line in self.patch:
            sign, text = line[:1], line[2:]
            if sign == "@":
                file, _, word = text.partition(" ")
                found.append(Change(file, word == "whole", (), ()))
                continue
            last = found[-1]
            if sign == "-" and last.new:
                last = Change(last.file, False, (), ())
                found.append(last)
            found[-1] = replace(last, old=(*last.old, text)) if sign == "-" else replace(last, new=(*last.new, text))
        return found

    def write_mistake(self, folder: Path) -> None:
        """Copies the sound ruleset to a new folder, and makes the mistake."""
        shutil.copytree(BASE, folder)
        for change in self.changes():
            change.apply(folder)


def groups() -> list[str]:
    return [path.stem for path in sorted(HERE.glob("*.txt"))]


def read(group: str) -> list[Case]:
    """Returns the cases of one file."""
    head, *parts = (HERE / f"{group}.txt").read_text(encoding="utf-8").split("=== ")
    command = head.strip().removeprefix("command: ") or "check"
    found = []
    for part in parts:
        patch, _, output = part.partition("\n---\n")
        name, *lines = patch.splitlines()
        found.append(Case(group, name, command, tuple(lines), output.strip("\n")))
    return found


def write(group: str, cases: list[Case]) -> None:
    """Rewrites a file of cases."""
    parts = [f"command: {cases[0].command}\n\n"] if cases[0].command != "check" else []
    parts += ["\n".join([f"=== {each.name}", *each.patch, "---", each.output, "", ""]) for each in cases]
    (HERE / f"{group}.txt").write_text("".join(parts).rstrip("\n") + "\n", encoding="utf-8")
