"""Scores of a scripted tagger, worked out by hand.

The weights of positions 1..5 are 1 / ln(3..7): 0.910239, 0.721348, 0.621335, 0.558111, 0.513898.
"""

import json
from types import SimpleNamespace

import pytest

from l2a.data.questions import Question
from l2a.measure.evaluation import best_threshold, evaluate
from l2a.measure.metrics import Score
from l2a.search.voting import count_votes
from l2a.suggestions import Hypothesis, Suggestion, Suggestions

FILM = Question("有什么科幻片可以看？", tags=("电影", "音乐", "科幻"), id="1")
BALL = Question("怎样打好篮球？", tags=("篮球",), id="2")


def answer(votes, hypotheses, *, beam=4, threshold=0.25):
    """What a tagger would say with these votes and this N-best list."""
    first = {tag: place for place, tags in reversed(list(enumerate(hypotheses))) for tag in tags}
    return Suggestions(
        question_id="",
        suggestions=tuple(
            Suggestion(tag, count, count / beam, rank, 0.1, count > threshold * beam, False, (), first.get(tag))
            for rank, (tag, count) in enumerate(votes.items(), start=1)
        ),
        hypotheses=tuple(Hypothesis(tuple(tags), -1.0 * place) for place, tags in enumerate(hypotheses)),
        source_words=(),
        beam=beam,
        threshold=threshold,
        model_version="scripted",
    )


FILM_ANSWER = answer(
    {"电影": 4, "小说": 2, "科幻": 2, "音乐": 1},
    [("电影", "小说"), ("电影", "小说"), ("电影", "科幻"), ("电影", "科幻", "音乐")],
)
BALL_ANSWER = answer({"足球": 3, "篮球": 2, "球球": 1}, [("足球",), ("足球", "篮球"), ("足球", "篮球"), ("球球",)])


class ScriptedTagger:
    version = "scripted"

    def __init__(self, *answers, frequencies=()):
        self.answers = answers
        self.frequencies = dict.fromkeys(frequencies, 1)
        self.asked = None

    def suggest_stream(self, questions, **options):
        self.asked = SimpleNamespace(questions=list(questions), **options)
        yield from self.answers


@pytest.fixture
def tagger():
    return ScriptedTagger(FILM_ANSWER, BALL_ANSWER, frequencies=["电影", "音乐", "足球"])


@pytest.fixture
def found(tagger):
    return evaluate(tagger, [FILM, BALL], quiet=True)


def test_voted_score_counts_the_kept_tags(found):
    # Kept with more than 1 vote of 4: 电影 + 小说 - 科幻 + and 足球 - 篮球 +.
    # P = (0.910239 + 0.721348 + 0.621335) / (2 * 0.910239 + 2 * 0.721348 + 0.621335) = 2.252922 / 3.884509
    assert found.questions == 2
    assert found.voted.precision == pytest.approx(0.579976, abs=1e-6)
    assert found.voted.recall == 0.75
    assert found.voted.f1 == pytest.approx(0.654120, abs=1e-6)


def test_best_hypothesis_is_scored_alone(found):
    # 电影 + 小说 - and 足球 -: P = 0.910239 / (2 * 0.910239 + 0.721348), R = 1 / 4
    assert found.best_hypothesis.precision == pytest.approx(0.358104, abs=1e-6)
    assert found.best_hypothesis.recall == 0.25
    assert found.best_hypothesis.f1 == pytest.approx(0.294443, abs=1e-6)


def test_best_threshold_is_found_among_all_numbers_of_votes(found):
    # More than 0 votes: P = 2.811033 / 5.063955 = 0.555106, R = 1, F1 = 0.713914.
    # More than 1: 0.654120. More than 2, 电影 and 足球: P = 1/2, R = 1/4, F1 = 1/3. More than 3, 电影: P = 1, F1 = 0.4.
    assert found.best_threshold == 0.0
    assert found.best_threshold_score.f1 == pytest.approx(0.713914, abs=1e-6)


def test_threshold_in_the_middle_is_found():
    # 电影 alone is all right; with 小说 it is not, and without 电影 there is nothing.
    answers = [answer({"电影": 3, "小说": 2}, [("电影", "小说"), ("电影", "小说"), ("电影",)])]
    assert best_threshold(answers, [("电影",)]) == (0.5, Score(1.0, 1.0, 1.0))


def test_equal_thresholds_go_to_the_higher_one():
    assert best_threshold([answer({"电影": 4}, [("电影",)])], [("电影",)])[0] == 0.75


