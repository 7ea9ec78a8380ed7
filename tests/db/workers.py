"""What the processes of the concurrency and kill tests do; each opens a store of its own, as real ones do."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from sqlalchemy import select

from app.transfer.exporter import export_file as export
from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.ledger.entries import Receipt
from db.ledger.submission import Submission
from db.queue import claims as queue
from db.store.engine import Store
from db.store.tables import Lease, QueueItem
from db.tags import planning as tags
from db.transfer.export import Manifest
from db.transfer.importing import ImportReport, IncomingQuestion, import_questions

# A clean server process that has the modules loaded and forks from there: no open connection of the test run is
# shared, and no process spends a second of its life on imports.
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__])

_barrier = None


def run_together(calls: Iterable[tuple[Callable, ...]]) -> list:
    """Run each (function, *arguments) in a process of its own, all from the same moment; what they returned.

    An exception in any of them is raised here.
    """
    calls = list(calls)
    barrier = PROCESSES.Barrier(len(calls))
    with ProcessPoolExecutor(len(calls), mp_context=PROCESSES, initializer=_meet_at, initargs=(barrier,)) as pool:
        return [future.result() for future in [pool.submit(_when_all_are_there, *call) for call in calls]]


def _meet_at(barrier) -> None:
    global _barrier
    _barrier = barrier


def _when_all_are_there(function: Callable, *arguments):
    _barrier.wait(timeout=60)  # nobody gets a second call before all have their first
    return function(*arguments)


@dataclass(frozen=True)
class Done:
    """A decision that a worker was told is stored."""

    number: int
    question_id: int
    person_id: int
    lease_id: int
    tags: tuple[str, ...]
    standing: str
    repeated: bool


def rows(count: int, source: str, first: int = 1) -> Iterator[IncomingQuestion]:
    """Questions as a file would give them: every fourth without tags, few tags in common and some of their own."""
    for line in range(first, first + count):
        own = (f"标签{line % 700}", "电影", "生活")[: line % 4]
        yield IncomingQuestion(line, f"{source}的第{line}个问题？", tags=own, source=source, external_id=str(line))


def answer_all(url: str, person_id: int, source: str, seed: int) -> list[Done]:
    """Claim and submit until nothing of this source is left for this person."""
    chance = random.Random(seed)
    done = []
    with Store(url) as store:
        while True:
            order = chance.choice(queue.ORDERS)
            claim = store.run(lambda session, order=order: queue.claim(session, person_id, order=order, source=source))
            if claim is not None:
                done.append(_submit(store, claim, person_id, chance))
            elif not _anything_for(store, person_id, source):
                return done
            # else: others had their hands on the rest in that moment


def _submit(store: Store, claim: queue.Claim, person_id: int, chance: random.Random) -> Done:
    chosen = tuple(
        dict.fromkeys(chance.choice(("电影", "生活", "科技", f"新{chance.randrange(300)}")) for _ in range(3))
    )
    submission = Submission(
        claim.question_id,
        person_id,
        dict.fromkeys(chosen, "added"),
        lease_id=claim.lease_id,
        idempotency_key=f"{person_id}-{claim.lease_id}",
    )
    receipt = store.run(lambda session: ledger.submit(session, submission))
    return Done(
        receipt.number, claim.question_id, person_id, claim.lease_id, chosen, receipt.standing, receipt.repeated
    )


def _anything_for(store: Store, person_id: int, source: str) -> bool:
    had = select(Lease.question_id).where(Lease.person_id == person_id, Lease.state.in_(("held", "submitted")))
    still_open = select(QueueItem.question_id).where(QueueItem.is_open, QueueItem.source == source)
    with store.read() as session:
        return session.scalar(still_open.where(QueueItem.question_id.not_in(had)).limit(1)) is not None


def import_rows(url: str, count: int, source: str, fingerprint: str) -> ImportReport:
    with Store(url) as store:
        return import_questions(store, rows(count, source), name="file.jsonl", fingerprint=fingerprint)


def export_repeatedly(url: str, folder: str, source: str) -> list[Manifest]:
    """Export one file after the other until the questions of this source are all answered, and once more then."""
    manifests: list[Manifest] = []
    unanswered = select(QueueItem.question_id).where(QueueItem.source == source, QueueItem.answers < QueueItem.overlap)
    with Store(url) as store:
        going_on = True
        while going_on:
            with store.read() as session:
                going_on = session.scalar(unanswered.limit(1)) is not None
            manifests.append(export(store, Path(folder) / f"{len(manifests)}.jsonl", "jsonl"))
    return manifests


def send(url: str, submission: Submission) -> Receipt:
    with Store(url) as store:
        return store.run(lambda session: ledger.submit(session, submission))


def send_or_reason(url: str, submission: Submission) -> Receipt | str:
    try:
        return send(url, submission)
    except Refused as error:
        return str(error)


def claim_once(url: str, person_id: int) -> queue.Claim | None:
    with Store(url) as store:
        return store.run(lambda session: queue.claim(session, person_id))


def moderate(url: str, person_id: int, seed: int, steps: int) -> Counter:
    """A moderator's day: claims in every order and filter, submits, skips, releases, heartbeats, undoes."""
    chance = random.Random(seed)
    mine: list[Done] = []
    seen: Counter = Counter()
    with Store(url) as store:
        for _ in range(steps):
            if mine and chance.random() < 0.2:
                number = mine.pop(chance.randrange(len(mine))).number
                _count(seen, "undo", lambda number=number: store.run(lambda s: ledger.undo(s, number, person_id)))
                continue
            options = {
                "order": chance.choice(queue.ORDERS),
                "source": chance.choice((None, "work")),
                "tag": chance.choice((None, None, "电影", "标签1")),
            }
            claim = store.run(lambda session, options=options: queue.claim(session, person_id, **options))
            if claim is not None:
                _handle(store, claim, person_id, chance, mine, seen)
    return seen


