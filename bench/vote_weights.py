"""How much the tag list, similar questions and a linear model should weigh in the vote, chosen on dev questions.

    python bench/vote_weights.py --data DATA [--model models/starter]

DATA holds zhihu/{train,dev}.jsonl. The development questions are decoded once; then every combination of weights and
threshold is counted. Chosen is the one with the most right tags new to the training questions among those whose F1 is
at most half a point under the best: to name tags that nobody has given is what the model is for. The table has what
more or fewer of them would cost. Never point it at test questions.
"""

import argparse
import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from l2a.data.questions import Question, read_questions  # noqa: E402
from l2a.evidence.source import Finding  # noqa: E402
from l2a.measure.metrics import nlpcc_score  # noqa: E402
from l2a.search.voting import (  # noqa: E402
    MAX_SHOWN,
    Ballot,
    TagVote,
    count_votes,
)
from l2a.tagger import Suggestions, Tagger  # noqa: E402
from l2a.text.cleaning import match_key  # noqa: E402

LISTED, NAMED, NEAR, INVENTED = (0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0), (0.0, 0.2, 0.4), (0.0, 0.2, 0.4), (0.25, 1.0)
LINEAR = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)

COST = 0.005  # of F1, at most, for more right new tags


@dataclass(frozen=True, order=True)
class Outcome:
    """What a choice of weights gives on the development questions."""

    f1: float
    new_right: int
    new: int
    votes: int  # a tag needs more than these
    weights: tuple[float, float, float, float, float]  # listed, named, near, linear, invented

    def __str__(self) -> str:
        weights = " | ".join(f"{weight:g}" for weight in self.weights)
        return f"| {100 * self.f1:.2f} | {self.new_right} of {self.new} | {self.votes} | {weights} |"


def count_new(kept: Sequence[Sequence[str]], questions: Sequence[Question], known: frozenset[str]) -> tuple[int, int]:
    """Right and all suggested tags that the training questions never have."""
    pairs = [
        (match_key(tag), set(map(match_key, question.tags)))
        for tags, question in zip(kept, questions, strict=True)
        for tag in tags
    ]
    new = [(tag, right) for tag, right in pairs if tag not in known]
    return sum(tag in right for tag, right in new), len(new)


def vote(answer: Suggestions, found: Sequence[Finding], tagger: Tagger, weights: Sequence[float]) -> list[TagVote]:
    """The votes of a decoded question under other weights than the model's."""
    listed, named, near, linear, invented = weights
    weight = {"listed": listed, "named": named, "near": near, "linear": linear}
    return count_votes(
        [hypothesis.tags for hypothesis in answer.hypotheses],
        [hypothesis.log_probability for hypothesis in answer.hypotheses],
        beam=answer.beam,
        ballots=[
            Ballot(one.tag, answer.beam * weight[one.source] * one.probability, one.source)
            for one in found
            if one.probability is not None
        ],
        worth=lambda tag: invented if tagger.is_invented(tag) else 1.0,
    )


def outcomes(
    tagger: Tagger, questions: Sequence[Question], answers: Sequence[Suggestions], known: frozenset[str]
) -> list[Outcome]:
    """Every combination, in no order."""
    if tagger.evidence.retriever is None:
        raise SystemExit("This model has no retriever: nothing but its hypotheses can vote.")
    evidence = [tagger.evidence.find(question, tagger.codec.segmenter) for question in questions]
    gold = [question.tags for question in questions]
    found = []
    for weights in itertools.product(LISTED, NAMED, NEAR, LINEAR, INVENTED):
        voted = [vote(answer, seen, tagger, weights) for answer, seen in zip(answers, evidence, strict=True)]
        for votes in range(answers[0].beam // 2):
            kept = [[one.tag for one in tags if one.votes > votes][:MAX_SHOWN] for tags in voted]
            found.append(Outcome(nlpcc_score(kept, gold).f1, *count_new(kept, questions, known), votes, weights))
    return found


def frontier(found: Sequence[Outcome]) -> list[Outcome]:
    """The best F1 for each number of right new tags, from the best F1 on."""
    counts = sorted({one.new_right for one in found})
    return list(dict.fromkeys(max(one for one in found if one.new_right >= count) for count in counts))


def choose(found: Sequence[Outcome]) -> Outcome:
    """By the rule above."""
    best = max(found).f1
    return max((one for one in found if one.f1 >= best - COST), key=lambda one: (one.new_right, one.f1))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=ROOT / "models" / "starter")
    args = parser.parse_args(arguments)
    train = [question for question in read_questions(args.data / "zhihu" / "train.jsonl") if question.tags]
    dev = list(read_questions(args.data / "zhihu" / "dev.jsonl"))
    known = frozenset(match_key(tag) for question in train for tag in question.tags)
    tagger = Tagger.load(args.model)
    found = outcomes(tagger, dev, list(tagger.suggest_stream(dev)), known)
    print("| F1 on dev | new tags right | more votes than | listed | named | near | linear | invented |")
    print("|---|---|---|---|---|---|---|---|")
    for outcome in frontier(found):
        print(outcome)
    print(f"\nChosen:\n{choose(found)}")


if __name__ == "__main__":
    main()
