"""Checks of the engine on real data, each printing what it found: `python bench/engine.py NAME ...`.

roundtrip TAGS.csv                         every tag splits into words and joins back exactly
batches --model FOLDER QUESTIONS [--count] suggestions alone and in batches are the same
memory --model FOLDER QUESTIONS            peak memory of `suggest` on 200 and on 2,000 questions
decoders --model FOLDER QUESTIONS          the plain, the float32 and the 8-bit search: processor time, agreement, F1
known --model FOLDER --tags LIST QUESTIONS the free search against one that may write only the tags of a list
cutting QUESTIONS [--count 200000]         cutting questions into words on one core, on all, and from what was kept
sparse                                     a dense against a sparse Adam step over a source table
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def roundtrip(args: argparse.Namespace) -> dict:
    from l2a.data.questions import read_tags
    from l2a.text.segmenter import Segmenter

    segmenter = Segmenter()
    tags = read_tags(args.file)
    exact = sum("".join(segmenter.split(tag)) == tag for tag in tags)
    return {"tags": len(tags), "exact": exact}


def batches(args: argparse.Namespace) -> dict:
    """Compare N-best lists and votes; where they differ, how close the call was."""
    from l2a.data.questions import read_questions
    from l2a.tagger import Tagger

    tagger = Tagger.load(args.model, decoder=args.decoder)
    questions = list(islice(read_questions(args.file), args.count))
    alone = {q.id: tagger.suggest([q], beam=args.beam)[0] for q in questions}
    found: dict = {"questions": len(questions), "beam": args.beam, "decoder": tagger.decoder}
    for size in (8, 32):
        shuffled = random.Random(size).sample(questions, len(questions))
        together = tagger.suggest(shuffled, beam=args.beam, batch_size=size)
        differences, worst = [], 0.0
        for answer in together:
            mine, theirs = _scores(answer), _scores(alone[answer.question_id])
            worst = max([worst, *(abs(mine[tags] - theirs[tags]) for tags in mine.keys() & theirs.keys())])
            if _votes(answer) != _votes(alone[answer.question_id]):
                edge = min(*mine.values(), *theirs.values())
                odd = mine.keys() ^ theirs.keys()  # hypotheses only one of the lists has
                gaps = [(mine | theirs)[tags] - edge for tags in odd]
                differences.append({"id": answer.question_id, "gap_to_the_edge": gaps})
        found[f"batch_{size}"] = {
            "different": len(differences),
            "largest_score_difference": worst,
            "cases": differences,
        }
    return found


def _scores(answer) -> dict[tuple[str, ...], float]:
    return {hypothesis.tags: hypothesis.log_probability for hypothesis in reversed(answer.hypotheses)}


def _votes(answer) -> list[tuple[str, int]]:
    return [(suggestion.tag, suggestion.votes) for suggestion in answer.suggestions]


def memory(args: argparse.Namespace) -> dict:
    """Peak resident memory of the real command, read from the kernel after it ended."""
    lines = list(islice(_lines(args.file), 2_000))
    found = {}
    for count in (200, 2_000):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "questions.jsonl"
            path.write_text("".join(lines[:count]), encoding="utf-8")
            command = [
                sys.executable,
                "-m",
                "l2a",
                "suggest",
                "--model",
                args.model,
                "--beam",
                "8",
                "--jobs",
                "1",  # the peak of a process does not count its children
                "--quiet",
                str(path),
            ]
            with open(os.devnull, "w") as nowhere:
                process = subprocess.Popen(command, cwd=ROOT, stdout=nowhere)
                _, status, usage = os.wait4(process.pid, 0)
        found[f"peak_MB_{count}"] = round(usage.ru_maxrss / 1024, 1)
        found[f"exit_{count}"] = os.waitstatus_to_exitcode(status)
    found["difference_MB"] = round(found["peak_MB_2000"] - found["peak_MB_200"], 1)
    return found


def decoders(args: argparse.Namespace) -> dict:
    """In turns by blocks of questions, so that whatever else runs slows down all; one thread."""
    import torch

    from l2a.data.questions import read_questions
    from l2a.measure.metrics import nlpcc_score
    from l2a.tagger import DECODERS, Tagger

    torch.set_num_threads(1)
    tagger = Tagger.load(args.model)
    questions = list(islice(read_questions(args.file), args.count))
    seconds, kept = dict.fromkeys(DECODERS, 0.0), {name: [] for name in DECODERS}
    for first in range(0, len(questions), 64):
        for tagger.decoder in DECODERS:
            begin = time.process_time()
            answers = tagger.suggest(questions[first : first + 64], beam=args.beam)
            seconds[tagger.decoder] += time.process_time() - begin
            kept[tagger.decoder] += [[suggestion.tag for suggestion in answer.kept] for answer in answers]
    plain = kept["plain"]
    return {
        "questions": len(questions),
        "beam": args.beam,
        **{
            name: {
                "ms": round(1000 * seconds[name] / len(questions), 1),
                "same_tags": sum(set(mine) == set(theirs) for mine, theirs in zip(kept[name], plain, strict=True)),
                "same_voted_tags": _agreement(kept[name], plain),
                "same_order": sum(mine == theirs for mine, theirs in zip(kept[name], plain, strict=True)),
                "f1": nlpcc_score(kept[name], [question.tags for question in questions]).f1,
            }
            for name in DECODERS
        },
    }


def known(args: argparse.Namespace) -> dict:
    """In turns by blocks of questions; one thread, processor time. Reading the list is said apart."""
    import torch

    from l2a.data.questions import read_questions, read_tags
    from l2a.tagger import NO_CONSTRAINTS, Constraints, Tagger

    torch.set_num_threads(1)
    tagger = Tagger.load(args.model, decoder=args.decoder)
    questions = list(islice(read_questions(args.file), args.count))
    wishes = {"free": NO_CONSTRAINTS, "known": Constraints(known_tags=tuple(read_tags(args.tags)))}
    seconds, hypotheses = dict.fromkeys(wishes, 0.0), dict.fromkeys(wishes, 0)
    begin = time.process_time()
    tagger.suggest(questions[:1], beam=args.beam, constraints=wishes["known"])
    found = {
        "questions": len(questions),
        "beam": args.beam,
        "decoder": tagger.decoder,
        "tags": len(wishes["known"].known_tags),
    }
    found["first_question_s"] = round(time.process_time() - begin, 2)
    for first in range(0, len(questions), 64):
        for name, constraints in wishes.items():
            begin = time.process_time()
            answers = tagger.suggest(questions[first : first + 64], beam=args.beam, constraints=constraints)
            seconds[name] += time.process_time() - begin
            hypotheses[name] += sum(len(answer.hypotheses) for answer in answers)
    for name in wishes:
        found[f"{name}_ms"] = round(1000 * seconds[name] / len(questions), 1)
        found[f"{name}_hypotheses"] = round(hypotheses[name] / len(questions), 1)
    return {**found, "ratio": round(seconds["known"] / seconds["free"], 2)}


def _agreement(mine: list[list[str]], theirs: list[list[str]]) -> float:
    """Share of the tags of both sides that the other side has too."""
    both = sum(len(set(some) & set(others)) for some, others in zip(mine, theirs, strict=True))
    all_tags = sum(map(len, mine)) + sum(map(len, theirs))
    return 2 * both / all_tags if all_tags else 1.0


def cutting(args: argparse.Namespace) -> dict:
    """Real questions with a made-up tag each, for questions without tags are not cut."""
    from l2a.text.segmenter import Segmenter
    from l2a.training import cutting

    cutter, found = cutting.QuestionCutter(Segmenter(), 200), {}
    with tempfile.TemporaryDirectory() as folder:
        path, cache = Path(folder) / "questions.jsonl", Path(folder) / "kept"
        with open(path, "w", encoding="utf-8") as file:
            for line in islice(_lines(args.file), args.count):
                file.write(json.dumps({**json.loads(line), "tags": ["x"]}, ensure_ascii=False) + "\n")
        cutter.segmenter.split("jieba reads its dictionary")
        usual = cutting.cores
        for name, cores in (("one_core", 1), ("all_cores", usual()), ("kept", usual())):
            cutting.cores = lambda cores=cores: cores
            begin = time.perf_counter()
            words, _ = cutting.cut_file(path, cutter, cache=None if name == "one_core" else cache)
            seconds = time.perf_counter() - begin
            found[name] = {"seconds": round(seconds, 1), "questions_a_second": round(len(words) / seconds)}
        found["questions"], found["cores"] = len(words), usual()
        found["kept_MB"] = round(sum(file.stat().st_size for file in cache.iterdir()) / 1e6, 1)
    return found


def sparse(args: argparse.Namespace) -> dict:
    """Look-up, backward and Adam over a source table, by dense and by sparse gradients; best of five each."""
    import torch
    from torch import nn

    found = {}
    for rows, width in ((80_000, 512), (45_000, 256)):
        words = torch.randint(0, rows, (64, 48))
        seconds = {}
        for is_sparse in (False, True):
            table = nn.Embedding(rows, width, sparse=is_sparse)
            adam = (
                torch.optim.SparseAdam(table.parameters())
                if is_sparse
                else torch.optim.Adam(table.parameters(), fused=True)
            )
            times = []
            for _ in range(6):
                started = time.perf_counter()
                adam.zero_grad()
                table(words).sum().backward()
                adam.step()
                times.append(time.perf_counter() - started)
            seconds[is_sparse] = min(times[1:])
        found[f"{rows}x{width}"] = {
            "dense_ms": round(1000 * seconds[False], 1),
            "sparse_ms": round(1000 * seconds[True], 1),
            "dense_to_sparse": round(seconds[False] / seconds[True], 1),
        }
    return found


def _lines(path: str):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as stream:
        yield from stream


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=("roundtrip", "batches", "memory", "decoders", "known", "cutting", "sparse"))
    parser.add_argument("file", nargs="?")
    parser.add_argument("--model", default="models/starter")
    parser.add_argument("--tags", help="the list of `known`")
    parser.add_argument("--decoder", default="auto", help="of `batches` and `known` (default auto, as people have it)")
    parser.add_argument("--beam", type=int, default=48)
    parser.add_argument("--count", type=int, default=200)
    args = parser.parse_intermixed_args()  # a file may stand after the options
    print(json.dumps(globals()[args.check](args), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
