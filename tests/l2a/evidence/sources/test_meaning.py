"""Neighbours by a sentence encoder: figures by hand, and all the way from a folder to a chance."""

from dataclasses import replace

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence.encoder import SentenceEncoder
from l2a.evidence.memory.decisions import DecidedQuestion, Memory
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.sources.meaning import DOUBT
from l2a.ranking.knowledge import Knowledge
from l2a.ranking.ranker import Served
from l2a.suggestions import Hypothesis
from tests.l2a.evidence.sources.remembering import SEGMENTER, ask, figures, memory_of, opened, told
from tests.l2a.evidence.tiny_bert import make_bert
from tests.l2a.ranking.priors import prior_of


class Compass:
    """An encoder of a kind: texts are directions, named by their angle."""

    fingerprint = "compass"

    def encode(self, title: str, description: str = "") -> np.ndarray:
        angle = np.radians(float(title))
        return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)


def compass_of(*decided: DecidedQuestion) -> Memory:
    memory = Memory(WordTable(), SEGMENTER, encoder=Compass())
    for one in decided:
        memory.put(one)
    return memory


DECIDED = (
    DecidedQuestion(1, "0", tags=("猫", "宠物"), rejected=("狗",)),
    DecidedQuestion(2, "60", tags=("宠物",)),  # cosine 0.5
    DecidedQuestion(3, "120", tags=("吉他",)),  # -0.5: the contrary
)


def test_figures_by_hand():
    found = opened("meaning", compass_of(*DECIDED)).find(ask("0"))
    total = 1 + 0.25 + DOUBT
    assert figures(found) == {
        "猫": {"share": pytest.approx(1 / total), "nearest": pytest.approx(1.0)},
        "宠物": {"share": pytest.approx(1.25 / total), "nearest": pytest.approx(1.0)},
    }
    assert set(told(found).values()) == {("finding.meaning",)}


def test_a_question_that_is_left_out_does_not_count():
    memory = compass_of(*DECIDED)
    with memory.without(1):
        assert set(figures(opened("meaning", memory).find(ask("0")))) == {"宠物"}
    assert set(figures(opened("meaning", memory).find(ask("0")))) == {"宠物", "猫"}
    memory.forget(1)
    assert set(figures(opened("meaning", memory).find(ask("0")))) == {"宠物"}


def test_without_an_encoder_it_is_not_there():
    assert opened("meaning", memory_of()) is None


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> SentenceEncoder:
    return SentenceEncoder(make_bert(tmp_path_factory.mktemp("bert")))


def test_its_figures_begin_without_weight_and_are_learned(tiny_tagger, encoder, tmp_path):
    tagger = replace(tiny_tagger, prior=prior_of({"model.standing": 3.0}))
    knowledge, plain = tagger.new_knowledge(encoder), tagger.new_knowledge()
    assert {source.name for source in knowledge.sources} - {source.name for source in plain.sources} == {"meaning"}
    for number, title in enumerate(["养猫吃什么", "大象吃什么", "吉他怎样学"]):
        for known in (knowledge, plain):
            known.learn(DecidedQuestion(number, title, tags=("动物",) if "吃" in title else ("音乐",), number=number))

    def rank(known: Knowledge):
        read = tagger.read(Question(title="狗吃什么"))
        return tagger.rank(read, [Hypothesis(("动物",), -1.0)], beam=8, knowledge=known)

    with_it, without = rank(knowledge), rank(plain)
    chances = {one.tag: one.chance for one in with_it.suggestions}
    assert {one.tag: chances[one.tag] for one in without.suggestions} == {
        one.tag: one.chance for one in without.suggestions
    }
    assert set(chances) == {"动物", "音乐"}  # it has found one more, for which nothing speaks that has a weight
    assert chances["音乐"] == with_it.suggestions[-1].chance < with_it.cut
    seen = {one.tag: one.figures for one in with_it.suggestions}
    assert seen["动物"]["meaning.share"] > 0
    assert seen["动物"]["meaning.nearest"] > 0.5
    before = with_it.suggestions[0].chance
    for number in range(10, 40):
        knowledge.learn(
            DecidedQuestion(number, f"{number}", tags=("动物",), number=number),
            Served.judged({"动物": seen["动物"]}, ["动物"]),
        )
    assert knowledge.ranker.weights["meaning.share"] > 0
    assert knowledge.ranker_without(["meaning"]).weights.keys() == knowledge.ranker.weights.keys() - {
        "meaning.share",
        "meaning.nearest",
    }
    (again,) = (one for one in rank(knowledge).suggestions if one.tag == "动物")
    assert again.chance > before

    knowledge.save(tmp_path / "memory.safetensors", {})
    parts = tmp_path / "memory.safetensors", tagger.table, tagger.codec.segmenter, tagger.prior
    loaded, _ = Knowledge.load(*parts, encoder)
    assert rank(loaded).suggestions == rank(knowledge).suggestions
    other = SentenceEncoder(make_bert(tmp_path / "other", seed=2))
    with pytest.raises(ValueError, match="another sentence encoder"):
        Knowledge.load(*parts, other)
    assert "meaning" not in {source.name for source in Knowledge.load(*parts)[0].sources}
