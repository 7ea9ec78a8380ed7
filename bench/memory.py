"""What memory costs with many decisions: making it, reading it back, ranking with it; on made-up questions.

    python bench/memory.py [--decisions 100000] [--asked 300] [--model models/starter] [--postgresql] [--json FILE]

A store is filled with questions of made-up text (words as often as words are, 45 different ones in a question), each
with one decision of one to five of 25,000 tags, the newest of them about suggestions that were served. Then, each in a
process of its own: memory is made anew on all cores and on one, with the time and the peak of its room; it is read back
from its file; questions are ranked, with 50 hypotheses each; decisions are made, each followed by a ranking that knows
it. Room is what a process has more than with the model alone. Besides the time that passed, that of the processor is
told: it says more where the machine has other work.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import psutil  # noqa: E402

from app.memory.cache import Cache  # noqa: E402
from app.memory.store_memory import StoreMemory  # noqa: E402
from bench.store import BEGIN, hire, insert_rows, open_urls  # noqa: E402
from db.ledger import entries as ledger  # noqa: E402
from db.ledger.submission import Submission  # noqa: E402
from db.models import registry  # noqa: E402
from db.store import schema  # noqa: E402
from db.store.engine import Store  # noqa: E402
from db.store.tables import (  # noqa: E402
    Entry,
    ModelVersion,
    Question,
    QueueItem,
    SuggestedTag,
    Suggestion,
    Tag,
    TagChange,
    TagName,
    Verdict,
)
from l2a.bulk.processes import cores  # noqa: E402
from l2a.suggestions import Hypothesis  # noqa: E402
from l2a.tagger import Tagger  # noqa: E402

TAGS = 25_000
SERVED = 1_000  # the newest decisions, which the ranker is fitted on
CANDIDATES = 30
BEAM = 50
EXTRA = 1_000  # questions that nobody has decided yet
STEPS = ("rebuild", "rebuild on one core", "load", "rank", "decide and rank")


# --- a store to measure


class Writer:
    """Makes questions up."""

    def __init__(self, seed: int, words: list[str]):
        self.chance = random.Random(seed)
        self._words = words
        self._sums = list(accumulate(1 / place for place in range(1, len(words) + 1)))
        self._tag_sums = list(accumulate(1 / place**0.9 for place in range(1, TAGS + 1)))

    def text(self, number: int) -> str:
        return "".join(self.chance.choices(self._words, cum_weights=self._sums, k=number))

    def question(self) -> tuple[str, str]:
        description = min(300, int(self.chance.lognormvariate(3.5, 1)))
        return self.text(self.chance.randint(5, 15)), self.text(description)

    def tags(self, number: int) -> list[int]:
        return sorted(set(self.chance.choices(range(1, TAGS + 1), cum_weights=self._tag_sums, k=number)))


def dictionary() -> list[str]:
    """Words of one to three hanzi, the most frequent first."""
    import jieba

    jieba.initialize()
    known = sorted(jieba.dt.FREQ.items(), key=lambda item: (-item[1], item[0]))
    return [word for word, times in known if times and len(word) < 4 and not word.isascii()][:120_000]


def name(tag: int) -> str:
    return f"标签{tag}"


def fill(store: Store, decisions: int, model: Path, tagger: Tagger) -> None:
    crowd, writer = hire(store), Writer(1, dictionary())
    figures = sorted(tagger.prior.weights)

    def make_live(session) -> None:
        registry.register(session, tagger.version, str(model))
        registry.promote(session, tagger.version, None)

    store.run(make_live)
    with store.read() as session:
        model_id = session.query(ModelVersion.id).scalar()
        first = session.query(Entry.number).order_by(Entry.number.desc()).first()[0] + 2

    def make_tags(numbers: range) -> dict[type, list[dict]]:
        line = {"number": first - 1, "at": BEGIN, "kind": "tag", "payload": {"operation": "import"}}
        changes = [{"entry_number": first - 1, "place": n, "tag_id": n, "before": {}, "after": {}} for n in numbers]
        return {
            Tag: [{"id": number, "name": name(number), "first_seen_at": BEGIN} for number in numbers],
            TagName: [{"key": name(number), "text": name(number), "tag_id": number} for number in numbers],
            Entry: [line] if numbers[0] == 1 else [],
            TagChange: changes,
        }

    def make(numbers: range) -> dict[type, list[dict]]:
        rows: dict[type, list[dict]] = {
            table: [] for table in (Question, QueueItem, Suggestion, SuggestedTag, Entry, Verdict)
        }
        for number in numbers:
            decided, tags = number <= decisions, writer.tags(writer.chance.randint(1, 5))
            title, description = writer.question()
            rows[Question].append(
                {
                    "id": number,
                    "source": "bench",
                    "external_id": str(number),
                    "title": title,
                    "description": description,
                    "text_hash": f"{number:064x}",
                    "created_at": BEGIN,
                }
            )
            rows[QueueItem].append(
                {
                    "question_id": number,
                    "source": "bench",
                    "pool": "ordered",
                    "random_key": writer.chance.random(),
                    "answers": int(decided),
                    "is_open": not decided,
                }
            )
            if decided:
                decide(rows, number, tags)
        return rows

    def decide(rows: dict[type, list[dict]], number: int, tags: list[int]) -> None:
        entry, is_served = first + number, number > decisions - SERVED
        rejected = writer.tags(3) if is_served else []
        if is_served:
            rows[Suggestion].append(
                {"id": number, "question_id": number, "model_id": model_id, "beam": BEAM, "threshold": 0.25}
                | {"created_at": BEGIN, "ledger_number": entry - 1, "mixed_votes": False, "cut": 0.3}
            )
            candidates = list(dict.fromkeys([*tags, *rejected, *writer.tags(2 * CANDIDATES)]))[:CANDIDATES]
            rows[SuggestedTag] += [
                {"suggestion_id": number, "rank": rank, "text": name(tag), "key": name(tag), "votes": 3}
                | {"probability": 0.1, "kept": rank < 4, "is_new": False, "chance": 0.2}
                | {"figures": {figure: round(writer.chance.random(), 5) for figure in figures}}
                for rank, tag in enumerate(candidates, start=1)
            ]
        rows[Entry].append(
            {
                "number": entry,
                "at": BEGIN + timedelta(seconds=number),
                "kind": "decision",
                "person_id": crowd[number % len(crowd)],
                "question_id": number,
                "suggestion_id": number if is_served else None,
                "standing": "answer",
                "pick": "ordered",
            }
        )
        said = {**dict.fromkeys(rejected, "rejected"), **dict.fromkeys(tags, "added")}
        rows[Verdict] += [
            {"entry_number": entry, "key": name(tag), "text": name(tag), "verdict": verdict, "place": place}
            for place, (tag, verdict) in enumerate(said.items())
        ]

    insert_rows(store, "tags", range(1, TAGS + 1), make_tags)
    insert_rows(store, "decisions", range(1, decisions + EXTRA + 1), make)


# --- what is measured, each in a process of its own


def measure(step: str, url: str, folder: Path, model: Path, decisions: int, asked: int) -> dict[str, float]:
    tagger = Tagger.load(model)
    tagger.codec.segmenter.split("一个词")  # its dictionary belongs to the model
    before = room()
    with Store(url) as store:
        memory = StoreMemory(store, tagger, Cache(folder, store, tagger.version))
        if step.startswith("rebuild"):
            taken = timed(lambda: memory.rebuild(cores=cores() if step == "rebuild" else 1))
            return {**seconds(taken), "peak_MB": peak() - before}
        taken = timed(memory.load)
        if step == "load":
            first = rank(memory, store, decisions + 1, 1)
            return {**seconds(taken), "first_question_ms": first.passed * 1000, "MB": room() - before}
        if step == "rank":
            times = [rank(memory, store, decisions + 1 + turn % EXTRA, turn) for turn in range(asked)]
        else:
            times = [decide_and_rank(memory, store, decisions + 1 + turn) for turn in range(min(asked, EXTRA - 1))]
        return {**spread(times), "MB": room() - before, "peak_MB": peak() - before}


class Taken(NamedTuple):
    """Seconds."""

    passed: float
    of_processor: float


def timed(work: Callable[[], object]) -> Taken:
    begun = time.perf_counter(), of_processor()
    work()
    return Taken(time.perf_counter() - begun[0], of_processor() - begun[1])


def of_processor() -> float:
    """Of this process and of those that it started and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def rank(memory: StoreMemory, store: Store, number: int, seed: int) -> Taken:
    chance = random.Random(seed)
    with store.read() as session:
        question = session.get_one(Question, number)
    tags = [name(chance.randint(1, 2_000)) for _ in range(12)]
    hypotheses = [
        Hypothesis(tuple(dict.fromkeys(chance.choices(tags, k=3))), -1.0 - place / 10) for place in range(BEAM)
    ]
    return timed(lambda: memory.rank(number, question.title, question.description, hypotheses, BEAM))


