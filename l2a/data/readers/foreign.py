"""Files of other tools that would be read wrongly: how each gives itself away, and what works instead.

Such a file is refused as a whole, with the tool's name: its labels would come out wrong, or be lost without a word. The
marks are those of the formats themselves: Prodigy 1.x (db-out), Label Studio 1.x (CSV, TSV, JSON_MIN), Argilla 1 and 2
(records as JSON, flat or nested), doccano 1.8, Annif 1.4 (JSONL, CSV, TSV, full text), SKOS in any of its spellings.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from l2a.data.readers.columns import Aliases
from l2a.data.readers.complaints import Name, Unit, place_of
from l2a.data.readers.doccano import LABEL_FIELDS
from l2a.data.readers.source import DAMAGED, Source
from l2a.data.readers.unescape import LABEL, is_list_as_text
from l2a.errors import InputError
from l2a.messages import Message


@dataclass(frozen=True)
class Tool:
    name: str | Message
    advice: Message  # what works, for somebody who has such a file


PRODIGY = Tool("Prodigy", Message("advice.accepted"))
ARGILLA = Tool("Argilla", Message("advice.responses"))
ANNIF = Tool("Annif", Message("advice.subject_names"))
ANNIF_URIS = Tool("Annif", Message("advice.subject_addresses"))
LABEL_STUDIO = Tool("Label Studio", Message("advice.label_studio_json"))
LABEL_STUDIO_OLD = Tool(Message("foreign.label_studio_old"), Message("advice.newer_label_studio"))
DOCCANO = Tool("doccano", Message("advice.doccano_jsonl"))
DOCCANO_PARTS = Tool("doccano", Message("advice.parts_of_text"))
SKOS = Tool("SKOS", Message("advice.skos"))
SKOS_AS_QUESTIONS = Tool("SKOS", Message("advice.skos_as_questions"))
DOCCANO_LABELS = Tool("doccano", Message("advice.tags"))
ANNIF_VOCABULARY = Tool("Annif", Message("advice.tags"))
JSON = Tool("JSON", Message("advice.tags"))
XML = Tool("XML", Message("advice.tags"))
FASTTEXT = Tool("fastText", Message("advice.as_questions"))
TEXT_MARKUP = Tool("XML", Message("advice.questions"))


class ForeignFile(InputError):
    """A file of another tool. None of its lines is to be trusted, so leaving out some of them is no way on."""


def _written_by(tool: Tool, place: Name) -> ForeignFile:
    return ForeignFile("foreign.file", place=place, tool=tool.name, advice=tool.advice)


# --- questions -------------------------------------------------------------------------------------------------------

_ANSWERS = ("accept", "reject", "ignore")
_PRODIGY_MARKS = {"_input_hash", "_task_hash", "_annotator_id", "_session_id"}
_ARGILLA_ENDS = (".responses", ".suggestion")
_ARGILLA_MARKS = {"annotation_agent", "prediction_agent"}
_LABEL_STUDIO_MARKS = {"annotation_id", "annotator", "lead_time"}
_JSON_LD_MARKS = {"@context", "@graph", "@id"}
_RDF_SUFFIXES = frozenset((".rdf", ".ttl", ".nt", ".n3", ".owl", ".jsonld"))
# Columns of a table that tell Prodigy's rows by what stands in them: questions of others have answers, too.
VERDICT_COLUMNS: Aliases = {name: (name,) for name in ("answer", "accept")}
_ANNIF_LINE = re.compile(r"\t\s*(?:<?https?://[^\s<>]+>?\s*)+$")


def check_row(source: Source, unit: Unit, number: int, row: Mapping) -> None:
    """Raises ForeignFile for a JSON object that another tool wrote, or the verdicts of a row of a table."""
    tool = _tool_of_row(row)
    if tool is not None:
        raise _written_by(tool, place_of(source.name, unit, number))


def check_task(source: Source, number: int, task: Mapping) -> None:
    """The same for an element of a JSON array, which is Label Studio's if anybody's: doccano writes arrays, too."""
    check_row(source, "task", number, task)
    if "data" not in task and {"text", "label"} <= task.keys():
        raise _written_by(DOCCANO, place_of(source.name, "task", number))


def _tool_of_row(row: Mapping) -> Tool | None:
    keys = row.keys()
    if _is_verdict(row.get("answer")) or keys & _PRODIGY_MARKS or _is_list(row.get("accept")):
        return PRODIGY
    if isinstance(row.get("fields"), dict) or _is_argilla(keys):
        return ARGILLA
    if _is_label_studio(keys) or (_may_be_label_studio(keys) and not keys & LABEL_FIELDS):
        return LABEL_STUDIO
    if isinstance(row.get("completions"), list) and "data" in row:
        return LABEL_STUDIO_OLD
    if _has_subjects(row):
        return ANNIF
    if keys & _JSON_LD_MARKS and not keys & {"title", "text", "data"}:
        return SKOS_AS_QUESTIONS
    if "title" not in row and isinstance(row.get("text"), str) and (row.get("entities") or row.get("cats")):
        return DOCCANO_PARTS
    return None


def _is_verdict(answer: object) -> bool:
    return isinstance(answer, str) and answer.strip().lower() in _ANSWERS


def _is_list(value: object) -> bool:
    return isinstance(value, list) or (isinstance(value, str) and is_list_as_text(value))


def _is_label_studio(names: Collection[str]) -> bool:
    """Whether these are fields of its tables and of JSON-MIN, from which people take some out."""
    return len(_LABEL_STUDIO_MARKS.intersection(names)) >= 2


def _may_be_label_studio(names: Collection[str]) -> bool:
    """The same for a few fields, where nothing else says what the file is."""
    return "title" not in names and all(name in names for name in ("id", "text", "annotator"))


def _has_subjects(row: Mapping) -> bool:
    subjects = row.get("subjects")
    if not isinstance(subjects, list):
        return False
    return any(isinstance(subject, dict) for subject in subjects) or "document_id" in row


def check_header(source: Source, header: Iterable[str]) -> None:
    """Raises ForeignFile for a table whose columns are those of another tool, whatever separates them."""
    cells = list(header)
    names = {name.strip().strip('"').lower() for cell in cells for name in cell.split("\t")}
    tool = ANNIF_URIS if any(_ANNIF_LINE.search(cell) for cell in cells) else _tool_of_header(names)
    if tool is not None:
        raise _written_by(tool, source.name)


def check_shapes(source: Source, shapes: Mapping) -> None:
    """The same for a table that has types: `shapes` is a row as its types allow it, empty texts and all."""
    tool = _tool_of_row(shapes)
    if tool is not None:
        raise _written_by(tool, source.name)


def _tool_of_header(names: Collection[str]) -> Tool | None:
    names = set(names)
    if _is_label_studio(names) or _may_be_label_studio(names):
        return LABEL_STUDIO
    if _is_argilla(names):
        return ARGILLA
    if "subject_uris" in names:
        return ANNIF_URIS
    if names & _PRODIGY_MARKS or {"text", "label", "answer"} <= names:
        return PRODIGY
    if "title" in names or "text" not in names:
        return None
    if {"accept", "answer"} <= names:
        return PRODIGY
    if "label" in names:
        return DOCCANO
    return ANNIF if "subjects" in names else None


def _is_argilla(names: Collection[str]) -> bool:
    return any(name.endswith(_ARGILLA_ENDS) or name in _ARGILLA_MARKS for name in names)


def check_markup(source: Source) -> None:
    """Raises ForeignFile for a file that is markup, or a vocabulary by its name or notation, before a line is read."""
    suffixes = [suffix.lower() for suffix in Path(source.path).suffixes if suffix.lower() != ".gz"]
    tool = SKOS if suffixes and suffixes[-1] in _RDF_SUFFIXES else None
    tool = tool or _tool_of_markup(source.head.decode("utf-8", errors="replace"))
    if tool is XML and _SKOS_NAMES.search(_beginning(source)):
        tool = SKOS
    if tool is not None:
        raise _written_by(TEXT_MARKUP if tool is XML else SKOS_AS_QUESTIONS, source.name)


def _beginning(source: Source) -> str:
    """The first part of a file that will be refused in any case: what is read here is gone."""
    try:
        return source.stream.read(_SAMPLE).decode("utf-8", errors="replace")
    except DAMAGED:
        return ""


def check_text(source: Source) -> None:
    """Raises ForeignFile for a text that is markup, or one document of Annif's full-text folders, not questions."""
    check_markup(source)
    if source.is_plain_file and _has_subjects_beside(Path(source.path)):
        raise _written_by(ANNIF, source.name)


