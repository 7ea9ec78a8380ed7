"""Which questions go out: the filter that the page's widgets say."""

from collections.abc import Sequence
from datetime import date, tzinfo

from app.shell.clock import end_of, last_moment, start_of
from db.transfer.export import ExportFilter

FLAGGED = {"with": None, "without": False, "only": True}  # what becomes of flagged questions


def chosen_filter(
    zone: tzinfo,
    *,
    since: date | None,
    until: date | None,
    as_of: date | None,
    min_agreement: float,
    people: Sequence[str] = (),
    sources: Sequence[str] = (),
    models: Sequence[str] = (),
    states: Sequence[str] = (),
    reviewed_only: bool = False,
    rejections: bool = True,
    flagged: bool | None = None,
    commented: bool = False,
) -> ExportFilter:
    """The filter that the page's widgets say. Days are the visitor's, `until` and `as_of` to their ends."""
    return ExportFilter(
        since=start_of(since, zone) if since else None,
        until=end_of(until, zone) if until else None,
        as_of=last_moment(as_of, zone) if as_of else None,
        people=tuple(people),
        sources=tuple(sources),
        models=tuple(models),
        states=tuple(states),
        min_agreement=min_agreement or None,  # 0 would still leave out what has one opinion only
        reviewed_only=reviewed_only,
        rejections=rejections,
        flagged=flagged,
        commented=commented,
    )
