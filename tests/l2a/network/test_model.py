"""The network in all its shapes: V = 12 target words, 20 source words, three questions of 5, 1 and 3 words."""

import itertools
import math
from copy import deepcopy
from functools import cache

import pytest
import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from l2a.config import ModelConfig, preset
from l2a.network import model as model_module
from l2a.network.encoders import AttentionEncoder, LstmEncoder
from l2a.network.layers import WordTable
from l2a.network.model import L2AModel
from l2a.network.positions import encoding_table
from l2a.text.batch import SourceBatch
from l2a.text.vocabulary import DELIMITER, END, FIRST_WORD, PAD, START, UNKNOWN

SOURCE_WORDS, TARGET_WORDS = 20, 12
LENGTHS = [5, 1, 3]
EXTRAS = [2, 0, 1]  # source words of each question that the target vocabulary lacks
STEPS = 6

TINY = {"width": 8, "heads": 2, "feed_forward": 10, "encoder_layers": 2, "decoder_layers": 2, "dropout": 0.0}
ARCHITECTURES = list(itertools.product("LA", "LA"))
SHAPES = [
    {
        "kind": kind,
        "encoder": encoder,
        "decoder": decoder,
        "positions": positions,
        "copy": copy,
        "share_embeddings": share,
    }
    for encoder, decoder in ARCHITECTURES
    for positions in ("local", "global", "none")
    for kind, copy, share in [
        ("word", False, False),
        ("word", True, False),
        ("word", False, True),
        ("word", True, True),
        ("label", False, False),
    ]
]


def name_of(shape) -> str:
    extras = "".join(f"-{name}" for name in ("copy", "share_embeddings") if shape[name])
    return f"{shape['encoder']}2{shape['decoder']}-{shape['kind']}-{shape['positions']}{extras}"


every_shape = pytest.mark.parametrize("shape", SHAPES, ids=map(name_of, SHAPES))
# For what positions have no part in.
LOCAL = [shape for shape in SHAPES if shape["positions"] == "local"]
every_local_shape = pytest.mark.parametrize("shape", LOCAL, ids=map(name_of, LOCAL))


@cache
def _build(items) -> L2AModel:
    torch.manual_seed(3)
    model = L2AModel(ModelConfig(**TINY, **dict(items)), SOURCE_WORDS, TARGET_WORDS)
    for parameter in model.parameters():
        parameter.data += 0.2 * torch.randn_like(parameter)  # biases and norms must matter too
    return model.eval()


PLAIN = {"kind": "word", "encoder": "L", "decoder": "A", "positions": "local", "copy": False, "share_embeddings": False}


def build(**shape) -> L2AModel:
    """A model with random weights, one for all tests that ask for this shape; the paper's where nothing is said."""
    shape = PLAIN | shape
    return _build(tuple(sorted(shape.items())))


def sources(copy: bool) -> SourceBatch:
    """Numbers 12 to 19 are outside the target vocabulary; question 0 has 15 (twice) and 17, question 2 has 19."""
    first, second = (TARGET_WORDS, TARGET_WORDS + 1) if copy else (UNKNOWN, UNKNOWN)
    ids = [[15, 6, 17, 15, 9], [7, 0, 0, 0, 0], [19, 11, 8, 0, 0]]
    copy_ids = [[first, 6, second, first, 9], [7, 0, 0, 0, 0], [first, 11, 8, 0, 0]]
    extra_inputs = [[15, 17], [UNKNOWN, UNKNOWN], [19, UNKNOWN]] if copy else [[], [], []]
    return SourceBatch(
        torch.tensor(ids),
        torch.tensor(LENGTHS),
        torch.tensor(copy_ids),
        torch.tensor(extra_inputs, dtype=torch.long),
    )


