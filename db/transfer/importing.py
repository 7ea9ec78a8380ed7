"""Takes questions in: streaming, in short transactions, each text once however often it comes.

Every transaction stores its rows together with how far the file has been read, so a crash leaves an import that goes
on where it stopped. A question is known by its text: the same file again adds nothing.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db import people
from db.errors import Refused
from db.ledger.notes import NO_NOTES, Notes, unknown
from db.messages import Message
from db.queue.shares import get_shares
from db.store import locks
from db.store.clock import database_now
from db.store.engine import Store
from db.store.settings import insert_for
from db.store.tables import NO_TAGS, Import, PriorLabel, Question, QueueItem, QueueTag, Tag, TagName
from db.tags.names import check_tag, clean_tag, tag_key
from db.tags.planning import ensure_tags, recount_uses
from db.transfer.relabelling import other_labels, record

ROWS_A_TRANSACTION = 300  # moderators wait for a transaction to end, so it must be short
RECORDED_A_TRANSACTION = 30  # where a row may become a decision, which takes ten times as long
MAX_MESSAGES = 20
COUNTED = ("rows", "added", "duplicates", "bad", "labels", "relabelled", "noted", "notes_recorded")
MAX_ID = 500  # characters; what an index takes


@dataclass(frozen=True)
class IncomingQuestion:
    """A row of a file. `external_id` is empty where the file gives none."""

    line: int
    title: str
    description: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""
    external_id: str = ""
    url: str = ""
    says_tags: bool = False  # that it has none, where `tags` is empty
    notes: Notes = NO_NOTES


@dataclass
class ImportReport:
    """What an import did, or in a dry run would do. `rows` = `added` + `duplicates` + `bad`."""

    name: str
    dry_run: bool = False
    rows: int = 0
    added: int = 0
    duplicates: int = 0
    bad: int = 0
    labels: int = 0  # prior labels added
    relabelled: int = 0  # duplicates that carry other labels than the store (db.transfer.relabelling)
    noted: int = 0  # rows with flags or comments that the store has not
    notes_recorded: int = 0  # of these, the rows that became decisions
    receipts: list[int] = field(default_factory=list)  # of the decisions that this run made of both
    resumed_after: int = 0  # rows that an earlier, broken run had stored already
    messages: list[Message] = field(default_factory=list)  # the first complaints, each with its line

    @property
    def recorded(self) -> int:
        return len(self.receipts)

    def complain(self, line: int, complaint: Message | Refused) -> None:
        self.bad += 1
        if len(self.messages) < MAX_MESSAGES:
            self.messages.append(Message("import.line", {"file": self.name, "line": line, "complaint": complaint}))


def import_questions(
    store: Store,
    rows: Iterable[IncomingQuestion],
    *,
    name: str,
    fingerprint: str,
    person_id: int | None = None,
    overlap: int = 1,
    record_as: int | None = None,
    dry_run: bool = False,
    progress: Callable[[int], None] = lambda rows_done: None,
) -> ImportReport:
    """Store the rows. `fingerprint` tells the file, so that a broken import of the same file goes on where it stopped.

    Questions that are here already stay as they are. Where their rows carry other labels, these become decisions of
    the person `record_as`, or are only counted if that is None.
    `progress` is called with the number of rows done so far, after each transaction.
    """
    if overlap < 1:
        raise Refused("queue.bad_overlap", overlap=overlap)
    report = ImportReport(name=name, dry_run=dry_run)
    incoming = iter(rows)
    if dry_run:
        return _rehearse(store, incoming, record_as, report, progress)
    import_id = store.run(lambda session: _begin(session, name, fingerprint, person_id, report))
    for _ in islice(incoming, report.resumed_after):
        pass
    step = ROWS_A_TRANSACTION if record_as is None else RECORDED_A_TRANSACTION
    while chunk := list(islice(incoming, step)):
        so_far = _counts(report)

        def store_chunk(session: Session, chunk=chunk, so_far=so_far) -> None:
            _set_counts(report, so_far)  # a transaction that is tried again must not count twice
            rows, again = _sort_rows(session, chunk, report, _Earlier())
            _store_new(session, rows, import_id, overlap, person_id, report)
            _compare_labels(session, again, record_as, report)
            _save_progress(session, import_id, report)

        store.run(store_chunk)
        progress(report.rows)
    store.run(lambda session: _finish(session, import_id))
    return report


def text_hash(title: str, description: str) -> str:
    """What makes two questions the same: their text, up to case, width and white space."""
    return hashlib.sha256(f"{tag_key(title)}\0{tag_key(description)}".encode()).hexdigest()


def random_key(digest: str) -> float:
    """A number in [0, 1) that is fixed for a text and has nothing to do with what it says."""
    return int(digest[:13], 16) / 16**13  # 52 bits: exact in a float


def _begin(session: Session, name: str, fingerprint: str, person_id: int | None, report: ImportReport) -> int:
    if person_id is not None:
        people.require(session, person_id)
    broken = session.scalar(
        select(Import)
        .where(Import.fingerprint == fingerprint, Import.state == "running")
        .order_by(Import.id.desc())
        .limit(1)
    )
    if broken is None:
        begun = Import(name=name, fingerprint=fingerprint, person_id=person_id)
        session.add(begun)
        session.flush()
        return begun.id
    report.resumed_after = report.rows = broken.rows_done
    report.added, report.duplicates, report.bad = broken.added, broken.duplicates, broken.bad
    stored = select(func.count()).select_from(PriorLabel).join(Question, Question.id == PriorLabel.question_id)
    report.labels = session.scalars(stored.where(Question.import_id == broken.id)).one()
    return broken.id


def _save_progress(session: Session, import_id: int, report: ImportReport) -> None:
    row = session.get_one(Import, import_id)
    row.rows_done = report.rows
    row.added, row.duplicates, row.bad = report.added, report.duplicates, report.bad


def _finish(session: Session, import_id: int) -> None:
    row = session.get_one(Import, import_id)
    row.state = "finished"
    row.finished_at = database_now()
    if row.added:
        recount_uses(session)


def _counts(report: ImportReport) -> tuple:
    return [getattr(report, name) for name in COUNTED], tuple(report.receipts), tuple(report.messages)


def _set_counts(report: ImportReport, counts: tuple) -> None:
    numbers, receipts, messages = counts
    for name, number in zip(COUNTED, numbers, strict=True):
        setattr(report, name, number)
    report.receipts[:] = receipts
    report.messages[:] = messages


def _rehearse(store: Store, incoming: Iterator[IncomingQuestion], record_as, report, progress) -> ImportReport:
    earlier = _Earlier()
    with store.read() as session:
        while chunk := list(islice(incoming, ROWS_A_TRANSACTION)):
            rows, again = _sort_rows(session, chunk, report, earlier)
            for row in rows.values():
                report.added += 1
                report.labels += len({tag_key(tag) for tag in row.tags})
                report.noted += bool(row.notes)
            known = _known(session, again)
            report.relabelled += len(other_labels(session, _tags_of(known), record_as))
            report.noted += len(unknown(session, _notes_of(known)))
            progress(report.rows)
    return report


def _store_new(session, rows, import_id, overlap, person_id, report: ImportReport) -> None:
    if not rows:
        return
    if person_id is not None:  # whoever brings labels of known questions only may, as for any decision
        people.require(session, person_id, "import questions")
    locks.keep_shares(session)  # whoever changes them moves these questions too, or has done so before
    shares = get_shares(session)
    insert = insert_for(session)
    new = session.execute(
        insert(Question)
        .on_conflict_do_nothing(index_elements=["text_hash"])
        .returning(Question.text_hash, Question.id),
        [
            {
                "source": row.source,
                "external_id": row.external_id,
                "url": row.url if row.url.startswith(("http://", "https://")) else "",  # never javascript:
                "title": row.title,
                "description": row.description,
                "text_hash": digest,
                "import_id": import_id,
            }
            for digest, row in rows.items()
        ],
    ).all()
    ids = dict(new)
    report.added += len(ids)
    report.duplicates += len(rows) - len(ids)  # another import was quicker
    report.noted += sum(bool(rows[digest].notes) for digest in ids)
    report.labels += _store_labels(session, {ids[digest]: rows[digest].tags for digest in ids}, person_id)
    rarest = _rarest_uses(session, {ids[digest]: rows[digest].tags for digest in ids})
    if ids:
        session.execute(
            insert(QueueItem),
            [
                {
                    "question_id": ids[digest],
                    "source": rows[digest].source,
                    "pool": shares.pool(random_key(digest)),
                    "overlap": overlap,
                    "random_key": random_key(digest),
                    "rarest_uses": rarest[ids[digest]],
                }
                for digest in sorted(ids, key=ids.__getitem__)
            ],
        )


def _compare_labels(session: Session, again, record_as: int | None, report: ImportReport) -> None:
    """Count the rows of known questions that say something new, and make them decisions if that is asked for."""
    known = _known(session, again)
    other = other_labels(session, _tags_of(known), record_as)
    noted = unknown(session, _notes_of(known))
    report.relabelled += len(other)
    report.noted += len(noted)
    if record_as is not None:
        said = {question: row for question, row in known.items() if question in other or question in noted}
        report.notes_recorded += len(noted)
        report.receipts += record(session, _tags_of(said), record_as, _notes_of(said))


def _known(session: Session, again: dict[str, IncomingQuestion]) -> dict[int, IncomingQuestion]:
    """Question -> its row, of those that are in the store."""
    if not again:
        return {}
    known = select(Question.id, Question.text_hash).where(Question.text_hash.in_(again), Question.redacted_at.is_(None))
    return {question: again[digest] for question, digest in session.execute(known)}


def _tags_of(rows: dict[int, IncomingQuestion]) -> dict[int, tuple[str, ...]]:
    return {question: row.tags for question, row in rows.items()}


def _notes_of(rows: dict[int, IncomingQuestion]) -> dict[int, Notes]:
    return {question: row.notes for question, row in rows.items()}


@dataclass
class _Earlier:
    """What came earlier in the file and is not in the store: all of it in a dry run, otherwise a few hundred rows."""

    hashes: set[str] = field(default_factory=set)
    ids: dict[tuple[str, str], dict[str, Message]] = field(default_factory=dict)  # (source, id) -> {text hash: where}


def _sort_rows(session: Session, chunk, report: ImportReport, earlier: _Earlier) -> tuple[dict, dict]:
    """Text hash -> row, of those that are to be stored, and of those that are in the store and speak of tags.

    Counts duplicates and complains about what cannot be stored.
    """
    report.rows += len(chunk)
    fine = []
    for row in chunk:
        texts = (row.title, row.description, row.source, row.external_id, row.url, *row.tags)
        if any("\0" in text for text in texts):
            report.complain(row.line, Message("import.nul"))
        elif not _is_whole("".join(texts)):
            report.complain(row.line, Message("import.broken_emoji"))
        elif not row.title.strip():
            report.complain(row.line, Message("import.no_title"))
        elif max(len(row.source), len(row.external_id)) > MAX_ID:
            report.complain(row.line, Message("import.long_id", {"most": MAX_ID}))
        elif problem := _problem(row.tags):
            report.complain(row.line, problem)
        else:
            fine.append((row, text_hash(row.title, row.description)))
    hashes = [digest for _, digest in fine]
    here = set(session.scalars(select(Question.text_hash).where(Question.text_hash.in_(hashes))))
    known = here | earlier.hashes.intersection(hashes)
    stored = _stored_under_same_id(session, [row for row, _ in fine if row.external_id])
    new: dict[str, IncomingQuestion] = {}
    again: dict[str, IncomingQuestion] = {}
    for row, digest in fine:
        same_id = (row.source, row.external_id)
        other = {**stored.get(same_id, {}), **earlier.ids.get(same_id, {})} if row.external_id else {}
        if other and digest not in other:
            about = {"id": row.external_id, "where": list(other.values())}
            report.complain(row.line, Message("import.other_text", about))
        elif digest in known or digest in new:
            report.duplicates += 1
            if digest in here and (row.tags or row.says_tags):
                again[digest] = row  # of several the last counts, as with decisions
        else:
            new[digest] = row
            if row.external_id:
                earlier.ids.setdefault(same_id, {})[digest] = Message("import.at_line", {"line": row.line})
    earlier.hashes |= new.keys()
    return new, again


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _problem(tags: tuple[str, ...]) -> Refused | None:
    try:
        for tag in tags:
            check_tag(tag)
    except Refused as error:
        return error
    return None


def _stored_under_same_id(session: Session, rows) -> dict[tuple[str, str], dict[str, Message]]:
    """(source, id) -> {text hash: which question} of what is there already."""
    found: dict[tuple[str, str], dict[str, Message]] = {}
    for source in {row.source for row in rows}:
        same = select(Question.external_id, Question.text_hash, Question.id).where(
            Question.source == source, Question.external_id.in_([r.external_id for r in rows if r.source == source])
        )
        for external_id, digest, question in session.execute(same):
            found.setdefault((source, external_id), {})[digest] = Message("import.at_question", {"question": question})
    return found


def _store_labels(session: Session, labels: dict[int, tuple[str, ...]], person_id: int | None) -> int:
    """Keep the tags that questions came with as their prior labels."""
    rows, texts = [], {}
    for question_id, tags in labels.items():
        by_key = {tag_key(tag): clean_tag(tag) for tag in reversed(tags)}  # of two spellings the first counts
        texts.update(by_key)
        ordered = list(dict.fromkeys(tag_key(tag) for tag in tags))
        rows += [
            {"question_id": question_id, "key": key, "text": by_key[key], "place": place}
            for place, key in enumerate(ordered)
        ]
    if not rows:
        return 0
    insert = insert_for(session)
    ensure_tags(session, texts.values(), person_id)
    session.execute(insert(PriorLabel), rows)
    session.execute(
        insert(QueueTag).on_conflict_do_nothing(),
        [{"key": row["key"], "question_id": row["question_id"]} for row in rows],
    )
    return len(rows)


def _rarest_uses(session: Session, labels: dict[int, tuple[str, ...]]) -> dict[int, int]:
    keys = {tag_key(tag) for tags in labels.values() for tag in tags}
    uses: dict[str, int] = {}
    if keys:
        known = select(TagName.key, func.max(Tag.uses)).join(Tag, Tag.id == TagName.tag_id)
        uses = dict(session.execute(known.where(TagName.key.in_(keys)).group_by(TagName.key)).all())
    return {
        question: min((uses.get(tag_key(tag), 0) for tag in tags), default=NO_TAGS) for question, tags in labels.items()
    }
