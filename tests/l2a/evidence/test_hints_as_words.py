"""Hints among the words a model reads: a hint's words can be copied, its mark cannot, and there is room for all."""

import pytest
import torch

from l2a.config import DECODERS, DecodeSettings, ModelConfig
from l2a.data.questions import Question
from l2a.evidence.collection import Evidence
from l2a.network.model import L2AModel
from l2a.search.fast import decoder as fast_decoder
from l2a.search.fast import quantised
from l2a.tagger import Tagger
from l2a.text.codec import Codec
from l2a.text.marks import is_mark, make_mark
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import DELIMITER, END, UNKNOWN, Vocabulary
from l2a.training.cutting import Words
from l2a.training.dataset import number
from l2a.training.losses import likelihood_loss

SEGMENTER = Segmenter()
LABELLED = [
    Question(id="1", title="第一次养猫要准备什么？", tags=("宠物", "养猫")),
    Question(id="2", title="怎样学好吉他？", tags=("吉他", "音乐")),
]
QUESTION = Question(title="第一次养猫，听什么音乐？")
EVIDENCE = Evidence.build(LABELLED, ["显微镜"], SEGMENTER)
MARKS = [make_mark(source, strength) for source in ("named", "listed", "near") for strength in (1, 2, 3)]

every_decoder = pytest.mark.parametrize(
    "decoder",
    [
        pytest.param(name, marks=pytest.mark.skipif(not quantised.is_available(), reason="no 8-bit engine"))
        if name == "int8"
        else name
        for name in DECODERS
    ],
)


def tagger_of(decoder: str, **model) -> Tagger:
    """Random weights, but that words are copied, from any place alike, and what ends a tag or a list is generated."""
    torch.manual_seed(2)
    config = ModelConfig(
        width=16, heads=2, feed_forward=16, encoder_layers=1, decoder_layers=1, dropout=0.0, copy=True, **model
    )
    source = Vocabulary(["养", "猫", "音乐", "吉他", *MARKS])
    target = Vocabulary(["音乐", "吉他"])
    codec = Codec(SEGMENTER, source, target, copy=True, max_source_length=config.max_source_length)
    network = L2AModel(config, len(source), len(target))
    network.pointer_query.weight.data.zero_()
    network.copy_gate.bias.data.zero_()
    network.output.bias.data[[DELIMITER, END]] += 8.0
    settings = DecodeSettings(beam=40, max_steps=3)
    return Tagger(network, codec, config, settings, frequencies={"音乐": 1}, decoder=decoder, evidence=EVIDENCE)


@pytest.mark.parametrize("copy", [False, True])
def test_a_mark_is_read_and_is_no_word_that_can_be_written(copy):
    vocabulary = Vocabulary(["音乐", *MARKS])
    codec = Codec(SEGMENTER, vocabulary, Vocabulary(["音乐"]), copy=copy)
    source = codec.encode_words(["听", "音乐"], hints=["‹near 2›", "宠物", "‹named 1›", "音乐"])
    assert source.ids.tolist() == [UNKNOWN, 5, *vocabulary.numbers(["‹near 2›", "宠物", "‹named 1›"]), 5]
    listen, pet = (6, 7) if copy else (UNKNOWN, UNKNOWN)  # V = 6
    assert source.extra_words == (("听", "宠物") if copy else ())
    assert source.copy_ids.tolist() == [listen, 5, UNKNOWN, pet, UNKNOWN, 5]


def test_no_target_is_a_mark():
    """What a label that looks like a mark is made of is not the mark."""
    tagger = tagger_of("plain")
    words = Words("1", ("听", "音乐"), ("‹near 2›", "音乐"), hints=("‹near 2›", "宠物"))
    (example,) = number([words], tagger.codec)
    music = tagger.codec.number("音乐")
    assert tagger.codec.encode_tags(example.tags, example.source.extra_words) == [music, DELIMITER, END]
    loss = likelihood_loss(tagger.model, [example], [[music, DELIMITER, END]], 0.1)
    assert loss.isfinite()


@every_decoder
def test_no_search_writes_a_mark(decoder, monkeypatch):
    monkeypatch.setattr(fast_decoder, "_WIDE", 8)  # all layers in 8 bits, where there are 8 bits
    (answer,) = tagger_of(decoder).suggest([QUESTION])
    assert any(map(is_mark, answer.source_words))
    written = {tag for hypothesis in answer.hypotheses for tag in hypothesis.tags}
    assert [tag for tag in written if any(mark in tag for mark in MARKS)] == []
    assert {"宠物", "音乐"} <= written  # a hint's word that stands nowhere else, and a word of the vocabulary


@every_decoder
@pytest.mark.parametrize("encoder", ["L", "A"])
@pytest.mark.parametrize("most", [1_024, 1_100])
def test_a_question_of_the_greatest_length_has_room_for_its_hints(decoder, encoder, most):
    tagger = tagger_of(decoder, encoder=encoder, max_source_length=most)
    question = Question(title=QUESTION.title, description="养猫" * 1_200)
    source = tagger.encode(question)
    assert len(source.text_words) == most
    assert source.hints > 3
    (answer,) = tagger.suggest([question], beam=4)
    assert len(answer.source_words) == most + source.hints
    assert len(answer.hypotheses) == 4
    assert [(note.code, note.values["read"]) for note in answer.notes] == [("question.many_words", most)]