def _has_subjects_beside(path: Path) -> bool:
    """Whether the subjects of a full text lie in a file of the same name, as Annif keeps them."""
    if path.suffix.lower() != ".txt":
        return False
    if path.with_suffix(".key").is_file():
        return True
    table = path.with_suffix(".tsv")
    if not table.is_file():
        return False
    with open(table, "rb") as stream:
        return stream.readline(1000).startswith(b"<http")


def check_line(source: Source, number: int, line: str) -> None:
    """Raises ForeignFile for a line of Annif's TSV: a text, a tab, and the addresses of its subjects."""
    if "\t" in line and _ANNIF_LINE.search(line):
        raise _written_by(ANNIF_URIS, place_of(source.name, "line", number))


# --- lists of tags ---------------------------------------------------------------------------------------------------

_XML = re.compile(r"\s*<(?:\?xml|!DOCTYPE|!--|[A-Za-z][\w:.-]*[\s>])", re.IGNORECASE)
_RDF_XML = re.compile(r"\s*</?(?:rdf|rdfs|skos|owl|dct|dcterms):", re.IGNORECASE)
_TURTLE = re.compile(r"\s*(?:@(?:prefix|base)\s|(?:prefix|base)\s+[^\s<]*:?\s*<)", re.IGNORECASE)
_TRIPLE = re.compile(r"\s*(?:<[^<>\s]+>|_:\S+)\s+<[^<>\s]+>\s.*\.\s*$")
_SKOS_NAMES = re.compile(r"skos|rdf-syntax")
_VOCABULARY_LINE = re.compile(r"<[^<>\s]+>\t")
_SAMPLE = 1 << 13  # bytes after a line that are looked at to tell what it belongs to


