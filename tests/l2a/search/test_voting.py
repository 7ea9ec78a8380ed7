import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from l2a.search.voting import TagVote, count_votes, is_kept


def logs(*probabilities):
    return [math.log(p) for p in probabilities]


def test_a_hand_worked_list():
    votes = count_votes(
        [["电影", "科幻"], ["科幻", "电影", "星球大战"], ["书"], ["科幻"]], logs(0.4, 0.2, 0.1, 0.05), beam=5
    )
    # 5 * 0.25 = 1.25: two votes keep a tag, one does not.
    assert votes == [
        TagVote("科幻", 3, 0.6, 1, True, 0, pytest.approx(0.65)),
        TagVote("电影", 2, 0.4, 2, True, 0, pytest.approx(0.6)),
        TagVote("星球大战", 1, 0.2, 3, False, 1, pytest.approx(0.2)),
        TagVote("书", 1, 0.2, 4, False, 2, pytest.approx(0.1)),
    ]


def test_n_is_the_beam_even_where_fewer_hypotheses_came_back():
    (vote,) = count_votes([["电影"], ["电影"]], logs(0.5, 0.4), beam=8)
    assert (vote.votes, vote.share, vote.kept) == (2, 0.25, False)  # 2 is not more than 8 / 4
    (vote,) = count_votes([["电影"], ["电影"]], logs(0.5, 0.4), beam=7)
    assert (vote.votes, vote.kept) == (2, True)


@pytest.mark.parametrize(("votes", "kept"), [(12, False), (13, True)])
def test_a_quarter_of_48_is_not_kept_and_one_more_is(votes, kept):
    lists = [["电影"]] * votes + [[]] * (48 - votes)
    (vote,) = count_votes(lists, [-3.0] * 48, beam=48, threshold=0.25)
    assert (vote.votes, vote.kept) == (votes, kept)


@pytest.mark.parametrize(
    ("votes", "beam", "threshold"),
    [
        (29, 50, 0.58),  # 0.58 * 50 is 28.999999999999996 in floating point
        (1, 49, 1 / 49),  # and (1 / 49) * 49 is 0.9999999999999999
        (15, 60, 0.25),
        (3, 10, 0.3),
    ],
)
def test_a_share_of_exactly_the_threshold_is_not_kept(votes, beam, threshold):
    (vote,) = count_votes([["电影"]] * votes, [-3.0] * votes, beam=beam, threshold=threshold)
    assert vote.kept is False
    (vote,) = count_votes([["电影"]] * (votes + 1), [-3.0] * (votes + 1), beam=beam, threshold=threshold)
    assert vote.kept is True


def test_a_tuned_threshold_excludes_just_the_votes_it_stands_for():
    for beam in range(1, 65):
        for votes in range(1, beam + 1):
            lists, scores = [["电影"]] * votes, [-3.0] * votes
            assert not count_votes(lists, scores, beam=beam, threshold=votes / beam)[0].kept, (votes, beam)
            assert count_votes(lists, scores, beam=beam, threshold=(votes - 1) / beam)[0].kept, (votes, beam)


def test_threshold_0_keeps_all_and_1_keeps_none():
    lists, scores = [["电影", "书"], ["电影"]], logs(0.5, 0.25)
    assert [vote.kept for vote in count_votes(lists, scores, beam=2, threshold=0.0)] == [True, True]
    assert [vote.kept for vote in count_votes(lists, scores, beam=2, threshold=1.0)] == [False, False]


def test_equal_votes_go_to_the_greater_probability():
    votes = count_votes([["甲"], ["乙"], ["乙"], ["甲"]], logs(0.3, 0.25, 0.2, 0.1), beam=4)
    assert [(vote.tag, vote.votes) for vote in votes] == [("乙", 2), ("甲", 2)]  # 0.45 against 0.4


def test_equal_probability_goes_to_the_better_best_hypothesis():
    votes = count_votes([["乙"], ["甲"]], [-1.0, -1.0], beam=2)
    assert [(vote.tag, vote.best_hypothesis) for vote in votes] == [("乙", 0), ("甲", 1)]


