"""Locates the rulesets, scenarios and schemas that come with the engine."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


@lru_cache
def data_folder() -> Path:
    """Returns the folder with `rulesets`, `scenarios` and `schemas`: in the installed package, or the checkout."""
    installed = _PACKAGE / "data"
    return installed if installed.is_dir() else _PACKAGE.parent


def schemas_folder() -> Path:
    """Returns the folder of the JSON Schemas."""
    return data_folder() / "schemas"


@lru_cache
def engine_version() -> str:
    """Returns the version of the running engine: that of the checkout if it runs from one."""
    project = _PACKAGE.parent / "pyproject.toml"
    if data_folder() == _PACKAGE.parent and project.is_file():
        found = re.search(r'^version = "([^"]+)"', project.read_text(encoding="utf-8"), re.MULTILINE)
        if found is not None:
            return found[1]
    from importlib.metadata import version  # noqa: PLC0415 - slow to import

    return version("bicorne")
