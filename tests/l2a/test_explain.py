from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from l2a.data.questions import Question
from l2a.errors import InputError
from l2a.explain import SUMMARIES, Explanation, _rank_correlation, explain, occlude
from l2a.network.model import L2AModel
from l2a.text.batch import pad_sources
from l2a.text.vocabulary import START

QUESTION = Question(title="零基础自学 Python，三个月能达到什么水平？")
SOURCE = ("零", "基础", "自学", "Python", ",", "三个", "月", "能", "达到", "什么", "水平", "?")
TAGS = ["Python", "职业发展"]


@pytest.fixture(scope="module")
def explanation(tiny_tagger):
    return explain(tiny_tagger, QUESTION, TAGS)


@pytest.fixture(scope="module")
def lstm_tagger(tiny_tagger):
    """The tiny tagger with an untrained L2L network."""
    config = replace(tiny_tagger.config, decoder="L")
    torch.manual_seed(0)
    model = L2AModel(config, len(tiny_tagger.codec.source), len(tiny_tagger.codec.target))
    return replace(tiny_tagger, model=model.eval(), config=config)


@torch.no_grad()
def score_by_steps(tagger, words, numbers):
    """Log-probability of each of `numbers`, word by word through the search's step: independent of the full pass."""
    memory = tagger.model.encode(pad_sources([tagger.codec.encode_words(words)]))
    state, last, scores = tagger.model.start_state(1), START, []
    for number in numbers:
        log_probs, state = tagger.model.step(torch.tensor([[last]]), state, memory)
        scores.append(log_probs[0, 0, number].item())
        last = number
    return scores


# --- what is explained ---------------------------------------------------------------------------------------------


def test_labels_line_up(explanation):
    assert explanation.source_words == SOURCE
    assert explanation.input_words == ("<s>", "Python", "|", "职业", "发展", "|")
    assert explanation.output_words == ("Python", "|", "职业", "发展", "|", "</s>")
    assert explanation.tag_of_step == (0, 0, 1, 1, 1, -1)
    assert explanation.tags == ("Python", "职业发展")
    assert explanation.notes == ()


def test_arrays_have_a_row_for_every_step_and_a_column_for_every_word(explanation, tiny_tagger):
    assert explanation.cross.shape == (2, 2, 6, 12)
    assert explanation.self.shape == (2, 2, 6, 6)
    assert explanation.log_probabilities.shape == (6,)
    assert explanation.model_version == tiny_tagger.version


def test_attention_rows_sum_to_one_in_every_layer_and_head(explanation):
    assert explanation.cross.sum(axis=-1) == pytest.approx(np.ones((2, 2, 6)), abs=1e-5)
    assert explanation.self.sum(axis=-1) == pytest.approx(np.ones((2, 2, 6)), abs=1e-5)
    assert (np.triu(explanation.self, 1) == 0).all()  # no step sees what comes after it


def test_log_probabilities_are_those_of_the_search(explanation, tiny_tagger):
    numbers = tiny_tagger.codec.encode_tags(TAGS)
    assert explanation.log_probabilities == pytest.approx(score_by_steps(tiny_tagger, SOURCE, numbers), abs=1e-4)


def test_the_best_hypothesis_has_the_probability_the_search_gave_it(tiny_tagger):
    (result,) = tiny_tagger.suggest([QUESTION])
    best = result.hypotheses[0]
    found = explain(tiny_tagger, QUESTION, best.tags).log_probabilities.sum()
    assert found == pytest.approx(best.log_probability, abs=1e-4)


def test_a_tags_log_probability_is_the_sum_over_its_steps(explanation):
    steps = explanation.log_probabilities.tolist()
    assert explanation.tag_log_probability(0) == pytest.approx(steps[0] + steps[1], abs=1e-5)
    assert explanation.tag_log_probability(1) == pytest.approx(steps[2] + steps[3] + steps[4], abs=1e-5)


# --- summaries -----------------------------------------------------------------------------------------------------


def test_mean_and_max_are_over_layers_and_heads(explanation):
    cells = [explanation.cross[layer, head, 3, 2] for layer in range(2) for head in range(2)]
    assert explanation.cross_summary("mean")[3, 2] == pytest.approx(sum(cells) / 4)
    assert explanation.cross_summary("max")[3, 2] == max(cells)
    cells = [explanation.self[layer, head, 3, 2] for layer in range(2) for head in range(2)]
    assert explanation.self_summary("mean")[3, 2] == pytest.approx(sum(cells) / 4)
    assert explanation.self_summary("max")[3, 2] == max(cells)


