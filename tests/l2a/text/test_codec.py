from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from l2a.config import ModelConfig
from l2a.messages import Message
from l2a.network.model import L2AModel
from l2a.search.beam import beam_search
from l2a.search.rules import TagRules
from l2a.text.batch import pad_sources, pad_targets
from l2a.text.codec import Codec
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import DELIMITER, END, FIRST_WORD, PAD, START, UNKNOWN, Vocabulary, build_vocabularies

SEGMENTER = Segmenter()
AWKWARD = ["Android 手机", "谷歌 (Google)", "C++", ".NET", "iPhone 15", "C|C++", "|", "<s>", "</s>", " 前后 ", "全　角"]


def codec_for(tags, source=(), **options) -> Codec:
    """A codec whose target vocabulary holds the words of these tags and no others."""
    words = dict.fromkeys(word for tag in tags for word in SEGMENTER.split(tag))
    return Codec(SEGMENTER, Vocabulary(source), Vocabulary(words), **options)


# --- tags ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", AWKWARD)
def test_an_awkward_tag_comes_back_as_it_was(tag):
    codec = codec_for([tag])
    numbers = codec.encode_tags([tag])
    assert numbers[-2:] == [DELIMITER, END]
    assert min(numbers[:-2]) >= FIRST_WORD  # a spelled `|` or `<s>` is a word, no special symbol
    assert codec.decode_tags(numbers) == (tag,)


def test_a_lone_space_is_no_tag():
    codec = codec_for(["iPhone 15"])
    space, phone = codec.number(" "), codec.number("iPhone")
    assert codec.decode_tags([space, DELIMITER, phone, DELIMITER, DELIMITER, END]) == ("iPhone",)


def test_several_awkward_tags_come_back_in_their_order():
    codec = codec_for(AWKWARD)
    assert codec.decode_tags(codec.encode_tags(AWKWARD)) == tuple(AWKWARD)
    assert codec.decode_tags(codec.encode_tags(AWKWARD[::-1])) == tuple(AWKWARD[::-1])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(min_size=1, max_size=12).filter(str.strip), max_size=5))  # a blank tag is none
def test_any_tags_whose_words_are_known_come_back(tags):
    codec = codec_for(tags)
    numbers = codec.encode_tags(tags)
    assert numbers.count(DELIMITER) == len(tags)
    assert codec.decode_tags(numbers) == tuple(tags)
    labels = Codec(SEGMENTER, Vocabulary([]), Vocabulary(dict.fromkeys(tags)), kind="label")
    assert labels.decode_tags(labels.encode_tags(tags)) == tuple(tags)


def test_the_numbers_of_a_tag_are_those_of_its_words():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary(["电影", "科幻", " ", "星球"]))
    assert codec.tag_words("科幻电影") == ("科幻", "电影")
    assert codec.encode_tags(["电影", "科幻电影"]) == [5, DELIMITER, 6, 5, DELIMITER, END]
    assert codec.encode_tags([]) == [END]


def test_a_tag_with_an_unknown_word_is_left_out():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary(["电影", "科幻"]))
    assert codec.encode_tags(["电影", "武侠电影", "科幻"]) == [5, DELIMITER, 6, DELIMITER, END]
    assert codec.encode_tags(["武侠"]) == [END]
    assert codec.can_write("科幻电影")
    assert not codec.can_write("武侠电影")
    assert codec.can_write_word("电影")
    assert not codec.can_write_word("武侠")


def test_words_after_the_last_delimiter_are_no_tag():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary(["电影", "科幻"]))
    assert codec.decode_tags([5, DELIMITER, 6]) == ("电影",)
    assert codec.decode_tags([6]) == ()
    assert codec.decode_tags([]) == ()


def test_nothing_is_read_after_the_end_and_empty_tags_are_passed_over():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary(["电影", "科幻"]))
    assert codec.decode_tags([5, DELIMITER, END, 6, DELIMITER]) == ("电影",)
    assert codec.decode_tags([DELIMITER, 5, DELIMITER, DELIMITER, 6, 5, DELIMITER]) == ("电影", "科幻电影")


