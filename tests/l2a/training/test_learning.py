"""Training learns, and a run leaves what it promises."""

from dataclasses import replace

import pytest
import torch
from torch.nn import functional as F

from l2a.checkpoint import load_tagger
from l2a.data.questions import read_questions
from l2a.measure.evaluation import evaluate
from l2a.text.batch import pad_sources, pad_targets
from l2a.training import loop as training
from l2a.training.dataset import target_sequences
from l2a.training.distributed import Workers
from l2a.training.loop import Trainer, tune_threshold
from l2a.training.run import RunSpec, prepare
from tests.conftest import tiny_spec
from tests.l2a.training.conftest import (
    PNG,
    assert_same_run,
    read_log,
    train,
    write_lines,
)


def test_loss_falls_on_the_samples(samples_path, tmp_path):
    result = train(replace(tiny_spec(epochs=4), dev=()), tmp_path)
    losses = [entry["train_loss"] for entry in read_log(tmp_path) if "train_loss" in entry]
    assert len(losses) == 4
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.7 * losses[0]
    assert result.steps == 4 * 9  # 140 questions, 16 a step
    assert result.finished


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"copy": True, "share_embeddings": True},
        {"kind": "label", "encoder": "A", "decoder": "L"},
    ],
    ids=["word", "copy", "label A2L"],
)
def test_tiny_model_learns_a_few_questions_by_heart(samples_path, tmp_path, monkeypatch, changes):
    path = write_lines(tmp_path / "six.jsonl", samples_path, 6)
    spec = replace(tiny_spec(epochs=80, batch_size=6, **changes), train=(str(path),), dev=())
    monkeypatch.setattr(training, "save_tagger", lambda *args, **options: None)  # eighty times would take longest
    monkeypatch.setattr(Trainer, "_save_state", lambda self: None)
    trainer, _ = prepare(spec, tmp_path / "run", Workers(), quiet=True)
    trainer.run()
    questions = list(read_questions(path))
    for question, answer in zip(questions, trainer.tagger.suggest(questions, beam=1), strict=True):
        assert sorted(suggestion.tag for suggestion in answer.kept) == sorted(question.tags)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_is_the_label_smoothed_cross_entropy(few, tmp_path, smoothing):
    """Against torch's own, which spreads the smoothing over all classes, as Vaswani et al. do."""
    trainer, _ = prepare(few(label_smoothing=smoothing), tmp_path, Workers(), quiet=True)
    batch = trainer.data.train[:5]
    targets = list(target_sequences(batch, trainer.tagger.codec, trainer.training, trainer.data.frequencies, 0))
    found = trainer._loss_sum(batch, batch, targets).item()

    model = trainer.tagger.model
    inputs, wanted = pad_targets(targets)
    hidden, _ = model.decode(inputs, model.encode(pad_sources([example.source for example in batch])))
    logits = model.output(hidden)
    expected = F.cross_entropy(
        logits.flatten(0, 1), wanted.flatten(), ignore_index=0, label_smoothing=smoothing, reduction="sum"
    ).item()
    assert found == pytest.approx(expected, rel=1e-5)


def test_label_smoothing_by_hand(few, tmp_path):
    """Two target words, uniform over 50 words but for one logit: the loss written out."""
    trainer, _ = prepare(few(label_smoothing=0.2), tmp_path, Workers(), quiet=True)
    model, example = trainer.tagger.model, trainer.data.train[0]
    with torch.no_grad():
        model.output.weight.zero_()
        model.output.bias.zero_()
        model.output.bias[7] = 2.0
    size = len(trainer.data.target)
    total = torch.log(torch.tensor(size - 1 + 2.718281828459045**2)).item()  # of exp(0) * (size - 1) + exp(2)
    mean = 2.0 / size - total
    # The first word is number 7, the second is the end symbol, number 2.
    expected = -(0.8 * (2.0 - total) + 0.2 * mean) - (0.8 * (0.0 - total) + 0.2 * mean)
    assert trainer._loss_sum([example], [example], [[7, 2]]).item() == pytest.approx(expected, rel=1e-5)


