"""A trained model goes on with new questions: it learns their words, keeps the old ones, and heeds rejections."""

import json
import math
import shutil
from dataclasses import replace

import pytest
import torch

from l2a.checkpoint import load_tagger, save_tagger
from l2a.data.questions import Question, read_questions
from l2a.errors import InputError
from l2a.evidence.collection import Evidence
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import FoldedWords
from l2a.ranking.ranker import CUTS, Prior
from l2a.text.vocabulary import FIRST_WORD, UNKNOWN
from l2a.training.cutting import Words
from l2a.training.dataset import Example
from l2a.training.distributed import Workers
from l2a.training.growth import grow
from l2a.training.losses import Rejection, pick_rejections, rejection_loss
from l2a.training.run import RunSpec, prepare
from tests.conftest import tiny_spec
from tests.l2a.evidence.names.corpus import finder
from tests.l2a.training.conftest import train

NEW = [Words("1", ("这个", "氦闪", "手册", "怎么", "写"), ("氦闪手册", "电影"))]


def with_layout(shared: bool, tmp_path):
    spec = replace(tiny_spec(copy=shared, share_embeddings=shared, epochs=2), dev=())
    train(spec, tmp_path / "run")
    return load_tagger(tmp_path / "run" / "best")


@pytest.mark.parametrize("shared", [True, False])
def test_new_words_join_and_old_weights_stay(tmp_path, shared):
    before = with_layout(shared, tmp_path)
    after, learned = grow(before, NEW)
    assert set(learned) == {"氦", "闪", "手册"}
    assert "氦" in after.codec.target
    assert after.codec.target.words[: len(before.codec.target.words)] == before.codec.target.words
    assert after.codec.can_write("氦闪手册")
    assert not before.codec.can_write("氦闪手册")
    for word in before.codec.source.words:
        old = before.model.source_table(torch.tensor(before.codec.source.number(word)).unsqueeze(0))
        new = after.model.source_table(torch.tensor(after.codec.source.number(word)).unsqueeze(0))
        assert torch.equal(old, new), word
    if shared:  # the output layer is the table's first rows
        assert after.codec.source.words[: len(after.codec.target.words)] == after.codec.target.words
    else:
        rows = FIRST_WORD + len(before.codec.target.words)
        assert torch.equal(after.model.output.weight[:rows], before.model.output.weight)
    assert after.frequencies["电影"] == before.frequencies["电影"] + 1
    assert after.frequencies["氦闪手册"] == 1


@pytest.mark.parametrize("shared", [True, False])
def test_a_model_that_learned_no_word_says_what_it_said(tmp_path, shared):
    before = with_layout(shared, tmp_path)
    question = Question(title="有什么好看的科幻电影推荐？")
    after, learned = grow(before, [Words("1", ("电影",), ("电影",))])
    assert learned == []
    said = [answer.hypotheses for answer in (*before.suggest([question]), *after.suggest([question]))]
    assert said[0] == said[1]
    assert save_tagger(after, tmp_path / "copy") == load_tagger(tmp_path / "copy").version


@pytest.mark.parametrize("shared", [True, False])
def test_a_word_new_to_text_and_tags_is_known_on_both_sides(tmp_path, shared):
    """手册 stands in the text and, as one of its words, in the tag."""
    after, _ = grow(with_layout(shared, tmp_path), NEW)
    source = after.codec.encode_words(NEW[0].source)
    assert UNKNOWN not in source.ids
    assert "手册" in after.codec.source
    assert "手册" in after.codec.target
    assert after.model.source_table(torch.tensor([after.codec.source.number("手册")])).shape == (1, 32)


@pytest.fixture(scope="module")
def ranking(tiny_model, tmp_path_factory):
    """The tiny model with a ranker and a table of words, stored."""
    tagger = load_tagger(tiny_model)
    texts = [
        FoldedWords.of(Question(title=title), tagger.codec.segmenter) for title in ("怎么学习编程", "编程难吗") * 3
    ]
    curve = tuple((float(place), 2.0, 1.0, 2.0) for place in range(len(CUTS)))
    prior = Prior({"model.standing": 3.5, "precedents.share": 1.25}, {"precedents.share": 0.5}, -2.0, curve)
    folder = tmp_path_factory.mktemp("ranking") / "model"
    evidence = Evidence(tagger.evidence.retriever, finder())
    save_tagger(replace(tagger, prior=prior, table=WordTable.count(texts), evidence=evidence), folder)
    return folder