def check_tag_line(source: Source, number: int, line: str, is_first: bool) -> None:
    """Raises ForeignFile for a line that is no tag but the notation of another tool."""
    tool = _tool_of_tag_line(source, line, is_first)
    if tool is not None:
        raise _written_by(tool, place_of(source.name, "line", number))


def check_tag_header(source: Source, header: Iterable[str]) -> None:
    """Raises ForeignFile for the header of Annif's vocabularies in CSV: uri, label_en, ..."""
    names = {name.strip().lower() for name in header}
    if "uri" in names and any(name.startswith("label_") for name in names):
        raise _written_by(ANNIF_VOCABULARY, source.name)


def _tool_of_tag_line(source: Source, line: str, is_first: bool) -> Tool | None:
    start = line.lstrip()[:1]
    if start in ("{", "[") and _is_json(line):
        sample = line + source.stream.peek(_SAMPLE).decode("utf-8", errors="replace")
        if re.search(r'"@(?:context|graph|id|type)"', sample):
            return SKOS
        return DOCCANO_LABELS if re.search(r'"(?:suffix|prefix)_?[kK]ey"', sample) else JSON
    if line.startswith(LABEL):
        return FASTTEXT
    if _VOCABULARY_LINE.match(line):
        return ANNIF_VOCABULARY
    if start not in ("<", "@", "_", "p", "P", "b", "B"):
        return None
    tool = _tool_of_markup(line)
    if tool is XML and _SKOS_NAMES.search(source.stream.peek(_SAMPLE).decode("utf-8", errors="replace")):
        return SKOS
    return tool if tool is not XML or is_first else None  # a tag may be called <canvas>, but no list begins with it


def _is_json(line: str) -> bool:
    """Whether a line that begins with a bracket is JSON: it holds a text in quotes, or the bracket alone."""
    return '"' in line or line.strip() in ("{", "[", "[{")


def _tool_of_markup(line: str) -> Tool | None:
    if _RDF_XML.match(line) or _TURTLE.match(line) or _TRIPLE.match(line):
        return SKOS
    return XML if _XML.match(line) else None
