"""The page about Python: what it shows is what happens."""

from __future__ import annotations

import re
from doctest import NORMALIZE_WHITESPACE, DocTestParser, DocTestRunner
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


def test_the_page_shows_what_python_answers() -> None:
    """All its lines in order, as if typed."""
    text = "\n".join(re.findall(r"^```pycon\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
    session = DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(session.examples) > 20
    told: list[str] = []
    assert DocTestRunner(optionflags=NORMALIZE_WHITESPACE).run(session, out=told.append).failed == 0, "".join(told)
