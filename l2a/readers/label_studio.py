"""Reads Label Studio's JSON export: an array of tasks of any length, one task in memory at a time.

The tags are the choices of all annotations that were not skipped, or of those marked as ground truth if there are any.
Where a project asks several things, the control called `tags` counts and the others do not.
"""

from collections.abc import Iterator

from l2a.errors import InputError
from l2a.readers.complaints import Bad
from l2a.readers.source import Source

MAX_DEPTH = 50  # levels of nesting; a real task has about seven
_TAGS_CONTROL = "tags"


def label_studio_rows(source: Source, bad: Bad) -> Iterator[tuple[int, dict]]:
    """(number of the task, task).

    Raises InputError for a file that is no array, ends early or is no JSON: what follows cannot be told apart.
    """
    import ijson

    if source.head and not source.head.lstrip().startswith(b"["):
        raise InputError(f"{source.name}: a Label Studio file is a JSON array, which starts with [. Export it as JSON.")
    number = 0
    try:
        for number, task in enumerate(_tasks(source), start=1):
            if isinstance(task, dict):
                yield number, task
            else:
                bad(number, f"a JSON object is expected, not {type(task).__name__}")
    except ijson.JSONError as error:
        where = f"{source.name}, after task {number}"
        reason = str(error).splitlines()[0]
        if "premature EOF" in reason:
            raise InputError(
                f"{where}: the file ends early. Copy it, or export it from Label Studio, again."
            ) from error
        raise InputError(f"{where}: not valid JSON ({reason}). Export it from Label Studio again.") from error


def label_studio_fields(task: dict) -> dict:
    """The fields of a question; raises InputError for a task of another shape."""
    data = task.get("data")
    if not isinstance(data, dict):
        raise InputError('the task has no "data"; export it from Label Studio as JSON, not as JSON-MIN')
    if "title" not in data and "text" not in data:
        raise InputError(f'"data" has neither "title" nor "text"; it has {", ".join(data) or "nothing"}')
    return {
        "id": data.get("external_id") or data.get("id") or task.get("id"),
        "title": data["title"] if "title" in data else data["text"],
        "description": data.get("description"),
        "source": data.get("source"),
        "tags": _tags(task),
    }


def _tags(task: dict) -> list[str]:
    annotations = [a for a in _objects(task, "annotations") if not a.get("was_cancelled")]
    annotations = [a for a in annotations if a.get("ground_truth")] or annotations
    results = [result for annotation in annotations for result in _objects(annotation, "result")]
    results = [result for result in results if result.get("from_name") == _TAGS_CONTROL] or results
    if any(result.get("type") == "taxonomy" for result in results):
        raise InputError("results of type taxonomy cannot be read, only choices")
    tags: dict[str, None] = {}
    for result in results:
        if result.get("type") == "choices":
            value = result.get("value")
            choices = value.get("choices") if isinstance(value, dict) else None
            if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
                raise InputError('"choices" must be a list of strings')
            tags.update(dict.fromkeys(choices))
    return list(tags)


def _objects(parent: dict, key: str) -> list[dict]:
    value = parent.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError(f'"{key}" must be a list of objects')
    return value


def _tasks(source: Source) -> Iterator[object]:
    """The elements of the top array.

    `ijson.items` would do the same, but it keeps a path for every level: a file of 200,000 opening brackets takes all
    memory there is.
    """
    import ijson

    depth = 0
    builder = ijson.common.ObjectBuilder()
    for event, value in ijson.basic_parse(ijson.from_iter(source.pieces())):
        if event in ("end_map", "end_array"):
            depth -= 1
        if depth > 0:
            builder.event(event, value)
        if event in ("start_map", "start_array"):
            depth += 1
            if depth > MAX_DEPTH:
                raise InputError(f"{source.name}: nested deeper than {MAX_DEPTH} levels; this is no Label Studio file.")
        elif depth == 1:
            yield builder.value
            builder = ijson.common.ObjectBuilder()
