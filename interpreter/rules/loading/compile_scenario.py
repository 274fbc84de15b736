"""Compiles a scenario's document to plain data, and collects the faults of every stage."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Settings
from collections.abc import Sequence as Series
from pathlib import Path

from interpreter.language.diagnostics import Diagnostic, RulesetError, UsageError
from interpreter.rules.documents.document_set import Document, read_scenario
from interpreter.rules.documents.nodes import Mapping, Node, Plain, Scalar, as_plain_data, as_written
from interpreter.rules.documents.overlay_files import OverlayFile
from interpreter.rules.documents.source_excerpts import with_excerpts
from interpreter.rules.documents.versions import range_faults
from interpreter.rules.linking.link_context import text_of
from interpreter.rules.linking.scenario import link_scenario, scenario_options
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.loading.stored_ruleset import StoredScenario
from interpreter.rules.schema.validate import SCENARIO, check_shape

Load = Callable[[str, Settings[str, object] | None], Ruleset]
"""Loads a ruleset by name with the options of a scenario, or with its own defaults if they are `None`."""


def compile_scenario(path: Path, load: Load, overlays: Series[OverlayFile] = ()) -> tuple[Ruleset, StoredScenario]:
    """Returns the ruleset of a scenario, loaded by `load`, and the scenario under overlays as plain data.

    Raises:
        RulesetError: with all diagnostics of the scenario or its ruleset, if there are errors.
        UsageError: if the file can't be read, or there is no such ruleset.
    """
    document = read_scenario(path)
    _raise_if_any(check_shape(document.root, SCENARIO))
    if overlays:
        _apply_overlays(document, overlays, load)
    head = document.root.items["scenario"]
    assert isinstance(head, Mapping)
    options = scenario_options(document.root)
    ruleset, refused = _load(head.items["ruleset"], options, load)
    setup, faults = link_scenario(document.root, ruleset.program)
    if refused is not None and not faults:
        raise refused
    versions = head.get("versions")
    if isinstance(versions, Scalar):
        faults += range_faults(versions, ruleset.version, "the ruleset", "ruleset-version")
    _raise_if_any(faults)
    return ruleset, StoredScenario(
        files={document.name: document.digest},
        id=text_of(head.items["id"]),
        info={key: as_plain_data(each) for key, each in head.items.items()},
        seats=_plain(document, "seats"),
        names=_plain(document, "names"),
        options=options,
        ruleset=ruleset.name,
        ruleset_hash=ruleset.hash,
        setup=setup,
    )


def _apply_overlays(document: Document, overlays: Series[OverlayFile], load: Load) -> None:
    """Applies the patches of overlays to this scenario.

    Raises:
        RulesetError: with all their errors.
    """
    from interpreter.rules.loading.scenario_patches import patch_scenario  # noqa: PLC0415 - only if there are some
    from interpreter.rules.overlays.merged_documents import renames_of  # noqa: PLC0415 - as above

    head, options = document.root.items["scenario"], scenario_options(document.root)
    assert isinstance(head, Mapping)
    ruleset = head.items["ruleset"]
    _raise_if_any(patch_scenario(document, overlays, lambda: renames_of(_load(ruleset, options, load)[0].documents)))
    _raise_if_any(check_shape(document.root, SCENARIO))


def _load(name: Node, options: Settings[str, object], load: Load) -> tuple[Ruleset, UsageError | None]:
    """Returns the ruleset of a scenario; if the options can't be set, the one with default options and the error.

    Raises:
        RulesetError: if there is no such ruleset, or it has errors.
    """
    try:
        return load(as_written(name), options), None
    except UsageError as refused:
        try:
            return load(as_written(name), None), refused
        except UsageError as error:
            message, _, hint = str(error).partition("\n")
            more = hint.replace("?\n", "? ").replace("\n", "; ") or None
            found = Diagnostic("unknown-ruleset", message, name.place, more)
            raise RulesetError(with_excerpts([found])) from error


def _plain(document: Document, section: str) -> dict[str, Plain]:
    node = document.root.get(section)
    return {name: as_plain_data(each) for name, each in node.items.items()} if isinstance(node, Mapping) else {}


def _raise_if_any(faults: list[Diagnostic]) -> None:
    if faults:
        raise RulesetError(with_excerpts(faults))


def check_scenario(path: Path, load: Load, overlays: Series[OverlayFile] = ()) -> list[Diagnostic]:
    """Returns all diagnostics of a scenario under overlays, with source lines; empty if it is sound.

    Raises:
        UsageError: if the file can't be read, or there is no such ruleset.
    """
    try:
        compile_scenario(path, load, overlays)
    except RulesetError as error:
        return list(error.diagnostics)
    return []