def test_a_label_is_one_number():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary(["科幻电影", "Android 手机", "|"]), kind="label")
    assert codec.tag_words("科幻电影") == ("科幻电影",)
    assert codec.encode_tags(["Android 手机", "电影", "|", "科幻电影"]) == [6, 7, 5, END]
    assert codec.decode_tags([6, 7, 5, END]) == ("Android 手机", "|", "科幻电影")
    assert not codec.can_write("科幻")


# --- questions -----------------------------------------------------------------------------------------------------


def test_a_question_becomes_source_numbers():
    codec = Codec(SEGMENTER, Vocabulary(["跑步", "膝盖", "？"]), Vocabulary(["跑步"]))
    source = codec.encode_question("跑步伤膝盖吗?", "http://example.org")
    assert source.words == ("跑步", "伤", "膝盖", "吗", "?")
    assert source.ids.tolist() == [5, UNKNOWN, 6, UNKNOWN, UNKNOWN]
    assert source.copy_ids.tolist() == [5, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]
    assert source.extra_words == ()
    assert source.extra_inputs.tolist() == []
    assert source.notes == ()


def test_copying_gives_extra_words_numbers_of_their_own():
    codec = Codec(SEGMENTER, Vocabulary(["跑步", "膝盖", "伤"]), Vocabulary(["跑步"]), copy=True)
    source = codec.encode_words(["膝盖", "跑步", "伤", "膝盖", "吗"])
    assert source.copy_ids.tolist() == [6, 5, 7, 6, 8]  # V = 6
    assert source.extra_words == ("膝盖", "伤", "吗")
    assert source.extra_inputs.tolist() == [UNKNOWN] * 3
    assert [codec.number(word, source.extra_words) for word in ("吗", "跑步", "没有")] == [8, 5, UNKNOWN]
    assert [codec.word(number, source.extra_words) for number in (5, 6, 8)] == ["跑步", "膝盖", "吗"]


def test_extra_words_are_fed_back_as_themselves_where_tables_are_shared():
    source, target = build_vocabularies(
        Counter({"膝盖": 3, "跑步": 2}), Counter({"跑步": 1, "健身": 1}), max_source_words=100, shared=True
    )
    codec = Codec(SEGMENTER, source, target, copy=True, share_embeddings=True)
    encoded = codec.encode_words(["膝盖", "新词"])
    assert encoded.copy_ids.tolist() == [7, 8]  # V = 7
    assert encoded.extra_inputs.tolist() == [7, UNKNOWN]  # 膝盖 is the first source row after the target words


def test_a_tag_can_be_written_with_copied_words():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary(["大学"]), copy=True)
    extra = codec.encode_question("在河北师范大学上学").extra_words
    assert extra == ("在", "河北", "师范", "上学")
    assert not codec.can_write("河北师范大学")
    assert codec.can_write("河北师范大学", extra)
    numbers = codec.encode_tags(["河北师范大学", "清华大学"], extra)
    assert numbers == [7, 8, 5, DELIMITER, END]  # V = 6; 清华 is nowhere
    assert codec.decode_tags(numbers, extra) == ("河北师范大学",)


def test_what_was_cut_is_said():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary([]), max_source_length=3)
    source = codec.encode_question("跑步", "健康" * 20_000)
    assert len(source.words) == 3
    assert source.notes == (
        Message("question.long_text", {"read": 20_000, "total": 40_002}),
        # 20,000 characters: 跑步, a space, 9,998 times 健康 and half of the next one
        Message("question.many_words", {"read": 3, "total": 10_000}),
    )
    assert codec.encode_question("跑步健康健身").notes == ()


def test_the_cut_is_said_in_characters_of_the_text_that_was_given():
    codec = Codec(SEGMENTER, Vocabulary([]), Vocabulary([]))
    source = codec.encode_question("跑步", "http://example.org/" + "a" * 30_000)
    assert source.words == ("跑步",)
    assert source.notes == (Message("question.long_text", {"read": 20_000, "total": 30_021}),)


# --- batches -------------------------------------------------------------------------------------------------------


