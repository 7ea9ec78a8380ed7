"""Trains one method with one seed and lets it answer dev, test and open test; every method has the same time.

Two rules say how many tags are kept. `paper`: the five best of a classifier, votes over N / 4 for L2A (sections 4.1
and 4.5). `chosen`: the cutoff with the best F1 on dev, for every method alike. Test sets are never looked at to choose.
"""

import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from l2a.checkpoint import load_tagger, save_tagger
from l2a.config import Preset
from l2a.experiments.baselines.fitting import ClassifierSettings, fit_classifier
from l2a.experiments.corpora import Corpus
from l2a.experiments.training.methods import Method
from l2a.experiments.training.scales import CLOCK, Scale
from l2a.measure.cutoff import TOP_5, choose_cutoff
from l2a.measure.evaluation import best_threshold, evaluate
from l2a.search.voting import MAX_SHOWN, is_kept
from l2a.tagger import Suggestions, Tagger
from l2a.training.distributed import Workers
from l2a.training.loop import TrainingResult
from l2a.training.run import RunSpec, prepare

PAPER_THRESHOLD = 0.25
RULES = ("paper", "chosen")
DECODE_BATCH = 8


@dataclass(frozen=True)
class Training:
    """What a run depends on beside its method."""

    corpus: Corpus
    scale: Scale
    minutes: float
    seed: int
    folder: Path  # of an L2A model
    quiet: bool


def run_method(method: Method, training: Training) -> dict[str, Any]:
    """Train and answer: `answers[rule][part]` has the kept tags of every question of the parts the method is for."""
    return _run_classifier(method, method.network, training) if method.network else _run_l2a(method, training)


def _run_classifier(method: Method, network: str, training: Training) -> dict[str, Any]:
    scale, corpus = training.scale, training.corpus
    settings = ClassifierSettings(
        network=network,
        units=scale.units,
        topics=scale.topics,
        topic_passes=scale.topic_passes,
        model=replace(scale.base.model, target_vocabulary=10_000_000),  # every tag is a class
        training=replace(scale.base.training, seed=training.seed),
    )
    fitted = fit_classifier(
        settings,
        corpus.files["train"],
        corpus.parts["dev"],
        training.minutes * 60,
        skip_bad=corpus.skip_bad,
        quiet=training.quiet,
    )
    rankings = {part: fitted.rank(corpus.parts[part]) for part in _answered(method, corpus)}
    chosen, _ = choose_cutoff(rankings["dev"], corpus.gold("dev"))
    answers = {
        rule: {part: cutoff.keep(ranking) for part, ranking in rankings.items()}
        for rule, cutoff in zip(RULES, (TOP_5, chosen), strict=True)
    }
    return {"method": method.name, "seed": training.seed, "chosen": str(chosen), **fitted.facts, "answers": answers}


def _run_l2a(method: Method, training: Training) -> dict[str, Any]:
    result = train_l2a(method, training)
    tagger = Tagger.load(training.folder / "best")
    beam = training.scale.beams[-1]
    corpus = training.corpus
    decoded = {part: decode(tagger, corpus.parts[part], beam) for part in _answered(method, corpus)}
    threshold, _ = best_threshold(decoded["dev"], corpus.gold("dev"))
    answers = {
        rule: {part: keep_voted(found, share) for part, found in decoded.items()}
        for rule, share in zip(RULES, (PAPER_THRESHOLD, threshold), strict=True)
    }
    _forget_training(training.folder)
    return {
        "method": method.name,
        "seed": training.seed,
        "chosen": f"votes over {threshold:.2f} N",
        "seconds": result.seconds,
        "steps": result.steps,
        "best_epoch": result.best_epoch,
        "weights": sum(p.numel() for p in tagger.model.parameters()),
        "answers": answers,
    }


def _answered(method: Method, corpus: Corpus) -> Sequence[str]:
    return ("dev",) if method.is_for_dev else tuple(corpus.parts)


def l2a_preset(method: Method, scale: Scale, seed: int) -> Preset:
    """The scale's preset with what the method changes."""
    base = scale.base
    return Preset(
        model=replace(base.model, **method.model),
        decode=replace(base.decode, beam=scale.beams[-1], threshold=PAPER_THRESHOLD),
        training=replace(base.training, **method.training, seed=seed),
    )


def train_l2a(method: Method, training: Training) -> TrainingResult:
    """Train into the run's folder, or go on with what is left of its time; the model is `folder/best`."""
    preset = l2a_preset(method, training.scale, training.seed)
    folder, files = training.folder, training.corpus.files
    spec = RunSpec(
        train=(str(files["train"]),),
        dev=(str(files["dev"]),),
        model=preset.model,
        decode=preset.decode,
        training=preset.training,
        storage="float16",
        skip_bad=training.corpus.skip_bad,
    )
    trainer, _ = prepare(spec, folder, Workers(), quiet=training.quiet)
    trainer.clock = CLOCK
    # Epochs are compared at the threshold each would get, as those of a classifier at the number of tags it would get:
    # the paper's threshold keeps next to nothing of a model that saw few questions, and would choose by chance.
    trainer.tunes_threshold = True
    spec.save(folder)
    trainer.resume()
    trainer.max_seconds = max(0.0, training.minutes * 60 - trainer.place.seconds)
    result = trainer.run()
    if not result.finished:
        _judge_last_weights(folder, training, result)
    return result


def decode(tagger: Tagger, questions: Sequence, beam: int) -> list[Suggestions]:
    return list(tagger.suggest_stream(questions, beam=beam, threshold=PAPER_THRESHOLD, batch_size=DECODE_BATCH))


def keep_voted(answers: Sequence[Suggestions], share: float) -> list[list[str]]:
    """The tags with more than `share` of the votes, at most five a question."""
    return [
        [s.tag for s in answer.suggestions if is_kept(s.votes, answer.beam, share)][:MAX_SHOWN] for answer in answers
    ]


def _judge_last_weights(folder: Path, training: Training, result: TrainingResult) -> None:
    """Give the part of an epoch that the clock cut short its chance on dev.

    Without this a method with slow epochs would lose up to one of them, which can be a good part of its time.
    """
    if result.best_f1 is None:
        return  # no epoch was finished: `best` holds the last weights already
    tagger = load_tagger(folder / "best")
    tagger.model.load_state_dict(torch.load(folder / "state.pt", weights_only=True)["model"])
    scores = evaluate(
        tagger, training.corpus.parts["dev"], beam=training.scale.base.training.dev_beam, quiet=training.quiet
    )
    # As the trainer has it: while nothing is right at all, the model that was trained longer is the better one.
    if scores.best_threshold_score.f1 > result.best_f1 or result.best_f1 == 0:
        save_tagger(tagger, folder / "best", storage="float16")


def _forget_training(folder: Path) -> None:
    """Optimiser state and older epochs are several times the model; nothing asks for them once it has answered."""
    (folder / "state.pt").unlink(missing_ok=True)
    for epoch in folder.glob("epoch-*"):
        shutil.rmtree(epoch, ignore_errors=True)


def minutes_text(minutes: float) -> str:
    return "any time" if math.isinf(minutes) else f"at most {minutes:g} min"
