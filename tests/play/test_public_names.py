"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest
from processes import DEADLINE

import interpreter


def test_package_exports_public_names() -> None:
    """The package itself exports Game and the loaders."""
    from interpreter.play.game import Game
    from interpreter.rules.loading.load import load_ruleset, load_scenario

    assert interpreter.Game is Game
    assert interpreter.load_ruleset is load_ruleset
    assert interpreter.load_scenario is load_scenario


def test_unknown_name_is_attribute_error() -> None:
    """An unknown name is an error as in any module."""
    with pytest.raises(AttributeError, match="no attribute 'game'"):
        _ = interpreter.game


def test_package_import_is_light() -> None:
    """Neither the package nor a game imports the parser or YAML."""
    code = (
        "import sys, interpreter; interpreter.Game; "
        "print([each for each in ('lark', 'yaml', 'jsonschema', 'rich') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=DEADLINE)
    assert done.stdout.strip() == "[]"
