"""What the history page shows, worked out without Streamlit: times, tables, ways back, a question on a past day."""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from app.access.auth import Visitor
from app.annotate.board import FLAGS
from app.shell.i18n import TEXTS
from db.access import allows
from db.errors import NotFound, StoreError
from db.figures.agreement import Alpha, TagKappa
from db.ledger import entries as ledger
from db.ledger.history import Conflict, HistoryLine, Opinion
from db.ledger.labels import QuestionView, look_at
from db.ledger.replay import POSITIVE, LedgerLine
from db.queue import reopening
from db.store.engine import Store

Text = Callable[..., str]  # app.shell.session.text
OTHERS = "see others' labels"
STATES = {
    "none": "history.state_none",
    "single": "history.state_single",
    "agreed": "history.state_agreed",
    "conflict": "history.state_conflict",
    "reviewed": "history.state_reviewed",
}
ANY_FLAG = "history.flag_any"
FLAG_CHOICES = ("", ANY_FLAG, *FLAGS)  # none asked for, any at all, or one of the board's
STANDINGS = {"answer": "history.answer", "second_opinion": "history.second_opinion"}


def visitor_zone(name: str | None, offset: int | None) -> tzinfo:
    """The visitor's time zone by its name, or by the minutes that it is behind UTC, as the browser says them."""
    try:
        return ZoneInfo(name or "")
    except (ValueError, OSError, KeyError):  # none, no such zone, or a system without a list of zones
        return timezone(-timedelta(minutes=offset or 0))


