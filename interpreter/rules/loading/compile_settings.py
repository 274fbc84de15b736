"""Compiles a ruleset under other settings of its options, from the checked program."""

from __future__ import annotations

from collections.abc import Mapping as Settings
from hashlib import sha256

from interpreter.language.codegen.emit import image_under_settings
from interpreter.language.model.image import Image
from interpreter.language.model.program import Program
from interpreter.rules.documents.content_hash import content_hash
from interpreter.rules.documents.package_data import engine_version
from interpreter.rules.loading.ruleset import Ruleset
from interpreter.rules.loading.stored_ruleset import StoredSettings


def compile_settings(base: Ruleset, program: Program) -> StoredSettings:
    """Returns what a ruleset has of its own whose program differs from that of `base` in settings alone."""
    image = image_under_settings(base.image, program, None)
    return StoredSettings(hash=ruleset_hash(base.entries, image), options=image.options, views=image.views)


def ruleset_hash(entries: Settings[str, str], image: Image) -> str:
    """Returns a digest over the contents of a ruleset, its options and the version of the engine."""
    return sha256(f"{content_hash(entries)}\0{image.options!r}\0{engine_version()}".encode()).hexdigest()
