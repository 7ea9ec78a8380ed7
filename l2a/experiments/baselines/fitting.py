"""Trains a classifier and ranks tags with it: the engine's words, vocabulary, batches and optimiser, another network.

The loss is that of the baselines' papers: cross-entropy of a softmax over all tags, each of a question's tags being
one right answer. The epoch is chosen on dev. Learning topics takes its time out of the same budget.
"""

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from l2a.checkpoint import build_codec
from l2a.config import ModelConfig, TrainingConfig
from l2a.data.questions import Question
from l2a.experiments.baselines.networks import NETWORKS, Classifier
from l2a.experiments.baselines.topics import TopicModel
from l2a.experiments.training.scales import CLOCK
from l2a.measure.cutoff import Ranking, choose_cutoff
from l2a.measure.metrics import POSITIONS
from l2a.text.batch import pad_sources
from l2a.text.codec import Codec, EncodedSource
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import FIRST_WORD
from l2a.training.best_epoch import is_better
from l2a.training.dataset import build_training_set, make_batches, read_words
from l2a.training.optimiser import Optimiser

TOPIC_TIME = 0.25  # at most this share of the budget is for the topic model
CANDIDATES = 2 * POSITIONS  # tags of a ranking that are kept


@dataclass(frozen=True)
class ClassifierSettings:
    """A network with its sizes; `model` says how questions are read, `training` how it is trained."""

    network: str
    units: int
    topics: int
    topic_passes: int
    model: ModelConfig
    training: TrainingConfig


@dataclass(frozen=True)
class Item:
    """A question ready for a batch."""

    source: EncodedSource
    classes: tuple[int, ...]  # numbers of its tags; empty where they are not known
    topics: np.ndarray | None  # (Z,)


@dataclass
class FittedClassifier:
    """A trained network with all it needs to rank the tags of any question; `facts` tell of its training."""

    network: Classifier
    codec: Codec
    topic_model: TopicModel | None
    facts: dict[str, Any]

    def rank(self, questions: Sequence[Question], batch_size: int = 64) -> Ranking:
        """For each question the most probable tags with their probabilities, best first."""
        sources = [self.codec.encode_question(q.title, q.description) for q in questions]
        topics = self.topic_model.weigh([source.words for source in sources]) if self.topic_model else None
        items = [Item(s, (), None if topics is None else topics[place]) for place, s in enumerate(sources)]
        found: list[list[tuple[str, float]]] = []
        self.network.eval()
        with torch.inference_mode():
            for first in range(0, len(items), batch_size):
                probabilities = score_items(self.network, items[first : first + batch_size]).softmax(dim=1)  # (B, C)
                best = probabilities.topk(min(CANDIDATES, probabilities.shape[1]))
                for values, numbers in zip(best.values.tolist(), best.indices.tolist(), strict=True):
                    tags = [self.codec.target.word(number + FIRST_WORD) for number in numbers]
                    found.append(list(zip(tags, values, strict=True)))
        return found


def fit_classifier(
    settings: ClassifierSettings,
    train: Path,
    dev: Sequence[Question],
    max_seconds: float,
    *,
    skip_bad: bool = False,
    quiet: bool = True,
) -> FittedClassifier:
    """Train until the time, the epochs or the patience are used up; the best epoch on dev is kept."""
    training = settings.training
    segmenter = Segmenter()
    # A label model of the engine has just what a classifier needs: source words, and one number a tag.
    config = replace(settings.model, kind="label")
    read = read_words([train], segmenter, config.max_source_length, skip_bad=skip_bad, quiet=quiet)
    words = [one for one in read if one.tags]
    data, codec = build_training_set(words, (), segmenter, config, partial(build_codec, config, segmenter))
    started = CLOCK()
    topic_model = _learn_topics(settings, [one.source for one in words], started + TOPIC_TIME * max_seconds)
    topics = topic_model.weigh([one.source for one in words]) if topic_model else None
    items = [
        Item(example.source, _classes(example.tags, codec), None if topics is None else topics[place])
        for place, example in enumerate(data.train)
    ]
    items = [item for item in items if item.classes]
    torch.manual_seed(training.seed)
    network = NETWORKS[settings.network](
        len(data.source), len(data.target) - FIRST_WORD, settings.units, config.dropout, topics=settings.topics
    )
    fitted = FittedClassifier(network, codec, topic_model, {})
    spent = CLOCK() - started  # topics are learned on the network's time
    fitted.facts = _train(fitted, items, dev, training, max_seconds - spent, quiet)
    fitted.facts |= {"topic_seconds": spent, "weights": sum(p.numel() for p in network.parameters())}
    return fitted


