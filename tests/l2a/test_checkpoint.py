"""Model folders: what is saved comes back, what is damaged is refused, and a crash never costs the model."""

import json
import multiprocessing
import os
import random
import shutil
import signal
import stat
import time
from dataclasses import replace

import pytest
import torch
from safetensors import safe_open

from l2a import checkpoint
from l2a.checkpoint import (
    CONFIG,
    FREQUENCIES,
    RANKER,
    VOCABULARY,
    WEIGHTS,
    WORDS,
    find_folder,
    load_tagger,
    save_tagger,
)
from l2a.data.questions import Question
from l2a.errors import CheckpointError
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import FoldedWords
from l2a.text.segmenter import Segmenter
from tests.l2a.ranking.priors import prior_of

QUESTIONS = [
    Question(title="零基础自学 Python，三个月能达到什么水平？"),
    Question(title="跑步到底伤不伤膝盖？", description="小区里只有水泥路。"),
]
DEAD = 2**22 + 1  # larger than any process number Linux gives


@pytest.fixture
def tagger(tiny_model):
    """A tagger of the test's own, to be changed at will."""
    return load_tagger(tiny_model)


@pytest.fixture
def folder(tiny_model, tmp_path):
    """A model folder of the test's own, to be damaged at will."""
    return shutil.copytree(tiny_model, tmp_path / "model")


def write_changed(path, change):
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def beside(folder):
    return sorted(path.name for path in folder.parent.iterdir())


# What comes back


def test_saved_model_gives_the_same_hypotheses_scores_and_version(tiny_tagger, tmp_path):
    version = save_tagger(tiny_tagger, tmp_path / "model")
    loaded = load_tagger(tmp_path / "model")
    assert loaded.version == version == tiny_tagger.version
    before, after = tiny_tagger.suggest(QUESTIONS), loaded.suggest(QUESTIONS)
    assert [answer.hypotheses for answer in after] == [answer.hypotheses for answer in before]
    assert after == before


def test_everything_beside_the_weights_comes_back(tagger, tmp_path):
    tagger.details["metrics"] = {"dev": {"f1": 0.5}}
    save_tagger(tagger, tmp_path / "model")
    loaded = load_tagger(tmp_path / "model")
    for name in ("config", "settings", "frequencies", "order", "details"):
        assert getattr(loaded, name) == getattr(tagger, name)
    assert loaded.codec.source.words == tagger.codec.source.words
    assert loaded.codec.target.words == tagger.codec.target.words
    assert loaded.codec.segmenter.words == tagger.codec.segmenter.words


def with_ranker(tagger):
    """As a model is that has a ranker: where it begins, and how rare words are."""
    segmenter = tagger.codec.segmenter
    table = WordTable.count(FoldedWords.of(question, segmenter) for question in QUESTIONS * 3)
    return replace(tagger, prior=prior_of({"model.standing": 2.5, "words.score": 1 / 3}), table=table)


def test_a_ranker_and_its_table_of_words_come_back(tagger, tmp_path):
    ranked = with_ranker(tagger)
    version = save_tagger(ranked, tmp_path / "model")
    loaded = load_tagger(tmp_path / "model")
    assert loaded.version == version != tagger.version
    assert loaded.prior == ranked.prior
    assert {name: array.tolist() for name, array in loaded.table.arrays.items()} == {
        name: array.tolist() for name, array in ranked.table.arrays.items()
    }
    words = FoldedWords.of(QUESTIONS[0], tagger.codec.segmenter)
    assert loaded.table.vector(words)[1].tolist() == ranked.table.vector(words)[1].tolist()
    assert save_tagger(loaded, tmp_path / "again") == version
    one, two = ranked.suggest(QUESTIONS), loaded.suggest(QUESTIONS)
    assert [answer.suggestions for answer in one] == [answer.suggestions for answer in two]
    assert one[0].cut == 0.3


def test_a_model_without_a_ranker_has_neither_file_and_orders_by_votes(tiny_tagger, tmp_path):
    version = save_tagger(tiny_tagger, tmp_path / "model")
    assert not (tmp_path / "model" / RANKER).exists()
    assert not (tmp_path / "model" / WORDS).exists()
    assert version == tiny_tagger.version
    assert load_tagger(tmp_path / "model").prior is None
    assert load_tagger(tmp_path / "model").new_knowledge() is None


