"""Ridge regression as a labeller, and the topic pages it learns from."""

import json

import numpy as np
import pytest

from l2a.data.questions import Question
from l2a.evidence.source import FoldedWords
from l2a.text.cleaning import match_key
from l2a.text.segmenter import Segmenter
from l2a.training.teaching import ridge
from l2a.training.teaching.forest import vectorise
from l2a.training.teaching.pages import read_pages
from l2a.training.teaching.ridge import Ridge
from tests.l2a.training.teaching.subjects import make_gold


@pytest.fixture(scope="module")
def texts():
    segmenter = Segmenter()
    return [FoldedWords.of(question, segmenter) for question in make_gold()]


@pytest.fixture(scope="module")
def keys():
    return [frozenset(map(match_key, question.tags)) for question in make_gold()]


def test_scores_are_those_of_the_closed_form(texts, keys, monkeypatch):
    monkeypatch.setattr(ridge, "SMALLEST", 0.0)
    vectorizer, learn = vectorise(texts)
    wanted = np.array([float("宠物" in own) for own in keys])
    shares = np.linalg.solve((learn @ learn.T).toarray() + ridge.STRENGTH * np.eye(len(texts)), wanted)
    expected = float((learn.T @ shares) @ vectorizer.transform([texts[0]]).toarray()[0])
    (found,) = Ridge(texts, keys, [1.0] * len(texts)).predict([texts[0]])
    assert dict(found)["宠物"] == pytest.approx(expected, abs=2e-3)
    assert found == sorted(found, key=lambda pair: -pair[1])


def test_a_question_of_little_weight_teaches_little(texts, keys):
    def score(weight):
        weights = [weight if "宠物" in own else 1.0 for own in keys]
        return dict(Ridge(texts, keys, weights).predict([texts[0]])[0])["宠物"]

    assert score(0.05) < score(0.3) < score(1.0)


def test_a_tag_given_once_is_not_learned(texts, keys):
    once = [keys[0] | {"独一"}, *keys[1:]]
    assert "独一" not in Ridge(texts, once, [1.0] * len(texts)).keys


def test_nothing_to_answer_or_to_learn_gives_nothing(texts):
    assert Ridge(texts, [frozenset()] * len(texts), [1.0] * len(texts)).predict(texts[:1]) == [[]]
    assert Ridge(texts, [frozenset({"一"})] * len(texts), [1.0] * len(texts)).predict([]) == []


def test_a_page_is_read_with_its_tags_and_with_those_above_no_other(tmp_path):
    path = tmp_path / "pages.jsonl"
    rows = [
        {"title": "养乌龟要注意什么", "tags": ["动物", "乌龟"], "leaf_tags": ["乌龟"]},
        {"title": "没有标签", "tags": [], "leaf_tags": []},
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    (page,) = read_pages(path)
    assert page.question.tags == ("动物", "乌龟")
    assert page.as_question() == Question("养乌龟要注意什么", tags=("乌龟",), id=page.question.id)
