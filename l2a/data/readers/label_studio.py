"""Reads Label Studio's JSON export: an array of tasks of any length, one task in memory at a time.

The tags are the choices of all annotations that were not skipped, or of those marked as ground truth if there are any.
Where a project asks several things, the control called `tags` counts and the others do not; where none is called so,
nobody can tell which one holds the tags, and the file is refused.
"""

from collections.abc import Iterator

from l2a.data.readers.columns import shown_names
from l2a.data.readers.complaints import LABEL_NAMES, Complaints, place_of
from l2a.data.readers.foreign import ForeignFile, check_task
from l2a.data.readers.notes import notes_in
from l2a.data.readers.source import PIECE, Source
from l2a.data.readers.unescape import check_items
from l2a.data.size_limits import TooLarge
from l2a.errors import InputError
from l2a.messages import Message

_TAGS_CONTROL = "tags"
_CHOSEN = "l2a control"  # in a task: the control whose choices count


def label_studio_rows(source: Source, complaints: Complaints) -> Iterator[tuple[int, dict]]:
    """(number of the task, task).

    Raises InputError for a file that is no array, ends early or is no JSON: what follows cannot be told apart.
    """
    import ijson

    if source.head and not source.head.lstrip().startswith(b"["):
        raise InputError("file.no_array", file=source.name)
    number = 0
    controls = _Controls(source, complaints)
    try:
        for number, task in enumerate(_tasks(source), start=1):
            if isinstance(task, dict):
                check_task(source, number, task)
                yield number, {**task, _CHOSEN: controls.choose(number, task)}
            else:
                complaints.add(number, Message("row.no_object", {"kind": type(task).__name__}))
    except ijson.JSONError as error:
        where = Message("place.after_task", {"file": source.name, "number": number})
        reason = str(error).splitlines()[0]
        if "premature EOF" in reason:
            raise InputError("file.array_ends_early", place=where) from error
        raise InputError("file.array_no_json", place=where, reason=reason) from error


class _Controls:
    """Which control of the project holds the tags: known once a task has choices, and the same for all tasks."""

    def __init__(self, source: Source, complaints: Complaints):
        self._source, self._complaints = source, complaints
        self._chosen: str | None = None

    def choose(self, number: int, task: dict) -> str | None:
        """The control that counts, as far as it is known; raises ForeignFile where two may be meant."""
        data = task.get("data")
        if isinstance(data, dict) and LABEL_NAMES & data.keys():
            self._complaints.name_unread(name for name in data if data[name])
        found = {name for kind, name in _results(task, "annotations") if kind == "choices"}
        if any(kind.endswith("labels") for kind, _ in _results(task, "annotations")):
            self._complaints.name_unread(["labels"])  # on parts of the text
        if not task.get("annotations") and next(_results(task, "predictions"), None):
            self._complaints.name_unread(["predictions"])
        chosen = _TAGS_CONTROL if _TAGS_CONTROL in found else self._chosen or min(found, default=None)
        others = {*found, self._chosen or chosen} - {chosen}
        if others and (chosen != _TAGS_CONTROL or self._chosen not in (None, chosen)):
            raise ForeignFile(
                "foreign.several_controls",
                place=place_of(self._source.name, "task", number),
                controls=", ".join(sorted(filter(None, {chosen, *others}))),
            )
        self._chosen = chosen
        return chosen


def _results(task: dict, key: str) -> Iterator[tuple[str, str]]:
    """(type, control) of each result that was not skipped; one of another shape is complained about when it is read."""
    groups = task.get(key)
    for group in groups if isinstance(groups, list) else ():
        results = group.get("result") if isinstance(group, dict) and not group.get("was_cancelled") else None
        for result in results if isinstance(results, list) else ():
            if isinstance(result, dict):
                yield str(result.get("type")), str(result.get("from_name"))


def label_studio_fields(task: dict) -> dict:
    """The fields of a question; raises InputError for a task of another shape."""
    data = task.get("data")
    if not isinstance(data, dict):
        raise InputError("row.task_no_data")
    if "title" not in data and "text" not in data:
        raise InputError("row.task_no_text", names=shown_names(data))
    return {
        "id": data.get("external_id") or data.get("id") or task.get("id"),
        "title": data["title"] if "title" in data else data["text"],
        "description": data.get("description"),
        "source": data.get("source"),
        "tags": _tags(task) if task.get("annotations") else None,
        **notes_in(task.get("meta")),
    }


def _tags(task: dict) -> list[str]:
    annotations = [a for a in _objects(task, "annotations") if not a.get("was_cancelled")]
    annotations = [a for a in annotations if a.get("ground_truth")] or annotations
    results = [result for annotation in annotations for result in _objects(annotation, "result")]
    chosen = [result for result in results if str(result.get("from_name")) == task.get(_CHOSEN)]
    results = chosen if task.get(_CHOSEN) == _TAGS_CONTROL else results
    if any(result.get("type") == "taxonomy" for result in results):
        raise InputError("row.task_taxonomy")
    tags: dict[str, None] = {}
    for result in results:
        if result.get("type") == "choices":
            value = result.get("value")
            choices = value.get("choices") if isinstance(value, dict) else None
            if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
                raise InputError("row.no_list_of_strings", name="choices")
            check_items(choices)
            tags.update(dict.fromkeys(choices))
    return list(tags)


def _objects(parent: dict, key: str) -> list[dict]:
    value = parent.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError("row.no_list_of_objects", name=key)
    return value


def _tasks(source: Source) -> Iterator[object]:
    """The elements of the top array, each within the limits.

    `ijson.items` would do the same, but it keeps a path for every level: a file of 200,000 opening brackets takes all
    memory there is.
    """
    import ijson

    depth = read = 0  # bytes read since the last task was whole
    number = 1

    def pieces() -> Iterator[bytes]:
        nonlocal read
        for piece in source.pieces():
            read += len(piece)
            if read > source.limits.line + PIECE:  # the parser reads ahead of the task by less than a piece
                place = place_of(source.name, "task", number)
                raise TooLarge("limit.length", place=place, longest=source.limits.shown_line)
            yield piece

    builder = ijson.common.ObjectBuilder()
    for event, value in ijson.basic_parse(ijson.from_iter(pieces())):
        if event in ("end_map", "end_array"):
            depth -= 1
        if depth > 0:
            builder.event(event, value)
        if event in ("start_map", "start_array"):
            depth += 1
            if depth > source.limits.depth:
                place = place_of(source.name, "task", number)
                raise TooLarge("limit.depth", place=place, depth=source.limits.shown_depth)
        elif depth == 1:
            yield builder.value
            number += 1
            read = 0
            builder = ijson.common.ObjectBuilder()
