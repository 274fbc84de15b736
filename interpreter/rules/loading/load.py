"""Loads rulesets and scenarios, from the cache if nothing has changed.

A cached ruleset opens without any parsing: modules that read YAML, schemas or rule text are imported only when they
are needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Settings
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from interpreter.language.diagnostics import Diagnostic, UsageError
from interpreter.language.gc_control import gc_paused_then_frozen
from interpreter.language.model.image import Unit, compiled
from interpreter.language.plain_files import read_plain
from interpreter.rules.documents.overlay_files import OverlayFile, OverlayName, open_overlays
from interpreter.rules.documents.own_folder import MAX_FILE_BYTES, resolved
from interpreter.rules.documents.search_path import head_word, locate_ruleset, locate_scenario, ruleset_named
from interpreter.rules.loading.cache import Cache, cache_key, open_cache
from interpreter.rules.loading.ruleset import Layer, Ruleset, Scenario, text_in
from interpreter.rules.loading.stored_ruleset import (
    StoredRuleset,
    StoredScenario,
    StoredSettings,
    read_stored,
    stored_text,
)

if TYPE_CHECKING:
    from interpreter.language.model.program import Program
    from interpreter.rules.loading.compile import CompiledRuleset

D = TypeVar("D", StoredRuleset, StoredScenario)
_NONE: Final[Settings[str, object]] = {}


@gc_paused_then_frozen()
def load_ruleset(
    name_or_path: str | Path,
    overlays: Iterable[OverlayName] = (),
    options: Settings[str, object] = _NONE,
    paths: Iterable[str | Path] = (),
    *,
    cache: bool = True,
    opened: Iterable[Ruleset] = (),
) -> Ruleset:
    """Loads a ruleset by name or folder, with overlays applied in this order and options set.

    Returns one of `opened` instead if it was loaded in the same way and its files haven't changed since.

    Raises:
        UsageError: if there is no such ruleset or overlay, or a setting is invalid.
        RulesetError: with all diagnostics, if it has errors.
    """
    folder = locate_ruleset(name_or_path, paths)
    if folder is None:
        from interpreter.rules.documents.discovery import find_ruleset  # noqa: PLC0415 - reads YAML

        folder = find_ruleset(name_or_path, paths).folder
    files = open_overlays(overlays, folder, paths)
    for each in opened:
        alike = (
            each.folder == folder and each.overlays == files and _options_text(each.options) == _options_text(options)
        )
        if alike and _unchanged(folder, each.files):
            return each
    store = open_cache() if cache else None
    key = _ruleset_key(folder, options, files)
    data = _cached_ruleset(store, key, folder)
    if data is not None:
        return _ruleset(folder, options, data, files, cache=cache)
    if options and store is not None:
        base = _without_settings(folder, files, store)
        if base is not None:
            return _with_settings(base, options, store)
    return _compiled(folder, options, files, store)


def _compiled(
    folder: Path, options: Settings[str, object], overlays: tuple[OverlayFile, ...], store: Cache | None
) -> Ruleset:
    from interpreter.rules.loading.compile import compile_ruleset  # noqa: PLC0415 - reads YAML and rule text

    made = compile_ruleset(folder, options, overlays)
    _write_ruleset(store, _ruleset_key(folder, options, overlays), made.data)

    def kept_program(ruleset: Ruleset) -> Program:
        _write_program(ruleset, made.program, store)
        return made.program

    ruleset = replace(
        _ruleset(folder, options, made.data, overlays, cache=store is not None), make_program=kept_program
    )
    vars(ruleset).update(documents=made.documents)  # fills the cached property
    return ruleset


def _fresh_ruleset(folder: Path, made: CompiledRuleset, overlays: Iterable[OverlayFile]) -> Ruleset:
    ruleset = _ruleset(folder, _NONE, made.data, overlays, cache=True)
    vars(ruleset).update(documents=made.documents, program=made.program)  # fills the cached properties
    return ruleset


def _without_settings(folder: Path, overlays: tuple[OverlayFile, ...], store: Cache) -> Ruleset | None:
    """Returns a ruleset under its default settings; none where other settings would switch patches, or might."""
    data = _cached_ruleset(store, _ruleset_key(folder, _NONE, overlays), folder)
    if data is not None:
        return None if data.toggled else _ruleset(folder, _NONE, data, overlays, cache=True)
    return None if overlays else _compiled(folder, _NONE, overlays, store)


def _with_settings(base: Ruleset, options: Settings[str, object], store: Cache) -> Ruleset:
    """Returns a ruleset under settings that switch no patch, compiled from the program with default settings.

    Raises:
        UsageError: if a setting is invalid.
    """
    key = cache_key("settings", base.hash, base.stamp, _options_text(options))
    text = store.read(key)
    own = read_stored(text, StoredSettings) if text is not None else None
    if own is None:
        from interpreter.rules.loading.compile_settings import compile_settings  # noqa: PLC0415 - needs the parser

        own = compile_settings(base, _program_with(base, options))
        store.write(key, stored_text(own))
    return replace(
        base,
        hash=own.hash,
        options=dict(options),
        image=replace(base.image, options=own.options, views=own.views, units=()),
        make_program=lambda _: _program_with(base, options),
        make_unit=lambda ruleset, variant: _unit(ruleset, variant, open_cache(), base),
        _units={},
    )


def _program_with(base: Ruleset, options: Settings[str, object]) -> Program:
    from interpreter.rules.linking.option_settings import with_settings  # noqa: PLC0415 - needs the parser

    return with_settings(base.program, options)


def check_ruleset(
    folder: Path,
    options: Settings[str, object] = _NONE,
    overlays: Iterable[OverlayName] = (),
    paths: Iterable[str | Path] = (),
) -> list[Diagnostic]:
    """Returns all diagnostics of the ruleset in a folder under overlays, with source lines; empty if it is sound.

    Raises:
        UsageError: if there is no ruleset in the folder, a file can't be read, or a setting is invalid.
    """
    from interpreter.rules.loading.compile import check_ruleset as check  # noqa: PLC0415 - reads YAML and rule text

    return check(folder, options, open_overlays(overlays, folder, paths))


@gc_paused_then_frozen()
def inspect_ruleset(
    folder: Path, overlays: Iterable[OverlayName] = (), paths: Iterable[str | Path] = ()
) -> tuple[Ruleset | None, list[Diagnostic]]:
    """Reads the ruleset in a folder again; returns it, `None` if it has errors, and all diagnostics with source lines.

    Raises:
        UsageError: if there is no ruleset in the folder, or a file can't be read.
    """
    from interpreter.rules.loading.compile import inspect_ruleset as inspect  # noqa: PLC0415 - reads YAML and rule text

    folder = folder.resolve()
    files = open_overlays(overlays, folder, paths)
    made, found = inspect(folder, _NONE, files)
    if made is None:
        return None, found
    _write_ruleset(open_cache(), _ruleset_key(folder, _NONE, files), made.data)
    return _fresh_ruleset(folder, made, files), found


@gc_paused_then_frozen()
def load_scenario(
    name_or_path: str | Path,
    options: Settings[str, object] = _NONE,
    paths: Iterable[str | Path] = (),
    overlays: Iterable[OverlayName] = (),
    *,
    cache: bool = True,
) -> Scenario:
    """Loads a scenario by its name `ruleset/scenario` or its file; `options` override those that it sets itself.

    Raises:
        UsageError: if there is no such scenario or ruleset, or a setting is invalid.
        RulesetError: with all diagnostics, if either has errors.
    """
    path = locate_scenario(name_or_path, paths)
    if path is None:
        from interpreter.rules.documents.discovery import find_scenario  # noqa: PLC0415 - reads YAML

        path = find_scenario(name_or_path, paths).path
    paths = (*paths, *_around(path))
    files = _overlays_of(path, overlays, paths)
    store = open_cache() if cache else None
    key = cache_key("scenario", str(path), _options_text(options), *_overlay_keys(files))
    data = _cached(store, key, path.parent, StoredScenario)
    if data is not None:
        settings = {**data.options, **options}
        ruleset = load_ruleset(_ruleset_folder(data.ruleset, paths), files, settings, paths, cache=cache)
        if ruleset.hash == data.ruleset_hash:
            return _scenario(path, ruleset, data)
    from interpreter.rules.loading.compile_scenario import compile_scenario  # noqa: PLC0415 - reads YAML and rule text

    ruleset, data = compile_scenario(path, _loader(files, options, paths, cache=cache), files)
    if store is not None:
        store.write(key, stored_text(data))
    return _scenario(path, ruleset, data)


def check_scenario(
    path: Path, paths: Iterable[str | Path] = (), overlays: Iterable[OverlayName] = ()
) -> list[Diagnostic]:
    """Returns all diagnostics of the scenario in a file under overlays, with source lines; empty if it is sound.

    Raises:
        UsageError: if the file can't be read, or there is no such ruleset.
    """
    from interpreter.rules.loading.compile_scenario import check_scenario as check  # noqa: PLC0415 - reads YAML and rule text

    path = resolved(path)
    paths = (*paths, *_around(path))
    files = _overlays_of(path, overlays, paths)
    return check(path, _loader(files, _NONE, paths, cache=True), files)


def _overlays_of(path: Path, overlays: Iterable[OverlayName], paths: Iterable[str | Path]) -> tuple[OverlayFile, ...]:
    """Returns the files of the overlays for a scenario; names are also searched beside its ruleset."""
    named = tuple(overlays)
    word = head_word(path, "scenario", "ruleset") if named else None
    return open_overlays(named, ruleset_named(word, paths) if word else None, paths)


def _loader(
    overlays: Iterable[OverlayName], options: Settings[str, object], paths: Iterable[str | Path], *, cache: bool
) -> Callable[[str, Settings[str, object] | None], Ruleset]:
    """Returns a function that loads a scenario's ruleset with the options that the scenario sets, or with defaults."""

    def load(name: str, settings: Settings[str, object] | None) -> Ruleset:
        chosen = {} if settings is None else {**settings, **options}
        return load_ruleset(_ruleset_folder(name, paths), overlays, chosen, paths, cache=cache)

    return load


