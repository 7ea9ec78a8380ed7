"""One training step, one evaluation step and one suggestion at the paper's size: seconds and memory, as JSON.

    python bench/paper_size.py [--threads 2] [--words 48]

Words are made up and the weights are not trained; ending is made so improbable that every hypothesis runs to the last
step, so this is the longest that decoding can take. The sizes are those of the preset `paper`: 80,000 source and 18,966
target words, width 512, beam 48.
"""

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from l2a.checkpoint import build_codec  # noqa: E402
from l2a.config import preset  # noqa: E402
from l2a.data.questions import Question  # noqa: E402
from l2a.measure.evaluation import evaluate  # noqa: E402
from l2a.network.model import L2AModel  # noqa: E402
from l2a.tagger import Tagger  # noqa: E402
from l2a.text.segmenter import Segmenter  # noqa: E402
from l2a.text.vocabulary import DELIMITER, END, FIRST_WORD, Vocabulary  # noqa: E402
from l2a.training.dataset import Example  # noqa: E402
from l2a.training.losses import likelihood_loss  # noqa: E402
from l2a.training.optimiser import Optimiser  # noqa: E402

TAGS, WORDS_A_TAG = 3, 2  # the paper's means, rounded
EVALUATED = 8  # questions of an evaluation step, as many as are decoded together


def build_tagger(name: str = "paper") -> Tagger:
    """An untrained model of a preset's size that reads and writes made-up words."""
    chosen = preset(name)
    source, target = (
        Vocabulary(f"{side}{number}" for number in range(size - FIRST_WORD))
        for side, size in (("s", chosen.model.source_vocabulary), ("t", chosen.model.target_vocabulary))
    )
    torch.manual_seed(1)
    model = L2AModel(chosen.model, len(source), len(target))
    codec = build_codec(chosen.model, Segmenter(), source, target)
    return Tagger(model, codec, chosen.model, chosen.decode, frequencies={})


def never_end(tagger: Tagger) -> None:
    """Let every hypothesis run to the last step: untrained, the search would be over after a few."""
    with torch.no_grad():
        tagger.model.output.bias[END] = -100.0


def made_up_batch(tagger: Tagger, size: int, words: int) -> tuple[list[Example], list[list[int]]]:
    """So many questions of so many words, and target numbers for them."""
    draw = random.Random(1)
    sources = [draw.choices(tagger.codec.source.words, k=words) for _ in range(size)]
    examples = [Example(str(n), tagger.codec.encode_words(some), ()) for n, some in enumerate(sources)]
    last = len(tagger.codec.target) - 1
    tag = [lambda: draw.randint(FIRST_WORD, last)] * WORDS_A_TAG
    return examples, [[*([*(word() for word in tag), DELIMITER] * TAGS), END] for _ in examples]


def train_step(tagger: Tagger, words: int) -> Callable[[], None]:
    """One batch of the preset's size, forward, backward and update."""
    training = preset("paper").training
    examples, targets = made_up_batch(tagger, training.batch_size, words)
    optimiser = Optimiser(tagger.model, training, 1000, 0)

    def step() -> None:
        tagger.model.train()
        optimiser.zero_grad()
        loss = likelihood_loss(tagger.model, examples, targets, training.label_smoothing)
        (loss / sum(map(len, targets))).backward()
        optimiser.step(0)

    return step


def measure(name: str, act: Callable[[], object]) -> dict[str, object]:
    started = time.perf_counter()
    act()
    seconds = time.perf_counter() - started
    return {"what": name, "seconds": round(seconds, 2), "peak_memory_mb": _peak_memory()}


def _peak_memory() -> int:
    unit = 1 if sys.platform == "darwin" else 1024  # kilobytes everywhere but there
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--words", type=int, default=48, help="of a question (default 48)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    tagger = build_tagger()
    weights = sum(p.numel() for p in tagger.model.parameters())
    print(json.dumps({"weights": weights, "threads": args.threads, "peak_memory_mb": _peak_memory()}), flush=True)
    step = train_step(tagger, args.words)
    draw = random.Random(2)
    texts = [" ".join(draw.choices(tagger.codec.source.words, k=args.words)) for _ in range(EVALUATED)]
    questions = [Question(text, tags=("t1",), id=str(number)) for number, text in enumerate(texts)]
    batch, beam = preset("paper").training.batch_size, tagger.settings.beam

    def report(name: str, act: Callable[[], object]) -> None:
        print(json.dumps(measure(name, act)), flush=True)

    report(f"first training step, {batch} questions", step)
    report(f"training step, {batch} questions", step)
    never_end(tagger)
    report(f"evaluation step, {EVALUATED} questions, beam {beam}", lambda: evaluate(tagger, questions, quiet=True))
    report(f"suggestion, 1 question, beam {beam}", lambda: tagger.suggest(questions[:1]))


if __name__ == "__main__":
    main()
