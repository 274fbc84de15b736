"""Small rulesets out of texts, for the tests of the linker."""

from pathlib import Path
from textwrap import dedent

from interpreter.language.diagnostics import Diagnostic
from interpreter.language.model.program import Program
from interpreter.rules.documents.document_set import Document, DocumentSet
from interpreter.rules.documents.nodes import Mapping
from interpreter.rules.documents.yaml_reader import read_yaml_text
from interpreter.rules.linking.link import link


def mapping(text: str, file: str = "r.yaml") -> Mapping:
    """A document out of an indented text."""
    root = read_yaml_text(dedent(text).removeprefix("\n"), file)
    assert isinstance(root, Mapping)
    return root


def documents(*parts: str) -> DocumentSet:
    """A ruleset whose file has these parts one after another."""
    text = "".join(dedent(part).removeprefix("\n") for part in parts)
    return DocumentSet(Path(), [Document(Path("r.yaml"), "r.yaml", "", mapping(text))])


def linked(*parts: str, **options: object) -> Program:
    """The program of a ruleset without faults."""
    program, faults = link(documents(*parts), options)
    assert not faults, "\n".join(map(str, faults))
    return program


def faults(*parts: str, **options: object) -> list[Diagnostic]:
    """What the linker has to say about a ruleset."""
    return link(documents(*parts), options)[1]


def said(*parts: str, **options: object) -> list[str]:
    """The faults as `line:column code: message (hint)`."""
    return [
        f"{each.place.line}:{each.place.column} {each.code}: {each.message}" + (f" ({each.hint})" if each.hint else "")
        for each in faults(*parts, **options)
    ]
