"""Several processes, one model: what `torchrun` needs (gloo on CPU). With one process everything here is a no-op.

Gradients are summed by hand, since the source table's are sparse. Each process divides its loss by the number
of target words of the whole batch, so that the sum is exactly what one process would have computed.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor, nn


@dataclass(frozen=True)
class Workers:
    """This process and how many there are."""

    rank: int = 0
    count: int = 1

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    @classmethod
    def join(cls) -> "Workers":
        """Meet the other processes if `torchrun` started us."""
        count = int(os.environ.get("WORLD_SIZE", "1"))
        if count == 1:
            return cls()
        if not dist.is_initialized():
            # PyTorch's optimisers import this module, whose functions have the group of that moment as default value:
            # imported later it would hold on to ours, and gloo's threads would outlive `leave`. One that is still
            # busy when Python ends takes the whole process down ("terminate called without an active exception").
            import torch.distributed.nn.functional  # noqa: F401

            # The others wait while the first scores the dev set: gloo's own half hour may be too short for that.
            dist.init_process_group("gloo", timeout=timedelta(days=1))
        return cls(dist.get_rank(), count)

    def leave(self) -> None:
        if self.count > 1 and dist.is_initialized():
            dist.destroy_process_group()

    def total(self, value: float) -> float:
        """The sum of a number over all processes."""
        if self.count == 1:
            return value
        tensor = torch.tensor(float(value), dtype=torch.float64)
        dist.all_reduce(tensor)
        return tensor.item()

    def from_first(self, value):
        """What the first process has, on every process."""
        if self.count == 1:
            return value
        box = [value]
        dist.broadcast_object_list(box, src=0)
        return box[0]

    def sum_gradients(self, parameters: Iterable[nn.Parameter], sparse: set[nn.Parameter]) -> None:
        """Every process ends with the summed gradient; one without questions in this batch adds zeros."""
        if self.count == 1:
            return
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = _empty_sparse(parameter) if parameter in sparse else torch.zeros_like(parameter)
            if parameter in sparse:
                parameter.grad = self._sum_sparse(parameter.grad.coalesce())
            else:
                dist.all_reduce(parameter.grad)

    def _sum_sparse(self, gradient: Tensor) -> Tensor:
        """Rows of all processes put together (an all-gather: processes touch different rows)."""
        parts: list = [None] * self.count
        dist.all_gather_object(parts, (gradient.indices(), gradient.values()))
        indices = torch.cat([part[0] for part in parts], dim=1)
        values = torch.cat([part[1] for part in parts])
        return torch.sparse_coo_tensor(indices, values, gradient.shape, check_invariants=True).coalesce()


def _empty_sparse(parameter: nn.Parameter) -> Tensor:
    indices = torch.zeros(1, 0, dtype=torch.long)
    return torch.sparse_coo_tensor(indices, torch.zeros(0, parameter.shape[1]), parameter.shape, check_invariants=True)
