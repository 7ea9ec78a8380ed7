"""What is put before a person: the tags that are kept, those worth showing, and the paper's order beside them."""

from dataclasses import replace

import pytest

from l2a.data.questions import Question
from l2a.search.voting import MAX_SHOWN, count_votes
from l2a.suggestions import LEAST_CHANCE, LEAST_SHARE, MOST_ON_BOARD, Hypothesis, Suggestion, Suggestions

HYPOTHESES = (Hypothesis(("乙", "甲"), -1.0), Hypothesis(("丙", "甲"), -1.5), Hypothesis(("丁",), -2.0))


def answer(chances: dict[str, float | None], *, votes=None, cut: float | None = None, beam: int = 40) -> Suggestions:
    """Tags in this order, with these votes."""
    found = []
    for rank, (tag, chance) in enumerate(chances.items(), start=1):
        count = (votes or {}).get(tag, 0)
        kept = count > beam / 4 if cut is None else chance > cut
        best = next((place for place, one in enumerate(HYPOTHESES) if tag in one.tags), None)
        found.append(Suggestion(tag, count, count / beam, rank, 0.1, kept, False, (), best, chance))
    return Suggestions("", tuple(found), HYPOTHESES, (), beam, 0.25, "v", cut=cut)


def tags(found) -> list[str]:
    return [one.tag for one in found]


def test_by_chance_those_under_a_share_of_the_cut_are_not_worth_showing():
    chances = {"甲": 0.6, "乙": 0.4, "丙": 0.401 * LEAST_CHANCE, "丁": 0.4 * LEAST_CHANCE, "戊": 0.001}
    found = answer(chances, cut=0.4)
    assert tags(found.kept) == ["甲"]
    assert tags(found.shown) == ["甲", "乙", "丙"]


def test_few_are_likely_few_are_shown():
    assert answer({"甲": 0.01, "乙": 0.005}, cut=0.4).shown == ()
    assert answer({}, cut=0.4).shown == ()


def test_no_more_are_shown_than_there_are_digits_and_no_more_kept_than_five():
    found = answer({f"标签{n}": 0.9 - n / 100 for n in range(20)}, cut=0.3)
    assert len(found.shown) == MOST_ON_BOARD == 10
    assert len(found.kept) == MAX_SHOWN == 5
    assert found.shown[:5] == found.kept


def test_by_votes_those_with_hardly_any_are_not_worth_showing():
    votes = {"甲": 30, "乙": 11, "丙": 10, "丁": 3, "戊": 2}
    assert LEAST_SHARE * 40 == 2
    found = answer(dict.fromkeys(votes), votes=votes)
    assert tags(found.kept) == ["甲", "乙"]
    assert tags(found.shown) == ["甲", "乙", "丙", "丁"]


def test_the_papers_order_is_that_of_the_votes_whatever_the_chances():
    """Votes, then probability, then the better hypothesis, then the place in it; without what no hypothesis has."""
    votes = count_votes([one.tags for one in HYPOTHESES], [one.log_probability for one in HYPOTHESES], beam=4)
    of = {vote.tag: vote for vote in votes}
    order = ["清单", "丁", "丙", "乙", "甲"]
    found = []
    for rank, tag in enumerate(order, start=1):
        vote = of.get(tag)
        count, probability = (vote.votes, vote.probability) if vote else (0, 0.0)
        best = vote.best_hypothesis if vote else None
        found.append(Suggestion(tag, count, count / 4, rank, probability, False, False, (), best, 0.5))
    shuffled = Suggestions("", tuple(found), HYPOTHESES, (), 4, 0.25, "v", cut=0.3)
    assert tags(shuffled.by_votes) == [vote.tag for vote in votes] == ["甲", "乙", "丙", "丁"]


@pytest.mark.parametrize("equal", [-1.0, -3.0])
def test_ties_go_as_in_the_paper(equal):
    """Two tags of one hypothesis, as likely as each other: the one that comes first in it."""
    lists = (Hypothesis(("乙", "甲"), equal), Hypothesis(("丙",), equal))
    votes = count_votes([one.tags for one in lists], [equal, equal], beam=2)
    found = tuple(
        Suggestion(v.tag, v.votes, v.share, v.rank, v.probability, False, False, (), v.best_hypothesis)
        for v in reversed(votes)
    )
    assert tags(Suggestions("", found, lists, (), 2, 0.25, "v").by_votes) == ["乙", "甲", "丙"]


def test_of_one_tagger_both_orders_are_those_of_the_paper(tiny_tagger):
    (found,) = tiny_tagger.suggest([Question(title="零基础自学 Python，三个月能达到什么水平？")])
    assert found.by_votes == found.suggestions
    assert replace(found, suggestions=found.suggestions[::-1]).by_votes == found.suggestions
