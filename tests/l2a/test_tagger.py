from dataclasses import replace

import pytest

from l2a.answering import find_cues
from l2a.data.questions import Question, read_questions
from l2a.errors import InputError, SettingsError
from l2a.search.voting import MAX_SHOWN
from l2a.tagger import Constraints, Tagger
from l2a.text.cleaning import match_key

PYTHON = Question(title="零基础自学 Python，三个月能达到什么水平？", id="sample-001")
HEBEI = Question(title="在河北师范大学上学是一种怎样的体验？")


@pytest.fixture(scope="module")
def questions(samples_path):
    return list(read_questions(samples_path))


@pytest.fixture(scope="module")
def answers(tiny_tagger, questions):
    """All samples in ordinary batches."""
    return tiny_tagger.suggest(questions)


def tags_of(result):
    return [suggestion.tag for suggestion in result.suggestions]


def written(result):
    """Every tag of every hypothesis."""
    return {tag for hypothesis in result.hypotheses for tag in hypothesis.tags}


# --- results -------------------------------------------------------------------------------------------------------


def test_the_example_of_the_module(tiny_model, tiny_tagger):
    tagger = Tagger.load(tiny_model)
    (result,) = tagger.suggest([Question(title="在河北师范大学上学是一种怎样的体验？")])
    assert result.source_words[:5] == ("在", "河北", "师范", "大学", "上学")
    assert 1 <= len(result.kept) <= MAX_SHOWN
    assert all(isinstance(suggestion.tag, str) for suggestion in result.kept)
    assert (result.beam, result.threshold) == (8, 0.25)
    assert result.model_version == tagger.version
    assert tiny_tagger.suggest([HEBEI]) == [result]  # another copy of the model, another time


def test_the_model_knows_its_training_questions(answers, questions):
    found = sum(len({s.tag for s in answer.kept} & set(q.tags)) for answer, q in zip(answers, questions, strict=True))
    assert found > sum(len(q.tags) for q in questions) / 4  # nothing below would mean much with a model that guesses


def test_suggestions_are_deterministic(tiny_tagger, questions):
    assert tiny_tagger.suggest(questions[:10]) == tiny_tagger.suggest(questions[:10])


@pytest.mark.parametrize(("batch_size", "count"), [(1, 30), (3, 60), (140, 140)])
def test_a_question_gets_the_same_answer_in_any_batch(tiny_tagger, questions, answers, batch_size, count):
    others = tiny_tagger.suggest(questions[:count], beam=8, batch_size=batch_size)
    for usual, other in zip(answers[:count], others, strict=True):
        assert [(s.tag, s.votes, s.kept) for s in usual.suggestions] == [
            (s.tag, s.votes, s.kept) for s in other.suggestions
        ]
        assert [h.tags for h in usual.hypotheses] == [h.tags for h in other.hypotheses]
        assert [h.log_probability for h in usual.hypotheses] == pytest.approx(
            [h.log_probability for h in other.hypotheses], abs=1e-4
        )


def test_answers_come_in_the_order_of_the_questions(tiny_tagger, questions, answers):
    assert [answer.question_id for answer in answers] == [question.id for question in questions]
    mixed = [questions[3], questions[100], questions[3]]
    assert [answer.question_id for answer in tiny_tagger.suggest(mixed, batch_size=2)] == [q.id for q in mixed]
    assert tiny_tagger.suggest([]) == []


def test_a_stream_of_questions_is_read_as_it_goes(tiny_tagger, questions):
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield questions[0]

    stream = tiny_tagger.suggest_stream(endless(), beam=2, batch_size=2)
    assert next(stream).question_id == questions[0].id
    assert len(taken) == 16  # eight batches


def test_votes_are_those_of_the_hypotheses(answers):
    for answer in answers:
        assert 1 <= len(answer.hypotheses) <= 8
        scores = [hypothesis.log_probability for hypothesis in answer.hypotheses]
        assert scores == sorted(scores, reverse=True)
        for suggestion in answer.suggestions:
            key = match_key(suggestion.tag)
            votes = sum(key in map(match_key, hypothesis.tags) for hypothesis in answer.hypotheses)
            assert (suggestion.votes, suggestion.share) == (votes, votes / 8)
            assert suggestion.kept == (votes >= 3)  # more than a quarter of 8
            assert suggestion.tag in answer.hypotheses[suggestion.best_hypothesis].tags


def test_at_most_five_tags_are_kept(tiny_tagger, questions):
    results = tiny_tagger.suggest(questions[:10], threshold=0.0)
    assert all(suggestion.kept for result in results for suggestion in result.suggestions)
    assert max(len(result.suggestions) for result in results) > 5
    for result in results:
        assert result.kept == result.suggestions[:5]


def test_nothing_is_kept_over_a_threshold_of_all_votes(tiny_tagger):
    (result,) = tiny_tagger.suggest([PYTHON], threshold=1.0)
    assert result.kept == ()
    assert result.suggestions


