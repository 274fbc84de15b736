"""The page about Python: Python gives the values that the page shows."""

from __future__ import annotations

import re
from doctest import NORMALIZE_WHITESPACE, DocTestParser, DocTestRunner
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


def test_page_shows_python_output() -> None:
    """All lines of the page, run in order, give what is shown."""
    text = "\n".join(re.findall(r"^```pycon\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
    session = DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(session.examples) > 20
    report: list[str] = []
    assert DocTestRunner(optionflags=NORMALIZE_WHITESPACE).run(session, out=report.append).failed == 0, "".join(report)