@pytest.mark.parametrize("begin", ["start", "ranker_of"])
@pytest.mark.parametrize("tunes", [False, True])
def test_the_ranker_and_its_table_go_along(ranking, few_path, tmp_path, begin, tunes):
    """From a trained model, and with its ranker alone; also where the threshold is tuned and the model stored anew."""
    before = load_tagger(ranking)
    spec = replace(
        tiny_spec(epochs=1, order="order2", dev_beam=2), train=(str(few_path),), dev=(), **{begin: str(ranking)}
    )
    train(replace(spec, dev=(str(few_path),), tune_threshold=True) if tunes else spec, tmp_path / "run")
    after = load_tagger(tmp_path / "run" / "best")
    assert after.version != before.version
    assert after.prior == before.prior
    assert after.prior is not None
    assert after.table.arrays.keys() == before.table.arrays.keys() == {"words", "texts", "size"}
    assert all((after.table.arrays[name] == before.table.arrays[name]).all() for name in after.table.arrays)
    assert (after.evidence.retriever is None) == (before.evidence.retriever is None)
    assert after.names is not None
    assert after.names.find("为什么大家都在说金塘银行？") == finder().find("为什么大家都在说金塘银行？") != []


def test_a_model_without_a_ranker_leaves_none(tiny_model, few_path, tmp_path):
    spec = replace(tiny_spec(epochs=1, order="order2"), train=(str(few_path),), dev=(), start=str(tiny_model))
    train(spec, tmp_path / "run")
    after = load_tagger(tmp_path / "run" / "best")
    assert after.prior is None
    assert not after.table.arrays


def test_the_same_questions_are_counted_once(samples_path, tmp_path):
    """Trained on them, then twice again, with every model stored in between."""
    spec = replace(tiny_spec(epochs=1), dev=())
    train(spec, tmp_path / "0")
    first = load_tagger(tmp_path / "0" / "best").frequencies
    assert first["健康"] == 16
    for number in (1, 2):
        train(replace(spec, start=str(tmp_path / f"{number - 1}" / "best")), tmp_path / f"{number}")
        assert load_tagger(tmp_path / f"{number}" / "best").frequencies == first


def test_a_question_that_comes_back_with_other_tags_counts_with_those(tiny_tagger):
    def words(number, tags):
        return Words(number, ("问题", number), tuple(tags))

    begun, _ = grow(tiny_tagger, [words("1", ["甲", "乙"]), words("2", ["甲"]), words("2", ["甲"])])
    assert [begun.frequencies[tag] for tag in ("甲", "乙")] == [3, 1]
    after, _ = grow(begun, [words("1", ["丙", "甲"]), words("3", ["甲"])])
    assert [after.frequencies.get(tag) for tag in ("甲", "乙", "丙")] == [4, None, 1]
    again, _ = grow(after, [words("2", ["甲"]), words("2", ["甲"])])
    assert again.frequencies == after.frequencies
    assert after.frequencies["健康"] == tiny_tagger.frequencies["健康"]


def test_a_model_that_does_not_know_what_it_counted_counts_new_questions_once(tiny_model, tmp_path):
    """As models do that were stored by an older program: the starter is one of them."""
    (shutil.copytree(tiny_model, tmp_path / "old") / "counted.safetensors").unlink()
    before = load_tagger(tmp_path / "old")
    once, _ = grow(before, NEW)
    twice, _ = grow(once, NEW)
    assert before.version == load_tagger(tiny_model).version
    assert once.frequencies["氦闪手册"] == twice.frequencies["氦闪手册"] == 1
    assert twice.frequencies["电影"] == before.frequencies["电影"] + 1


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def go_on(tiny_model, path, **changes) -> RunSpec:
    spec = tiny_spec(epochs=30, order="order2", batch_size=8, learning_rate=3e-3, **changes)
    return replace(spec, train=(path,), dev=(), start=str(tiny_model))


def test_a_tag_of_unknown_words_is_suggested_after_five_examples(tiny_model, samples_path, tmp_path):
    rows = [
        {"id": str(n), "title": f"{what}氦闪手册{how}", "tags": ["氦闪手册"]}
        for n, (what, how) in enumerate(
            [
                ("怎样读懂", "？"),
                ("第一次用", "要注意什么？"),
                ("", "难不难？"),
                ("谁写了", "？"),
                ("新版的", "好在哪里？"),
            ]
        )
    ]
    path = write_rows(tmp_path / "new.jsonl", rows)
    spec = replace(go_on(tiny_model, path, replay_ratio=4.0), replay=(str(samples_path),))
    train(spec, tmp_path / "run")
    tagger = load_tagger(tmp_path / "run" / "best")
    about = [Question(title=t) for t in ("氦闪手册哪里买？", "大家为什么喜欢氦闪手册？", "氦闪手册适合新手吗？")]
    said = [{s.tag for s in answer.kept} for answer in tagger.suggest(about)]
    assert sum("氦闪手册" in tags for tags in said) >= 2
    others = list(read_questions(samples_path))[:20]
    assert sum("氦闪手册" in {s.tag for s in answer.kept} for answer in tagger.suggest(others)) <= 1


