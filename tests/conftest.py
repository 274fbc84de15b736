"""Settings of the processes that run the tests."""

from __future__ import annotations

import gc
import os
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, settings

settings.register_profile("unhurried", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
"""No example fails because the machine has other work."""

gc.set_threshold(100_000, 10, 10)
"""Rulesets and tests are many objects that stay: the search for reference cycles among them runs less often."""

if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # the commands that tests start would all compile the interpreter anew; workers and commands inherit the folder
    _bytecode = TemporaryDirectory(prefix="bytecode-")
    os.environ["PYTHONPYCACHEPREFIX"] = _bytecode.name
