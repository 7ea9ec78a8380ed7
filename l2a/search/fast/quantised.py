"""Linear layers in 8-bit whole numbers: about twice as fast as float32 on processors with AVX2.

This is the only file that touches PyTorch's quantisation, which is deprecated: where it is missing, `is_available`
says so and float32 serves instead.

Weights get one scale an output column. All rows of a call share the scale of their activations, so a loud question in
a batch would coarsen the numbers of its neighbours: whoever calls gives the rows of one question at a time.

Without VNNI instructions a processor adds two products in a 16-bit register: 2 * 255 * 127 does not fit and would be
cut off without a word. There weights use 7 of their 8 bits, and 2 * 255 * 63 fits. (PyTorch would rather take the bit
from the activations, `reduce_range`; they share one scale and miss it more.)
"""

import warnings
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor
from torch.nn import functional as F

Linear = Callable[[Tensor], Tensor]  # (R, D) -> (R, N)
_ENGINE = "fbgemm"
_LARGEST, _LARGEST_IN_7_BITS = 127, 63  # of a weight
_SMALLEST_SCALE = 1e-30  # a column of zeros is divided by this
_REDUCE_RANGE = False


@cache
def is_available() -> bool:
    """Whether this PyTorch and this processor can multiply in 8 bits; found out by trying."""
    try:
        linear = Int8Linear(torch.eye(8), None)
        return torch.allclose(linear(torch.eye(8)), torch.eye(8), atol=0.05)
    except (AttributeError, RuntimeError, ImportError):  # no such operator, no such engine, no such processor
        return False


@cache
def has_room_for_8_bits() -> bool:
    """Whether the largest products are added up without being cut off; found out by trying them."""
    product = _operator()(torch.ones(1, 64), _pack(torch.ones(16, 64), None, _LARGEST), _REDUCE_RANGE)
    return torch.allclose(product, torch.full((1, 16), 64.0), rtol=0.01)


class Int8Linear:
    """`x @ weight.T + bias` with a packed copy of the weights: it does not follow later changes of them."""

    def __init__(self, weight: Tensor, bias: Tensor | None, *, relu: bool = False):
        """weight: (N, D), bias: (N,). relu: negative results become 0."""
        self._packed = _pack(weight, bias, _LARGEST if has_room_for_8_bits() else _LARGEST_IN_7_BITS)
        self._multiply = _operator(relu)

    def __call__(self, x: Tensor) -> Tensor:
        """(R, D) -> (R, N); the rows share a scale, so they should be those of one question."""
        return self._multiply(x, self._packed, _REDUCE_RANGE)


def _pack(weight: Tensor, bias: Tensor | None, largest: int):
    """Weights as whole numbers up to `largest`, laid out for the processor."""
    weight = weight.detach().float()
    scales = weight.abs().amax(dim=1).clamp(min=_SMALLEST_SCALE) / largest  # (N,)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated: known, and the reason for this file
        zeros = torch.zeros(len(weight), dtype=torch.long)
        # Rounded here: PyTorch's own function for it takes ten times as long.
        rounded = (weight / scales.unsqueeze(1)).round_().to(torch.int8)
        numbers = torch._make_per_channel_quantized_tensor(rounded, scales.double(), zeros, 0)
        usual, torch.backends.quantized.engine = torch.backends.quantized.engine, _ENGINE
        try:
            return torch.ops.quantized.linear_prepack(numbers, None if bias is None else bias.detach())
        finally:
            torch.backends.quantized.engine = usual


def _operator(relu: bool = False) -> Callable:
    """(x, packed weights, reduce_range) -> product"""
    operators = torch.ops.quantized
    return (operators.linear_relu_dynamic if relu else operators.linear_dynamic).default


def linear(weight: Tensor, bias: Tensor | None, int8: bool, relu: bool = False) -> Linear:
    """A linear layer in 8 bits, or in float32 with the very weights it is given."""
    if int8:
        return Int8Linear(weight, bias, relu=relu)
    return (lambda x: F.linear(x, weight, bias).relu_()) if relu else (lambda x: F.linear(x, weight, bias))
