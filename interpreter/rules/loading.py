"""Loads rulesets and scenarios, from the cache where nothing has changed.

A ruleset that is in the cache opens without parsing anything: what reads YAML, schemas or rule text is imported only
where it is needed.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Settings
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from interpreter.language.diagnostics import Diagnostic, UsageError
from interpreter.language.image import Image, Unit, pack, unpack
from interpreter.rules.cache import Cache, cache_key, open_cache
from interpreter.rules.locations import locate_ruleset, locate_scenario
from interpreter.rules.ruleset import Clause, Ruleset, Scenario, text_in
from interpreter.rules.setup import Setup

if TYPE_CHECKING:
    from interpreter.rules.compiling import Compiled

_NONE: Final[Settings[str, object]] = {}


def load_ruleset(
    name_or_path: str | Path,
    overlays: Iterable[str | Path] = (),
    options: Settings[str, object] = _NONE,
    paths: Iterable[str | Path] = (),
    *,
    cache: bool = True,
) -> Ruleset:
    """The ruleset of a name or in a folder, checked and compiled with its options set.

    Raises:
        UsageError: if there is no such ruleset, or an option can't be set so.
        RulesetError: with everything that is wrong with it.
    """
    if tuple(overlays):
        raise UsageError("overlays are not supported by this version")
    folder = locate_ruleset(name_or_path, paths)
    if folder is None:
        from interpreter.rules.discovery import find_ruleset  # noqa: PLC0415 - reads YAML

        folder = find_ruleset(name_or_path, paths).folder
    store = open_cache() if cache else None
    key = _ruleset_key(folder, options)
    data = _fresh(store, key, folder)
    if data is not None:
        return _ruleset(folder, options, data, unpack(data["image"]), cache=cache)
    from interpreter.rules.compiling import compile_ruleset  # noqa: PLC0415 - reads YAML and rule text

    made = compile_ruleset(folder, options)
    _keep(store, key, made.data)
    return _fresh_ruleset(folder, options, made, cache=cache)


def _fresh_ruleset(folder: Path, options: Settings[str, object], made: Compiled, *, cache: bool) -> Ruleset:
    ruleset = _ruleset(folder, options, made.data, made.image, cache=cache)
    vars(ruleset).update(documents=made.documents, program=made.program)  # known, so not to be read when asked for
    return ruleset


def check_ruleset(folder: Path, options: Settings[str, object] = _NONE) -> list[Diagnostic]:
    """Everything wrong with the ruleset in a folder, with source lines; empty if it is sound.

    Raises:
        UsageError: if there is no ruleset in the folder, a file can't be read, or an option can't be set so.
    """
    from interpreter.rules.compiling import check_ruleset as check  # noqa: PLC0415 - reads YAML and rule text

    return check(folder, options)


def inspect_ruleset(folder: Path) -> tuple[Ruleset | None, list[Diagnostic]]:
    """The ruleset in a folder if it has no errors, read anew, and everything wrong with it, with source lines.

    Raises:
        UsageError: if there is no ruleset in the folder, or a file can't be read.
    """
    from interpreter.rules.compiling import inspect_ruleset as inspect  # noqa: PLC0415 - reads YAML and rule text

    folder = folder.resolve()
    made, found = inspect(folder, _NONE)
    if made is None:
        return None, found
    _keep(open_cache(), _ruleset_key(folder, _NONE), made.data)
    return _fresh_ruleset(folder, _NONE, made, cache=True), found


def load_scenario(
    name_or_path: str | Path,
    options: Settings[str, object] = _NONE,
    paths: Iterable[str | Path] = (),
    overlays: Iterable[str | Path] = (),
    *,
    cache: bool = True,
) -> Scenario:
    """The scenario of a name `ruleset/scenario` or in a file; `options` are set over those that it sets itself.

    Raises:
        UsageError: if there is no such scenario or ruleset, or an option can't be set so.
        RulesetError: with everything that is wrong with either.
    """
    path = locate_scenario(name_or_path, paths)
    if path is None:
        from interpreter.rules.discovery import find_scenario  # noqa: PLC0415 - reads YAML

        path = find_scenario(name_or_path, paths).path
    paths = (*paths, *_around(path))
    store = open_cache() if cache else None
    key = cache_key("scenario", str(path), _written(options))
    data = _fresh(store, key, path.parent)
    if data is not None:
        ruleset = load_ruleset(data["ruleset"], overlays, {**data["options"], **options}, paths, cache=cache)
        if ruleset.hash == data["ruleset_hash"]:
            return _scenario(path, ruleset, data)
    from interpreter.rules.scenarios import compile_scenario  # noqa: PLC0415 - reads YAML and rule text

    ruleset, data = compile_scenario(path, _loader(overlays, options, paths, cache=cache))
    _keep(store, key, data)
    return _scenario(path, ruleset, data)


def check_scenario(path: Path, paths: Iterable[str | Path] = ()) -> list[Diagnostic]:
    """Everything wrong with the scenario in a file, with source lines; empty if it is sound.

    Raises:
        UsageError: if the file can't be read, or there is no such ruleset.
    """
    from interpreter.rules.scenarios import check_scenario as check  # noqa: PLC0415 - reads YAML and rule text

    path = path.resolve()
    return check(path, _loader((), _NONE, (*paths, *_around(path)), cache=True))


def _loader(
    overlays: Iterable[str | Path], options: Settings[str, object], paths: Iterable[str | Path], *, cache: bool
) -> Callable[[str, Settings[str, object] | None], Ruleset]:
    """What loads a scenario's ruleset with the options that the scenario sets, or with its defaults alone."""

    def load(name: str, settings: Settings[str, object] | None) -> Ruleset:
        chosen = {} if settings is None else {**settings, **options}
        return load_ruleset(name, overlays, chosen, paths, cache=cache)

    return load