def test_half_precision_takes_half_the_room_and_nearly_the_same_weights(tagger, tmp_path):
    sizes = {}
    for storage in ("float32", "float16"):
        version = save_tagger(tagger, tmp_path / storage, storage=storage)
        sizes[storage] = (tmp_path / storage / WEIGHTS).stat().st_size
        assert load_tagger(tmp_path / storage).version == version
    assert 0.49 < sizes["float16"] / sizes["float32"] < 0.52
    loaded = load_tagger(tmp_path / "float16").model.state_dict()
    for name, tensor in tagger.model.state_dict().items():
        assert loaded[name].dtype == torch.float32
        # Eleven significant bits, or steps of 2^-25 under the smallest normal number.
        torch.testing.assert_close(loaded[name], tensor, rtol=2**-11, atol=2**-25)


def test_half_precision_saved_again_stays_as_it_is(tagger, tmp_path):
    version = save_tagger(tagger, tmp_path / "once", storage="float16")
    assert save_tagger(load_tagger(tmp_path / "once"), tmp_path / "twice", storage="float16") == version


def test_saving_twice_gives_the_same_version_and_bytes(tagger, tmp_path):
    versions = [save_tagger(tagger, tmp_path / name) for name in ("a", "b", "b")]
    assert len(set(versions)) == 1
    for name in (WEIGHTS, CONFIG, VOCABULARY, FREQUENCIES):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert beside(tmp_path / "a") == ["a", "b"]


def test_tied_weights_are_saved_once(tagger, tmp_path):
    assert tagger.config.share_embeddings
    save_tagger(tagger, tmp_path / "model")
    with safe_open(tmp_path / "model" / WEIGHTS, framework="pt") as file:
        shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    source, target, width = len(tagger.codec.source), len(tagger.codec.target), tagger.config.width
    assert shapes["source_table.dense.weight"] == (target, width)
    assert shapes["source_table.sparse.weight"] == (source - target, width)
    assert not [name for name in shapes if name.startswith(("output", "target_table"))]


def test_files_may_be_read_as_any_new_file_may(tagger, tmp_path):
    (tmp_path / "ordinary").write_text("x")
    save_tagger(tagger, tmp_path / "model")
    wanted = stat.S_IMODE((tmp_path / "ordinary").stat().st_mode)
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "model").iterdir()} == {wanted}


# The version


def change_weight(tagger):
    with torch.no_grad():
        tagger.model.copy_gate.bias += 1e-6


def change_word_list(tagger):
    tagger.codec.segmenter = Segmenter(["自学成才的人"])


def change_vocabulary(tagger):
    tagger.codec.target.words = (*tagger.codec.target.words[:-1], "没见过")


def change_frequency(tagger):
    tagger.frequencies = {**tagger.frequencies, "Python": tagger.frequencies["Python"] + 1}


def change_model_config(tagger):
    tagger.config = replace(tagger.config, max_source_length=41)


def change_decode_settings(tagger):
    tagger.settings = replace(tagger.settings, threshold=0.26)


def change_order(tagger):
    tagger.order = "order1"


def add_ranker(tagger):
    tagger.prior = prior_of({"model.standing": 1.0})


def add_table(tagger):
    tagger.table = with_ranker(tagger).table


@pytest.mark.parametrize(
    "change",
    [
        change_weight,
        change_word_list,
        change_vocabulary,
        change_frequency,
        change_model_config,
        change_decode_settings,
        change_order,
        add_ranker,
        add_table,
    ],
)
def test_version_changes_with_whatever_changes_the_answers(tagger, tmp_path, change):
    change(tagger)
    version = save_tagger(tagger, tmp_path / "model")
    assert version != tagger.version
    assert load_tagger(tmp_path / "model").version == version


