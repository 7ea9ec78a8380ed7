"""Votes for labelled questions by networks that have not met them."""

import json

import pytest

from l2a.checkpoint import load_tagger
from l2a.data.questions import read_questions
from l2a.errors import InputError
from l2a.evidence.collection import Evidence
from l2a.training import held_out
from l2a.training.held_out import HeldOutVotes
from tests.l2a.training.conftest import train


@pytest.fixture
def pretrained(few, tmp_path):
    train(few(pretrain=True, pretrain_epochs=1, train_copies=0, epochs=1), tmp_path / "run")
    return tmp_path / "run" / "pretrained"


@pytest.fixture
def gold(few_path):
    return [question for question in read_questions(few_path) if question.tags]


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(held_out, "EPOCHS", 1)


def ask_all(votes, gold, folds=4):
    return {
        place: found
        for fold in range(folds)
        for place, found in zip(range(fold, len(gold), folds), votes(fold, Evidence(), gold[fold::folds]), strict=True)
    }


def test_each_half_is_asked_of_a_network_that_was_trained_on_the_other(pretrained, gold, tmp_path):
    votes = HeldOutVotes(pretrained, gold, tmp_path / "work", decoder="float32", quiet=True)
    found = ask_all(votes, gold)
    assert found.keys() == set(range(len(gold)))
    one, two = (load_tagger(tmp_path / "work" / f"half-{half}" / "best") for half in (1, 2))
    assert one.version != two.version != load_tagger(pretrained).version
    # By hand: question 5 belongs to the second half, so the network of that half, which has met the first, is asked.
    (alone,) = two.suggest([gold[5]])
    assert [(vote.tag, vote.votes) for vote in found[5]] == [(s.tag, s.votes) for s in alone.suggestions]
    steps = [json.loads(line) for line in (tmp_path / "work" / "half-1" / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in steps if "train_loss" in line] == [2]  # 12 questions in batches of 8


def test_what_is_kept_is_not_done_again(pretrained, gold, tmp_path, monkeypatch):
    votes = HeldOutVotes(pretrained, gold, tmp_path / "work", decoder="float32", quiet=True)
    first = ask_all(votes, gold)
    monkeypatch.setattr(held_out.Decodings, "find", lambda *args, **kwargs: 0)
    monkeypatch.setattr(held_out.Trainer, "_train_batch", lambda *args: pytest.fail("trained again"))
    assert ask_all(votes, gold) == first


def test_a_network_that_met_the_questions_is_refused(few, gold, tmp_path):
    train(few(pretrain=True, pretrain_epochs=1, epochs=1), tmp_path / "run")
    with pytest.raises(InputError, match=r"it met every labelled question 1 times.*train_copies=0"):
        HeldOutVotes(tmp_path / "run" / "pretrained", gold, tmp_path / "work", decoder="float32")


def test_networks_of_other_questions_are_not_taken(pretrained, gold, tmp_path):
    ask_all(HeldOutVotes(pretrained, gold, tmp_path / "work", decoder="float32", quiet=True), gold)
    others = HeldOutVotes(pretrained, gold[2:], tmp_path / "work", decoder="float32", quiet=True)
    with pytest.raises(InputError, match="other data or settings"):
        others(0, Evidence(), gold[2::4])
