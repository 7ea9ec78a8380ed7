"""Twelve who write without a pause: how long each waits, and that nothing is lost.

    python bench/writers.py [--writers 12] [--seconds 60] [--databases sqlite postgresql] [--threads]

Each writer claims a question and submits it, again and again, in a process of its own, or with --threads in a thread
of one process as in the app; one more reads meanwhile. Printed for each
database: p50, p95 and the longest of claim + submit, how evenly the turns went round, what the reader waited, and how
many of the acknowledged decisions the store holds: the command fails if it is not every one of them, once. With --check
it also fails if p95 or the longest on SQLite is over what is aimed at for twelve writers on two cores.
"""

import argparse
import statistics
import sys
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sqlalchemy import select  # noqa: E402

from bench.store import fill_queue, open_urls  # noqa: E402
from db import people  # noqa: E402
from db.ledger import entries as ledger  # noqa: E402
from db.ledger.submission import Submission  # noqa: E402
from db.queue import claims as queue  # noqa: E402
from db.store import schema  # noqa: E402
from db.store.engine import Store  # noqa: E402
from db.store.tables import Entry, QueueItem, Verdict  # noqa: E402

DATABASES = ("sqlite", "postgresql")
QUESTIONS_A_SECOND = 200  # more than any machine answers: no writer shall run out of work
AIM_P95, AIM_LONGEST = 0.7, 5.0  # seconds of claim + submit
READ_PAUSE = 0.05  # seconds between two looks of the reader

# A clean server process that has the modules loaded and forks from there, with no open connection.
PROCESSES = get_context("forkserver")
_barrier = None


@dataclass(frozen=True)
class Done:
    """A decision that a writer was told is stored."""

    number: int
    question_id: int
    person_id: int
    tag: str
    seconds: float  # of the claim and the submit together


def write_for(where: str | Store, person_id: int, seconds: float) -> list[Done]:
    """Claim and submit without a pause until the time is up."""
    done: list[Done] = []
    with _store(where) as store:
        _warm_up(store)
        _barrier.wait()
        end = time.monotonic() + seconds
        while (begun := time.monotonic()) < end:
            claim = store.run(lambda session: queue.claim(session, person_id, order="random"))
            if claim is None:
                raise RuntimeError("The questions ran out: the figures would be too good.")
            tag = f"标签{len(done) % 700}"
            submission = Submission(
                claim.question_id,
                person_id,
                {tag: "added"},
                lease_id=claim.lease_id,
                idempotency_key=f"{person_id}-{claim.lease_id}",
            )
            receipt = store.run(lambda session, submission=submission: ledger.submit(session, submission))
            done.append(Done(receipt.number, claim.question_id, person_id, tag, time.monotonic() - begun))
    return done


def read_for(where: str | Store, seconds: float) -> list[float]:
    """How long each look at the queue took, in seconds."""
    taken: list[float] = []
    with _store(where) as store:
        _warm_up(store)
        _barrier.wait()
        end = time.monotonic() + seconds
        while (begun := time.monotonic()) < end:
            with store.read() as session:
                queue.holders(session)
            taken.append(time.monotonic() - begun)
            time.sleep(READ_PAUSE)
    return taken


def _store(where: str | Store):
    """A process opens a store of its own; threads share one."""
    return nullcontext(where) if isinstance(where, Store) else Store(where)


def _warm_up(store: Store) -> None:
    with store.read() as session:
        queue.holders(session)


@dataclass(frozen=True)
class Run:
    """What writers and reader reported, and what the store says."""

    done: tuple[tuple[Done, ...], ...]  # by writer
    reads: tuple[float, ...]
    lost: int  # acknowledged, but not in the ledger as it was acknowledged
    extra: int  # in the ledger, but acknowledged to nobody
    twice: int  # questions with more answers than were asked for

    @property
    def seconds(self) -> list[float]:
        return [decision.seconds for some in self.done for decision in some]

    @property
    def turns(self) -> list[int]:
        """How many decisions each writer stored."""
        return [len(some) for some in self.done]

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.seconds, n=20)[-1]

    @property
    def meets_aim(self) -> bool:
        return self.p95 < AIM_P95 and max(self.seconds) < AIM_LONGEST

    @property
    def is_whole(self) -> bool:
        return not (self.lost or self.extra or self.twice)