def _ruleset_folder(name: str, paths: Iterable[str | Path]) -> Path:
    """Returns the folder of the ruleset that a scenario names by its id.

    Raises:
        UsageError: if there is none.
    """
    if (folder := ruleset_named(name, paths)) is not None:
        return folder
    from interpreter.rules.documents.discovery import find_ruleset  # noqa: PLC0415 - reads YAML

    return find_ruleset(name, paths, by_name=True).folder


def _around(path: Path) -> tuple[Path, ...]:
    """Returns folders in which to look for the ruleset of a scenario: beside and around the folder of scenarios."""
    candidates = (path.parent.parent.parent, path.parent.parent, path.parent)
    return tuple(each for each in candidates if (each / "rulesets").is_dir() or (each / "ruleset.yaml").is_file())


# ---------------------------------------------------------------- cache
def _options_text(options: Settings[str, object]) -> str:
    try:
        return json.dumps(options, sort_keys=True)
    except TypeError as error:
        raise UsageError(f"an option must be true, false, a whole number or a word: {error}") from error


def _ruleset_key(folder: Path, options: Settings[str, object], overlays: Iterable[OverlayFile]) -> str:
    return cache_key("ruleset", str(folder), _options_text(options), *_overlay_keys(overlays))


def _overlay_keys(overlays: Iterable[OverlayFile]) -> list[str]:
    """Returns the parts of a cache key for overlays: their paths, which messages contain, and their digests."""
    return [f"{each.path}\0{each.digest}" for each in overlays]


