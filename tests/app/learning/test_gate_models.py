"""The gate on really trained models: shuffled labels are worse, another seed is no different."""

import json
import random
from dataclasses import replace

import pytest

from app.learning.gate import ENOUGH, Answers, Case, compare
from l2a.data.questions import Question
from l2a.tagger import Tagger
from l2a.training.run import train_run
from tests.conftest import tiny_spec

THINGS = ("电影", "足球", "做饭", "旅行", "音乐", "手机", "考研", "养猫", "跑步", "摄影", "咖啡", "历史")
KINDS = ("入门", "推荐", "比较")
PHRASES = (
    "想了解一下{thing}，有什么{kind}吗？",
    "关于{thing}的{kind}",
    "{kind}：{thing}怎么样？",
    "朋友问我{thing}的{kind}",
)
HELD_OUT = 220


def make_questions(count: int, seed: int) -> list[Question]:
    picker = random.Random(seed)
    questions = []
    for number in range(count):
        thing, kind = picker.choice(THINGS), picker.choice(KINDS)
        title = picker.choice(PHRASES).format(thing=thing, kind=kind) + "！" * picker.randrange(3)
        tags = (thing, kind) if picker.random() < 0.8 else (thing,)  # people do not always agree
        questions.append(Question(title=title, tags=tags, id=str(number)))
    return questions


def train(questions: list[Question], folder, **changes) -> Tagger:
    folder.mkdir()
    rows = ({"id": q.id, "title": q.title, "tags": list(q.tags)} for q in questions)
    (folder / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    spec = replace(tiny_spec(epochs=12, **changes), train=(str(folder / "train.jsonl"),), dev=())
    train_run(spec, folder / "run", quiet=True, say=lambda _: None)
    return Tagger.load(folder / "run" / "best")


def answer(tagger: Tagger, questions: list[Question]) -> Answers:
    answers = tagger.suggest(questions)
    return Answers(
        tagger.version, tuple(tuple(s.tag for s in a.kept) for a in answers), 1.0, frozenset(tagger.frequencies)
    )


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gate")
    questions = make_questions(240, seed=1)
    tags = [q.tags for q in questions]
    random.Random(9).shuffle(tags)
    poisoned = [replace(q, tags=t) for q, t in zip(questions, tags, strict=True)]
    asked = make_questions(HELD_OUT, seed=2)
    trained = {
        "live": train(questions, folder / "live"),
        "seed": train(questions, folder / "seed", seed=2),
        "poisoned": train(poisoned, folder / "poisoned"),
    }
    held_out = [Case(int(q.id), q.tags) for q in asked]
    return held_out, {name: answer(tagger, asked) for name, tagger in trained.items()}


def test_shuffled_labels_are_worse(models):
    held_out, answers = models
    found = compare(held_out, answers["live"], answers["poisoned"])
    assert found.verdict == "worse"
    assert found.interval[1] < 0
    assert found.tags[0]["change"] < 0


def test_another_seed_is_not_distinguishable(models):
    held_out, answers = models
    assert answers["seed"].version != answers["live"].version
    assert compare(held_out, answers["live"], answers["seed"]).verdict == "not distinguishable"


def test_the_live_model_is_better_than_the_poisoned_one(models):
    held_out, answers = models
    assert compare(held_out, answers["poisoned"], answers["live"]).verdict == "better"


def test_below_enough_there_are_too_few(models):
    held_out, answers = models
    fewer = [replace(answers[name], tags=answers[name].tags[: ENOUGH - 1]) for name in ("live", "poisoned")]
    assert compare(held_out[: ENOUGH - 1], *fewer).verdict == "too few decisions"