def _handle(store: Store, claim: queue.Claim, person_id: int, chance: random.Random, mine: list, seen: Counter) -> None:
    action = chance.choice(("submit", "submit", "submit", "heartbeat", "skip", "release"))
    if action == "skip":
        store.run(lambda session: queue.skip(session, claim.lease_id, person_id, "看不懂"))
    elif action == "release":
        store.run(lambda session: queue.release(session, claim.lease_id, person_id))
    else:
        if action == "heartbeat":
            assert store.run(lambda session: queue.heartbeat(session, claim.lease_id, person_id)) is not None
        mine.append(_submit(store, claim, person_id, chance))
    seen[action] += 1


def change_tags(url: str, person_id: int, seed: int, steps: int) -> Counter:
    """Merge, rename, alias, split and take back, among the tags that others are using meanwhile."""
    chance = random.Random(seed)
    seen: Counter = Counter()
    names = ("电影", "生活", *(f"标签{number}" for number in range(1, 8)))
    numbers: list[int] = []
    plans: dict[str, Callable] = {
        "merge": lambda session: tags.plan_merge(session, *chance.sample(names, 2)),
        "rename": lambda session: tags.plan_rename(session, chance.choice(names), f"新{chance.randrange(300)}"),
        "alias": lambda session: tags.plan_alias(session, chance.choice(names), f"新{chance.randrange(300)}"),
        "split": lambda session: tags.plan_split(session, chance.choice(names)),
        "undo": lambda session: tags.plan_undo(session, chance.choice(numbers or [1])),
    }
    with Store(url) as store:
        for _ in range(steps):
            kind = chance.choice(list(plans))
            change = lambda session, kind=kind: tags.carry_out(session, plans[kind](session), person_id)  # noqa: E731
            number = _count(seen, f"tag {kind}", lambda change=change: store.run(change))
            if number is not None:
                numbers.append(number)
    return seen


def review_conflicts(url: str, person_id: int, seed: int, steps: int) -> Counter:
    """Settle what others do not agree on, and take some of it back."""
    chance = random.Random(seed)
    seen: Counter = Counter()
    with Store(url) as store:
        for _ in range(steps):
            with store.read() as session:
                conflicts = list(session.scalars(select(QueueItem.question_id).where(QueueItem.conflict)))
            if not conflicts:
                time.sleep(0.05)
                continue
            chosen = chance.choice(conflicts)
            receipt = _count(
                seen,
                "review",
                lambda chosen=chosen: store.run(lambda session: ledger.review(session, chosen, person_id, ["电影"])),
            )
            if receipt is not None and chance.random() < 0.5:
                store.run(lambda session, number=receipt.number: ledger.undo(session, number, person_id))
                seen["review undone"] += 1
    return seen


def _count(seen: Counter, action: str, attempt: Callable):
    """Refusals are answers too: somebody else was quicker. Every other error ends the test."""
    try:
        result = attempt()
    except (Refused, NotFound):
        seen[f"{action} refused"] += 1
        return None
    seen[action] += 1
    return result


def claim_and_submit(url: str, person_id: int, seed: int) -> Done | None:
    """One question, as a process that has just been started would take it."""
    with Store(url) as store:
        claim = store.run(lambda session: queue.claim(session, person_id))
        return None if claim is None else _submit(store, claim, person_id, random.Random(seed))


def answer_and_print(url: str, person_id: int, printed: str) -> None:
    """Claim and submit, and say each receipt's number as soon as it is had, until killed."""
    chance = random.Random()
    with Store(url) as store, open(printed, "a", encoding="ascii") as out:
        while (claim := store.run(lambda session: queue.claim(session, person_id))) is not None:
            print(_submit(store, claim, person_id, chance).number, file=out, flush=True)


def import_and_print(url: str, count: int, source: str, printed: str) -> None:
    """Import, and say how many rows are done after each transaction, until killed."""
    with Store(url) as store, open(printed, "a", encoding="ascii") as out:
        import_questions(
            store,
            rows(count, source),
            name="file.jsonl",
            fingerprint=source,
            progress=lambda done: print(done, file=out, flush=True),
        )