def test_questions_are_padded_on_the_right():
    codec = Codec(SEGMENTER, Vocabulary(["跑步", "膝盖"]), Vocabulary(["跑步"]), copy=True)
    batch = pad_sources([codec.encode_words(words) for words in (["跑步"], ["膝盖", "伤", "跑步"], [])])
    assert batch.ids.tolist() == [[5, PAD, PAD], [6, UNKNOWN, 5], [UNKNOWN, PAD, PAD]]
    assert batch.lengths.tolist() == [1, 3, 1]  # an empty question reads one unknown word
    assert batch.copy_ids.tolist() == [[5, PAD, PAD], [6, 7, 5], [PAD, PAD, PAD]]
    assert batch.extra_inputs.tolist() == [[UNKNOWN, UNKNOWN]] * 3
    assert {tensor.dtype for tensor in (batch.ids, batch.copy_ids, batch.extra_inputs)} == {torch.int64}


def test_a_batch_without_extra_words_has_none():
    codec = Codec(SEGMENTER, Vocabulary(["跑步"]), Vocabulary(["跑步"]))
    assert pad_sources([codec.encode_words(["跑步", "膝盖"])]).extra_inputs.shape == (1, 0)


def test_targets_are_shifted_by_the_start_symbol():
    inputs, targets = pad_targets([[7, DELIMITER, 8, DELIMITER, END], [9, DELIMITER, END], [END]])
    assert inputs.tolist() == [
        [START, 7, DELIMITER, 8, DELIMITER],
        [START, 9, DELIMITER, PAD, PAD],
        [START, PAD, PAD, PAD, PAD],
    ]
    assert targets.tolist() == [
        [7, DELIMITER, 8, DELIMITER, END],
        [9, DELIMITER, END, PAD, PAD],
        [END, PAD, PAD, PAD, PAD],
    ]


# --- a tag nobody has seen (paper section 1) -----------------------------------------------------------------------


@pytest.fixture
def composing() -> Codec:
    """A word model's codec; 河北师范大学 is none of its training tags, but they hold all its words."""
    tags = ["河北 旅游", "师范", "大学", "大学生活", "旅游"]
    counts = Counter(word for tag in tags for word in SEGMENTER.split(tag))
    source, target = build_vocabularies(counts, counts, max_source_words=100)
    return Codec(SEGMENTER, source, target)


def test_a_new_tag_is_composed_of_seen_words(composing):
    assert composing.tag_words("河北师范大学") == ("河北", "师范", "大学")
    assert composing.decode_tags(composing.encode_tags(["河北师范大学"])) == ("河北师范大学",)
    labels = Codec(SEGMENTER, composing.source, Vocabulary(["河北 旅游", "师范", "大学"]), kind="label")
    assert labels.encode_tags(["河北师范大学"]) == [END]  # a label model cannot


@torch.no_grad()
def test_a_search_writes_a_new_tag_it_is_asked_to_begin_with(composing):
    torch.manual_seed(0)
    config = ModelConfig(width=8, heads=2, feed_forward=8, encoder_layers=1, decoder_layers=1, dropout=0.0)
    model = L2AModel(config, len(composing.source), len(composing.target)).eval()
    memory = model.encode(pad_sources([composing.encode_question("在河北师范大学上学是一种怎样的体验？")]))
    *first_tag, end = composing.encode_tags(["河北师范大学"])
    assert end == END
    (found,) = beam_search(
        lambda tokens, state: model.step(tokens, state, memory),
        model.start_state(1),
        questions=1,
        beam=4,
        max_steps=12,
        start=START,
        end=END,
        rules=[TagRules(first_tag=tuple(first_tag), max_tags=2)],
    )
    assert len(found) == 4
    written = [composing.decode_tags(hypothesis.symbols) for hypothesis in found]
    assert all(tags[0] == "河北师范大学" for tags in written)
    assert ("河北师范大学",) in written


def test_numbers_are_stored_small():
    source = Codec(SEGMENTER, Vocabulary([]), Vocabulary([]), copy=True).encode_words(["跑步"])
    assert {array.dtype for array in (source.ids, source.copy_ids, source.extra_inputs)} == {np.dtype("int32")}