def test_pre_training_comes_first_with_copies_of_the_training_questions(few, tmp_path):
    spec = few(pretrain=True, epochs=1, pretrain_epochs=2, train_copies=2, fine_tune_rate=0.5)
    trainer, notes = prepare(spec, tmp_path, Workers(), quiet=True)
    assert [len(trainer._examples(epoch)) for epoch in range(trainer.epochs)] == [72, 72, 24]
    assert (trainer.optimiser.total_steps, trainer.optimiser.fine_tune_from) == (9 + 9 + 3, 18)
    assert any("24 training, 24 pre-training, 0 replayed questions" in note for note in notes)


def test_pre_training_epochs_mean_nothing_without_such_questions(few, tmp_path):
    trainer, _ = prepare(few(epochs=2, pretrain_epochs=3), tmp_path, Workers(), quiet=True)
    assert trainer.epochs == 2


def test_log_has_steps_and_epochs(finished):
    log = read_log(finished[1])
    steps = [entry for entry in log if "loss" in entry]
    epochs = [entry for entry in log if "train_loss" in entry]
    assert [entry["step"] for entry in steps] == [2, 4, 6, 8, 10, 12]
    assert [(entry["epoch"], entry["step"]) for entry in epochs] == [(1, 3), (2, 6), (3, 9), (4, 12)]
    for entry in steps:
        assert entry["loss"] > 0
        assert entry["learning_rate"] > 0
    for entry in epochs:
        assert 0 <= entry["dev_f1"] <= 1
        assert {"dev_precision", "dev_recall", "dev_f1_best_hypothesis", "dev_f1_best_threshold"} <= entry.keys()


def test_curves_are_a_picture(finished):
    assert (finished[1] / "curves.png").read_bytes().startswith(PNG)


def test_only_the_last_three_epochs_are_kept(finished):
    kept = sorted(path.name for path in finished[1].glob("epoch-*"))
    assert kept == ["epoch-002", "epoch-003", "epoch-004"]
    assert load_tagger(finished[1] / "epoch-004").details["metrics"]["epoch"] == 4


def test_model_says_how_it_was_trained(finished, few_path):
    spec, folder = finished
    tagger = load_tagger(folder / "best")
    assert tagger.details["training"] == spec.training.to_dict()
    assert tagger.details["data"] == {"train": 24, "pretrain": 0, "dev": 6}
    assert RunSpec.load(folder) == spec


def test_same_spec_gives_the_same_weights(finished, tmp_path, monkeypatch):
    spec, folder = finished
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    train(spec, tmp_path)
    assert_same_run(tmp_path, folder)


def test_other_seed_gives_other_weights(few, tmp_path):
    for seed in (1, 2):
        train(few(epochs=1, seed=seed), tmp_path / str(seed))
    assert load_tagger(tmp_path / "1" / "best").version != load_tagger(tmp_path / "2" / "best").version


def script_dev_scores(monkeypatch, *scores: float, at_best: tuple[float, ...] = ()) -> None:
    """Each epoch's dev F1 is the next of `scores`, and at the threshold that suits it best the next of `at_best`."""
    coming, best, real = iter(scores), iter(at_best or scores), training.evaluate

    def scripted(tagger, questions, **options):
        found = real(tagger, questions[:1], beam=1, quiet=True)
        return replace(
            found,
            voted=replace(found.voted, f1=next(coming)),
            best_threshold_score=replace(found.best_threshold_score, f1=next(best)),
        )

    monkeypatch.setattr(training, "evaluate", scripted)


def test_patience_begins_with_the_first_right_tag(few, tmp_path, monkeypatch):
    script_dev_scores(monkeypatch, 0.0, 0.0, 0.0, 0.0, 0.2, 0.1, 0.1)
    result = train(few(dev=True, epochs=20, patience=2), tmp_path)
    assert (result.best_epoch, result.best_f1) == (5, 0.2)
    assert result.steps == 7 * 3