@pytest.mark.parametrize("how", SUMMARIES)
def test_summaries_have_a_row_for_every_step(explanation, how):
    assert explanation.cross_summary(how).shape == (6, 12)
    assert explanation.self_summary(how).shape == (6, 6)
    assert explanation.tag_attention(1, how).shape == (12,)


def test_tag_attention_is_the_mean_over_the_steps_of_the_tag(explanation):
    rows = explanation.cross_summary("mean")
    assert explanation.tag_attention(0) == pytest.approx((rows[0] + rows[1]) / 2)
    assert explanation.tag_attention(1) == pytest.approx((rows[2] + rows[3] + rows[4]) / 3)


def test_rollout_rows_over_source_and_target_sum_to_one(explanation):
    whole = np.concatenate([explanation.cross_summary("rollout"), explanation.self_summary("rollout")], axis=1)
    assert whole.sum(axis=1) == pytest.approx(np.ones(6), abs=1e-5)
    assert (whole >= 0).all()
    assert (np.triu(explanation.self_summary("rollout"), 1) == 0).all()


def hand_made(cross, self_weights) -> Explanation:
    """One head, two steps, two source words."""
    return Explanation(
        order="order1",
        source_words=("甲", "乙"),
        input_words=("<s>", "丙"),
        output_words=("丙", "|"),
        tag_of_step=(0, 0),
        tags=("丙",),
        cross=np.array(cross, dtype=float)[:, None],  # (L, 1, 2, 2)
        self=None if self_weights is None else np.array(self_weights, dtype=float)[:, None],
        log_probabilities=np.array([-1.0, -0.5]),
        model_version="test",
    )


def test_rollout_of_one_layer_by_hand():
    # Self-attention passes on half of the input: step 1 is 0.5 * (0 1) + 0.5 * (0.4 0.6) = (0.2 0.8) of the inputs.
    # Cross-attention halves that again and adds half of its own weights.
    made = hand_made(cross=[[[0.9, 0.1], [0.2, 0.8]]], self_weights=[[[1.0, 0.0], [0.4, 0.6]]])
    assert made.cross_summary("rollout") == pytest.approx(np.array([[0.45, 0.05], [0.1, 0.4]]))
    assert made.self_summary("rollout") == pytest.approx(np.array([[0.5, 0.0], [0.1, 0.4]]))


def test_rollout_of_two_layers_by_hand():
    # After layer 1 as above, row 0: (.45 .05 | .5 0), row 1: (.1 .4 | .1 .4).
    # Layer 2 looks back fully from step 1 to step 0: row 1 becomes the mean of both, (.275 .225 | .3 .2);
    # then half of it and half of the cross weights (0 1) resp. (1 0).
    made = hand_made(
        cross=[[[0.9, 0.1], [0.2, 0.8]], [[0.0, 1.0], [1.0, 0.0]]],
        self_weights=[[[1.0, 0.0], [0.4, 0.6]], [[1.0, 0.0], [1.0, 0.0]]],
    )
    assert made.cross_summary("rollout") == pytest.approx(np.array([[0.225, 0.525], [0.6375, 0.1125]]))
    assert made.self_summary("rollout") == pytest.approx(np.array([[0.25, 0.0], [0.15, 0.1]]))


def test_rollout_without_self_attention():
    made = hand_made(cross=[[[0.9, 0.1], [0.2, 0.8]]], self_weights=None)
    assert made.cross_summary("rollout") == pytest.approx(np.array([[0.45, 0.05], [0.1, 0.4]]))


def test_an_unknown_summary_is_refused_with_the_valid_ones(explanation):
    with pytest.raises(InputError, match="No summary 'median'; valid: mean, max, rollout"):
        explanation.cross_summary("median")


def test_an_lstm_decoder_has_no_self_attention(lstm_tagger):
    explanation = explain(lstm_tagger, QUESTION, TAGS)
    assert explanation.self is None
    assert explanation.cross.shape == (2, 2, 6, 12)
    for how in SUMMARIES:
        assert explanation.cross_summary(how).shape == (6, 12)
        with pytest.raises(InputError, match="decoder is an LSTM: it has no self-attention"):
            explanation.self_summary(how)