def start_of(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """The first moment after the day."""
    return start_of(day + timedelta(days=1), zone)


def last_moment(day: date, zone: tzinfo) -> datetime:
    """The store tells time in microseconds."""
    return end_of(day, zone) - timedelta(microseconds=1)


def shown_time(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


@dataclass(frozen=True)
class Filters:
    """What somebody searches for on the history page."""

    text: str = ""
    tag: str = ""
    number: int | None = None
    person_id: int | None = None
    since: date | None = None
    until: date | None = None  # this day too
    flag: str = ""  # one of FLAG_CHOICES
    commented: bool = False

    def conditions(self, visitor: Visitor, zone: tzinfo) -> dict:
        """For db.ledger.history.recent_entries. Moderators see their own entries, whatever the page asked for."""
        sees_all = allows(visitor.role, OTHERS)
        return {
            "question_text": self.text,
            "tag": self.tag,
            "number": self.number,
            "person_id": self.person_id if sees_all else visitor.id,
            "since": start_of(self.since, zone) if self.since else None,
            "until": end_of(self.until, zone) if self.until else None,
            "flags": _flags_called(self.flag),
            "commented": self.commented,
        }


def _flags_called(choice: str) -> tuple[str, ...] | None:
    """A flag is kept in the words of whoever raised it, so one of the board's may stand there in any language."""
    if not choice:
        return None
    return () if choice == ANY_FLAG else tuple(TEXTS[choice].values())


def standing(line: HistoryLine, text: Text) -> str:
    """What an entry is: an answer, a second opinion, a review, or what it takes back."""
    if line.kind == "undo":
        return text("history.undo_of", number=line.target)
    if line.kind == "review":
        return text("history.review")
    said = text(STANDINGS[line.standing or "answer"])
    return said if line.target is None else f"{said} ({text('history.replaces', number=line.target)})"


@dataclass(frozen=True)
class WayBack:
    """What can be done about an entry: which one an undo would take back, and whether this visitor may."""

    number: int
    brings_back: int | None  # the entry that would count again; None: a plain undo
    may: bool


def way_back(line: HistoryLine, visitor: Visitor) -> WayBack:
    """An entry in force is undone; one that was taken back comes back by undoing the undo."""
    if line.undone_by is not None:
        number, owner, brings_back = line.undone_by, line.undone_by_person, line.number
    else:
        number, owner, brings_back = line.number, line.person_id, line.target if line.kind == "undo" else None
    return WayBack(number, brings_back, may=owner == visitor.id or allows(visitor.role, "undo for others"))


@dataclass(frozen=True)
class Said:
    """What became of a click: a text of the interface and what fills its blanks."""

    key: str
    values: dict
    done: bool = True


def take_back(store: Store, visitor: Visitor, way: WayBack, seen: int) -> Said:
    """Undo an entry. `seen`: the newest entry when the button was drawn, so that two clicks on it are one undo."""

    def work(session) -> Said:
        key = f"history-undo-{visitor.id}-{way.number}-{seen}"
        number = ledger.undo(session, way.number, visitor.id, idempotency_key=key).number
        if way.brings_back is not None:
            return Said("history.brought_back", {"restored": way.brings_back, "number": number})
        return Said("history.undo_done", {"undone": way.number, "number": number})

    return _carry_out(store, work)


def reopen(store: Store, visitor: Visitor, number: int, seen: int) -> Said:
    """Undo an entry and have its question served again; says whether it is in the queue."""

    def work(session) -> Said:
        key = f"history-reopen-{visitor.id}-{number}-{seen}"
        back = reopening.reopen(session, number, visitor.id, idempotency_key=key)
        said = "history.reopen_done" if back.in_queue else "history.reopen_closed"
        return Said(said, {"undone": number, "number": back.receipt.number})

    return _carry_out(store, work)


def settle(store: Store, visitor: Visitor, question_id: int, tags: Sequence[str], comment: str, seen: int) -> Said:
    """Settle a conflict by a review."""

    def work(session) -> Said:
        key = f"history-review-{visitor.id}-{question_id}-{seen}"
        receipt = ledger.review(session, question_id, visitor.id, tags, comment=comment, idempotency_key=key)
        return Said("history.review_done", {"number": receipt.number})

    return _carry_out(store, work)


def _carry_out(store: Store, work: Callable[..., Said]) -> Said:
    try:
        return store.run(work)
    except StoreError as error:
        return Said("error.refused", {"message": str(error)}, done=False)


@dataclass(frozen=True)
class Snapshot:
    """A question's labels at some moment. For a moderator: what they themselves held then."""

    state: str
    tags: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


def snapshot(
    session,
    question_id: int,
    at: datetime | None,
    names: Mapping[int, str],
    visitor: Visitor,
    *,
    sees_all: bool,
) -> Snapshot | None:
    """The Snapshot of a question; None if it was not in the store yet. `sees_all`: the visitor may see OTHERS."""
    try:
        view = look_at(session, question_id, at)
    except NotFound:
        return None
    if not sees_all:
        return _own(view, visitor.id)
    settled = view.settled
    return Snapshot(
        state=settled.state,
        tags=settled.tags,
        rejected=settled.rejected,
        people=tuple(names.get(line.person_id, "") for line in settled.counting),
    )


def _own(view: QuestionView, person_id: int) -> Snapshot:
    mine = next((line for line in view.settled.opinions if line.person_id == person_id), None)
    if mine is None:
        return Snapshot("none")
    return Snapshot("single", tags=_texts(mine, POSITIVE), rejected=_texts(mine, ("rejected",)))


def _texts(line: LedgerLine, verdicts: Sequence[str]) -> tuple[str, ...]:
    return tuple(verdict.text for verdict in line.verdicts if verdict.verdict in verdicts)


def alpha_sentence(alpha: Alpha, text: Text) -> str:
    """Krippendorff's alpha with what it rests on, or why there is none."""
    if alpha.value is not None:
        return text("history.alpha", value=f"{alpha.value:.3f}", questions=alpha.units, opinions=alpha.opinions)
    if alpha.units == 0:
        return text("history.alpha_none")
    return text("history.alpha_equal", questions=alpha.units)


def kappas(tags: Sequence[TagKappa], text: Text) -> dict[str, list]:
    """Agreement on single tags, the most used first; a dash where every opinion holds the tag."""
    return {
        text("history.tag"): [tag.tag for tag in tags],
        text("history.kappa"): ["—" if tag.kappa is None else f"{tag.kappa:.2f}" for tag in tags],
        text("history.kappa_opinions"): [tag.positive for tag in tags],
        text("history.kappa_questions"): [tag.questions for tag in tags],
    }


# HTML, for st.html: everything that people wrote is escaped.


def question_html(title: str, description: str) -> str:
    more = f'<p style="opacity:.75;margin:.25rem 0 0;white-space:pre-wrap">{html.escape(description)}</p>'
    return (
        f'<div style="overflow-wrap:anywhere"><b style="font-size:1.0625rem">{html.escape(title)}</b>'
        f"{more if description else ''}</div>"
    )


def facts_html(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values in two columns; the values are HTML already."""
    cells = "".join(
        f'<span style="opacity:.65;white-space:nowrap">{html.escape(name)}</span><span>{value}</span>'
        for name, value in rows
        if value
    )
    return (
        '<div style="display:grid;grid-template-columns:max-content 1fr;gap:.3rem .9rem;align-items:baseline;'
        f'font-size:.9375rem;overflow-wrap:anywhere">{cells}</div>'
    )


def chips(tags: Sequence[str], *, struck: bool = False, lead: Sequence[str] = ()) -> str:
    """Tags side by side; those in `lead` stand out, struck ones were rejected."""
    style = ' style="text-decoration:line-through;opacity:.65"' if struck else ""
    return "".join(
        f'<span class="l2a-chip"{style}>{f"<b>{html.escape(tag)}</b>" if tag in lead else html.escape(tag)}</span>'
        for tag in tags
    )


def line_html(line: HistoryLine, zone: tzinfo, text: Text) -> str:
    undone = "" if line.undone_by is None else text("history.undone_by", number=line.undone_by)
    return facts_html(
        [
            (text("history.number"), f'<b class="l2a-receipt">{line.number}</b>'),
            (text("history.at"), html.escape(f"{shown_time(line.at, zone)} · {line.person}")),
            (text("history.standing"), html.escape(standing(line, text))),
            (text("history.undone"), html.escape(undone)),
            (text("history.accepted"), chips(line.accepted)),
            (text("history.added"), chips(line.added)),
            (text("history.rejected"), chips(line.rejected, struck=True)),
            (text("history.comment"), html.escape(line.comment)),
            (text("history.flag"), html.escape(line.flag or "")),
            (text("history.model"), html.escape(line.model_version or "")),
        ]
    )


def snapshot_html(seen: Snapshot | None, text: Text) -> str:
    if seen is None:
        return html.escape(text("history.not_there"))
    return facts_html(
        [
            (text("history.state"), html.escape(text(STATES[seen.state]))),
            (text("history.tags"), chips(seen.tags) or "—"),
            (text("history.rejected"), chips(seen.rejected, struck=True)),
            (text("history.by"), html.escape(", ".join(seen.people))),
        ]
    )


def opinion_html(opinion: Opinion, conflict: Conflict, zone: tzinfo, text: Text) -> str:
    """One opinion of several; the tags that the majority holds are bold."""
    said = text(STANDINGS[opinion.standing or "answer"])
    about = f"{said} · {shown_time(opinion.at, zone)} · {text('history.receipt', number=opinion.number)}"
    facts = facts_html(
        [
            (text("history.accepted"), chips(opinion.accepted, lead=conflict.majority)),
            (text("history.added"), chips(opinion.added, lead=conflict.majority)),
            (text("history.rejected"), chips(opinion.rejected, struck=True)),
            (text("history.comment"), html.escape(opinion.comment)),
            (text("history.flag"), html.escape(opinion.flag or "")),
        ]
    )
    return (
        f'<b>{html.escape(opinion.person)}</b><div style="opacity:.65;font-size:.8125rem;margin-bottom:.5rem">'
        f"{html.escape(about)}</div>{facts}"
    )
