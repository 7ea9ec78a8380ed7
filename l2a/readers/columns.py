"""Which column of a table is which: names differ between the files of the world."""

from collections.abc import Mapping, Sequence

from l2a.errors import InputError

Aliases = Mapping[str, Sequence[str]]

QUESTION_COLUMNS: Aliases = {
    "id": ("id", "question_id", "qid"),
    "title": ("title", "question_title"),
    "description": ("description", "question_detail", "detail"),
    "tags": ("tags", "tag_names", "tag names", "topics", "tag_ids", "tag_ids|tag names"),  # names win over ids
    "source": ("source",),
    "url": ("url", "link"),
}


def find_columns(
    header: Sequence[str], aliases: Aliases, needed: Sequence[str], where: str, usual: Sequence[str] = ()
) -> dict[str, int]:
    """Wanted name -> index in the header, for the columns that are there, whatever their case.

    Raises InputError, which begins with `where` and lists what is there and what is expected, without a needed column.
    `usual` columns may be missing, but are named along with a needed one: a header without both is no header at all.
    """
    names = [column.strip().lower() for column in header]
    found = {
        wanted: next(names.index(alias) for alias in spellings if alias in names)
        for wanted, spellings in aliases.items()
        if any(alias in names for alias in spellings)
    }
    if any(column not in found for column in needed):
        missing = [column for column in aliases if column in (*needed, *usual) and column not in found]
        raise InputError(
            f"{where} has no column {' and no column '.join(missing)}; it has {', '.join(names) or 'nothing'}. "
            f"Expected: {','.join(aliases)}; lists are joined by |."
        )
    return found
