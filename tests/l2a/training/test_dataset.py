"""From question files to batches: what is read, what is left out, in which order it is learned."""

import json
import random
from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from l2a.checkpoint import build_codec
from l2a.config import ModelConfig, TrainingConfig
from l2a.data.questions import Question
from l2a.errors import InputError
from l2a.text.codec import EncodedSource
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import DELIMITER, END, UNKNOWN
from l2a.training.cutting import Words, distinct_tags
from l2a.training.dataset import (
    Example,
    build_training_set,
    make_batches,
    read_words,
    target_sequences,
)
from l2a.training.distributed import Workers
from l2a.training.run import RunSpec, prepare
from tests.conftest import tiny_spec


@pytest.fixture(scope="module")
def segmenter():
    return Segmenter()


@pytest.fixture
def write_file(tmp_path):
    def write(*rows, name="questions.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


def example_of(number, length):
    ids = np.full(length, UNKNOWN, dtype=np.int32)
    return Example(str(number), EncodedSource((), ids, ids, (), ids[:0]), ("标签",))


def build(train, segmenter, pretrain=(), **changes):
    model = ModelConfig(width=8, heads=2, **changes)
    return build_training_set(train, pretrain, segmenter, model, partial(build_codec, model, segmenter))


# Batches


@pytest.fixture(scope="module")
def examples():
    chance = random.Random(3)
    return [example_of(number, chance.randint(1, 64)) for number in range(1003)]


def padding(batches):
    """Share of places in the padded batches that hold no word."""
    lengths = [[len(example.source.ids) for example in batch] for batch in batches]
    places = sum(max(batch) * len(batch) for batch in lengths)
    return 1 - sum(map(sum, lengths)) / places


@pytest.mark.parametrize("batch_size", [1, 16, 64, 5000])
def test_batches_cover_every_example_once(examples, batch_size):
    batches = make_batches(examples, batch_size, "1/0")
    assert Counter(e.id for batch in batches for e in batch) == Counter(e.id for e in examples)
    assert len(batches) == -(-1003 // batch_size)
    sizes = sorted(map(len, batches))
    assert sizes[1:] == [batch_size] * (len(batches) - 1)
    assert sizes[0] == 1003 - batch_size * (len(batches) - 1)


def test_more_pools_than_one_still_make_as_many_batches_as_the_schedule_expects(examples):
    """A pool is 50 batches; only the last one may end in a short batch."""
    assert len(make_batches(examples, 4, "1/0")) == 251


def test_batches_hold_questions_of_similar_length(examples):
    shuffled = random.Random(1).sample(examples, len(examples))
    at_random = [shuffled[i : i + 16] for i in range(0, len(shuffled), 16)]
    assert padding(at_random) > 0.4  # lengths from 1 to 64: the mean is about half of the longest of sixteen
    assert padding(make_batches(examples, 16, "1/0")) < 0.05


def test_batches_come_in_no_order_of_length(examples):
    """Short questions first would be a curriculum that nobody asked for."""
    lengths = [len(batch[0].source.ids) for batch in make_batches(examples, 16, "1/0")]
    assert abs(np.corrcoef(lengths, range(len(lengths)))[0, 1]) < 0.35


def test_batches_depend_on_the_seed_alone_and_change_with_it(examples):
    def names(seed):
        return [[example.id for example in batch] for batch in make_batches(examples, 16, seed)]

    random.seed(1)
    first = names("1/0")
    random.seed(2)
    assert names("1/0") == first
    assert names("1/1") != first  # the next epoch
    assert names("2/0") != first  # another run


def test_batching_leaves_the_examples_as_they_are(examples):
    before = list(examples)
    make_batches(examples, 16, "1/0")
    assert examples == before


# Reading


def test_questions_without_tags_are_counted_and_left_out(write_file, segmenter):
    path = write_file(
        {"id": "a", "title": "学编程", "tags": ["编程"]},
        {"id": "b", "title": "没有标签"},
        {"id": "c", "title": "也没有", "tags": []},
    )
    notes = []
    words = read_words([path], segmenter, 40, notes=notes, quiet=True)
    assert words == [Words("a", ("学", "编程"), ("编程",))]
    assert notes == ["2 questions without tags left out"]


def test_bad_lines_stop_the_reading_or_are_counted(write_file, segmenter):
    path = write_file({"title": "学编程", "tags": ["编程"]}, ["no", "object"], {"title": "", "tags": ["空"]})
    with pytest.raises(InputError, match="line 2"):
        read_words([path], segmenter, 40, quiet=True)
    notes = []
    assert len(read_words([path], segmenter, 40, skip_bad=True, notes=notes, quiet=True)) == 1
    (note,) = notes
    assert note.startswith(f"{path}: 2 bad lines left out; the first: {path}, line 2: a JSON object is expected")


def test_title_and_description_are_read_up_to_the_longest_length(write_file, segmenter):
    path = write_file({"title": "学 编程", "description": "从 哪里 开始", "tags": ["编程"]})
    assert read_words([path], segmenter, 3, quiet=True)[0].source == ("学", "编程", "从")
    assert read_words([path], segmenter, 40, quiet=True)[0].source == ("学", "编程", "从", "哪里", "开始")


def test_several_files_are_read_one_after_the_other(write_file, segmenter):
    first = write_file({"id": "a", "title": "一", "tags": ["甲"]}, name="first.jsonl")
    second = write_file({"id": "b", "title": "二", "tags": ["乙"]}, name="second.jsonl")
    assert [words.id for words in read_words([second, first], segmenter, 40, quiet=True)] == ["b", "a"]


def test_spellings_of_one_tag_are_one_tag_the_first_of_them():
    question = Question(title="篮球", tags=("ＮＢＡ", "篮球", "nba", "NBA", "篮球"))
    assert distinct_tags(question) == ("ＮＢＡ", "篮球")


# The training set


def test_training_file_without_tags_is_refused(segmenter):
    with pytest.raises(InputError, match=r"no question with tags\. Give a file with a `tags` list"):
        build([], segmenter)


def test_file_whose_questions_all_lack_tags_is_refused(write_file, tmp_path):
    spec = replace(tiny_spec(), train=(str(write_file({"title": "没有标签"})),), dev=())
    with pytest.raises(InputError, match="no question with tags"):
        prepare(spec, tmp_path, Workers(), quiet=True)


def test_vocabularies_and_frequencies_come_from_training_and_pre_training_questions(segmenter):
    train = [Words("a", ("学", "编程"), ("编程", "学习方法")), Words("b", ("编程",), ("编程",))]
    pretrain = [Words("c", ("跑步", "编程"), ("跑步",))]
    data, codec = build(train, segmenter, pretrain)
    assert data.frequencies == {"编程": 2, "学习方法": 1, "跑步": 1}
    assert data.source.words[0] == "编程"  # 3 times
    assert set(data.source.words) == {"编程", "学", "跑步"}
    assert data.target.words[0] == "编程"
    assert set(data.target.words) == {"编程", *segmenter.split("学习方法"), "跑步"}
    assert [len(data.train), len(data.pretrain)] == [2, 1]
    assert data.train[0].source.ids.tolist() == [codec.source.number("学"), codec.source.number("编程")]


def test_label_model_has_one_target_symbol_a_tag(segmenter):
    data, _ = build([Words("a", ("学",), ("学习方法", "编程入门"))], segmenter, kind="label")
    assert data.target.words == ("学习方法", "编程入门")


def test_rare_source_words_and_words_over_the_limit_are_unknown(segmenter):
    train = [Words("a", ("学", "编程", "编程"), ("编程",)), Words("b", ("学", "跑步"), ("编程",))]
    data, _ = build(train, segmenter, min_source_count=2)
    assert data.source.words == ("学", "编程")  # both twice; then by spelling
    assert data.train[1].source.ids.tolist() == [5, UNKNOWN]
    data, _ = build(train, segmenter, source_vocabulary=6)
    assert data.source.words == ("学",)  # five special symbols and one word


def test_more_tags_than_allowed_are_cut_in_the_models_order_and_it_is_said(write_file, tmp_path):
    six = ["甲", "乙", "丙", "丁", "戊", "己"]
    rows = [{"id": "many", "title": "问题", "tags": six}]
    rows += [{"id": f"{n}", "title": "问题", "tags": six[: n + 1]} for n in range(5)]
    path = str(write_file(*rows))
    spec = tiny_spec(order="order2")
    spec = RunSpec(train=(path,), model=spec.model, decode=spec.decode, training=spec.training)
    assert spec.training.max_tags == 5
    trainer, notes = prepare(spec, tmp_path / "run", Workers(), quiet=True)
    assert "1 questions have more than 5 tags; the rest was not used" in notes
    codec, data = trainer.tagger.codec, trainer.data
    # Frequent to rare: 甲 6 times down to 戊 2 and 己 1, so 己 is the one that goes.
    assert spell(codec, next(target_sequences(data.train, codec, spec.training, data.frequencies, 0))) == six[:5]


# Target sequences


@pytest.fixture(scope="module")
def tagged(segmenter):
    """甲 in four questions, 乙 in three, 丙 in two, 丁 in one; the last question has all."""
    train = [
        Words("1", ("问",), ("甲",)),
        Words("2", ("问",), ("甲", "乙")),
        Words("3", ("问",), ("甲", "乙", "丙")),
        Words("4", ("问",), ("乙", "丁", "甲", "丙")),
    ]
    return build(train, segmenter)


def spell(codec, numbers):
    return list(codec.decode_tags(numbers))


def targets(tagged, epoch=0, **training):
    data, codec = tagged
    return list(target_sequences(data.train, codec, TrainingConfig(**training), data.frequencies, epoch))


def test_order_1_goes_from_rare_to_frequent(tagged):
    written = targets(tagged, order="order1")
    assert spell(tagged[1], written[3]) == ["丁", "丙", "乙", "甲"]
    number = tagged[1].target.number
    assert written[1] == [number("乙"), DELIMITER, number("甲"), DELIMITER, END]


def test_order_2_goes_from_frequent_to_rare(tagged):
    assert spell(tagged[1], targets(tagged, order="order2")[3]) == ["甲", "乙", "丙", "丁"]


def test_random_order_is_the_same_in_every_epoch(tagged):
    assert targets(tagged, 0, order="random") == targets(tagged, 7, order="random")
    shuffles = {tuple(targets(tagged, order="random", seed=seed)[3]) for seed in range(30)}
    assert len(shuffles) > 10  # of 24


def test_reshuffled_order_changes_from_epoch_to_epoch_and_comes_back(tagged):
    shuffles = [targets(tagged, epoch, order="random", reshuffle=True)[3] for epoch in range(30)]
    assert len(set(map(tuple, shuffles))) > 10
    assert shuffles == [targets(tagged, epoch, order="random", reshuffle=True)[3] for epoch in range(30)]
    assert {tuple(sorted(spell(tagged[1], shuffle))) for shuffle in shuffles} == {("丁", "丙", "乙", "甲")}


def test_longest_list_of_tags_is_cut_after_ordering(tagged):
    assert spell(tagged[1], targets(tagged, order="order1", max_tags=2)[3]) == ["丁", "丙"]
    assert spell(tagged[1], targets(tagged, order="order2", max_tags=2)[3]) == ["甲", "乙"]
    assert spell(tagged[1], targets(tagged, order="order1", max_tags=2)[0]) == ["甲"]


def test_tag_that_could_never_be_spelled_is_left_out_of_the_target(segmenter):
    train = [Words(str(n), ("问",), ("甲",)) for n in range(3)] + [Words("4", ("问",), ("甲", "乙"))]
    data, codec = build(train, segmenter, target_vocabulary=6)  # room for one word
    written = list(target_sequences(data.train, codec, TrainingConfig(), data.frequencies, 0))
    assert written[3] == [codec.target.number("甲"), DELIMITER, END]
