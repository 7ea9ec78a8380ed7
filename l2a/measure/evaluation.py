"""Scores a tagger on labelled questions: the paper's measures in one pass over the data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tqdm import tqdm

from l2a.data.questions import Question
from l2a.measure.metrics import Score, meaningless, new_tags, nlpcc_score, present_absent_recall, score_at
from l2a.search.voting import MAX_SHOWN
from l2a.tagger import Suggestions, Tagger


@dataclass(frozen=True)
class Evaluation:
    """What `evaluate` found; `to_dict` is what is printed and stored."""

    questions: int
    voted: Score  # NLPCC score of the kept tags
    best_hypothesis: Score  # NLPCC score of the most probable hypothesis alone
    best_threshold: float  # maximises `voted` on these very questions: for a dev set only
    best_threshold_score: Score
    details: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return {
            "questions": self.questions,
            "voted": self.voted.to_dict(),
            "best_hypothesis": self.best_hypothesis.to_dict(),
            "best_threshold": {"threshold": self.best_threshold, **self.best_threshold_score.to_dict()},
            **self.details,
        }


def evaluate(
    tagger: Tagger,
    questions: Sequence[Question],
    *,
    beam: int | None = None,
    threshold: float | None = None,
    batch_size: int = 8,
    lexicon: Iterable[str] = (),
    quiet: bool = False,
) -> Evaluation:
    """Decode every question once and score the result; `lexicon` is a list of further known tags."""
    answers = list(
        tqdm(
            tagger.suggest_stream(questions, beam=beam, threshold=threshold, batch_size=batch_size),
            total=len(questions),
            desc="evaluating",
            unit=" questions",
            disable=quiet,
            leave=False,
        )
    )
    gold = [question.tags for question in questions]
    voted = [[suggestion.tag for suggestion in answer.kept] for answer in answers]
    alone = [list(answer.hypotheses[0].tags)[:MAX_SHOWN] if answer.hypotheses else [] for answer in answers]
    best, best_score = best_threshold(answers, gold)
    known = (tagger.frequencies, lexicon, (tag for tags in gold for tag in tags))
    known_tags = [tag for tags in known for tag in tags]
    hypotheses = [hypothesis.tags for answer in answers for hypothesis in answer.hypotheses]
    details = {
        "beam": answers[0].beam if answers else None,
        "threshold": answers[0].threshold if answers else None,
        "at_5": score_at(voted, gold).to_dict(),
        "new_tags": new_tags(voted, gold, tagger.frequencies).to_dict(),
        "meaningless_before_voting": meaningless(hypotheses, known_tags).to_dict(),
        "meaningless_after_voting": meaningless(voted, known_tags).to_dict(),
        "present_absent": present_absent_recall([q.text for q in questions], voted, gold).to_dict(),
        "tags_kept": sum(map(len, voted)) / max(1, len(voted)),
    }
    return Evaluation(len(questions), nlpcc_score(voted, gold), nlpcc_score(alone, gold), best, best_score, details)


def best_threshold(answers: Sequence[Suggestions], gold: Sequence[Sequence[str]]) -> tuple[float, Score]:
    """The share of votes above which keeping tags gives the best F1; ties go to the paper's side, the higher one.

    Never call it on a test set: it looks at the answers.
    """
    beam = answers[0].beam if answers else 1
    voted = [answer.by_votes for answer in answers]
    scored = []
    for votes in range(beam):
        kept = [[s.tag for s in tags if s.votes > votes][:MAX_SHOWN] for tags in voted]
        scored.append((nlpcc_score(kept, gold), votes / beam))
    score, threshold = max(scored, key=lambda item: (item[0].f1, item[1]))
    return threshold, score
