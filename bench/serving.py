"""Sixteen people who ask at the same time: through the queue before the model, against one after the other.

    python bench/serving.py [--models starter paper] [--people 16] [--rounds 5] [--most 1 2 4 8] [--json FILE]

`starter` answers the sample questions; `paper` is a model of the paper's size with random weights, see prepare_paper.
All ways are measured in turns, so that whatever else the machine does slows down all; the best round of each counts.
One by one means that the questions come at the same time too: the last one waits for all. --most gives the sizes of
batches to be tried (the app's if left out). Answers are compared with those of asking alone. Exits with 1 where they
differ, and where a model gave no tags, so that there was nothing to compare.
"""

import argparse
import json
import os
import random
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from app.serving.model_queue import MOST, ModelQueue  # noqa: E402
from bench.paper_size import build_tagger  # noqa: E402
from l2a.data.questions import Question, read_questions  # noqa: E402
from l2a.tagger import Suggestions, Tagger  # noqa: E402
from l2a.text.vocabulary import DELIMITER, END  # noqa: E402

ALONE = "one by one"
GAIN, END_BIAS, DELIMITER_BIAS = 20, 8, 20
TOLERANCE = 1e-3  # of a log-probability
WORDS = 30  # of a made-up question
Round = tuple[list[Suggestions], list[float]]  # answers, and the seconds until each had come


def prepare_starter(people: int) -> tuple[Tagger, list[Question]]:
    questions = list(islice(read_questions(ROOT / "samples" / "questions.jsonl"), people))
    return Tagger.load(ROOT / "models" / "starter"), questions


def prepare_paper(people: int) -> tuple[Tagger, list[Question]]:
    """Random weights, made decided.

    As they come, all words are about equally probable: every word more makes a hypothesis worse, the search ends after
    three steps, and no hypothesis has a tag. With these the search takes 20 to 30 steps and some hypotheses have tags.
    Only weights are changed, so that it holds for whatever decodes them.
    """
    tagger, draw = build_tagger(), random.Random(3)
    with torch.no_grad():
        tagger.model.output.weight *= GAIN
        tagger.model.output.bias[END] += END_BIAS
        tagger.model.output.bias[DELIMITER] += DELIMITER_BIAS
    titles = [" ".join(draw.choices(tagger.codec.source.words, k=WORDS)) for _ in range(people)]
    return tagger, [Question(title, id=str(number)) for number, title in enumerate(titles)]


PREPARE = {"starter": prepare_starter, "paper": prepare_paper}


def ask_one_by_one(tagger: Tagger, questions: Sequence[Question], beam: int) -> Round:
    begun = time.perf_counter()
    answers, seconds = [], []
    for question in questions:
        answers += tagger.suggest([question], beam=beam)
        seconds.append(time.perf_counter() - begun)
    return answers, seconds


def ask_through_the_queue(tagger: Tagger, questions: Sequence[Question], beam: int, most: int) -> Round:
    """Each in a thread of its own, as Streamlit's sessions are."""
    queue, start = ModelQueue(most), threading.Barrier(len(questions) + 1)
    found: dict[int, tuple[Suggestions, float]] = {}

    def ask(place: int) -> None:
        start.wait()
        answer = queue.suggest(tagger, questions[place], beam=beam)
        found[place] = answer, time.perf_counter()

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(len(questions))]
    for thread in threads:
        thread.start()
    start.wait()
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    in_order = [found[place] for place in range(len(questions))]
    return [answer for answer, _ in in_order], [ended - begun for _, ended in in_order]


def compare(alone: Sequence[Suggestions], together: Sequence[Suggestions]) -> dict[str, float]:
    """How many questions got another answer, how far probabilities are apart, and how much there was to compare."""
    pairs = list(zip(alone, together, strict=True))
    gaps = [
        abs(a.log_probability - b.log_probability)
        for one, other in pairs
        for a, b in zip(one.hypotheses, other.hypotheses, strict=True)
    ]
    return {
        "tags_compared": sum(len(answer.suggestions) for answer in alone),
        "other_votes": sum(_votes(one) != _votes(other) for one, other in pairs),
        "other_lists": sum(_lists(one) != _lists(other) for one, other in pairs),
        "largest_difference_of_log_probability": max(gaps, default=float("inf")),
    }


def is_same(row: dict) -> bool:
    return (
        row["tags_compared"] > 0 and not row["other_votes"] and row["largest_difference_of_log_probability"] < TOLERANCE
    )


def _lists(answer: Suggestions) -> list[tuple[str, ...]]:
    return [hypothesis.tags for hypothesis in answer.hypotheses]


def _votes(answer: Suggestions) -> list[tuple]:
    """With the question's id: an answer must not go to somebody else."""
    return [(answer.question_id, s.tag, s.votes, s.kept) for s in answer.suggestions]


def measure(name: str, args: argparse.Namespace) -> dict:
    tagger, questions = PREPARE[name](args.people)
    tagger.suggest(questions[:1], beam=args.beam)  # dictionaries are read at the first question
    ways = {ALONE: ask_one_by_one}
    ways.update({f"queue, {most} together": partial(ask_through_the_queue, most=most) for most in args.most})
    rounds: dict[str, list[Round]] = {way: [] for way in ways}
    for _ in range(args.rounds):
        for way, ask in ways.items():
            rounds[way].append(ask(tagger, questions, args.beam))
    best = {way: min(found, key=lambda one: max(one[1])) for way, found in rounds.items()}
    settings = {"people": args.people, "beam": args.beam, "rounds": args.rounds, "threads": args.threads}
    return {"model": name, **settings, "ways": {way: describe(way, best, rounds) for way in ways}}


def describe(way: str, best: dict[str, Round], rounds: dict[str, list[Round]]) -> dict:
    answers, seconds = best[way]
    ratios = [max(mine) / max(alone) for (_, mine), (_, alone) in zip(rounds[way], rounds[ALONE], strict=True)]
    return {
        "all_answered_seconds": round(max(seconds), 3),
        "median_wait_seconds": round(statistics.median(seconds), 3),
        "first_answer_seconds": round(min(seconds), 3),
        "ratio": round(max(seconds) / max(best[ALONE][1]), 3),
        "ratios_of_rounds": [round(ratio, 3) for ratio in ratios],
        **compare(best[ALONE][0], answers),
    }


def show(report: dict) -> None:
    print(f"{report['model']}, {report['people']} at once, beam {report['beam']}, threads {report['threads']}")
    for way, row in report["ways"].items():
        print(
            f"  {way:<18} all {row['all_answered_seconds']:8.3f} s   median {row['median_wait_seconds']:8.3f} s   "
            f"first {row['first_answer_seconds']:8.3f} s   ratio {row['ratio']:.3f} "
            f"({min(row['ratios_of_rounds']):.3f} to {max(row['ratios_of_rounds']):.3f})   "
            f"{'same' if is_same(row) else 'OTHER'} ({row['tags_compared']} tags, other votes {row['other_votes']}, "
            f"other lists {row['other_lists']}, {row['largest_difference_of_log_probability']:.0e})"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=PREPARE, default=list(PREPARE))
    parser.add_argument("--people", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, nargs="+", default=[MOST], help="questions searched together")
    parser.add_argument("--beam", type=int, default=48)
    # As the app has it: app/entry/resources.py.
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--json", type=Path, help="write the figures there")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    reports = []
    for name in args.models:
        reports.append(measure(name, args))
        show(reports[-1])
    if args.json:
        args.json.write_text(json.dumps(reports, indent=1) + "\n", encoding="utf-8")
    return 0 if all(is_same(row) for report in reports for row in report["ways"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
