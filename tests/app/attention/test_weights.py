"""Which weights are shown, of which words, and the check as it is looked at."""

import numpy as np
import pytest

from app.attention.check import compare_with, rank_correlation
from app.attention.weights import View, hint_share, make_heatmap, source_words, weights_of
from l2a.errors import InputError
from l2a.explain import Occlusion
from tests.app.attention.test_page import make_explanation


def test_one_head_is_that_layers_and_a_missing_one_is_the_last():
    explanation = make_explanation(["跑步"])
    view = View("cross", "head", 2, 1)
    assert np.array_equal(weights_of(explanation, view), explanation.cross[1, 0])
    assert np.array_equal(weights_of(explanation, View("self", "head", 9, 9)), explanation.self[1, 1])
    assert np.array_equal(weights_of(explanation, View()), explanation.cross.mean(axis=(0, 1)))


def test_self_attention_has_the_start_symbol_across_and_a_line_where_a_tag_begins():
    explanation = make_explanation(["跑步", "健身"])
    heatmap = make_heatmap(explanation, View("self", "mean"))
    assert heatmap.rows == ("跑步", "|", "健身", "|", "</s>")
    assert heatmap.columns == ("<s>", "跑步", "|", "健身", "|")
    assert heatmap.breaks == (2, 4)
    assert heatmap.mask.tolist() == [[column > row for column in range(5)] for row in range(5)]  # not written yet
    assert make_heatmap(explanation, View()).mask is None


@pytest.mark.parametrize("how", ["mean", "head"])
def test_an_lstm_decoder_has_no_self_attention(how):
    with pytest.raises(InputError, match="no self-attention"):
        weights_of(make_explanation(["跑步"], with_self=False), View("self", how))


def test_the_check_of_one_head_uses_that_heads_attention():
    explanation = make_explanation(["跑步"])
    occlusion = Occlusion("跑步", -1.0, np.array([1.0, 0.5]), np.array([0.5, 0.5]), None)
    assert compare_with(occlusion, explanation, 0, View()) is occlusion
    compared = compare_with(occlusion, explanation, 0, View("cross", "head", 1, 1))
    assert np.allclose(compared.attention, explanation.cross[0, 0, :2].mean(axis=0))
    assert compared.rank_correlation == pytest.approx(1.0)
    assert rank_correlation(np.array([1.0]), np.array([1.0])) is None
    assert rank_correlation(np.array([1.0, 1.0]), np.array([1.0, 2.0])) is None


def test_hints_are_shown_only_if_asked_for_and_their_share_is_that_of_the_source():
    explanation = make_explanation(["跑步"], hints=1)
    assert source_words(explanation, View()) == ("膝盖",)
    assert source_words(explanation, View(hints=True)) == ("膝盖", "疼")
    assert make_heatmap(explanation, View()).weights.shape == (3, 1)
    assert make_heatmap(explanation, View(hints=True)).weights.shape == (3, 2)
    # A quarter in the first layer, half in the second; maxima are not shares, a rollout's are of more than the source.
    assert [hint_share(explanation, View(how=how)) for how in ("mean", "max")] == [0.375, 0.375]
    assert hint_share(explanation, View("self", "head", 1, 1)) == 0.25
    assert 0.25 < hint_share(explanation, View(how="rollout")) < 0.5


def test_the_check_is_of_the_words_that_are_shown():
    explanation = make_explanation(["跑步"], hints=1)
    occlusion = Occlusion("跑步", -1.0, np.array([1.0, 0.5]), np.array([0.6, 0.4]), 1.0)
    compared = compare_with(occlusion, explanation, 0, View())
    assert (compared.drops.tolist(), compared.attention.tolist(), compared.rank_correlation) == ([1.0], [0.6], None)
    assert compare_with(occlusion, explanation, 0, View(hints=True)) is occlusion
