"""Helpers: the ruleset of the goldens, overlays on it, and the same ruleset changed by hand."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import indent

from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.loading.load import load_ruleset
from interpreter.rules.loading.ruleset import Ruleset

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "goldens"))

from golden_cases import BASE, Case

__all__ = ["BASE", "SAME", "changed", "laid", "overlay", "together"]


def _cases() -> dict[str, tuple[str, Case]]:
    """Reads pairs of patches and the same changes by hand, in the format of the goldens."""
    text = (Path(__file__).parent / "overlay_changes.txt").read_text("utf-8")
    found = {}
    for part in text.split("=== ")[1:]:
        name, *lines = part.rstrip("\n").split("\n")
        first = next(number for number, line in enumerate(lines) if line.startswith("@ "))
        found[name] = ("\n".join(lines[:first]), Case("overlays", name, "check", tuple(lines[first:]), ""))
    return found


SAME = _cases()


def changed(folder: Path, *lines: str) -> Path:
    """Writes the ruleset with changes by hand, in the format of the goldens, and returns its folder."""
    Case("overlays", "by hand", "check", lines, "").write_mistake(folder)
    return folder


def together(folder: Path) -> Path:
    """Writes the ruleset with a scenario that places three units in one line."""
    old, new = "unit: [{id: blue_2, at: fen}]", "unit: [{ids: [blue_1, blue_2, red_3], at: fen}]"
    return changed(folder, "@ scenarios/standard.yaml", f"-   {old}", f"+   {new}")


def overlay(text: str, name: str = "trial", **head: object) -> OverlayFile:
    """Returns an overlay with these patches (or whole sections, if the text begins with one) and a head."""
    more = "".join(f", {key}: {value}" for key, value in head.items())
    body = text if text.startswith(("patches:", "options:", "clauses:")) else f"patches:\n{indent(text, '  ')}"
    return OverlayFile(Path(f"{name}.yaml"), f"overlay: {{id: {name}, for: guide{more}}}\n{body}\n".encode())


def laid(folder: Path, *overlays: OverlayFile, options: Mapping[str, object] | None = None) -> Ruleset:
    """Loads the ruleset under overlays."""
    return load_ruleset(folder, overlays, options or {}, cache=False)
