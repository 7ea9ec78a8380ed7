"""A sentence encoder in a local folder: its vectors are BERT's own, and what is wrong with a folder is said."""

import importlib.util
import json
import os

import numpy as np
import pytest
import torch

from l2a.errors import CheckpointError, L2AError, SettingsError
from l2a.evidence.encoder import SentenceEncoder
from tests.l2a.evidence.tiny_bert import MARKS, make_bert


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture
def broken(tmp_path):
    """A folder of the test's own, to be damaged at will."""
    return make_bert(tmp_path / "bert")


def test_a_vector_is_the_mean_of_the_tokens_of_length_one(folder):
    """By hand: each hanzi is a token, between the two marks of a text."""
    from transformers import BertModel

    words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    tokens = torch.tensor([[words.index(word) for word in ("[CLS]", *"养猫", "[UNK]", "[SEP]")]])
    with torch.inference_mode():
        hidden = BertModel.from_pretrained(folder).eval()(tokens).last_hidden_state[0]
    mean = hidden.mean(dim=0).numpy()
    found = SentenceEncoder(folder).encode("养猫囧")
    assert words[:5] == MARKS
    np.testing.assert_allclose(found, mean / np.linalg.norm(mean), atol=1e-5)
    assert (found.shape, found.dtype) == ((32,), np.float32)


def test_title_and_description_are_one_text_cut_at_what_the_model_reads(folder):
    encoder = SentenceEncoder(folder)
    assert encoder.encode("养猫", "吃什么").tolist() == encoder.encode("养猫 吃什么").tolist()
    long = encoder.encode("养猫" * 11, "吉他" * 500)  # 22 hanzi and two marks are all that it reads
    assert long.tolist() == encoder.encode("养猫" * 11).tolist()
    assert encoder.encode("养猫 https://example.org/page").tolist() == encoder.encode("养猫").tolist()
    assert np.isfinite(encoder.encode("")).all()


def test_both_kinds_of_weights_are_read(folder, tmp_path):
    other = make_bert(tmp_path / "bin", as_bin=True)
    assert not (other / "model.safetensors").exists()
    assert SentenceEncoder(other).encode("养猫").tolist() == SentenceEncoder(folder).encode("养猫").tolist()


def test_the_same_text_has_the_same_vector_and_another_encoder_another(folder, tmp_path):
    one, two = SentenceEncoder(folder), SentenceEncoder(make_bert(tmp_path / "other", seed=2))
    assert one.encode("吉他").tolist() == SentenceEncoder(folder).encode("吉他").tolist()
    assert one.encode("吉他").tolist() != two.encode("吉他").tolist()
    assert one.fingerprint == SentenceEncoder(folder).fingerprint != two.fingerprint


def test_nothing_is_read_before_it_is_asked(folder, monkeypatch):
    monkeypatch.setattr("importlib.import_module", lambda name: pytest.fail("read too early"))
    SentenceEncoder(folder)


# --- what is wrong


def remove(name):
    return lambda folder: os.remove(folder / name)


def write(name, text):
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def change_config(**values):
    def change(folder):
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps({**config, **values}), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("spoil", "code", "what"),
    [
        (remove("config.json"), "encoder.file_missing", "config.json is missing"),
        (remove("vocab.txt"), "encoder.file_missing", "vocab.txt is missing"),
        (remove("model.safetensors"), "encoder.file_missing", "model.safetensors / pytorch_model.bin is missing"),
        (write("config.json", "{"), "encoder.unreadable", "cannot be read"),
        (write("config.json", "[]"), "encoder.unreadable", "cannot be read"),
        (change_config(model_type="gpt2"), "encoder.other_kind", "model_type 'gpt2'; only 'bert' can be read"),
    ],
)
def test_a_folder_that_is_no_encoder_is_refused_at_once(broken, spoil, code, what):
    spoil(broken)
    with pytest.raises(CheckpointError) as refusal:
        SentenceEncoder(broken)
    assert refusal.value.message.code == code
    assert str(refusal.value).startswith(f"{broken}: ")
    assert what in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "spoil",
    [
        write("model.safetensors", "不是权重"),
        change_config(num_hidden_layers=3),  # its weights are missing
        change_config(intermediate_size=48),
        write("vocab.txt", "\n".join([*MARKS, *(f"词{n}" for n in range(1000))])),  # more words than the network has
    ],
)
def test_what_shows_only_when_it_is_read_is_said_then(broken, spoil):
    spoil(broken)
    encoder = SentenceEncoder(broken)
    with pytest.raises(CheckpointError) as refusal:
        encoder.encode("养猫")
    assert refusal.value.message.code == "encoder.unreadable"
    assert "\n" not in str(refusal.value)


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="no such folder"):
        SentenceEncoder(tmp_path / "none")


def test_without_the_package_it_says_how_to_get_it(folder, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"pip install -r requirements-encoder\.txt") as refusal:
        SentenceEncoder(folder)
    assert isinstance(refusal.value, L2AError)
    assert "requirements-encoder.txt" in refusal.value.in_language("zh")