def test_training_stops_when_dev_has_not_become_better_for_a_while(few, tmp_path, monkeypatch):
    script_dev_scores(monkeypatch, 0.3, 0.5, 0.4, 0.5, 0.2, 0.9)  # equal is not better
    result = train(few(dev=True, epochs=20, patience=3), tmp_path)
    assert (result.best_epoch, result.best_f1, result.steps) == (2, 0.5, 15)
    assert result.finished
    assert load_tagger(tmp_path / "best").details["metrics"]["epoch"] == 2


def test_epochs_are_compared_at_the_threshold_they_would_get(few, tmp_path, monkeypatch):
    spec = few(dev=True, epochs=3)
    for is_tuned, wanted in ((False, (1, 0.5)), (True, (2, 0.7))):
        with monkeypatch.context() as patch:
            script_dev_scores(patch, 0.5, 0.4, 0.3, 0.3, 0.3, at_best=(0.5, 0.7, 0.6, 0.6, 0.6))
            result = train(replace(spec, tune_threshold=is_tuned), tmp_path / str(is_tuned))
        assert (result.best_epoch, result.best_f1) == wanted


def test_patience_does_not_run_out_in_pre_training(few, tmp_path, monkeypatch):
    script_dev_scores(monkeypatch, 0.5, 0.4, 0.3, 0.2, 0.1)
    result = train(few(dev=True, pretrain=True, pretrain_epochs=3, epochs=20, patience=2), tmp_path)
    assert result.best_epoch == 1
    assert result.steps == 3 * 6 + 2 * 3


def test_tuned_threshold_is_stored_with_its_scores(few, tmp_path):
    train(replace(few(dev=True), tune_threshold=True), tmp_path)
    tuned, plain = load_tagger(tmp_path / "best"), load_tagger(tmp_path / "epoch-004")
    dev = list(read_questions(few().train[0]))
    found = evaluate(plain if tuned.details["metrics"]["epoch"] == 4 else tuned, dev, quiet=True)
    assert tuned.settings.threshold == found.best_threshold
    stored = tuned.details["metrics"]["dev"]
    assert stored["threshold"] == found.best_threshold
    assert stored["voted"]["f1"] == pytest.approx(found.best_threshold_score.f1)
    assert tuned.settings == replace(plain.settings, threshold=found.best_threshold)


def test_tuning_never_lowers_the_score_on_dev(tiny_model, samples_path):
    tagger = load_tagger(tiny_model)
    dev = list(read_questions(samples_path))[:40]
    before = evaluate(tagger, dev, quiet=True)
    after = tune_threshold(tagger, dev, quiet=True)
    assert after.voted.f1 == pytest.approx(before.best_threshold_score.f1)
    assert after.voted.f1 >= before.voted.f1


def test_dev_scores_are_those_of_the_weights_at_the_end_of_the_epoch(few, tmp_path):
    """One table for all words, and no word outside the tags: then the dense optimiser moves everything."""
    spec = few(dev=True, share_embeddings=True, source_vocabulary=6, epochs=16, batch_size=2, patience=99)
    train(spec, tmp_path)
    logged = {entry["epoch"]: entry["dev_f1"] for entry in read_log(tmp_path) if "dev_f1" in entry}
    for epoch in (14, 15, 16):  # those that are kept
        tagger = load_tagger(tmp_path / f"epoch-{epoch:03d}")
        assert tagger.model.source_table.sparse is None
        tagger.decoder = "plain"
        scores = evaluate(tagger, list(read_questions(spec.dev[0])), beam=spec.training.dev_beam, quiet=True)
        assert logged[epoch] == pytest.approx(scores.voted.f1, abs=1e-6), epoch
    assert logged[16] > 0.2
