"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import interpreter


def test_public_names_are_there() -> None:
    """Game and the loaders can be had from the package itself."""
    from interpreter.play.game import Game
    from interpreter.rules.loading.load import load_ruleset, load_scenario

    assert interpreter.Game is Game
    assert interpreter.load_ruleset is load_ruleset
    assert interpreter.load_scenario is load_scenario


def test_unknown_names_are_attribute_errors() -> None:
    """What the package does not have is refused as by any module."""
    with pytest.raises(AttributeError, match="no attribute 'game'"):
        _ = interpreter.game


def test_importing_the_package_is_light() -> None:
    """Neither the package nor a game needs the parser or YAML to be imported."""
    code = (
        "import sys, interpreter; interpreter.Game; "
        "print([each for each in ('lark', 'yaml', 'jsonschema', 'rich') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
