"""The figures of a ruleset: every number that it carries as data, and where that number comes from."""

from __future__ import annotations

from interpreter.language.model.program import Program
from interpreter.rules.documents.document_set import DocumentSet
from interpreter.rules.linking.figure_sources import Figure
from interpreter.rules.linking.link import link_all

__all__ = ["Figure", "figures"]


def figures(documents: DocumentSet, program: Program) -> list[Figure]:
    """All figures of a ruleset, section by section in document order.

    Cells of tables, constants, whole numbers of individuals and counters, counts of counters, modifiers that are plain
    numbers, and each entry of `links` (its value is the number of its links).
    """
    options = {name: option.value for name, option in program.options.items()}
    return link_all(documents, options).figures