def test_the_last_tie_goes_to_the_tag_that_comes_first():
    votes = count_votes([["丙", "甲", "乙"], ["甲", "乙", "丙"]], logs(0.5, 0.25), beam=2)
    assert [vote.tag for vote in votes] == ["丙", "甲", "乙"]
    assert [vote.rank for vote in votes] == [1, 2, 3]


def test_a_hypothesis_votes_once_for_a_tag():
    (vote,) = count_votes([["电影", "电影", "电影"]], logs(0.5), beam=2)
    assert (vote.votes, vote.probability) == (1, pytest.approx(0.5))


def test_spellings_with_one_match_key_are_one_tag_shown_as_the_most_probable_wrote_it():
    votes = count_votes([["iPhone"], ["IPHONE", "书"], ["ｉｐｈｏｎｅ", "iphone"]], logs(0.4, 0.2, 0.1), beam=4)
    assert [(vote.tag, vote.votes) for vote in votes] == [("iPhone", 3), ("书", 1)]
    assert votes[0].probability == pytest.approx(0.7)
    assert votes[0].best_hypothesis == 0


def test_probability_is_the_sum_of_the_hypotheses():
    (vote,) = count_votes([["电影"], ["电影"]], logs(0.75, 0.125), beam=2)
    assert vote.probability == pytest.approx(0.875)


def test_probability_of_two_members_is_the_mean_of_theirs():
    """One member is sure of 电影 (0.9), the other less so (0.5); a tag that one alone writes has half of its chance."""
    lists = [["电影"], ["电影"], ["书", "电影"], ["书"]]
    votes = count_votes(lists, logs(0.8, 0.5, 0.1, 0.06), beam=4, members=2)
    assert {vote.tag: vote.probability for vote in votes} == pytest.approx({"电影": 0.7, "书": 0.08})


def test_rounding_lifts_no_probability_over_1():
    (vote,) = count_votes([["电影"]] * 6, logs(*[1 / 6] * 6), beam=6)  # added up in turn: 1.0000000000000002
    assert vote.probability == 1.0


@st.composite
def distributions(draw):
    """Of one to two members each some hypotheses with their probabilities, which are at most 1 together."""
    count = draw(st.integers(1, 2))
    found = []
    for _ in range(count):
        lists = draw(st.lists(st.lists(st.sampled_from("甲乙丙丁"), max_size=3), max_size=6))
        weights = draw(st.lists(st.floats(0.001, 1), min_size=len(lists) + 1, max_size=len(lists) + 1))
        found.append([(tags, weight / sum(weights)) for tags, weight in zip(lists, weights[1:], strict=True)])
    return found


@given(distributions())
def test_a_probability_is_one_of_the_mixture_of_the_members(found):
    """Half of the questions would go to each member: what a tag's share of the answers would then be."""
    together = sorted((pair for member in found for pair in member), key=lambda pair: -pair[1])
    votes = count_votes(
        [tags for tags, _ in together], logs(*(chance for _, chance in together)), beam=12, members=len(found)
    )
    for vote in votes:
        chances = [math.fsum(chance for tags, chance in member if vote.tag in tags) for member in found]
        assert 0 < vote.probability <= 1
        assert vote.probability == pytest.approx(sum(chances) / len(chances))


@pytest.mark.parametrize("lists", [[], [[]], [[], []]])
def test_no_tags_give_no_votes(lists):
    assert count_votes(lists, [-1.0] * len(lists), beam=8) == []


def test_lists_and_scores_must_belong_together():
    with pytest.raises(ValueError, match="zip"):
        count_votes([["电影"]], [], beam=2)


@pytest.mark.parametrize(
    ("votes", "beam", "threshold", "kept"),
    [(13, 48, 0.25, True), (12, 48, 0.25, False), (1, 4, 0, True), (0, 4, 0, False)],
)
def test_a_tag_is_kept_that_has_more_votes_than_the_threshold(votes, beam, threshold, kept):
    assert is_kept(votes, beam, threshold) is kept


def test_just_the_thresholds_votes_do_not_suffice_whatever_the_beam():
    """(7 / 55) * 55 is a little under 7 in floating point, and others are too."""
    assert not any(is_kept(votes, beam, votes / beam) for beam in range(1, 65) for votes in range(beam + 1))
    assert all(is_kept(votes + 1, beam, votes / beam) for beam in range(1, 65) for votes in range(beam))