@pytest.mark.parametrize("beam", [1, 22, 48, 49, 64])
def test_voting_with_the_best_threshold_keeps_what_was_scored(beam):
    """Floating point must not let a tag through: 1 / 49 * 49 is less than 1."""
    for votes in range(beam):
        lists = [("对", "错")] * votes + [("对",)] + [()] * (beam - votes - 1)
        threshold, score = best_threshold([answer({"对": votes + 1, "错": votes}, lists, beam=beam)], [["对"]])
        assert score.f1 == 1.0
        assert threshold == pytest.approx(votes / beam)
        kept = [vote.tag for vote in count_votes(lists, [-1.0] * beam, beam=beam, threshold=threshold) if vote.kept]
        assert kept == ["对"]


def test_no_more_than_five_tags_are_scored():
    seven = ["甲", "乙", "丙", "丁", "戊", "己", "庚"]
    tagger = ScriptedTagger(answer(dict.fromkeys(seven, 4), [seven]))
    found = evaluate(tagger, [Question("问", tags=("己", "甲"))], quiet=True)
    for score in (found.voted, found.best_hypothesis, found.best_threshold_score):
        assert score.recall == 0.5
        assert score.precision == pytest.approx(0.910239 / 3.324931, abs=1e-6)
    assert found.details["tags_kept"] == 5


def test_new_tags_are_those_training_never_had(found):
    # Kept and not in training: 小说 - 科幻 + 篮球 +; wanted and not in training: 科幻, 篮球.
    counts = {"correct": 2, "predicted": 3, "gold": 2}
    assert found.details["new_tags"] == {**counts, "precision": pytest.approx(2 / 3), "recall": 1.0}


def test_meaningless_tags_are_in_no_list_before_and_after_voting(found):
    # Before: 9 + 6 outputs, of which 小说 twice and 球球 once are neither training tags nor wanted ones.
    assert found.details["meaningless_before_voting"] == {"count": 3, "total": 15, "share": pytest.approx(0.2)}
    # After: 小说 of five kept tags.
    assert found.details["meaningless_after_voting"] == {"count": 1, "total": 5, "share": pytest.approx(0.2)}


def test_tag_of_the_lexicon_has_a_meaning(tagger):
    found = evaluate(tagger, [FILM, BALL], lexicon=(tag for tag in ["小说"]), quiet=True)
    assert found.details["meaningless_before_voting"]["count"] == 1
    assert found.details["meaningless_after_voting"]["count"] == 0


def test_unweighted_score_and_recall_by_presence(found):
    assert found.details["at_5"] == {"precision": 0.6, "recall": 0.75, "f1": pytest.approx(2 / 3)}
    presence = found.details["present_absent"]
    # 科幻 and 篮球 stand in the titles and were kept; of 电影 and 音乐, which do not, 电影 was kept.
    assert (presence["present_correct"], presence["present_total"]) == (2, 2)
    assert (presence["absent_correct"], presence["absent_total"]) == (1, 2)
    assert found.details["tags_kept"] == 2.5


def test_options_reach_the_tagger_and_the_result_says_what_was_used(tagger):
    found = evaluate(tagger, [FILM, BALL], beam=4, threshold=0.25, batch_size=3, quiet=True)
    assert (tagger.asked.beam, tagger.asked.threshold, tagger.asked.batch_size) == (4, 0.25, 3)
    assert tagger.asked.questions == [FILM, BALL]
    told = {name: found.details[name] for name in ("beam", "threshold")}
    assert told == {"beam": 4, "threshold": 0.25}


def test_result_can_be_written_as_json(found):
    written = json.loads(json.dumps(found.to_dict()))
    assert written["voted"]["f1"] == pytest.approx(0.654120, abs=1e-6)
    assert written["best_hypothesis"]["recall"] == 0.25
    assert written["best_threshold"]["threshold"] == 0.0
    assert written["best_threshold"]["f1"] == pytest.approx(0.713914, abs=1e-6)


def test_search_that_found_nothing_scores_zero():
    found = evaluate(ScriptedTagger(answer({}, [])), [BALL], quiet=True)
    assert found.voted == found.best_hypothesis == Score(0.0, 0.0, 0.0)
    assert found.details["meaningless_before_voting"]["total"] == 0


def test_no_questions_are_no_error():
    found = evaluate(ScriptedTagger(), [], quiet=True)
    assert (found.questions, found.voted.f1, found.details["beam"]) == (0, 0.0, None)