def _around(path: Path) -> tuple[Path, ...]:
    """Where a scenario's own ruleset may lie: beside the folder that holds its scenarios, or around it."""
    candidates = (path.parent.parent.parent, path.parent.parent, path.parent)
    return tuple(each for each in candidates if (each / "rulesets").is_dir() or (each / "ruleset.yaml").is_file())


# ---------------------------------------------------------------- cache
def _written(options: Settings[str, object]) -> str:
    try:
        return json.dumps(options, sort_keys=True)
    except TypeError as error:
        raise UsageError(f"an option must be true, false, a whole number or a word: {error}") from error


def _ruleset_key(folder: Path, options: Settings[str, object]) -> str:
    return cache_key("ruleset", str(folder), _written(options))


def _fresh(store: Cache | None, key: str, folder: Path) -> dict[str, Any] | None:
    """A cached entry, if every file that it was made of is still the same."""
    payload = store.read(key) if store is not None else None
    if payload is None:
        return None
    data: dict[str, Any] = marshal.loads(payload)  # noqa: S302 - verified, in a folder that its user alone writes
    return data if all(_digest(folder / name) == digest for name, digest in data["files"].items()) else None


def _digest(path: Path) -> str | None:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None  # it has gone or can't be read: compiling says so


def _keep(store: Cache | None, key: str, data: dict[str, Any]) -> None:
    if store is not None:
        store.write(key, marshal.dumps(data))


# ---------------------------------------------------------------- from plain data
def _ruleset(
    folder: Path, options: Settings[str, object], data: dict[str, Any], image: Image, *, cache: bool
) -> Ruleset:
    def make_unit(ruleset: Ruleset, variant: str) -> Unit:
        return _unit(ruleset, variant, open_cache() if cache else None)

    return Ruleset(
        name=image.name,
        version=image.version,
        title=text_in(data["info"].get("title")) or image.name,
        folder=folder,
        hash=data["hash"],
        image=image,
        options=dict(options),
        info=data["info"],
        clauses={each.id: each for each in map(_clause, data["clauses"])},
        presentation=data["presentation"],
        readings=tuple(data["readings"]),
        left_out=tuple(data["left_out"]),
        make_unit=make_unit,
    )


def _clause(data: dict[str, Any]) -> Clause:
    texts = data["says"] if isinstance(data["says"], dict) else {"en": data["says"]}
    return Clause(data["id"], data["kind"], text_in(data["says"]), tuple(data["see"]), texts)


def _unit(ruleset: Ruleset, variant: str, store: Cache | None) -> Unit:
    """One more variant of a ruleset's code, kept under a key of its own."""
    key = cache_key("unit", ruleset.hash, str(ruleset.folder), variant)
    payload = store.read(key) if store is not None else None
    if payload is not None:
        return unpack(payload).units[0]
    from interpreter.language.emit import VARIANTS, emit_unit  # noqa: PLC0415 - needs the parser

    if variant not in VARIANTS:
        raise ValueError(f"no variant {variant!r}")
    unit = emit_unit(ruleset.program, variant)
    if store is not None:
        store.write(key, pack(_bare(ruleset.image, unit)))
    return unit


def _bare(image: Image, unit: Unit) -> Image:
    """An image of nothing but one unit, which packs as images do."""
    return replace(image, units=(unit,), individuals=(), links=(), tables=(), rules=(), sites=(), records=())


def _scenario(path: Path, ruleset: Ruleset, data: dict[str, Any]) -> Scenario:
    return Scenario(
        name=f"{ruleset.name}/{data['info']['id']}",
        title=text_in(data["info"].get("title")) or path.stem,
        path=path,
        ruleset=ruleset,
        setup=Setup(*data["setup"]),
        seats=data["seats"],
        info=data["info"],
    )
