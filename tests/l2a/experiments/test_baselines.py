import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from l2a.config import preset
from l2a.experiments.baselines.fitting import ClassifierSettings, fit_classifier, tag_loss
from l2a.experiments.baselines.networks import NETWORKS, AttentionCnn
from l2a.experiments.baselines.topics import TopicModel
from l2a.measure.metrics import nlpcc_score

IDS = torch.tensor([[5, 6, 7, 8], [6, 9, 0, 0]])
LENGTHS = torch.tensor([4, 2])
TOPICS = torch.tensor([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]])


def build(name: str):
    torch.manual_seed(3)
    return NETWORKS[name](words=12, tags=7, units=8, dropout=0.0, topics=3).eval()


@pytest.mark.parametrize("name", NETWORKS)
def test_one_score_a_tag_and_padding_changes_nothing(name):
    network = build(name)
    with torch.inference_mode():
        both = network(IDS, LENGTHS, TOPICS)
        alone = network(IDS[1:, :2], LENGTHS[1:], TOPICS[1:])
    assert both.shape == (2, 7)
    torch.testing.assert_close(both[1:], alone)


def test_trigger_words_share_the_weight_and_the_others_have_none():
    network: AttentionCnn = build("cnn")
    with torch.no_grad():  # the score of a word is the tanh of its first number
        network.word_score.weight.zero_()
        network.word_score.bias.zero_()
        network.word_score.weight[0, 0, 1] = 1.0
    x = torch.zeros(1, 4, 8)
    x[0, :, 0] = torch.tensor([1.0, 0.5, -1.0, 9.0])  # the last is beyond the end
    mask = torch.tensor([[True, True, True, False]])
    (weights,) = network.trigger_weights(x, mask)
    high, middle, low = (math.tanh(value) for value in (1.0, 0.5, -1.0))
    assert 0.8 * low + 0.2 * high < middle  # the threshold lies between the second and the third
    expected = np.exp([high, middle]) / np.exp([high, middle]).sum()
    assert weights.tolist() == pytest.approx([*expected, 0.0, 0.0])


def test_topics_drive_the_attention():
    network = build("topical")
    states, mask = torch.randn(1, 4, 8), torch.tensor([[True, True, True, False]])
    first, second = (network.attention(states, mask, topics[None])[0] for topics in TOPICS)
    for weights in (first, second):
        assert weights.sum().item() == pytest.approx(1.0)
        assert weights[3] == 0
    assert not torch.allclose(first, second)


def test_the_loss_is_the_mean_over_a_questions_tags():
    scores = torch.tensor([[0.0, 0.0, math.log(2.0)], [0.0, math.log(8.0), 0.0]])
    # Probabilities 1/4, 1/4, 1/2 and 1/10, 8/10, 1/10.
    expected = -((math.log(1 / 4) + math.log(1 / 2)) / 2 + math.log(8 / 10)) / 2
    assert tag_loss(scores, [(0, 2), (1,)]).item() == pytest.approx(expected)


def test_topics_are_shares_that_tell_subjects_apart():
    pets, code = ["猫", "狗", "宠物"] * 3, ["代码", "编程", "软件"] * 3
    model = TopicModel(2)
    model.learn([pets, code] * 20, passes=10, stop_at=math.inf)
    shares = model.weigh([pets, code, []])
    assert shares.shape == (3, 2)
    assert shares.dtype == np.float32
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert shares[0].argmax() != shares[1].argmax()
    assert model.weigh([]).shape == (0, 2)


def settings(network: str, **training) -> ClassifierSettings:
    tiny = preset("tiny")
    return ClassifierSettings(
        network, units=16, topics=3, topic_passes=2, model=tiny.model, training=replace(tiny.training, **training)
    )


@pytest.mark.parametrize("network", NETWORKS)
def test_a_handful_of_questions_is_learned_by_heart(network, samples, write_questions):
    some = samples[:6]
    fitted = fit_classifier(settings(network, epochs=60, patience=60), write_questions("few", some), some, math.inf)
    gold = [question.tags for question in some]
    kept = [[tag for tag, _ in row][: len(tags)] for row, tags in zip(fitted.rank(some), gold, strict=True)]
    assert nlpcc_score(kept, gold).f1 > 0.9
    for row in fitted.rank(some):
        probabilities = [probability for _, probability in row]
        assert probabilities == sorted(probabilities, reverse=True)
        assert sum(probabilities) <= 1.0001


def test_time_ends_the_training(samples, write_questions):
    few = write_questions("few", samples[:20])
    fitted = fit_classifier(settings("bilstm", epochs=1000), few, samples[:3], max_seconds=0.0)
    assert fitted.facts["steps"] == 1
    assert fitted.facts["best_epoch"] == 1