def decide_and_rank(memory: StoreMemory, store: Store, number: int) -> Taken:
    """From the receipt to a ranking of the next question that knows the decision."""
    submission = Submission(number, 2, {name(number % TAGS + 1): "added"})
    receipt = store.run(lambda session: ledger.submit(session, submission))
    known: list[int] = []
    caught_up = timed(lambda: known.append(memory.catch_up()))
    assert known == [receipt.number]
    ranked = rank(memory, store, number + 1, number)
    return Taken(caught_up.passed + ranked.passed, caught_up.of_processor + ranked.of_processor)


def seconds(taken: Taken) -> dict[str, float]:
    return {"seconds": taken.passed, "of_processor": taken.of_processor}


def spread(times: list[Taken]) -> dict[str, float]:
    """Milliseconds."""
    found = {}
    for kind, some in zip(("", "_of_processor"), zip(*times, strict=True), strict=True):
        found[f"p50_ms{kind}"] = statistics.median(some) * 1000
        found[f"p95_ms{kind}"] = statistics.quantiles(some, n=20)[-1] * 1000
    return found


def room() -> float:
    return psutil.Process().memory_info().rss / 1e6


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def run(args: argparse.Namespace) -> dict[str, dict[str, float]]:
    found = {}
    database = "postgresql" if args.postgresql else "sqlite"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, open_urls(database, folder, 1) as (url,):
        with Store(url) as store:
            schema.prepare(store)
            fill(store, args.decisions, args.model, Tagger.load(args.model))
        for step in STEPS:
            # The newest decisions change with the last step only.
            given = [step, url, f"{folder}/memory", str(args.model), str(args.decisions), str(args.asked)]
            done = subprocess.run([sys.executable, __file__, "--step", *given], check=True, stdout=subprocess.PIPE)
            found[step] = json.loads(done.stdout)
            shown = "   ".join(f"{what} {value:,.1f}" for what, value in found[step].items())
            print(f"{step:20} {shown}", flush=True)
        (file,) = Path(folder, "memory").iterdir()
        found["file"] = {"MB": file.stat().st_size / 1e6}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=300, help="questions that are ranked")
    parser.add_argument("--model", type=Path, default=ROOT / "models" / "starter")
    parser.add_argument("--postgresql", action="store_true", help="a server of its own instead of a SQLite file")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--step", nargs=6, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.step:
        step, url, folder, model, decisions, asked = args.step
        print(json.dumps(measure(step, url, Path(folder), Path(model), int(decisions), int(asked))))
        return
    found = run(args)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