def test_a_tag_outside_the_training_labels_is_new(tiny_tagger, questions, answers):
    labels = {tag.lower() for question in questions for tag in question.tags}
    suggested = [suggestion for answer in answers for suggestion in answer.suggestions]
    assert {s.tag for s in suggested if not s.is_new} == {s.tag for s in suggested if s.tag.lower() in labels}
    assert any(s.is_new for s in suggested)  # the word model composes
    nothing_seen = replace(tiny_tagger, frequencies={})
    assert all(s.is_new for s in nothing_seen.suggest([PYTHON])[0].suggestions)
    other_spelling = replace(tiny_tagger, frequencies={"ＰＹＴＨＯＮ": 1})
    assert {s.tag for s in other_spelling.suggest([PYTHON])[0].suggestions if not s.is_new} == {"Python"}


@pytest.mark.parametrize(
    ("source", "tag", "cues"),
    [
        (["在", "河北", "师范", "大学", "上学", "河北"], ["河北", "师范", "大学"], ("河北", "师范", "大学")),
        (["大学", "河北"], ["河北", "大学"], ("大学", "河北")),  # in the order of the question
        (["自学", "PYTHON", "，"], ["Python"], ("PYTHON",)),
        (["雅思", "(", "口语", ")"], ["雅思", " ", "(", "IELTS", ")"], ("雅思",)),  # brackets carry nothing
        (["跑步"], ["健身"], ()),
        ([], ["健身"], ()),
    ],
)
def test_cues_are_the_words_a_tag_shares_with_the_question(source, tag, cues):
    assert find_cues(source, tag) == cues


def test_suggestions_carry_their_cues(tiny_tagger):
    (result,) = tiny_tagger.suggest([PYTHON])
    assert {s.tag: s.cues for s in result.suggestions}["Python"] == ("Python",)


# --- odd input -----------------------------------------------------------------------------------------------------


def test_a_very_long_question_is_cut_and_says_so(tiny_tagger):
    question = Question(title="跑步", description="健康" * 50_000)
    assert len(question.text) > 100_000
    (result,) = tiny_tagger.suggest([question], beam=2)
    assert list(map(str, result.notes)) == [
        "the model read the first 20,000 of 100,002 characters",
        "the model read the first 40 of 10,000 words",
    ]
    assert len(result.source_words) == 40
    assert tiny_tagger.suggest([PYTHON], beam=2)[0].notes == ()


@pytest.mark.parametrize("title", ["", "   ", "\n\t", "\u3000"])
def test_an_empty_title_is_refused(tiny_tagger, title):
    with pytest.raises(InputError, match=r"Question q7: the title is empty\. Give at least a title"):
        tiny_tagger.suggest([Question(title=title, description="有内容", id="q7")])


@pytest.mark.parametrize("title", ["https://example.org/a", "www.example.org http://example.org", "\x00\x01", "\u200b"])
def test_a_question_of_nothing_but_urls_or_control_characters_is_refused(tiny_tagger, title):
    with pytest.raises(InputError, match=r"Question \(no id\): nothing is left once URLs"):
        tiny_tagger.suggest([Question(title=title)])


def test_control_characters_change_nothing(tiny_tagger):
    plain, marked = tiny_tagger.suggest(
        [Question(title="跑步到底伤不伤膝盖😅？"), Question(title="跑\x00步到底\u200b伤不伤\x1b膝盖😅\ud83d？\x7f")]
    )
    assert plain.source_words == marked.source_words == ("跑步", "到底", "伤", "不", "伤", "膝盖", "😅", "?")
    assert tags_of(plain) == tags_of(marked)


@pytest.mark.parametrize(
    "title", ["😅", "👨‍👩‍👧‍👦🎉", "？？？", "ａｂｃ", "の", "zzzzqqq", "1", "|", "<s> </s>", "é" * 3000]
)
def test_an_odd_title_gets_an_answer(tiny_tagger, title):
    (result,) = tiny_tagger.suggest([Question(title=title)], beam=4)
    assert result.source_words
    assert result.hypotheses


# --- settings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"beam": 0}, "beam is 0; it must be a whole number from 1 to 64"),
        ({"beam": -3}, "beam is -3; it must be a whole number from 1 to 64"),
        ({"beam": 65}, "beam is 65; it must be a whole number from 1 to 64"),
        ({"beam": 2.5}, "beam is 2.5; it must be a whole number from 1 to 64"),
        ({"beam": True}, "beam is True; it must be a whole number from 1 to 64"),
        ({"beam": "8"}, "beam is '8'; it must be a whole number from 1 to 64"),
        ({"threshold": 1.5}, "threshold is 1.5; it must be a number from 0.0 to 1.0"),
        ({"threshold": -0.1}, "threshold is -0.1; it must be a number from 0.0 to 1.0"),
        ({"threshold": float("nan")}, "threshold is nan; it must be a number from 0.0 to 1.0"),
        ({"batch_size": 0}, "batch_size is 0; it must be at least 1"),
    ],
)
def test_a_setting_out_of_range_is_refused_with_the_range(tiny_tagger, settings, message):
    with pytest.raises(SettingsError) as caught:
        tiny_tagger.suggest([PYTHON], **settings)
    assert message in str(caught.value)