def run(url: str, writers: int, seconds: float, questions: int, *, threads: bool = False) -> Run:
    """Fill an empty store and let so many processes, or threads of this one, write into it for so long."""
    with Store(url) as store:
        schema.prepare(store)
        crowd = hire(store, writers)
        fill_queue(store, 1, questions)
        barrier = (threading if threads else PROCESSES).Barrier(writers + 1)
        start = {"max_workers": writers + 1, "initializer": _meet_at, "initargs": (barrier,)}
        where = store if threads else url
        with ThreadPoolExecutor(**start) if threads else ProcessPoolExecutor(**start, mp_context=PROCESSES) as pool:
            reading = pool.submit(read_for, where, seconds)
            writing = [pool.submit(write_for, where, person, seconds) for person in crowd]
            done = tuple(tuple(future.result()) for future in writing)
            return Run(done, tuple(reading.result()), **compare(store, [one for some in done for one in some]))


def _meet_at(barrier) -> None:
    global _barrier
    _barrier = barrier


def hire(store: Store, number: int) -> list[int]:
    def work(session) -> list[int]:
        chief = people.add(session, "chief", "admin").id
        return [people.add(session, f"writer {place}", by=chief).id for place in range(number)]

    return store.run(work)


def compare(store: Store, done: list[Done]) -> dict[str, int]:
    """What was acknowledged against what is in the ledger."""
    with store.read() as session:
        rows = session.execute(
            select(Entry.number, Entry.question_id, Entry.person_id, Verdict.text)
            .join(Verdict, Verdict.entry_number == Entry.number)
            .where(Entry.kind == "decision")
        )
        stored = {tuple(row) for row in rows}
        answers = session.scalars(select(QueueItem.answers).where(QueueItem.answers > 0)).all()
    said = {(one.number, one.question_id, one.person_id, one.tag) for one in done}
    return {
        "lost": len(said - stored) + len(done) - len(said),
        "extra": len(stored - said),
        "twice": sum(number > 1 for number in answers) + abs(len(answers) - len(stored)),
    }


def line(name: str, found: Run) -> str:
    times, turns = found.seconds, found.turns
    reads = sorted(found.reads)
    return (
        f"{name:11} {len(times):7,}  {statistics.median(times):6.3f} {found.p95:7.3f} {max(times):7.3f}"
        f"   {min(turns):5,} to {max(turns):<5,}  {1000 * statistics.median(reads):7.1f} {1000 * reads[-1]:7.1f}"
        f"   {len(times) - found.lost:,} of {len(times):,} stored, {found.lost} lost, {found.extra} extra, "
        f"{found.twice} twice"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--databases", nargs="+", choices=DATABASES, default=DATABASES)
    parser.add_argument("--check", action="store_true", help="fail if somebody waited too long on SQLite")
    parser.add_argument("--threads", action="store_true", help="of one process, instead of processes")
    parser.add_argument("--questions", type=int, help="in the queue at the beginning; enough for the time by default")
    parser.add_argument("--folder", help="where the temporary stores are made: the disk that is measured")
    args = parser.parse_args()
    questions = args.questions or int(max(1, args.seconds) * QUESTIONS_A_SECOND)
    print(f"{args.writers} writers for {args.seconds:g} s without a pause, {questions:,} questions")
    print("            decisions  claim + submit, s        turns a writer    reading, ms")
    print("                       p50     p95    longest    fewest, most      p50  longest")
    whole = quick = True
    for name in args.databases:
        with tempfile.TemporaryDirectory(dir=args.folder) as folder, open_urls(name, folder, 1) as (url,):
            found = run(url, args.writers, args.seconds, questions, threads=args.threads)
        print(line(name, found), flush=True)
        whole, quick = whole and found.is_whole, quick and (found.meets_aim or name != "sqlite")
    if not whole:
        raise SystemExit("The store does not hold exactly what it acknowledged.")
    if args.check and not quick:
        raise SystemExit(
            f"Somebody waited too long: p95 shall be under {AIM_P95} s, the longest under {AIM_LONGEST} s."
        )


if __name__ == "__main__":
    main()