def test_a_model_goes_on_only_in_its_own_order(tiny_model, samples_path, tmp_path):
    spec = replace(tiny_spec(order="order1"), start=str(tiny_model), train=(str(samples_path),), dev=())
    with pytest.raises(InputError, match="writes tags in order2, not order1"):
        prepare(spec, tmp_path, Workers(), quiet=True)


def test_replayed_questions_are_drawn_anew_each_epoch(tiny_model, samples_path, tmp_path):
    path = write_rows(tmp_path / "one.jsonl", [{"id": "mine", "title": "一个问题", "tags": ["电影"]}] * 4)
    spec = replace(go_on(tiny_model, path, replay_ratio=2.5), replay=(str(samples_path),))
    trainer, _ = prepare(spec, tmp_path / "run", Workers(), quiet=True)
    first, second = trainer._examples(0), trainer._examples(1)
    assert [len(first), len(second)] == [4 + 10, 4 + 10]
    assert [example.id for example in first[4:]] != [example.id for example in second[4:]]
    assert trainer._examples(0) == first


def test_a_rejection_is_judged_where_the_order_would_write_it(tiny_tagger):
    codec, source = tiny_tagger.codec, tiny_tagger.codec.encode_question("有什么好看的科幻电影推荐？")
    frequencies = {"电影": 9, "科幻": 5, "小说": 2}
    training = replace(tiny_spec(order="order2").training)
    example = Example("q", source, ("小说", "电影"), rejected=("科幻",))
    ((_, numbers, own, _),) = pick_rejections([example], codec, training, frequencies, epoch=0)
    assert numbers == codec.encode_tags(["电影", "科幻"], source.extra_words)[:-1]  # after the more frequent, no end
    assert own == len(codec.encode_tags(["科幻"], source.extra_words)) - 1


def test_rejection_loss_is_the_unlikelihood_of_the_whole_tag(tiny_tagger):
    """Against the probability worked out word by word."""
    codec, model = tiny_tagger.codec, tiny_tagger.model
    source = codec.encode_question("有什么好看的科幻电影推荐？")
    before, own = codec.encode_tags(["电影"])[:-1], codec.encode_tags(["科幻小说"])[:-1]
    example = Example("q", source, ())
    numbers = [*before, *own]
    with torch.inference_mode():
        found = rejection_loss(model, [Rejection(example, numbers, len(own)), Rejection(example, own, len(own))]).item()
        expected = -sum(math.log1p(-probability_of(model, source, given, own)) for given in (before, []))
    assert found == pytest.approx(expected, rel=1e-4)


def probability_of(model, source, given, own) -> float:
    """By the decoder's own steps, one at a time."""
    from l2a.text.batch import pad_sources
    from l2a.text.vocabulary import START

    memory, state, read, total = model.encode(pad_sources([source])), model.start_state(1), START, 0.0
    for place, word in enumerate([*given, *own]):
        log_probs, state = model.step(torch.tensor([[read]]), state, memory)
        if place >= len(given):
            total += log_probs[0, 0, word].item()
        read = word
    return math.exp(total)


def test_rejections_make_a_tag_less_probable(tiny_model, samples_path, tmp_path):
    question = next(q for q in read_questions(samples_path) if len(q.tags) >= 2)
    wrong = question.tags[0]
    row = {"id": "1", "title": question.title, "description": question.description, "tags": list(question.tags[1:])}
    path = write_rows(tmp_path / "rejected.jsonl", [{**row, "rejected": [wrong]}])
    share = {}
    for weight in (0.0, 2.0):
        spec = go_on(tiny_model, path, unlikelihood=weight)
        trainer, _ = prepare(
            replace(spec, training=replace(spec.training, epochs=6)), tmp_path / str(weight), Workers()
        )
        trainer.run()
        (answer,) = trainer.tagger.suggest([question])
        share[weight] = sum(s.probability for s in answer.suggestions if s.tag == wrong)
    assert share[2.0] < 0.5 * share[0.0] or share[0.0] < 1e-3 > share[2.0]


def test_a_question_of_which_all_was_rejected_teaches_only_that(tiny_model, tmp_path):
    rows = [
        {"id": "1", "title": "一个问题", "tags": [], "rejected": ["电影"]},
        {"id": "2", "title": "二", "tags": ["电影"]},
    ]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    without, _ = prepare(go_on(tiny_model, path), tmp_path / "a", Workers(), quiet=True)
    assert [example.id for example in without.data.train] == ["2"]
    with_it, _ = prepare(go_on(tiny_model, path, unlikelihood=1.0), tmp_path / "b", Workers(), quiet=True)
    assert [example.id for example in with_it.data.train] == ["1", "2"]
    alone = with_it.data.train[:1]
    assert with_it._train_batch(alone) > 0


def test_bad_rejections_are_named(tmp_path):
    path = write_rows(tmp_path / "bad.jsonl", [{"title": "一", "tags": ["甲"], "rejected": "乙"}])
    with pytest.raises(InputError, match='line 1: "rejected" must be a list of strings'):
        list(read_questions(path))
