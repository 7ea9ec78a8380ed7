import numpy as np
import pytest
import torch

from l2a.config import ModelConfig
from l2a.errors import InputError
from l2a.network.model import L2AModel
from l2a.network.vectors import fit_width, initialise, read_vectors
from l2a.text.vocabulary import Vocabulary

WORDS = ["电影", "科幻", "跑步", "没有"]


def save(path, words, vectors):
    np.savez(path, words=np.array(words), vectors=np.array(vectors))
    return path


def cosines(vectors):
    """Between all pairs."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


@pytest.fixture
def file(tmp_path):
    return save(tmp_path / "v.npz", WORDS, np.random.default_rng(0).normal(size=(4, 6)))


def test_a_file_is_read(tmp_path):
    rows, vectors = read_vectors(save(tmp_path / "v.npz", ["电影", "科幻"], [[1.0, 2.0], [3.0, 4.0]]))
    assert rows == {"电影": 0, "科幻": 1}
    assert vectors.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert vectors.dtype == np.float32


def broken_file(path, how):
    if how == "text":
        path.write_text("电影 0.1 0.2\n", encoding="utf-8")
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "cut off":
        save(path, WORDS, np.ones((4, 3)))
        path.write_bytes(path.read_bytes()[:200])
    elif how == "one array":
        with open(path, "wb") as stream:
            np.save(stream, np.ones((2, 3)))
    elif how == "other names":
        np.savez(path, tokens=np.array(WORDS), vectors=np.ones((4, 3)))
    elif how == "objects":
        np.savez(path, words=np.array(WORDS, dtype=object), vectors=np.ones((4, 3)))
    elif how == "not numbers":
        np.savez(path, words=np.array(WORDS), vectors=np.array(WORDS))
    return path


@pytest.mark.parametrize(
    "how", ["missing", "text", "empty", "cut off", "one array", "other names", "objects", "not numbers"]
)
def test_a_file_of_another_kind_is_refused(tmp_path, how):
    with pytest.raises(
        InputError, match=r"v\.npz: not a word vector file .+ Expected \.npz with `words` and `vectors`"
    ):
        read_vectors(broken_file(tmp_path / "v.npz", how))


@pytest.mark.parametrize("vectors", [np.ones((3, 2)), np.ones(4), np.ones((4, 2, 2)), np.float32(1)])
def test_words_and_vectors_must_fit_together(tmp_path, vectors):
    with pytest.raises(InputError, match="4 words but vectors of shape"):
        read_vectors(save(tmp_path / "v.npz", WORDS, vectors))


@pytest.mark.parametrize("width", [5, 8])
def test_angles_stay_when_vectors_get_wider(width):
    vectors = np.random.default_rng(1).normal(size=(20, 5)).astype(np.float32)
    fitted = fit_width(vectors, width)
    assert fitted.shape == (20, width)
    assert cosines(fitted) == pytest.approx(cosines(vectors - vectors.mean(axis=0)), abs=1e-5)
    assert np.linalg.norm(fitted, axis=1) == pytest.approx(np.ones(20), abs=1e-5)  # as random rows have on average
    assert (fit_width(vectors, width) == fitted).all()


def test_narrower_vectors_keep_the_main_axes():
    random = np.random.default_rng(2)
    plane = random.normal(size=(30, 2)) @ random.normal(size=(2, 6))  # six numbers a word, but only two dimensions
    fitted = fit_width(plane.astype(np.float32), 2)
    assert fitted.shape == (30, 2)
    assert cosines(fitted) == pytest.approx(cosines(plane - plane.mean(axis=0)), abs=1e-3)


def test_fewer_words_than_the_width_are_fitted_too():
    vectors = np.random.default_rng(3).normal(size=(3, 8)).astype(np.float32)
    fitted = fit_width(vectors, 4)
    assert fitted.shape == (3, 4)
    assert cosines(fitted) == pytest.approx(cosines(vectors - vectors.mean(axis=0)), abs=1e-4)


def test_separate_tables_are_filled(file):
    torch.manual_seed(0)
    config = ModelConfig(width=8, heads=2, feed_forward=8, encoder_layers=1, decoder_layers=1)
    source, target = Vocabulary(["跑步", "新词", "电影"]), Vocabulary(["科幻", "别的"])
    model = L2AModel(config, len(source), len(target))
    before = [model.source_table.sparse.weight.clone(), model.target_table.weight.clone()]
    assert initialise(model, source, target, file) == (2, 1)
    rows, vectors = read_vectors(file)
    fitted = torch.from_numpy(fit_width(vectors, 8))
    # Rows 0 to 4 are the special symbols.
    assert torch.equal(model.source_table.sparse.weight[5], fitted[rows["跑步"]])
    assert torch.equal(model.source_table.sparse.weight[7], fitted[rows["电影"]])
    assert torch.equal(model.target_table.weight[5], fitted[rows["科幻"]])
    untouched = [0, 1, 2, 3, 4, 6]
    assert torch.equal(model.source_table.sparse.weight[untouched], before[0][untouched])
    assert torch.equal(model.target_table.weight[untouched[:-1]], before[1][untouched[:-1]])
    assert model.source_table.sparse.weight.requires_grad


def test_a_shared_table_is_filled_in_both_parts(file):
    config = ModelConfig(width=8, heads=2, feed_forward=8, encoder_layers=1, decoder_layers=1, share_embeddings=True)
    target = Vocabulary(["科幻", "别的"])
    source = Vocabulary([*target.words, "新词", "跑步", "电影"])  # rows 7, 8, 9: the sparse part's 0, 1, 2
    model = L2AModel(config, len(source), len(target))
    assert initialise(model, source, target, file) == (3, 1)
    rows, vectors = read_vectors(file)
    fitted = torch.from_numpy(fit_width(vectors, 8))
    assert torch.equal(model.source_table(torch.tensor([5]))[0], fitted[rows["科幻"]])
    assert torch.equal(model.source_table(torch.tensor([8]))[0], fitted[rows["跑步"]])
    assert torch.equal(model.source_table(torch.tensor([9]))[0], fitted[rows["电影"]])
