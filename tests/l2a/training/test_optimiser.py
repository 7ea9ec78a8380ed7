"""The learning rate by hand, clipping against torch's own, and embedding rows that no batch touched."""

import math
from copy import deepcopy

import pytest
import torch
from torch import nn

from l2a.config import ModelConfig, TrainingConfig
from l2a.network.model import L2AModel
from l2a.training.optimiser import Optimiser, clip_gradients

SHAPE = ModelConfig(width=8, heads=2, feed_forward=8, encoder_layers=1, decoder_layers=1, dropout=0.0)
SOURCE, TARGET = 20, 9
NEVER = 10**9


def make_model(**changes):
    torch.manual_seed(0)
    return L2AModel(ModelConfig(**{**SHAPE.to_dict(), **changes}), SOURCE, TARGET)


def rates(steps, total, fine_tune_from=NEVER, **training):
    optimiser = Optimiser(make_model(), TrainingConfig(learning_rate=0.01, **training), total, fine_tune_from)
    return [optimiser.learning_rate(step) for step in steps]


# Schedule


def test_rate_rises_in_a_straight_line_while_warming_up():
    assert rates([0, 1, 2, 3], 100, warmup_steps=4) == pytest.approx([0.0025, 0.005, 0.0075, 0.01])


def test_rate_falls_with_the_inverse_square_root_of_the_step():
    # Step n is the (n + 1)th: 0.01 * sqrt(4 / (n + 1)).
    wanted = [0.01 * math.sqrt(0.8), 0.005, 0.002]
    assert rates([4, 15, 99], 100, warmup_steps=4) == pytest.approx(wanted)


def test_rate_falls_in_a_straight_line_to_almost_nothing():
    wanted = [0.01, 0.005, 0.0001]  # 100, 50 and 1 of the 100 steps after warm-up are left
    assert rates([4, 54, 103], 104, warmup_steps=4, schedule="linear") == pytest.approx(wanted)


def test_rate_never_falls_under_a_thousandth_of_the_peak():
    assert rates([104, 5000], 104, warmup_steps=4, schedule="linear") == pytest.approx([1e-5, 1e-5])


def test_fine_tuning_has_a_factor_of_its_own():
    wanted = [0.01 * math.sqrt(4 / 15), 0.0005]
    assert rates([14, 15], 100, fine_tune_from=15, warmup_steps=4, fine_tune_rate=0.1) == pytest.approx(wanted)


def test_warming_up_takes_half_of_a_run_at_most():
    assert rates([0, 4, 5], 10, warmup_steps=400) == pytest.approx([0.002, 0.01, 0.01 * math.sqrt(5 / 6)])
    assert rates([0], 1, warmup_steps=400) == pytest.approx([0.01])


def test_steps_are_made_at_the_rate_of_the_schedule():
    """Adam's first step moves every weight by the rate itself, whatever the size of its gradient."""
    model = make_model()
    optimiser = Optimiser(model, TrainingConfig(learning_rate=0.01, warmup_steps=4, clip_norm=1e9), 100, NEVER)
    weight = model.output.weight
    before = weight.detach().clone()
    weight.grad = torch.randn(weight.shape) + 3.0 * torch.randn(weight.shape).sign()
    optimiser.step(1)
    torch.testing.assert_close(weight.detach(), before - 0.005 * weight.grad.sign(), rtol=0, atol=1e-6)


# Clipping


def with_gradients(*gradients):
    parameters = [nn.Parameter(torch.zeros(gradient.shape)) for gradient in gradients]
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = gradient.clone()
    return parameters


@pytest.mark.parametrize("max_norm", [0.1, 1.0, 1000.0])
def test_clipping_equals_torchs_own_on_dense_gradients(max_norm):
    torch.manual_seed(1)
    gradients = [torch.randn(5, 7), torch.randn(3), torch.randn(2, 2, 2)]
    ours, theirs = with_gradients(*gradients), with_gradients(*gradients)
    norm = clip_gradients(ours, max_norm)
    assert norm == pytest.approx(float(nn.utils.clip_grad_norm_(theirs, max_norm)), rel=1e-6)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine.grad, other.grad)


def test_clipping_by_hand():
    (parameter,) = with_gradients(torch.tensor([3.0, 4.0]))
    assert clip_gradients([parameter, nn.Parameter(torch.zeros(2))], 1.0) == 5.0  # one without a gradient counts not
    torch.testing.assert_close(parameter.grad, torch.tensor([0.6, 0.8]))


def test_sparse_gradient_is_clipped_as_its_dense_equal():
    """Row 2 occurs twice: its parts are summed before they are measured."""
    torch.manual_seed(2)
    indices, values = torch.tensor([[2, 0, 2]]), torch.randn(3, 4)
    sparse = torch.sparse_coo_tensor(indices, values, (5, 4), check_invariants=True)
    other = torch.randn(6)
    ours, theirs = with_gradients(sparse, other), with_gradients(sparse.to_dense(), other)
    norm = clip_gradients(ours, 0.5)
    assert norm == pytest.approx(float(nn.utils.clip_grad_norm_(theirs, 0.5)), rel=1e-6)
    torch.testing.assert_close(ours[0].grad.to_dense(), theirs[0].grad)
    torch.testing.assert_close(ours[1].grad, theirs[1].grad)


# Sparse rows


def touch_rows(model, rows):
    model.source_table(torch.tensor([rows])).sum().backward()


def test_rows_no_batch_touched_do_not_move():
    model = make_model()
    optimiser = Optimiser(model, TrainingConfig(learning_rate=0.01, warmup_steps=1, clip_norm=1e9), 100, NEVER)
    table = model.source_table.sparse.weight
    assert optimiser.sparse == {table}
    before = table.detach().clone()
    touch_rows(model, [7, 3, 7])
    assert table.grad.is_sparse
    optimiser.step(0)
    touched = torch.zeros(SOURCE, dtype=torch.bool)
    touched[[3, 7]] = True
    assert torch.equal(table.detach()[~touched], before[~touched])
    torch.testing.assert_close(table.detach()[touched], before[touched] - 0.01)
    # Nor later, by the momentum of an earlier step, as plain Adam would do.
    after = table.detach().clone()
    optimiser.zero_grad()
    touch_rows(model, [5])
    optimiser.step(1)
    assert torch.equal(table.detach()[touched], after[touched])


def test_shared_rows_are_dense_and_the_others_sparse():
    model = make_model(share_embeddings=True)
    optimiser = Optimiser(model, TrainingConfig(), 100, NEVER)
    assert model.source_table.dense.weight.shape == (TARGET, 8)
    assert optimiser.sparse == {model.source_table.sparse.weight}
    assert len(optimiser.dense) + len(optimiser.sparse) == len(list(model.parameters()))


def test_restored_optimiser_goes_on_as_if_nothing_had_happened():
    def step(model, optimiser, number):
        optimiser.zero_grad()
        touch_rows(model, [number, 3])
        (model.output.weight**2).sum().backward()
        optimiser.step(number)

    training = TrainingConfig(learning_rate=0.01, warmup_steps=2)
    one = make_model()
    first = Optimiser(one, training, 10, 4)
    for number in range(3):
        step(one, first, number)
    two = make_model()
    two.load_state_dict(one.state_dict())
    second = Optimiser(two, training, 10, 4)
    second.load_state_dict(deepcopy(first.state_dict()))  # a file would be a copy too
    for number in range(3, 6):
        step(one, first, number)
        step(two, second, number)
    for name, weight in one.state_dict().items():
        assert torch.equal(weight, two.state_dict()[name])
