"""The documentation: how wide its lines are, where its links and paths lead, and that its examples are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
INNER_PAGES = [
    DOCS / f"{name}.md"
    for name in ("architecture", "codegen", "diagnostics", "odds-internals", "players", "records", "security")
]
"""The pages about the code; the paths on them are relative to `interpreter/` or to the project."""
QUOTING_PAGES = [DOCS / "documents.md", DOCS / "presentation.md"]
WIDTH = 120
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_YAML = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`\s]+)`")
_PATH = re.compile(r"[\w.-]+(/[\w.-]+)*(/|\.(py|lark|json|yaml|md|txt))|[a-z_]+(/[a-z_]+)+")
_MADE_UP = "dice"
"""The section of which no ruleset of this project has an example."""


def _prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """Returns the anchors of the headings of a page, as they are made for readers of the page."""
    titles = re.findall(r"^#+ (.*)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_fit_in_120_columns(page: Path) -> None:
    """No line of a page is longer than 120 characters, whatever it holds."""
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(lines, 1) if len(line) > WIDTH] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    """Every relative link leads to a file, and its anchor to a heading of that file."""
    wrong = []
    for link in _LINK.findall(_prose(page)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            wrong.append(link)
    assert wrong == []


@pytest.mark.parametrize("page", INNER_PAGES, ids=lambda page: page.name)
def test_paths_of_code_exist(page: Path) -> None:
    """Every path of a module, folder or file that a page about the code names exists."""
    paths = [each for each in _CODE.findall(_prose(page)) if _PATH.fullmatch(each)]
    assert paths
    assert [each for each in paths if not any((base / each).exists() for base in (ROOT / "interpreter", ROOT))] == []


def test_promises_have_tests() -> None:
    """Every promise of the page on security, a bullet below the heading of its subject, names tests that exist."""
    _, _, promises = (DOCS / "security.md").read_text(encoding="utf-8").partition("## Rule text")
    bullets = re.split(r"^- ", promises, flags=re.MULTILINE)[1:]
    assert bullets
    for bullet in bullets:
        named = re.findall(r"`(tests/[\w/.]+)::(\w+)`", bullet)
        assert named, f"no test: {bullet}"
        assert [name for file, name in named if f"def {name}(" not in (ROOT / file).read_text(encoding="utf-8")] == []


def _documents() -> Iterator[list[str]]:
    """The lines of each document of this project, without indentation and comments."""
    for folder in ("rulesets", "scenarios", "interpreter/workshop/starter"):
        for path in sorted((ROOT / folder).rglob("*.yaml")):
            yield [_bare(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _bare(line: str) -> str:
    return re.sub(r"\s+#.*|\s+@[\w.]+$", "", line).strip()


@pytest.mark.parametrize("page", QUOTING_PAGES, ids=lambda page: page.name)
def test_examples_are_quoted(page: Path) -> None:
    """The lines of every example are in one document of this project, in their order; lines may be left out."""
    documents = list(_documents())
    examples = _YAML.findall(page.read_text(encoding="utf-8"))
    assert examples
    for example in examples:
        section, *lines = map(_bare, example.splitlines())
        if section != f"{_MADE_UP}:":
            assert any(_holds(document, [section, *lines]) for document in documents), f"in no document:\n{example}"


def _holds(document: list[str], lines: list[str]) -> bool:
    rest = iter(document)
    return all(line in rest for line in lines)
