"""`bicorne check`: everything that is wrong with rulesets and scenarios, each finding with its place."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.cli.output import FINDINGS, OK, Output, diagnostic_data
from interpreter.language.diagnostics import Diagnostic, RulesetError, UsageError
from interpreter.rules.discovery import discover, find_ruleset, find_scenario
from interpreter.rules.loading import check_scenario, inspect_ruleset
from interpreter.rules.locations import HEAD, head_section


@dataclass(frozen=True, slots=True)
class Target:
    """Something to check: a ruleset's folder or a scenario's file."""

    kind: str
    path: Path


Found = dict[Target, list[Diagnostic]]


def run(arguments: Namespace, output: Output) -> int:
    """Checks what is named, or everything installed; 1 if anything is an error.

    Raises:
        UsageError: if something named is neither ruleset nor scenario, or can't be read.
    """
    style = "json" if output.json else arguments.format
    output.json = style == "json"
    targets = list(dict.fromkeys(_targets(arguments.targets, arguments.path)))
    found = _once({each: _findings(each, arguments.path) for each in targets})
    {"text": _say, "json": _document, "github": _annotate}[style](found, output)
    return FINDINGS if any(each.severity == "error" for faults in found.values() for each in faults) else OK


def _findings(target: Target, paths: Sequence[str]) -> list[Diagnostic]:
    if target.kind == "ruleset":
        return _gathered(lambda: _of_ruleset(target.path))
    return _gathered(lambda: check_scenario(target.path, paths))


def _of_ruleset(folder: Path) -> list[Diagnostic]:
    """What is wrong with a ruleset; of one that has no errors also what its author should be warned of."""
    ruleset, found = inspect_ruleset(folder)
    if ruleset is None:
        return found
    from interpreter.workshop.soundness import check_soundness  # noqa: PLC0415 - only for sound rulesets

    return [*found, *check_soundness(ruleset)]


def _once(found: Found) -> Found:
    """Each finding with the first target that it was found in: a scenario shows its ruleset's too."""
    seen: set[Diagnostic] = set()
    kept: Found = {}
    for target, faults in found.items():
        kept[target] = [each for each in dict.fromkeys(faults) if each not in seen]
        seen.update(faults)
    return kept


def _gathered(check: Callable[[], list[Diagnostic]]) -> list[Diagnostic]:
    try:
        return check()
    except RulesetError as error:
        return list(error.diagnostics)


# ---------------------------------------------------------------- what is meant
def _targets(named: Sequence[str], paths: Sequence[str]) -> Iterator[Target]:
    for each in named:
        yield from _target(each, paths)
    if not named:
        known = discover(paths)
        yield from (Target("ruleset", each.folder) for each in known.rulesets.values())
        yield from (Target("scenario", each.path) for each in known.scenarios.values())


def _target(name: str, paths: Sequence[str]) -> Iterator[Target]:
    path = Path(name)
    if path.is_dir():
        yield from _in_folder(path)
    elif path.is_file():
        yield _of_file(path)
    elif name.count("/") == 1:
        yield Target("scenario", find_scenario(name, paths).path)
    else:
        yield Target("ruleset", find_ruleset(name, paths).folder)


def _in_folder(folder: Path) -> Iterator[Target]:
    heads = [folder / HEAD] if (folder / HEAD).is_file() else sorted(folder.rglob(HEAD))
    yield from (Target("ruleset", each.parent.resolve()) for each in heads)
    inside = (folder / "scenarios").glob("*.yaml") if (folder / HEAD).is_file() else folder.rglob("*.yaml")
    scenarios = [each for each in sorted(inside) if _is_scenario(each)]
    yield from (Target("scenario", each.resolve()) for each in scenarios)
    if not heads and not scenarios:
        raise UsageError(f"{folder} holds neither a ruleset ({HEAD}) nor a scenario")


def _of_file(path: Path) -> Target:
    """A scenario itself, or the ruleset that a document belongs to."""
    if _is_scenario(path):
        return Target("scenario", path.resolve())
    for folder in path.resolve().parents:
        if (folder / HEAD).is_file():
            return Target("ruleset", folder)
    raise UsageError(f"{path} is no scenario and belongs to no ruleset: no folder above it has a {HEAD}")


def _is_scenario(path: Path) -> bool:
    try:
        return head_section(path.read_bytes(), "scenario") is not None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error


# ---------------------------------------------------------------- how it is said
def _say(found: Found, output: Output) -> None:
    for faults in found.values():
        for each in faults:
            output.diagnostic(each)
    told = [each for faults in found.values() for each in faults]
    errors = sum(each.severity == "error" for each in told)
    counts = [_count(errors, "error"), _count(len(told) - errors, "warning")]
    what = " and ".join(
        _count(sum(each.kind == kind for each in found), kind)
        for kind in ("ruleset", "scenario")
        if any(each.kind == kind for each in found)
    )
    said = " and ".join(each for each in counts if not each.startswith("0 ")) or "nothing wrong"
    output.line(f"{what or 'nothing'} checked: {said}", "red" if errors else "green")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _document(found: Found, output: Output) -> None:
    output.document(
        {
            "ok": not any(each.severity == "error" for faults in found.values() for each in faults),
            "checked": [
                {"kind": each.kind, "path": str(each.path), "findings": len(faults)} for each, faults in found.items()
            ],
            "diagnostics": [diagnostic_data(each) for faults in found.values() for each in faults],
        }
    )


def _annotate(found: Found, output: Output) -> None:
    for each in (each for faults in found.values() for each in faults):
        where = f"file={_property(_relative(each.place.file))}"
        if each.place.line:
            where += f",line={each.place.line},col={each.place.column}"
        text = each.message + (f"\nhint: {each.hint}" if each.hint else "")
        level = each.severity if each.severity in {"error", "warning"} else "notice"
        output.line(f"::{level} {where},title={_property(each.code)}::{_data(text)}")


def _relative(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