def sources_for(model: L2AModel) -> SourceBatch:
    """Extra words are fed back as their own row where tables are shared, as the unknown word where they are not."""
    batch = sources(model.config.copy)
    if model.config.copy and not model.config.share_embeddings:
        return SourceBatch(batch.ids, batch.lengths, batch.copy_ids, torch.full_like(batch.extra_inputs, UNKNOWN))
    return batch


def random_targets(model: L2AModel, seed: int) -> torch.Tensor:
    """(B, T) words, delimiters (in a word model) and, with copying, the question's extra words; then the end."""
    generator = torch.Generator().manual_seed(seed)
    rows = []
    for extras in EXTRAS:
        choices = [*range(FIRST_WORD, TARGET_WORDS)]
        if model.config.kind == "word":
            choices += [DELIMITER] * 5
        if model.config.copy:
            choices += [*range(TARGET_WORDS, TARGET_WORDS + extras)] * 3
        picks = torch.randint(len(choices), (STEPS - 1,), generator=generator)
        rows.append([*(choices[pick] for pick in picks), END])
    return torch.tensor(rows)


def inputs_of(targets: torch.Tensor) -> torch.Tensor:
    return torch.cat((torch.full((len(targets), 1), START), targets[:, :-1]), dim=1)


def full_pass(model, source, targets):
    """(B, T) log-probabilities of the targets in one teacher-forced pass."""
    memory = model.encode(source)
    hidden, _ = model.decode(inputs_of(targets), memory)
    return model.target_log_probs(hidden, memory, targets)[0].view(targets.shape)


# --- all shapes ----------------------------------------------------------------------------------------------------


@every_shape
@torch.no_grad()
def test_shapes_and_attention(shape):
    model = build(**shape)
    source = sources_for(model)
    memory = model.encode(source)
    hidden, seen = model.decode(inputs_of(random_targets(model, 1)), memory)
    assert hidden.shape == (3, STEPS, 8)
    assert [tuple(keys.shape) for pair in memory.keys_values for keys in pair] == [(3, 2, 5, 4)] * 4
    assert [tuple(weights.shape) for weights in seen.cross] == [(3, 2, STEPS, 5)] * 2
    assert memory.mask.sum(dim=1).tolist() == LENGTHS
    for weights in (*seen.cross, *seen.self):
        assert torch.allclose(weights.sum(dim=-1), torch.ones(()), atol=1e-6)
        assert (weights >= 0).all()
    for weights in seen.cross:
        for question, length in enumerate(LENGTHS):
            assert (weights[question, :, :, length:] == 0).all()
            assert (weights[question, :, :, :length] > 0).all()
    # An L decoder has no self-attention; an A decoder never looks ahead.
    assert [tuple(w.shape) for w in seen.self] == ([] if shape["decoder"] == "L" else [(3, 2, STEPS, STEPS)] * 2)
    for weights in seen.self:
        assert (weights.triu(1) == 0).all()
    log_probs, state = model.step(torch.full((3, 1), START), model.start_state(3), memory)
    assert log_probs.shape == (3, 1, TARGET_WORDS + (2 if shape["copy"] else 0))
    assert all(tensor.shape[:2] == (3, 1) for tensor in state.values())


@every_shape
@torch.no_grad()
def test_steps_equal_the_full_pass(shape):
    model = build(**shape)
    source = sources_for(model)
    memory = model.encode(source)
    wanted = [random_targets(model, seed) for seed in (1, 2, 3)]
    expected = torch.stack([full_pass(model, source, targets) for targets in wanted], dim=1)  # (B, 3, T)

    state = model.start_state(3)
    for t in range(STEPS):  # one beam
        log_probs, state = model.step(inputs_of(wanted[0])[:, t : t + 1], state, memory)
        found = log_probs.gather(-1, wanted[0][:, t, None, None]).flatten()
        assert torch.allclose(found, expected[:, 0, t], atol=1e-5)

    targets = torch.stack(wanted, dim=1)  # (B, 3, T): three beams, as in a search one until `<s>` is read
    log_probs, state = model.step(torch.full((3, 1), START), model.start_state(3), memory)
    log_probs = log_probs.expand(-1, 3, -1)
    state = {name: tensor[torch.arange(3).unsqueeze(1), torch.zeros(3, 3).long()] for name, tensor in state.items()}
    for t in range(STEPS):
        found = log_probs.gather(-1, targets[:, :, t : t + 1]).squeeze(-1)
        assert torch.allclose(found, expected[:, :, t], atol=1e-5)
        log_probs, state = model.step(targets[:, :, t], state, memory)


