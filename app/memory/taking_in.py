"""From the store's lines and decisions to the engine's knowledge. Whatever is taken in twice is in it once."""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence

from sqlalchemy.orm import Session

from app.memory.cutting import with_vectors
from db.ledger import decided_since
from db.ledger.decided_since import Change, Decided, Serving
from db.ledger.history import count_questions
from db.spellings.names import tag_key
from db.tags import memory_names
from l2a.evidence.memory.decisions import DecidedQuestion
from l2a.ranking.knowledge import SPARE, Knowledge
from l2a.ranking.ranker import WINDOW, Served

A_PAGE = 500  # questions read at a time
MANY = 5_000  # decisions from which several processes are worth their while
ABOUT_QUESTIONS = ("decision", "review", "undo", "redact")

Progress = Callable[[int, int], None]


def take_in(session: Session, knowledge: Knowledge, lines: Sequence[Change]) -> None:
    """What the lines changed, as it stands in the session by now."""
    about = {line.question_id for line in lines if line.kind in ABOUT_QUESTIONS and line.question_id is not None}
    keys = decided_since.keys_of(session, [line.number for line in lines if line.kind == "tag"])
    renamed = decided_since.questions_with(session, keys) - about if keys else set()
    # Another name changes nothing in how a question was served; reading that is most of the work.
    known = {question for question in renamed if question in knowledge.memory}
    for page in _pages(about | (renamed - known)):
        for question, decided in decided_since.decided(session, page).items():
            _put(knowledge, question, decided)
    for page in _pages(known):
        for question, decided in decided_since.decided(session, page, servings=False).items():
            if decided is not None and decided.number == knowledge.memory.number_of(question):
                knowledge.memory.put(_as_decided(decided))
            else:
                _put(knowledge, question, decided_since.decided(session, [question])[question])
    knowledge.drop_old()
    if not knowledge.is_complete:
        read_servings(session, knowledge)


def build(
    session: Session, knowledge: Knowledge, progress: Progress = lambda done, total: None, *, cores: int = 1
) -> None:
    """Everything that was decided, into knowledge that is empty. cores: that may be used for it."""
    total = count_questions(session)
    done = 0

    def pages() -> Iterator[list[Decided]]:
        nonlocal done
        last = 0
        while page := decided_since.decided_after(session, last, A_PAGE):
            last = page[-1]
            found = decided_since.decided(session, page, servings=False)
            yield [decided for decided in found.values() if decided is not None]
            done += len(page)
            progress(done, total)

    for page, vectors in with_vectors(pages(), knowledge.memory, cores if total >= MANY else 1):
        for decided, vector in zip(page, vectors, strict=True):
            knowledge.learn(_as_decided(decided), vector=vector)
    read_servings(session, knowledge)


def read_servings(session: Session, knowledge: Knowledge) -> None:
    """How the newest decided questions were served, as many of them as the ranker is fitted on and some more."""
    newest_first = knowledge.memory.newest()
    found = 0
    for begin in range(0, len(newest_first), A_PAGE):
        page = newest_first[begin : begin + A_PAGE]
        decided = decided_since.decided(session, [question for question, _ in page])
        for question, number in page:
            one = decided[question]
            served = None if one is None or one.serving is None else teaches(one.serving)
            knowledge.serve(question, number, served)
            found += served is not None
        if found >= WINDOW + SPARE:
            knowledge.known_from = page[-1][1]
            return
    knowledge.known_from = 0


def take_in_names(session: Session, knowledge: Knowledge, revision: int | None) -> int:
    """The store's names of tags, as far as they changed since a revision (None: all); the revision from now on."""
    names = memory_names.all_names(session) if revision is None else memory_names.names_since(session, revision)
    if names.whole:
        knowledge.memory.learn_names(names.rows)
    else:
        knowledge.memory.change_names(names.rows, names.gone)
    return names.revision


def teaches(serving: Serving) -> Served | None:
    """What a serving teaches the ranker; None for nothing.

    Where nothing was rejected and a tag that was kept was passed over, nobody said how much of it is too much: right
    tags alone would teach that everything is right. What was not judged has no verdict: the ranker's weights learn
    nothing from it, but its cut must know how much there is of it.
    """
    judged = set(map(tag_key, (*serving.tags, *serving.rejected)))
    if not serving.figures or (not serving.rejected and set(map(tag_key, serving.kept)) - judged):
        return None
    figures = {
        tag: {sys.intern(name): value for name, value in seen.items()}  # one text for all servings
        for tag, seen in serving.figures.items()
    }
    return Served.judged(figures, serving.tags, serving.rejected)


def _put(knowledge: Knowledge, question: int, decided: Decided | None) -> None:
    if decided is None:
        knowledge.forget(question)
    else:
        knowledge.learn(_as_decided(decided), None if decided.serving is None else teaches(decided.serving))


def _as_decided(decided: Decided) -> DecidedQuestion:
    return DecidedQuestion(
        question_id=decided.question_id,
        title=decided.title,
        description=decided.description,
        source=decided.source,
        tags=decided.tags,
        rejected=decided.rejected,
        at=decided.at.timestamp(),
        number=decided.number,
    )


def _pages(questions: Collection[int]) -> Iterator[list[int]]:
    ordered = sorted(questions)
    return (ordered[begin : begin + A_PAGE] for begin in range(0, len(ordered), A_PAGE))