def _cached(store: Cache | None, key: str, folder: Path, kind: type[D]) -> D | None:
    """Returns a cached entry if none of the files it was compiled from has changed."""
    text = store.read(key) if store is not None else None
    data = read_stored(text, kind) if text is not None else None
    return data if data is not None and _unchanged(folder, data.files) else None


def _cached_ruleset(store: Cache | None, key: str, folder: Path) -> StoredRuleset | None:
    """Returns a cached ruleset with the code of its units if none of its files has changed."""
    data = _cached(store, key, folder, StoredRuleset)
    for each in data.image.units if data is not None else ():
        each.code = _code(each, store)
    return data


def _code(unit: Unit, store: Cache | None) -> bytes:
    """Returns the code of a unit that was read from the cache; it has an entry of its own, whose key is the source."""
    key = cache_key("code", unit.source)
    found = store.read(key) if store is not None else None
    if found is None:
        found = compiled(unit.source)
        _write_code(store, replace(unit, code=found))
    return found


def _unchanged(folder: Path, files: Settings[str, str]) -> bool:
    return all(_digest(folder / name) == digest for name, digest in files.items())


def _digest(path: Path) -> str | None:
    try:
        return sha256(read_plain(path, MAX_FILE_BYTES)).hexdigest()
    except UsageError:
        return None  # missing or unreadable: compiling reports it


def _write_ruleset(store: Cache | None, key: str, data: StoredRuleset) -> None:
    if store is not None:
        store.write(key, stored_text(data))
        for each in data.image.units:
            _write_code(store, each)