# --- tags that cannot be explained ---------------------------------------------------------------------------------


def test_no_tags_are_refused(tiny_tagger):
    with pytest.raises(InputError, match="There is no tag to explain"):
        explain(tiny_tagger, QUESTION, [])


def test_an_unknown_word_is_named(tiny_tagger):
    with pytest.raises(InputError, match=r"cannot write the tag '蓝莓心理学': it does not know '蓝莓'\."):
        explain(tiny_tagger, QUESTION, ["Python", "蓝莓心理学"])
    with pytest.raises(InputError, match="cannot write the tag ''"):
        explain(tiny_tagger, QUESTION, [""])


def test_a_word_of_the_question_can_be_copied(tiny_tagger):
    question = Question(title="蓝莓蛋糕怎么做？")
    explanation = explain(tiny_tagger, question, ["蓝莓"])
    assert explanation.output_words == ("蓝莓", "|", "</s>")
    assert np.isfinite(explanation.log_probabilities).all()


def test_a_very_long_tag_is_explained(tiny_tagger):
    explanation = explain(tiny_tagger, Question(title="跑步"), ["跑步" * 1100])
    assert explanation.cross.shape == (2, 2, 1102, 1)
    assert np.isfinite(explanation.log_probabilities).all()


# --- occlusion -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", [0, 1])
def test_a_drop_is_what_the_tag_loses_without_the_word(tiny_tagger, explanation, tag):
    occlusion = occlude(tiny_tagger, QUESTION, TAGS, tag)
    numbers = tiny_tagger.codec.encode_tags(TAGS)
    steps = [step for step, of in enumerate(explanation.tag_of_step) if of == tag]

    def score(words):
        every = score_by_steps(tiny_tagger, words, numbers)
        return sum(every[step] for step in steps)

    expected = [score(SOURCE) - score(SOURCE[:place] + SOURCE[place + 1 :]) for place in range(len(SOURCE))]
    assert occlusion.tag == TAGS[tag]
    assert occlusion.log_probability == pytest.approx(score(SOURCE), abs=1e-4)
    assert occlusion.drops == pytest.approx(np.array(expected), abs=1e-3)
    assert occlusion.attention == pytest.approx(explanation.tag_attention(tag))
    assert occlusion.rank_correlation == pytest.approx(spearmanr(occlusion.drops, occlusion.attention).statistic)


def test_the_word_a_tag_is_copied_from_is_missed_most(tiny_tagger):
    occlusion = occlude(tiny_tagger, Question(title="蓝莓蛋糕怎么做？"), ["蓝莓"], 0)
    assert np.isfinite(occlusion.drops).all()
    assert occlusion.drops.argmax() == 0
    assert occlusion.drops[0] > 5


def test_more_words_than_one_batch_are_all_occluded(tiny_tagger):
    title = "跑步健身健康电影游戏手机" * 6  # 36 words: three batches
    occlusion = occlude(tiny_tagger, Question(title=title), ["跑步"], 0, how="rollout")
    assert occlusion.drops.shape == occlusion.attention.shape == (36,)


def test_a_question_of_one_word_has_no_rank_correlation(tiny_tagger):
    occlusion = occlude(tiny_tagger, Question(title="跑步"), ["跑步"], 0)
    assert occlusion.drops.shape == (1,)
    assert np.isfinite(occlusion.drops).all()
    assert occlusion.rank_correlation is None


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 99], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4], [1, 3, 2, 4], 0.8),  # 1 - 6 * (1 + 1) / (4 * 15)
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 1, 2], [1, 2, 3], 0.8660254),  # ranks 1.5 1.5 3 and 1 2 3: 1.5 / sqrt(1.5 * 2)
    ],
)
def test_rank_correlation_of_known_vectors(first, second, expected):
    found = _rank_correlation(np.array(first, dtype=float), np.array(second, dtype=float))
    assert found == pytest.approx(expected)
    assert found == pytest.approx(spearmanr(first, second).statistic)


@pytest.mark.parametrize(("first", "second"), [([1.0], [2.0]), ([1.0, 1.0], [1.0, 2.0]), ([1.0, 2.0], [3.0, 3.0])])
def test_rank_correlation_is_undefined_for_one_word_or_equal_values(first, second):
    assert _rank_correlation(np.array(first), np.array(second)) is None