@pytest.mark.parametrize("beam", [1, 2, 64])
def test_the_beam_is_the_n_of_the_list(tiny_tagger, beam):
    (result,) = tiny_tagger.suggest([PYTHON], beam=beam)
    assert result.beam == beam
    assert len(result.hypotheses) == beam
    assert result.suggestions[0].share == result.suggestions[0].votes / beam


def test_the_models_settings_hold_where_nothing_is_said(tiny_tagger):
    assert tiny_tagger.settings_with() == tiny_tagger.settings
    assert tiny_tagger.settings_with(beam=3) == replace(tiny_tagger.settings, beam=3)
    assert tiny_tagger.settings_with(threshold=0) == replace(tiny_tagger.settings, threshold=0)


def test_the_models_rules_hold(answers):
    for answer in answers:
        for hypothesis in answer.hypotheses:
            assert len(hypothesis.tags) <= 5
            assert len(set(hypothesis.tags)) == len(hypothesis.tags)


# --- constraints ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["Python", "python", "ＰＹＴＨＯＮ"])
def test_a_banned_tag_is_never_suggested(tiny_tagger, spelling):
    (usual,) = tiny_tagger.suggest([PYTHON])
    assert "Python" in tags_of(usual)
    (result,) = tiny_tagger.suggest([PYTHON], constraints=Constraints(ban=(spelling,)))
    assert "Python" not in written(result)
    assert result.suggestions


def test_a_ban_the_model_could_not_write_anyway_changes_nothing(tiny_tagger):
    (usual,) = tiny_tagger.suggest([PYTHON])
    (result,) = tiny_tagger.suggest([PYTHON], constraints=Constraints(ban=("没有这样的标签", "")))
    assert result == usual


def test_the_first_tag_begins_every_hypothesis(tiny_tagger):
    results = tiny_tagger.suggest([PYTHON, HEBEI], constraints=Constraints(first_tag="心理学"))
    for result in results:
        assert all(hypothesis.tags[0] == "心理学" for hypothesis in result.hypotheses)
        assert (result.suggestions[0].tag, result.suggestions[0].votes) == ("心理学", len(result.hypotheses))


def test_a_first_tag_may_be_copied_from_the_question(tiny_tagger):
    question = Question(title="蓝莓蛋糕怎么做？")
    assert "蓝莓" not in tiny_tagger.codec.target
    (result,) = tiny_tagger.suggest([question], constraints=Constraints(first_tag="蓝莓"))
    assert result.suggestions[0].tag == "蓝莓"
    assert result.suggestions[0].is_new
    assert result.suggestions[0].cues == ("蓝莓",)


def test_a_first_tag_the_model_cannot_write_is_refused(tiny_tagger):
    with pytest.raises(InputError, match=r"cannot write the tag '蓝莓心理学'.+\(蓝莓 心理学\)"):
        tiny_tagger.suggest([PYTHON], constraints=Constraints(first_tag="蓝莓心理学"))


@pytest.mark.parametrize("tag", ["", " "])
def test_an_empty_first_tag_is_refused(tiny_tagger, tag):
    with pytest.raises(InputError, match="The tag to begin with is empty"):
        tiny_tagger.suggest([PYTHON], constraints=Constraints(first_tag=tag))


def test_known_tags_are_the_only_ones_written(tiny_tagger, questions, answers):
    known = ("Python", "编程", "自学", "心理学", "没有这样的标签", "雅思 (IELTS)")
    results = tiny_tagger.suggest(questions[:12], constraints=Constraints(known_tags=known))
    assert {tag for result in results for tag in written(result)} <= set(known)
    assert "Python" in tags_of(results[0])
    # The next call must not find the last one's list.
    (other,) = tiny_tagger.suggest(questions[:1], constraints=Constraints(known_tags=("编程",)))
    assert written(other) <= {"编程"}
    assert tags_of(tiny_tagger.suggest(questions[:1])[0]) == tags_of(answers[0])


def test_with_no_known_tags_nothing_is_suggested(tiny_tagger):
    (result,) = tiny_tagger.suggest([PYTHON], constraints=Constraints(known_tags=()))
    assert result.suggestions == ()
    assert result.kept == ()


def test_constraints_combine(tiny_tagger):
    constraints = Constraints(ban=("编程",), first_tag="自学", known_tags=("Python", "编程", "自学"))
    (result,) = tiny_tagger.suggest([PYTHON], constraints=constraints)
    assert {hypothesis.tags for hypothesis in result.hypotheses} == {("自学",), ("自学", "Python")}