def score_items(network: Classifier, items: Sequence[Item]) -> Tensor:
    """(B, C) scores before the softmax."""
    batch = pad_sources([item.source for item in items])
    topics = None
    if network.uses_topics:
        topics = torch.from_numpy(np.stack([item.topics for item in items if item.topics is not None]))
    return network(batch.ids, batch.lengths, topics)


def tag_loss(scores: Tensor, classes: Sequence[Sequence[int]]) -> Tensor:
    """Cross-entropy of a softmax, the mean over a question's tags, then over the questions; scores: (B, C)."""
    log_probs = scores.log_softmax(dim=1)
    rows = torch.tensor([row for row, numbers in enumerate(classes) for _ in numbers])
    columns = torch.tensor([number for numbers in classes for number in numbers])
    weights = torch.tensor([1 / len(numbers) for numbers in classes for _ in numbers])
    return -(log_probs[rows, columns] * weights).sum() / len(classes)


def _learn_topics(
    settings: ClassifierSettings, questions: Sequence[Sequence[str]], stop_at: float
) -> TopicModel | None:
    if not NETWORKS[settings.network].uses_topics:
        return None
    topic_model = TopicModel(settings.topics, settings.training.seed)
    topic_model.learn(questions, settings.topic_passes, stop_at)
    return topic_model


def _classes(tags: Sequence[str], codec: Codec) -> tuple[int, ...]:
    return tuple(codec.target.number(tag) - FIRST_WORD for tag in tags if tag in codec.target)


def _train(
    fitted: FittedClassifier,
    items: list[Item],
    dev: Sequence[Question],
    training: TrainingConfig,
    max_seconds: float,
    quiet: bool,
) -> dict[str, Any]:
    """The loop; an epoch that the clock cut short is judged like any other."""
    network, gold = fitted.network, [question.tags for question in dev]
    steps = math.ceil(len(items) / training.batch_size) * training.epochs
    optimiser = Optimiser(network, training, steps, 0)
    best_f1: float | None = None
    best_epoch, step, seconds = 0, 0, 0.0
    best_weights: dict[str, Any] = {}
    for epoch in range(training.epochs):
        started = CLOCK()
        for batch in _batches(items, training, epoch, quiet):
            network.train()
            torch.manual_seed(training.seed * 1_000_003 + step)
            optimiser.zero_grad()
            tag_loss(score_items(network, batch), [item.classes for item in batch]).backward()
            optimiser.step(step)
            step += 1
            if seconds + CLOCK() - started > max_seconds:
                break
        seconds += CLOCK() - started
        _, f1 = choose_cutoff(
            fitted.rank(dev), gold, scores_tried=0
        )  # the number of tags only: that is enough to compare
        if is_better(f1, best_f1):
            best_f1, best_epoch, best_weights = f1, epoch + 1, copy.deepcopy(network.state_dict())
        if seconds > max_seconds or epoch + 1 - best_epoch >= training.patience:
            break
    network.load_state_dict(best_weights)
    return {"seconds": seconds, "steps": step, "epochs": epoch + 1, "best_epoch": best_epoch}


def _batches(items: list[Item], training: TrainingConfig, epoch: int, quiet: bool) -> Iterator[list[Item]]:
    batches = make_batches(items, training.batch_size, f"{training.seed}/{epoch}")
    return iter(tqdm(batches, desc=f"epoch {epoch + 1}", unit="step", disable=quiet, leave=False))