def _write_code(store: Cache | None, unit: Unit) -> None:
    if store is not None:
        store.write(cache_key("code", unit.source), unit.code)


# ---------------------------------------------------------------- from plain data
def _ruleset(
    folder: Path,
    options: Settings[str, object],
    data: StoredRuleset,
    overlays: Iterable[OverlayFile],
    *,
    cache: bool,
) -> Ruleset:
    def make_program(ruleset: Ruleset) -> Program:
        return _program(ruleset, open_cache() if cache else None)

    def make_unit(ruleset: Ruleset, variant: str) -> Unit:
        return _unit(ruleset, variant, open_cache() if cache else None)

    return Ruleset(
        name=data.image.name,
        version=data.image.version,
        title=text_in(data.info.get("title")) or data.image.name,
        folder=folder,
        hash=data.hash,
        stamp=data.stamp,
        entries=data.entries,
        files=data.files,
        layers=tuple([Layer(name, file, info) for (name, info), file in zip(data.overlays, overlays, strict=True)]),
        has_conditional_patches=data.toggled,
        image=data.image,
        options=dict(options),
        info=data.info,
        clauses={each.id: each for each in data.clauses},
        presentation=data.presentation,
        readings=tuple(data.readings),
        left_out=tuple(data.left_out),
        make_program=make_program,
        make_unit=make_unit,
    )


@gc_paused_then_frozen()
def _program(ruleset: Ruleset, store: Cache | None) -> Program:
    """Returns the program of a ruleset that was opened from the cache; the program has its own cache entry."""
    from interpreter.rules.loading.stored_program import read_program  # noqa: PLC0415 - rare in play

    text = store.read(_program_key(ruleset)) if store is not None else None
    found = read_program(text) if text is not None else None
    if found is not None:
        return found
    from interpreter.rules.loading.compile import checked_program  # noqa: PLC0415 - reads YAML and rule text

    made = checked_program(ruleset.documents, ruleset.options)
    _write_program(ruleset, made, store)
    return made


def _write_program(ruleset: Ruleset, program: Program, store: Cache | None) -> None:
    if store is None:
        return
    from interpreter.language.codegen.analysis.rule_facts import settled  # noqa: PLC0415 - needs the parser
    from interpreter.rules.loading.stored_program import program_text  # noqa: PLC0415 - rare in play

    settled(program)
    store.write(_program_key(ruleset), program_text(program))


def _program_key(ruleset: Ruleset) -> str:
    return cache_key("program", ruleset.hash, ruleset.stamp, str(ruleset.folder))


def _unit(ruleset: Ruleset, variant: str, store: Cache | None, base: Ruleset | None = None) -> Unit:
    """Returns another variant of a ruleset's code; it has its own cache entry, whose key covers the places of lines.

    `base` is the same ruleset under its default settings, whose code is used where it is known.
    """
    found = _cached_unit(ruleset, variant, store)
    if found is not None:
        return found
    from interpreter.language.codegen.emit import VARIANTS, emit_unit  # noqa: PLC0415 - needs the parser

    if variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}")
    unit = emit_unit(ruleset.program, variant, None if base is None else _known_unit(base, variant, store))
    if store is not None:
        store.write(_unit_key(ruleset, variant), stored_text(unit))
        _write_code(store, unit)
    return unit


def _known_unit(ruleset: Ruleset, variant: str, store: Cache | None) -> Unit | None:
    units = (*ruleset.image.units, *ruleset._units.values())
    return next((each for each in units if each.variant == variant), None) or _cached_unit(ruleset, variant, store)


def _cached_unit(ruleset: Ruleset, variant: str, store: Cache | None) -> Unit | None:
    text = store.read(_unit_key(ruleset, variant)) if store is not None else None
    found = read_stored(text, Unit) if text is not None else None
    if found is not None:
        found.code = _code(found, store)
    return found


def _unit_key(ruleset: Ruleset, variant: str) -> str:
    return cache_key("unit", ruleset.hash, ruleset.stamp, str(ruleset.folder), variant)


def _scenario(path: Path, ruleset: Ruleset, data: StoredScenario) -> Scenario:
    return Scenario(
        name=f"{ruleset.name}/{data.id}",
        title=text_in(data.info.get("title")) or path.stem,
        path=path,
        ruleset=ruleset,
        setup=data.setup,
        seats=data.seats,
        names=data.names,
        info=data.info,
    )
