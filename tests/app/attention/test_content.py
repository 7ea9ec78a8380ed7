from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from app.attention.content import (
    REMEMBERED,
    Address,
    Look,
    compare_with,
    file_name,
    hint_share,
    make_heatmap,
    rank_correlation,
    read_address,
    remember,
    source_words,
    split_tags,
    weights_of,
    write_link,
)
from l2a.errors import InputError
from l2a.explain import Occlusion
from tests.app.attention.test_page import make_explanation


def test_tags_by_hand_are_split_at_commas_of_both_kinds():
    assert split_tags(" 跑步, 健身、 减肥，，跑步；A B \n") == ["跑步", "健身", "减肥", "A B"]


@pytest.mark.parametrize(
    "address",
    [
        Address(question=12, tags=("跑步", "C++ & <b>"), look=Look("self", "head", 2, 3), model="v1", beside="v2"),
        Address(question=12, tags=("跑步",), look=Look(hints=True)),
        Address(title="怎么? a=b&c", description="一\n二", tags=("x",), look=Look("cross", "rollout"), model="v1"),
    ],
)
def test_a_link_leads_back_to_the_same_view(address):
    link = write_link("http://localhost/attention", address, "zh")
    query = {name: value for name, (value,) in parse_qs(urlsplit(link).query, keep_blank_values=True).items()}
    assert query.pop("lang") == "zh"
    assert read_address(query) == address


def test_a_question_of_the_store_is_named_by_its_number_only():
    link = write_link("/attention", Address(question=3, title="标题", tags=("a",)), "en")
    assert link == "/attention?question=3&tags=a&kind=cross&how=mean&lang=en"


def test_a_text_too_long_for_a_link_gets_none():
    assert write_link("/attention", Address(title="长" * 3000), "zh") is None


def test_nonsense_in_an_address_counts_as_not_given():
    assert read_address({"question": "-1", "kind": "x", "how": "<b>", "layer": "0", "head": "1e9"}) == Address()


def test_results_are_remembered_and_the_oldest_forgotten():
    known, made = {}, []
    for number in [*range(REMEMBERED + 1), REMEMBERED, 0]:
        remember(known, number, lambda number=number: made.append(number))
    assert made == [*range(REMEMBERED + 1), 0]
    assert len(known) == REMEMBERED


def test_one_head_is_that_layers_and_a_missing_one_is_the_last():
    explanation = make_explanation(["跑步"])
    look = Look("cross", "head", 2, 1)
    assert np.array_equal(weights_of(explanation, look), explanation.cross[1, 0])
    assert np.array_equal(weights_of(explanation, Look("self", "head", 9, 9)), explanation.self[1, 1])
    assert np.array_equal(weights_of(explanation, Look()), explanation.cross.mean(axis=(0, 1)))


def test_self_attention_has_the_start_symbol_across_and_a_line_where_a_tag_begins():
    explanation = make_explanation(["跑步", "健身"])
    heatmap = make_heatmap(explanation, Look("self", "mean"))
    assert heatmap.rows == ("跑步", "|", "健身", "|", "</s>")
    assert heatmap.columns == ("<s>", "跑步", "|", "健身", "|")
    assert heatmap.breaks == (2, 4)
    assert heatmap.mask.tolist() == [[column > row for column in range(5)] for row in range(5)]  # not written yet
    assert make_heatmap(explanation, Look()).mask is None


@pytest.mark.parametrize("how", ["mean", "head"])
def test_an_lstm_decoder_has_no_self_attention(how):
    with pytest.raises(InputError, match="no self-attention"):
        weights_of(make_explanation(["跑步"], with_self=False), Look("self", how))


def test_the_check_of_one_head_uses_that_heads_attention():
    explanation = make_explanation(["跑步"])
    occlusion = Occlusion("跑步", -1.0, np.array([1.0, 0.5]), np.array([0.5, 0.5]), None)
    assert compare_with(occlusion, explanation, 0, Look()) is occlusion
    compared = compare_with(occlusion, explanation, 0, Look("cross", "head", 1, 1))
    assert np.allclose(compared.attention, explanation.cross[0, 0, :2].mean(axis=0))
    assert compared.rank_correlation == pytest.approx(1.0)
    assert rank_correlation(np.array([1.0]), np.array([1.0])) is None
    assert rank_correlation(np.array([1.0, 1.0]), np.array([1.0, 2.0])) is None


def test_file_names_are_plain():
    assert file_name(7, Look("cross", "head", 2, 1), "v 1/x") == "attention-7-cross-head-l2h1-v_1_x"
    assert file_name(None, Look(), "v1") == "attention-typed-cross-mean-v1"


def test_hints_are_shown_only_if_asked_for_and_their_share_is_that_of_the_source():
    explanation = make_explanation(["跑步"], hints=1)
    assert source_words(explanation, Look()) == ("膝盖",)
    assert source_words(explanation, Look(hints=True)) == ("膝盖", "疼")
    assert make_heatmap(explanation, Look()).weights.shape == (3, 1)
    assert make_heatmap(explanation, Look(hints=True)).weights.shape == (3, 2)
    # A quarter in the first layer, half in the second; maxima are not shares, a rollout's are of more than the source.
    assert [hint_share(explanation, Look(how=how)) for how in ("mean", "max")] == [0.375, 0.375]
    assert hint_share(explanation, Look("self", "head", 1, 1)) == 0.25
    assert 0.25 < hint_share(explanation, Look(how="rollout")) < 0.5


def test_the_check_is_of_the_words_that_are_shown():
    explanation = make_explanation(["跑步"], hints=1)
    occlusion = Occlusion("跑步", -1.0, np.array([1.0, 0.5]), np.array([0.6, 0.4]), 1.0)
    compared = compare_with(occlusion, explanation, 0, Look())
    assert (compared.drops.tolist(), compared.attention.tolist(), compared.rank_correlation) == ([1.0], [0.6], None)
    assert compare_with(occlusion, explanation, 0, Look(hints=True)) is occlusion