@every_local_shape
@torch.no_grad()
def test_probabilities_sum_to_one(shape, monkeypatch):
    model = build(**shape)
    memory = model.encode(sources_for(model))
    hidden, _ = model.decode(torch.full((3, 1), START), memory)  # (B, 1, D)

    usual, _ = model.step(torch.full((3, 1), START), model.start_state(3), memory)
    assert (usual[..., [PAD, START, UNKNOWN]] == float("-inf")).all()
    monkeypatch.setattr(model_module, "NEVER_GENERATED", ())
    complete, _ = model.step(torch.full((3, 1), START), model.start_state(3), memory)
    assert torch.allclose(complete.exp().sum(dim=-1), torch.ones(3, 1), atol=1e-5)
    assert (usual.exp().sum(dim=-1) < 1).all()
    possible = [s for s in range(complete.shape[-1]) if s not in (PAD, START, UNKNOWN)]
    assert torch.equal(usual[..., possible], complete[..., possible])

    # The training loss gives every word (PAD stands for "no target" there) the same probability.
    for symbol in range(1, TARGET_WORDS):
        by_loss, _ = model.target_log_probs(hidden, memory, torch.full((3, 1), symbol))
        assert torch.allclose(by_loss, complete[:, 0, symbol], atol=1e-5)
    if shape["copy"]:
        for question, extras in enumerate(EXTRAS):
            for symbol in range(TARGET_WORDS, TARGET_WORDS + 2):
                by_loss, _ = model.target_log_probs(hidden, memory, torch.full((3, 1), symbol))
                if symbol < TARGET_WORDS + extras:
                    assert by_loss[question] == pytest.approx(complete[question, 0, symbol].item(), abs=1e-5)
                else:  # another question's extra word
                    assert complete[question, 0, symbol] == float("-inf")
                    assert by_loss[question] < math.log(1e-8)


@every_local_shape
@torch.no_grad()
def test_a_question_does_not_depend_on_its_neighbours(shape):
    model = build(**shape)
    source = sources_for(model)
    targets = random_targets(model, 5)
    together = full_pass(model, source, targets)
    first, _ = model.step(torch.full((3, 1), START), model.start_state(3), model.encode(source))
    for question, (length, extras) in enumerate(zip(LENGTHS, EXTRAS, strict=True)):
        kept = slice(question, question + 1)
        alone = SourceBatch(
            source.ids[kept, :length],
            source.lengths[kept],
            source.copy_ids[kept, :length],
            source.extra_inputs[kept, :extras],
        )
        assert torch.allclose(full_pass(model, alone, targets[kept])[0], together[question], atol=1e-5)
        log_probs, _ = model.step(torch.full((1, 1), START), model.start_state(1), model.encode(alone))
        assert torch.allclose(log_probs[0, 0], first[question, 0, : log_probs.shape[-1]], atol=1e-5)


@every_local_shape
@torch.no_grad()
def test_later_words_do_not_change_earlier_outputs(shape):
    model = build(**shape)
    memory = model.encode(sources_for(model))
    inputs = inputs_of(random_targets(model, 1))
    changed = inputs.clone()
    changed[:, 4:] = torch.where(inputs[:, 4:] == FIRST_WORD, FIRST_WORD + 1, FIRST_WORD)
    before, after = model.decode(inputs, memory)[0], model.decode(changed, memory)[0]
    assert torch.equal(before[:, :4], after[:, :4])
    assert (before[:, 4:] != after[:, 4:]).any(dim=-1).all()


