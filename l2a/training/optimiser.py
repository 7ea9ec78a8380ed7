"""Adam for dense weights, sparse Adam for embedding rows a batch touched, one clipping and one schedule for both."""

from collections.abc import Iterator
from typing import Protocol

from torch import nn
from torch.autograd.graph import increment_version
from torch.optim import Adam, Optimizer, SparseAdam

from l2a.config import TrainingConfig
from l2a.network.model import WordTable

_BETAS, _EPS = (0.9, 0.98), 1e-9  # Vaswani et al.


class Trained(Protocol):
    """A network with a table of source words: the model, or a classifier it is compared with."""

    source_table: WordTable

    def parameters(self) -> Iterator[nn.Parameter]: ...


class Optimiser:
    """Steps all weights of a model; `learning_rate` follows the schedule."""

    def __init__(self, model: Trained, training: TrainingConfig, total_steps: int, fine_tune_from: int):
        self.training, self.total_steps, self.fine_tune_from = training, total_steps, fine_tune_from
        table = model.source_table.sparse
        self.sparse = set(table.parameters()) if table is not None else set()
        self.dense = [p for p in model.parameters() if p not in self.sparse]
        self._optimisers: list[Optimizer] = [Adam(self.dense, fused=True, betas=_BETAS, eps=_EPS)]
        if self.sparse:
            self._optimisers.append(SparseAdam(list(self.sparse), betas=_BETAS, eps=_EPS))

    def learning_rate(self, step: int) -> float:
        """Rate of step `step`, from 0: up in a straight line, then down as the schedule says."""
        training = self.training
        warmup = min(training.warmup_steps, max(1, self.total_steps // 2))
        if step < warmup:
            rate = (step + 1) / warmup
        elif training.schedule == "linear":
            rate = (self.total_steps - step) / max(1, self.total_steps - warmup)
        else:
            rate = (warmup / (step + 1)) ** 0.5
        factor = training.fine_tune_rate if step >= self.fine_tune_from else 1.0
        return training.learning_rate * factor * max(rate, 1e-3)

    def zero_grad(self) -> None:
        for optimiser in self._optimisers:
            optimiser.zero_grad(set_to_none=True)

    def step(self, step: int) -> float:
        """Clip, update, and return the gradient's norm before clipping."""
        norm = clip_gradients([*self.dense, *self.sparse], self.training.clip_norm)
        for optimiser in self._optimisers:
            for group in optimiser.param_groups:
                group["lr"] = self.learning_rate(step)
            optimiser.step()
        # Fused Adam changes weights without PyTorch's counting it; whoever keeps something made of them asks the count.
        increment_version(self.dense)
        return norm

    def state_dict(self) -> list[dict]:
        return [optimiser.state_dict() for optimiser in self._optimisers]

    def load_state_dict(self, states: list[dict]) -> None:
        for optimiser, state in zip(self._optimisers, states, strict=True):
            optimiser.load_state_dict(state)


def clip_gradients(parameters: list[nn.Parameter], max_norm: float) -> float:
    """Scale all gradients to a joint norm of at most `max_norm`; works with sparse ones, torch's own does not."""
    gradients = []
    for parameter in parameters:
        if parameter.grad is None:
            continue
        if parameter.grad.is_sparse:
            parameter.grad = parameter.grad.coalesce()  # rows that occur twice must be summed before measuring
            gradients.append(parameter.grad._values())
        else:
            gradients.append(parameter.grad)
    norm = sum(float(gradient.norm()) ** 2 for gradient in gradients) ** 0.5
    if norm > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / norm)
    return norm
