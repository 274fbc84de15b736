"""What the processes of `forked.py` are forked from: the interpreter, which has rejected and played small rulesets."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from attempt import attempt
from cases import files, played

for _documents in (played("set amount += 1"), played("set amount += words"), files("ruleset: {}\nkinds: 1\n")):
    with TemporaryDirectory() as _folder:
        for _name, _content in _documents.items():
            (Path(_folder) / _name).write_bytes(_content)
        with patch.dict(os.environ, {"XDG_CACHE_HOME": _folder}):
            attempt(Path(_folder))