# --- positions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decoder", ["L", "A"])
@pytest.mark.parametrize(
    ("kind", "positions", "rows_used"),
    [
        ("word", "local", 3),  # 0 1 0 1 2
        ("word", "global", 6),
        ("word", "none", 0),
        ("label", "local", 1),  # every symbol is a whole tag: all positions are 0
        ("label", "global", 6),
        ("label", "none", 0),
    ],
)
@torch.no_grad()
def test_only_the_rows_of_the_positions_in_use_matter(decoder, kind, positions, rows_used):
    model = deepcopy(build(kind=kind, decoder=decoder, positions=positions))
    memory = model.encode(sources_for(model))
    middle = DELIMITER if kind == "word" else 9
    inputs = torch.tensor([[START, 5, middle, 6, 7, 8]] * 3)
    expected, _ = model.decode(inputs, memory)
    model.table[rows_used:] = float("nan")
    assert torch.equal(model.decode(inputs, memory)[0], expected)
    state = model.start_state(3)
    for t in range(inputs.shape[1]):
        log_probs, state = model.step(inputs[:, t : t + 1], state, memory)
        assert not log_probs.isnan().any()
    if rows_used:
        model.table[rows_used - 1] = float("nan")
        assert model.decode(inputs, memory)[0].isnan().any()


@torch.no_grad()
def test_a_sequence_longer_than_the_position_table_is_read():
    model = build(decoder="L")
    memory = model.encode(sources_for(model))
    hidden, _ = model.decode(torch.full((3, 1100), 7), memory)
    assert hidden.isfinite().all()


@torch.no_grad()
def test_an_attention_encoder_tells_all_places_apart_however_many_there_are():
    encoder = AttentionEncoder(ModelConfig(**TINY, encoder="A")).eval()
    long, mask = torch.zeros(1, 1100, 8), torch.ones(1, 1100, dtype=torch.bool)
    read = encoder(long, torch.tensor([1100]), mask)[0]
    assert len(read.unique(dim=0)) == 1100
    encoder.table = encoding_table(1100, 8)
    assert torch.equal(encoder(long, torch.tensor([1100]), mask)[0], read)


# --- tables and output layer ---------------------------------------------------------------------------------------


def test_a_tied_output_layer_is_the_word_table_itself():
    model = build(share_embeddings=True)
    assert model.output is None
    assert model.target_table is None
    tables = [name for name, tensor in model.state_dict().items() if tensor.shape == (TARGET_WORDS, 8)]
    assert tables == ["source_table.dense.weight"]
    assert model.state_dict()["source_table.sparse.weight"].shape == (SOURCE_WORDS - TARGET_WORDS, 8)
    with torch.no_grad():
        memory = model.encode(sources_for(model))
        hidden, _ = model.decode(torch.full((3, 1), START), memory)
        by_hand = (hidden @ model.source_table.dense.weight.T).log_softmax(dim=-1)  # (B, 1, V)
        log_probs, _ = model.target_log_probs(hidden, memory, torch.full((3, 1), 7))
    assert torch.allclose(log_probs, by_hand[:, 0, 7], atol=1e-6)


def test_separate_tables_are_three():
    model = build()
    names = set(model.state_dict())
    assert {"source_table.sparse.weight", "target_table.weight", "output.weight", "output.bias"} <= names
    assert "source_table.dense.weight" not in names