@pytest.mark.parametrize(
    "change",
    [
        lambda prior: replace(prior, constant=prior.constant + 1e-9),
        lambda prior: replace(prior, weights={**prior.weights, "words.score": 0.34}),
        lambda prior: replace(prior, scales={"words.score": 2.0}),
        lambda prior: replace(prior, curve=prior_of({}, cut=0.4).curve),
    ],
)
def test_version_changes_with_the_ranker(tagger, tmp_path, change):
    ranked = with_ranker(tagger)
    before = save_tagger(ranked, tmp_path / "before")
    after = save_tagger(replace(ranked, prior=change(ranked.prior)), tmp_path / "after")
    assert before != after
    assert load_tagger(tmp_path / "after").version == after


def test_version_does_not_change_with_card_or_metrics(tagger, tmp_path):
    tagger.details["metrics"] = {"dev": {"f1": 0.123}}
    assert save_tagger(tagger, tmp_path / "model", card="# 自己写的卡片\n") == tagger.version
    assert (tmp_path / "model" / "README.md").read_text(encoding="utf-8") == "# 自己写的卡片\n"
    write_changed(tmp_path / "model" / CONFIG, lambda config: config["metrics"].update(note="x"))
    loaded = load_tagger(tmp_path / "model")
    assert (loaded.version, loaded.details["metrics"]["note"]) == (tagger.version, "x")


# What is refused


def cut_off(path):
    path.write_bytes(path.read_bytes()[:-1000])


