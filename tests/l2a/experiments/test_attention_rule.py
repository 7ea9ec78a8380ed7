"""Which examples the heatmaps are of."""

from types import SimpleNamespace

import pytest

from l2a.data.questions import Question
from l2a.experiments.results.attention_maps import choose_related, choose_unseen
from l2a.suggestions import Hypothesis, Suggestion, Suggestions

KNOWN = SimpleNamespace(known_keys=frozenset({"大学", "生活"}))
QUESTIONS = [
    Question("在河北上学", tags=("大学", "河北大学"), id="1"),
    Question("山东的生活", tags=("生活", "山东生活"), id="2"),
]


def answer(votes: dict[str, int], hypotheses: list[tuple[str, ...]]) -> Suggestions:
    suggestions = tuple(
        Suggestion(
            tag, n, n / 8, rank, 0.0, n > 2, False, (), next(i for i, tags in enumerate(hypotheses) if tag in tags)
        )
        for rank, (tag, n) in enumerate(votes.items(), start=1)
    )
    return Suggestions("", suggestions, tuple(Hypothesis(tags, -1.0) for tags in hypotheses), (), 8, 0.25, "v")


class Writer:
    """A tagger that can write tags of these words."""

    order, frequencies = "order2", {"大学": 5, "生活": 4}

    def __init__(self, *tags: str):
        self.codec = SimpleNamespace(can_write=lambda tag, extra: tag in tags)

    def encode(self, question):
        return SimpleNamespace(extra_words=())


def test_the_correct_new_tag_with_the_most_votes_is_shown_in_its_hypothesis():
    answers = [
        answer({"大学": 8, "河北大学": 4}, [("大学",), ("大学", "河北大学")]),
        answer({"生活": 8, "山东生活": 5, "新词": 7}, [("新词", "生活"), ("生活", "山东生活")]),
    ]
    example = choose_unseen(Writer(), QUESTIONS, answers, KNOWN)
    assert (example.question.id, example.tag, example.tags) == ("2", "山东生活", ("生活", "山东生活"))
    assert example.case == "written, 5 of 8 votes"


def test_a_tie_goes_to_the_first_and_tags_that_are_not_kept_do_not_count():
    answers = [
        answer({"大学": 8, "河北大学": 3}, [("大学", "河北大学")]),
        answer({"生活": 8, "山东生活": 3}, [("生活", "山东生活")]),
    ]
    assert choose_unseen(Writer(), QUESTIONS, answers, KNOWN).question.id == "1"
    below = [answer({"河北大学": 2}, [("河北大学",)]), answer({"山东生活": 3}, [("山东生活",)])]
    assert choose_unseen(Writer(), QUESTIONS, below, KNOWN).question.id == "2"


def test_without_a_correct_new_tag_a_true_one_is_given_that_can_be_written():
    answers = [answer({}, [()]), answer({}, [()])]
    in_text = [*QUESTIONS, Question("河北大学怎么样", tags=("河北大学", "大学"), id="3")]
    writer = Writer("大学", "河北大学", "生活")
    example = choose_unseen(writer, in_text, [*answers, answer({}, [()])], KNOWN)
    # Question 1 comes first, but 河北大学 stands in the text of question 3 only; frequent tags first, as in Order 2.
    assert (example.question.id, example.tag, example.tags) == ("3", "河北大学", ("大学", "河北大学"))
    assert choose_unseen(writer, QUESTIONS, answers, KNOWN).question.id == "1"
    known = choose_unseen(Writer("生活"), QUESTIONS, answers, KNOWN)
    assert (known.tags, known.tag) == (("生活",), "")
    assert choose_unseen(Writer(), QUESTIONS, answers, KNOWN) is None


@pytest.mark.parametrize(
    ("hypotheses", "chosen"),
    [
        ([("大学",), ("生活", "山东生活")], "2"),  # most correct tags
        ([("大学", "错"), ("生活",)], "1"),  # equally many: more tags
        ([("大学",), ("生活",)], "1"),  # equal: the first
        ([(), ("错",)], "2"),  # none correct, but written
    ],
)
def test_self_attention_is_of_the_best_hypothesis_with_the_most_correct_tags(hypotheses, chosen):
    answers = [answer({}, [tags]) for tags in hypotheses]
    assert choose_related(Writer(), QUESTIONS, answers, KNOWN).question.id == chosen


def test_without_any_hypothesis_true_tags_are_given():
    answers = [answer({}, [()]), answer({}, [])]
    assert choose_related(Writer("生活"), QUESTIONS, answers, KNOWN).tags == ("生活",)
    assert choose_related(Writer(), QUESTIONS, answers, KNOWN) is None
