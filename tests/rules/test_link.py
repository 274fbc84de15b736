"""Linking as a whole: order, several files, and going on after faults."""

from pathlib import Path

from link_by_hand import documents, linked, mapping

from interpreter.rules.documents.document_set import Document, DocumentSet
from interpreter.rules.linking.link import link


def _files(**texts: str) -> DocumentSet:
    return DocumentSet(Path(), [Document(Path(name), name, "", mapping(text, name)) for name, text in texts.items()])


def test_name_and_version_are_those_of_the_head():
    """Both are text, whatever they look like."""
    program = linked("ruleset: {id: rome, title: Rome, version: 3}\n")
    assert (program.name, program.version) == ("rome", "3")


def test_sections_of_several_files_are_taken_together_in_order():
    """A file may continue what another began, and name things of a later one."""
    program, faults = link(
        _files(
            b="pieces: {unit: [{id: x, at: here}]}\nindividuals: {area: [here]}",
            a="kinds: {area: {is: space}, unit: {is: piece, in: area}}\nindividuals: {area: [there]}",
        )
    )
    assert not faults
    assert list(program.individuals) == [("area", "here"), ("area", "there"), ("unit", "x")]


def test_faults_come_file_by_file_and_line_by_line():
    """Whatever part of the linker finds them, they are in the order of the documents."""
    _, faults = link(
        _files(
            z="state: {it: int}\ntables: {t: {keys: {die: int}, gives: int, grid: x}}\nkinds: {a: {is: b}}",
            c="procedures: {p: {do: let}}\nkinds: {c: {is: d}}",
        )
    )
    places = [(each.place.file, each.place.line) for each in faults]
    assert places == [("z", 1), ("z", 2), ("z", 3), ("c", 1), ("c", 2)]


def test_the_program_of_faulty_documents_has_what_is_sound():
    """A fault takes away its own entry, not its neighbours."""
    program, faults = link(documents("state: {it: int, x: int}\nconstants: {a: {value: 3 +}, b: {value: 4}}"))
    assert len(faults) == 2
    assert list(program.state) == ["x"]
    assert list(program.constants) == ["b"]