@pytest.mark.parametrize("dense_rows", [0, 4, 10])
def test_a_word_table_looks_up_and_learns_like_one_plain_table(dense_rows):
    torch.manual_seed(0)
    table = WordTable(10, dense_rows, 3)
    parts = [part.weight for part in (table.dense, table.sparse) if part is not None]
    plain = torch.cat([part.detach() for part in parts]).requires_grad_()  # (10, 3)
    ids = torch.tensor([[0, 9, 4, 4], [3, 5, 0, 8]])
    factors = torch.randn(2, 4, 3)
    assert torch.equal(table(ids), F.embedding(ids, plain))
    (table(ids) * factors).sum().backward()
    (F.embedding(ids, plain) * factors).sum().backward()
    if table.dense is not None:
        assert not table.dense.weight.grad.is_sparse
        assert torch.allclose(table.dense.weight.grad, plain.grad[:dense_rows])
    if table.sparse is not None:
        assert table.sparse.weight.grad.is_sparse
        assert torch.allclose(table.sparse.weight.grad.to_dense(), plain.grad[dense_rows:])


@pytest.mark.parametrize("share", [False, True])
def test_training_gives_the_source_tail_sparse_gradients_and_the_rest_dense_ones(share):
    torch.manual_seed(1)
    config = ModelConfig(**TINY, copy=True, share_embeddings=share)
    model = L2AModel(config, SOURCE_WORDS, TARGET_WORDS)
    targets = random_targets(model, 1)
    full_pass(model, sources_for(model), targets).sum().backward()
    sparse = [name for name, parameter in model.named_parameters() if parameter.grad.is_sparse]
    assert sparse == ["source_table.sparse.weight"]
    assert all(parameter.grad.to_dense().isfinite().all() for parameter in model.parameters())


@torch.no_grad()
def test_an_extra_word_is_fed_back_as_the_row_its_question_names():
    model = build(copy=True, share_embeddings=True)
    memory = model.encode(sources_for(model))
    extra, _ = model.decode(torch.tensor([[START, TARGET_WORDS + 1]] * 3), memory)
    direct = model.source_table(torch.tensor([17]))  # question 0's second extra word
    embedded = model._embed(torch.tensor([[START, TARGET_WORDS + 1]] * 3), memory.source, None)
    assert torch.allclose(embedded[0, 1], direct[0] * math.sqrt(8))
    same, _ = model.decode(torch.tensor([[START, UNKNOWN]] * 3), memory)
    assert not torch.allclose(extra[0, 1], same[0, 1])  # another row than the unknown word's
    assert torch.allclose(extra[2, 1], same[2, 1])  # question 2 has one extra word: the second is filling


@torch.no_grad()
def test_an_extra_word_is_copied_from_all_its_places():
    model = build(copy=True)
    memory = model.encode(sources_for(model))
    hidden, _ = model.decode(torch.full((3, 1), START), memory)
    query, keys = model.pointer_query(hidden)[0, 0], memory.pointer_keys[0]  # (D,), (S, D)
    pointer = (keys @ query / math.sqrt(8)).softmax(dim=-1)  # question 0 has no padding
    gate = torch.sigmoid(model.copy_gate(hidden))[0, 0, 0]
    log_probs, _ = model.step(torch.full((3, 1), START), model.start_state(3), memory)
    assert log_probs[0, 0, TARGET_WORDS].exp() == pytest.approx((gate * (pointer[0] + pointer[3])).item(), abs=1e-6)
    word = model.output(hidden).softmax(dim=-1)[0, 0, 9]
    assert log_probs[0, 0, 9].exp() == pytest.approx(((1 - gate) * word + gate * pointer[4]).item(), abs=1e-6)


