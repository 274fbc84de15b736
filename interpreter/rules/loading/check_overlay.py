"""Checks an overlay on its ruleset, with the overlays it requires and with the options that enable its patches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.language.diagnostics import Diagnostic, RulesetError, UsageError, did_you_mean
from interpreter.rules.documents.discovery import discover, find_ruleset
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.documents.nodes import Scalar
from interpreter.rules.documents.overlay_files import OverlayFile, OverlayName, open_overlays, overlay_named
from interpreter.rules.documents.own_folder import RULESET_FILE
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.loading.load import check_ruleset, check_scenario
from interpreter.rules.overlays.merged import read_effective
from interpreter.rules.overlays.option_conditions import Value, enabling_settings, holds, settings_of
from interpreter.rules.overlays.patch.overlay import SCENARIOS, Overlay, Patch, read_overlay, read_sound_part


@dataclass(frozen=True, slots=True)
class OverlayCheck:
    """The diagnostics of an overlay, the folder of its ruleset (if found), and all overlays that were applied."""

    found: list[Diagnostic]
    ruleset: Path | None = None
    files: tuple[OverlayFile, ...] = ()


def check_overlay(path: Path, paths: Iterable[str | Path] = ()) -> OverlayCheck:
    """Checks the overlay in a file on its ruleset, after the overlays it requires; diagnostics have source lines.

    Raises:
        UsageError: if the file can't be read.
    """
    (file,) = open_overlays([path])
    searched = (*paths, *_around(path.resolve()))
    overlay, faults, _ = read_sound_part(file)
    if overlay is None:
        return OverlayCheck(with_excerpts(faults))
    try:
        folder = _ruleset(overlay, searched)
    except RulesetError as error:
        return OverlayCheck(with_excerpts([*faults, *error.diagnostics]))
    files = tuple(_RequiredOverlays(folder, searched).with_required(overlay))
    bare = check_ruleset(folder)
    if any(each.severity == "error" for each in bare):
        return OverlayCheck(bare, folder, files)
    found = [*_of_ruleset(folder, overlay, files), *_of_scenarios(overlay, folder, files, searched)]
    return OverlayCheck([each for each in dict.fromkeys(found) if each not in bare], folder, files)


def _around(path: Path) -> tuple[Path, ...]:
    """Returns folders in which to look for the ruleset of an overlay: around and beside the folder of overlays."""
    candidates = (path.parent, *path.parents[1:4])
    return tuple(each for each in candidates if (each / "rulesets").is_dir() or (each / RULESET_FILE).is_file())


def _ruleset(overlay: Overlay, paths: Sequence[str | Path]) -> Path:
    try:
        return find_ruleset(overlay.ruleset, paths, by_name=True).folder
    except UsageError as error:
        message, _, hint = str(error).partition("\n")
        place = overlay.head.items["for"].place
        more = hint.replace("?\n", "? ").replace("\n", "; ") or None
        raise RulesetError([Diagnostic("unknown-ruleset", message, place, more)]) from error


@dataclass(slots=True)
class _RequiredOverlays:
    """Collects an overlay and those it requires, as far as they can be found by name."""

    folder: Path
    paths: Sequence[str | Path]
    _seen: set[str] = field(default_factory=set)

    def with_required(self, overlay: Overlay) -> Iterator[OverlayFile]:
        """Yields the files of the overlays that an overlay requires, lowest first, then its own."""
        self._seen.add(overlay.id)
        for each in overlay.named("requires"):
            if each.text not in self._seen:
                try:
                    file = overlay_named(each.text, self.folder, self.paths)
                    lower = read_overlay(file)
                except (UsageError, RulesetError):
                    continue  # reported as missing, or when that overlay is checked itself
                yield from self.with_required(lower)
        yield overlay.file


# ---------------------------------------------------------------- the ruleset
def _of_ruleset(folder: Path, overlay: Overlay, files: tuple[OverlayFile, ...]) -> Iterator[Diagnostic]:
    """Yields the diagnostics under the default options, and under those that enable the other patches."""
    yield from check_ruleset(folder, {}, files)
    yield from _of_toggled_patches(folder, [overlay], files)


def check_toggled_patches(
    folder: Path, overlays: Iterable[OverlayName], paths: Iterable[str | Path] = ()
) -> list[Diagnostic]:
    """Returns the diagnostics of a ruleset under the options that enable patches of overlays, with source lines.

    Raises:
        UsageError: if an overlay can't be read.
    """
    files = open_overlays(overlays, folder, paths)
    read = [overlay for each in files if (overlay := read_sound_part(each)[0]) is not None]
    return [*_of_toggled_patches(folder, read, files)]


def _of_toggled_patches(
    folder: Path, overlays: Sequence[Overlay], files: tuple[OverlayFile, ...]
) -> Iterator[Diagnostic]:
    toggled = [each.when for overlay in overlays for each in overlay.patches if each.when is not None]
    if not toggled:
        return
    documents = read_effective(folder, files, {})
    settings = settings_of(documents, {})
    conditions = [each for each in toggled if _is_sound(each, settings, documents)]
    left = [each for each in conditions if not holds(each, settings, documents)]
    for more in enabling_settings(documents, conditions, settings):
        yield from check_ruleset(folder, more, files)
        left = [each for each in left if not holds(each, {**settings, **more}, documents)]
    yield from with_excerpts(_idle(each) for each in left)


def _is_sound(when: Scalar, settings: Mapping[str, Value], documents: DocumentSet) -> bool:
    try:
        holds(when, settings, documents)
    except RulesetError:  # reported when the patches are applied
        return False
    return True


def _idle(when: Scalar) -> Diagnostic:
    message, hint = f"'{when.text}' never holds, so this patch never applies", "fix the condition, or remove the patch"
    return Diagnostic("idle-patch", message, when.place, hint, severity="warning")


# ---------------------------------------------------------------- scenarios
def _of_scenarios(
    overlay: Overlay, folder: Path, files: tuple[OverlayFile, ...], paths: Sequence[str | Path]
) -> Iterator[Diagnostic]:
    patches = [each for each in overlay.patches if each.parts[0] == SCENARIOS]
    if not patches:
        return
    known = {each.name: each.path for each in discover((*paths, folder)).scenarios.values()}
    for name in dict.fromkeys("/".join(each.parts[1:2]) for each in patches):
        path = known.get(f"{overlay.ruleset}/{name}")
        if path is not None:
            yield from check_scenario(path, (*paths, folder), files)
            continue
        own = [full.partition("/")[2] for full in known if full.startswith(f"{overlay.ruleset}/")]
        yield from with_excerpts(_no_scenario(each, name, own) for each in patches if "/".join(each.parts[1:2]) == name)


def _no_scenario(patch: Patch, name: str, known: Sequence[str]) -> Diagnostic:
    message = f"there is no scenario '{name}' of this ruleset"
    return Diagnostic("unknown-path", message, patch.at.place, did_you_mean(name, known))