def flip_last_byte(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def write_text(text):
    return lambda path: path.write_text(text, encoding="utf-8")


def edit(**values):
    return lambda path: write_changed(path, lambda config: config.update(values))


DAMAGES = {
    "weights missing": (WEIGHTS, os.remove, "model.safetensors is missing", "copy it again"),
    "config missing": (CONFIG, os.remove, "config.json is missing", "copy it again"),
    "vocabulary missing": (VOCABULARY, os.remove, "vocabulary.json is missing", "copy it again"),
    "frequencies missing": (FREQUENCIES, os.remove, "frequencies.json is missing", "copy it again"),
    "weights cut off": (WEIGHTS, cut_off, "model.safetensors is damaged or cut off", "Copy the folder again"),
    "weights empty": (WEIGHTS, write_text(""), "model.safetensors is damaged or cut off", "Copy the folder again"),
    "weights garbage": (WEIGHTS, write_text("不是权重"), "model.safetensors is damaged", "Copy the folder again"),
    "weights flipped": (WEIGHTS, flip_last_byte, "do not belong together", "copy it again or restore it"),
    "config edited": (CONFIG, edit(order="order1"), "do not belong together", "copy it again or restore it"),
    "config without model": (CONFIG, edit(model=None), "do not belong together", "copy it again or restore it"),
    "config without version": (CONFIG, write_text('{"kind": "l2a-tagger", "format": 1}'), "damaged", "Copy it again"),
    "vocabulary a list": (VOCABULARY, write_text("[]"), "do not belong together", "copy it again or restore it"),
    "frequencies garbage": (FREQUENCIES, write_text("{"), "frequencies.json cannot be read", "Copy the folder again"),
    "config garbage": (CONFIG, write_text("{"), "config.json cannot be read", "Copy the folder again"),
    "config bottomless": (CONFIG, write_text("[" * 100_000), "config.json cannot be read", "Copy the folder again"),
    "config not UTF-8": (CONFIG, lambda p: p.write_bytes(b"\xff{}"), "config.json cannot", "Copy the folder again"),
    "config a list": (CONFIG, write_text("[1, 2]"), "not that of an L2A model", "`python -m l2a train`"),
    "config of another kind": (CONFIG, write_text('{"model_type": "bert"}'), "not that of an L2A", "Give a folder"),
    "format newer": (CONFIG, edit(format=2), "has format 2; this program reads up to 1", "Update the program"),
    "format a word": (CONFIG, edit(format="1"), "has format '1'", "Update the program"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_folder_is_refused_with_its_name_and_what_to_do(folder, damage):
    file, spoil, what, advice = DAMAGES[damage]
    spoil(folder / file)
    with pytest.raises(CheckpointError) as refusal:
        load_tagger(folder)
    message = str(refusal.value)
    assert message.startswith(f"{folder}: ")
    assert what in message
    assert advice in message
    assert "\n" not in message


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.write_text("x")])
def test_folder_that_is_none_is_refused(tmp_path, make):
    make(tmp_path / "model")
    with pytest.raises(CheckpointError, match=r"model: no such model folder\. Give the path of a folder written by"):
        load_tagger(tmp_path / "model")


@pytest.mark.parametrize(
    ("file", "spoil", "what"),
    [
        (RANKER, os.remove, "do not belong together"),
        (WORDS, os.remove, "do not belong together"),
        (RANKER, edit(constant=-1.0), "do not belong together"),
        (RANKER, write_text("{"), "ranker.json cannot be read"),
        (WORDS, flip_last_byte, "do not belong together"),
        (WORDS, write_text(""), "words.safetensors is damaged or cut off"),
    ],
)
def test_a_folder_whose_ranker_was_damaged_is_refused(tagger, tmp_path, file, spoil, what):
    save_tagger(with_ranker(tagger), tmp_path / "model")
    spoil(tmp_path / "model" / file)
    with pytest.raises(CheckpointError, match=what):
        load_tagger(tmp_path / "model")


def test_a_ranker_of_another_program_is_refused_though_the_version_is_right(tagger, tmp_path):
    prior = with_ranker(tagger).prior
    save_tagger(replace(tagger, prior=replace(prior, curve=prior.curve[:-1])), tmp_path / "model")
    with pytest.raises(CheckpointError, match=r"ranker\.json is no ranker of this program"):
        load_tagger(tmp_path / "model")


def test_weights_that_do_not_fit_the_config_are_refused_though_the_version_is_right(folder):
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    config["model"]["width"] = 34
    parts = [json.loads((folder / name).read_text(encoding="utf-8")) for name in (VOCABULARY, FREQUENCIES)]
    identity = {name: config[name] for name in ("model", "decode", "order")}
    config["version"] = checkpoint._version(checkpoint.load_file(folder / WEIGHTS), identity, *parts, {}, None)
    (folder / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(CheckpointError, match="damaged or of another kind") as refusal:
        load_tagger(folder)
    assert str(folder) in str(refusal.value)


# Crashes

CRASH_POINTS = [
    ("save_file", 1),
    ("_write_json", 1),
    ("_write_json", 2),
    ("_write_json", 3),
    ("default_card", 1),
    ("shutil.copymode", 1),
    ("_sync", 1),
    ("os.replace", 1),  # the old folder aside
    ("os.replace", 2),  # the new one in its place
    ("_remove_leftovers", 1),
]


def arm(monkeypatch, point, call, strike, *, again=False):
    """Make the call-th use of a function of the saving module strike (and, with `again`, all after it)."""
    owner, name = checkpoint, point
    if "." in point:
        module, name = point.split(".")
        owner = getattr(checkpoint, module)
    real, calls = getattr(owner, name), []

    def armed(*args, **kwargs):
        calls.append(args)
        if len(calls) == call or (again and len(calls) > call):
            strike()
        return real(*args, **kwargs)

    monkeypatch.setattr(owner, name, armed)


def fail():
    raise OSError("no space left on device")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def run_forked(work, *args):
    """A child process that shares our model; a fork, because starting an interpreter takes seconds."""
    child = multiprocessing.get_context("fork").Process(target=work, args=args)
    child.start()
    return child


@pytest.mark.parametrize(("point", "call"), CRASH_POINTS)
@pytest.mark.parametrize("again", [False, True], ids=["once", "from-then-on"])
def test_failed_save_leaves_the_old_model(tagger, folder, monkeypatch, point, call, again):
    version = tagger.version
    change_decode_settings(tagger)
    with monkeypatch.context() as patch:
        arm(patch, point, call, fail, again=again)
        with pytest.raises(OSError, match="no space left"):
            save_tagger(tagger, folder)
    is_new = point == "_remove_leftovers"  # by then the new model is in its place
    assert (load_tagger(folder).version != version) == is_new
    assert not [name for name in beside(folder) if ".writing-" in name]
    assert save_tagger(tagger, folder) != version
    assert beside(folder) == ["model"]


@pytest.mark.parametrize(("point", "call"), CRASH_POINTS)
@pytest.mark.parametrize("is_first", [False, True], ids=["second save", "first save"])
def test_killed_save_leaves_the_old_model_or_the_new_one(tagger, folder, monkeypatch, point, call, is_first):
    if is_first:
        shutil.rmtree(folder)
        call = 1 if point == "os.replace" else call  # nothing to move aside
    version = tagger.version
    change_decode_settings(tagger)
    with monkeypatch.context() as patch:
        arm(patch, point, call, die)
        child = run_forked(save_tagger, tagger, folder)
        child.join(60)
    assert child.exitcode == -signal.SIGKILL
    is_new = point == "_remove_leftovers"
    if is_first and not is_new:
        with pytest.raises(CheckpointError, match="no such model folder"):
            load_tagger(folder)
    else:
        assert (load_tagger(folder).version != version) == is_new
    version = save_tagger(tagger, folder)
    assert beside(folder) == ["model"]
    assert load_tagger(folder).version == version


def test_half_written_folder_does_not_load(tagger, folder, monkeypatch):
    with monkeypatch.context() as patch:
        arm(patch, "_write_json", 2, die)
        child = run_forked(save_tagger, tagger, folder)
        child.join(60)
    (half,) = folder.parent.glob(".model.writing-*")
    with pytest.raises(CheckpointError, match=r"config\.json is missing"):
        load_tagger(half)


def test_save_by_a_process_with_the_number_of_a_killed_one(tagger, folder):
    """As in a container, where every start has the same process number."""
    old = folder.with_name(f".model.old-{os.getpid()}")
    folder.rename(old)
    assert load_tagger(folder).version == tagger.version
    save_tagger(tagger, folder)
    folder.rename(old)
    shutil.copytree(old, folder)
    save_tagger(tagger, folder)
    assert beside(folder) == ["model"]


def test_next_save_removes_what_dead_processes_left_and_nothing_else(tagger, folder):
    sleeper = run_forked(time.sleep, 60)
    try:
        for name in (f".model.writing-{DEAD}", f".model.old-{DEAD}", f".model.writing-{sleeper.pid}", ".model2.old-1"):
            folder.with_name(name).mkdir()
        folder.with_name(".model.old-版本").mkdir()
        save_tagger(tagger, folder)
    finally:
        sleeper.kill()
        sleeper.join()
    assert beside(folder) == sorted([".model.old-版本", f".model.writing-{sleeper.pid}", ".model2.old-1", "model"])


def test_name_with_wildcards_finds_only_its_own_leftovers(tagger, tmp_path):
    save_tagger(tagger, tmp_path / f".model1.old-{DEAD}")
    with pytest.raises(CheckpointError, match="no such model folder"):
        load_tagger(tmp_path / "model[1]")
    save_tagger(tagger, tmp_path / f".model[1].old-{DEAD}")
    assert load_tagger(tmp_path / "model[1]").version == tagger.version


def save_for_ever(tagger, folder):
    while True:
        for threshold in (0.1, 0.2):
            tagger.settings = replace(tagger.settings, threshold=threshold)
            save_tagger(tagger, folder)


def kill_while_saving(tagger, folder, times):
    versions = set()
    for threshold in (0.1, 0.2):
        tagger.settings = replace(tagger.settings, threshold=threshold)
        versions.add(save_tagger(tagger, folder.with_name("reference")))
    chance = random.Random(5)
    has_been_saved = False
    for _ in range(times):
        child = run_forked(save_for_ever, tagger, folder)
        time.sleep(chance.uniform(0.0, 0.25))
        child.kill()
        child.join()
        if has_been_saved or find_folder(folder).exists():
            has_been_saved = True
            assert load_tagger(folder).version in versions
    assert has_been_saved
    save_tagger(tagger, folder)
    assert beside(folder) == ["model", "reference"]


def test_model_survives_kills_at_any_moment(tagger, tmp_path):
    kill_while_saving(tagger, tmp_path / "model", times=12)


@pytest.mark.soak
def test_model_survives_a_thousand_kills(tagger, tmp_path):
    kill_while_saving(tagger, tmp_path / "model", times=1000)