@torch.no_grad()
def test_the_smoothing_term_is_the_mean_log_probability_over_the_vocabulary():
    model = build()
    memory = model.encode(sources_for(model))
    hidden, _ = model.decode(torch.full((3, 2), START), memory)
    targets = torch.tensor([[5, PAD], [6, 7], [8, PAD]])
    picked, mean = model.target_log_probs(hidden, memory, targets)
    every = model.output(hidden).log_softmax(dim=-1)
    order = [(0, 0, 5), (1, 0, 6), (1, 1, 7), (2, 0, 8)]  # padding gives no row
    assert picked.tolist() == pytest.approx([every[b, t, word].item() for b, t, word in order], abs=1e-5)
    assert mean.tolist() == pytest.approx([every[b, t].mean().item() for b, t, _ in order], abs=1e-5)


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("is_trained", [False, True])
def test_with_copying_it_is_the_mean_over_what_the_mixture_can_write(share, is_trained, monkeypatch):
    """Each question's own words count too, others' do not; a word that stands twice in the source counts once."""
    monkeypatch.setattr(model_module, "NEVER_GENERATED", ())
    model = deepcopy(build(copy=True, share_embeddings=share))
    if is_trained:  # sharper: copying is likely, and from few places
        model.copy_gate.bias.data.fill_(6.0)
        model.pointer_query.weight.data *= 3
    source = sources_for(model)
    source.copy_ids[0, 1] = UNKNOWN  # read, but nothing that can be written
    memory = model.encode(source)
    hidden, _ = model.decode(torch.tensor([[START, 7, 5], [START, 7, 7], [END, 9, 8]]), memory)
    targets = torch.tensor([[TARGET_WORDS, END, PAD], [6, 7, END], [TARGET_WORDS, PAD, PAD]])
    picked, mean = model.target_log_probs(hidden, memory, targets)

    every = model._step_log_probs(hidden, memory)  # (B, T, V + E): the mixture of all words
    order = [(b, t) for b in range(3) for t in range(3) if targets[b, t] != PAD]
    wanted = torch.stack([every[b, t, : TARGET_WORDS + EXTRAS[b]].mean() for b, t in order])
    assert torch.allclose(mean, wanted, atol=1e-4)
    assert torch.allclose(picked, torch.stack([every[b, t, targets[b, t]] for b, t in order]), atol=1e-4)
    learned = [model.copy_gate.bias, model.pointer_key.weight, model.decoder[0].feed_forward[0].weight]
    ours = torch.autograd.grad(mean.sum(), learned, retain_graph=True)
    theirs = torch.autograd.grad(wanted.sum(), learned)
    for mine, other in zip(ours, theirs, strict=True):
        assert torch.allclose(mine, other, atol=1e-3)


# --- the paper's sizes ---------------------------------------------------------------------------------------------


def test_the_lstm_encoder_reads_what_a_packed_lstm_reads():
    torch.manual_seed(0)
    encoder = LstmEncoder(ModelConfig(**TINY)).eval()
    lengths = torch.tensor(LENGTHS)
    mask = torch.arange(5) < lengths[:, None]
    x = torch.randn(3, 5, 8)
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    wanted = pad_packed_sequence(encoder.lstm(packed)[0], batch_first=True, total_length=5)[0]
    assert torch.allclose(encoder(x, lengths, mask), wanted, atol=1e-6)


def test_the_papers_model_has_the_papers_sizes():
    with torch.device("meta"):
        model = L2AModel(preset("paper").model, 80_000, 18_966)
    counts = {name: sum(p.numel() for p in part.parameters()) for name, part in model.named_children()}
    # A direction of a BiLSTM layer: four gates of 256 units over 512 inputs and 256 units, with two biases.
    direction = 4 * 256 * (512 + 256) + 2 * 4 * 256
    attention = 4 * (512 * 512 + 512)  # query, key, value, output
    feed_forward = (512 * 2048 + 2048) + (2048 * 512 + 512)
    assert counts["source_table"] == 80_000 * 512 == 40_960_000
    assert counts["target_table"] == 18_966 * 512 == 9_710_592
    assert counts["output"] == 18_966 * 512 + 18_966 == 9_729_558
    assert counts["encoder"] == 2 * 2 * direction == 3_153_920
    assert counts["decoder"] == 4 * (2 * attention + 3 * 2 * 512 + feed_forward) == 16_816_128
    assert sum(p.numel() for p in model.parameters()) == 80_370_198
    assert model.encoder.lstm.hidden_size == 256
    assert [layer.cross.heads for layer in model.decoder] == [8] * 4
