"""From hypotheses and evidence to an answer: votes are counted, candidates gathered, and ranked by chance.

Without a ranker the answer is the paper's: tags ordered and kept by votes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from l2a.config import DecodeSettings
from l2a.evidence.source import Finding, PreparedQuestion
from l2a.ranking.candidates import Candidate, gather
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Ranker
from l2a.search.voting import TagVote, count_votes
from l2a.suggestions import Constraints, Hypothesis, Precedent, Suggestion, Suggestions
from l2a.text.cleaning import is_word_like, match_key
from l2a.text.codec import EncodedSource

if TYPE_CHECKING:
    from l2a.tagger import Tagger

MOST_PRECEDENTS, LEAST_LIKENESS = 5, 0.2  # decided questions that a person is shown


@dataclass(frozen=True)
class ReadQuestion:
    """A question as the model takes it in: what the network reads, and what else speaks for which tags."""

    source: EncodedSource
    prepared: PreparedQuestion
    findings: tuple[Finding, ...] = ()


def answer(
    tagger: "Tagger",
    read: ReadQuestion,
    hypotheses: Sequence[Hypothesis],
    settings: DecodeSettings,
    constraints: Constraints,
    ranker: Ranker | None,
    knowledge: Knowledge | None,
) -> Suggestions:
    """All tags that anything speaks for, best first."""
    votes = count_votes(
        [h.tags for h in hypotheses],
        [h.log_probability for h in hypotheses],
        beam=settings.beam,
        threshold=settings.threshold,
        members=len(tagger.members(settings)),
    )
    precedents: tuple[Precedent, ...] = ()
    if ranker is None:
        suggestions = [_suggestion(tagger, read, Candidate(vote.tag, vote), vote.rank, vote.kept) for vote in votes]
    else:
        prepared = read.prepared.afresh()
        candidates = _candidates(tagger, read.findings, prepared, votes, constraints, knowledge)
        if knowledge is not None:
            similar = knowledge.memory.similar(prepared, MOST_PRECEDENTS, LEAST_LIKENESS)
            precedents = tuple(Precedent(*pair) for pair in similar)
        suggestions = [
            _suggestion(tagger, read, candidate, rank, chance > ranker.cut, chance, ranker)
            for rank, (candidate, chance) in enumerate(ranker.rank(candidates), start=1)
        ]
    return Suggestions(
        question_id=read.prepared.question.id,
        suggestions=tuple(suggestions),
        hypotheses=tuple(hypotheses),
        source_words=read.source.words,
        beam=settings.beam,
        threshold=settings.threshold,
        model_version=tagger.version,
        notes=read.source.notes,
        cut=None if ranker is None else ranker.cut,
        ranked_on=0 if ranker is None else ranker.decisions,
        precedents=precedents,
    )


def _suggestion(
    tagger: "Tagger",
    read: ReadQuestion,
    candidate: Candidate,
    rank: int,
    kept: bool,
    chance: float | None = None,
    ranker: Ranker | None = None,
) -> Suggestion:
    tag, vote = candidate.tag, candidate.vote
    return Suggestion(
        tag=tag,
        votes=vote.votes if vote else 0,
        share=vote.share if vote else 0.0,
        rank=rank,
        probability=vote.probability if vote else 0.0,
        kept=kept,
        is_new=match_key(tag) not in tagger.known_keys,
        cues=find_cues(read.source.text_words, tagger.codec.segmenter.split(tag)),
        best_hypothesis=vote.best_hypothesis if vote else None,
        chance=chance,
        findings=() if ranker is None else ranker.strongest(candidate.findings),
        figures=candidate.figures,
    )


def _candidates(
    tagger: "Tagger",
    findings: Sequence[Finding],
    prepared: PreparedQuestion,
    votes: Sequence[TagVote],
    constraints: Constraints,
    knowledge: Knowledge | None,
) -> list[Candidate]:
    """Every tag that hypotheses or evidence speak for, within a person's wishes."""
    own = {source.name for source in tagger.evidence.sources}
    remembering = [source for source in knowledge.sources if source.name not in own] if knowledge else []
    weighed = tagger.evidence.weigh(prepared, findings, votes)
    candidates = gather(
        prepared,
        votes,
        [*findings, *weighed, *(found for source in remembering for found in source.find(prepared))],
        [*tagger.evidence.sources, *remembering],
        weights=tagger.votes,
        is_invented=tagger.is_invented,
    )
    banned = frozenset(map(match_key, constraints.ban))
    allowed = None if constraints.known_tags is None else tagger.closed_list(constraints.known_tags).keys
    return [
        candidate
        for candidate in candidates
        if (key := match_key(candidate.tag)) not in banned and (allowed is None or key in allowed)
    ]


def find_cues(source_words: Sequence[str], tag_words: Sequence[str]) -> tuple[str, ...]:
    """Source words that are also words of the tag, each once, in the order of the question."""
    wanted = {match_key(word) for word in tag_words if is_word_like(word)}
    return tuple(dict.fromkeys(word for word in source_words if match_key(word) in wanted))
