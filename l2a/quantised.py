"""Linear layers in 8-bit whole numbers: about twice as fast as float32 on processors with AVX2.

This is the only file that touches PyTorch's quantisation, which is deprecated: where it is missing, `is_available`
says so and float32 serves instead.

Weights get one scale an output column. Activations get one scale a row: a scale for the whole tensor, PyTorch's
usual way, would let a loud question in a batch coarsen the numbers of its neighbours. Rows are therefore divided by
their own largest magnitude first, so that one fixed scale fits all of them, and multiplied back afterwards.

Activations use 7 of the 8 bits. AVX2 adds two products in a 16-bit register: 2 * 255 * 127 does not fit and would be
cut off without a word, 2 * 127 * 127 fits.
"""

import warnings
from functools import cache

import torch
from torch import Tensor

_ENGINE = "fbgemm"
_LARGEST = 127  # of a weight, and of an activation from 0 up
_LARGEST_SIGNED = 63  # of an activation that has a sign: stored with 64 added
_SMALLEST_SCALE = 1e-30  # a row of zeros is divided by this


@cache
def is_available() -> bool:
    """Whether this PyTorch and this processor can multiply in 8 bits; found out by trying."""
    try:
        linear = Int8Linear(torch.eye(8), None)
        return torch.allclose(linear(torch.eye(8)), torch.eye(8), atol=0.05)
    except (AttributeError, RuntimeError, ImportError):  # no such operator, no such engine, no such processor
        return False


class Int8Linear:
    """`x @ weight.T + bias` with a packed copy of the weights: it does not follow later changes of them."""

    def __init__(self, weight: Tensor, bias: Tensor | None, *, after_relu: bool = False):
        """weight: (N, D), bias: (N,). after_relu: inputs are never negative, which spares the bit of the sign."""
        weight = weight.detach().float()
        scales = weight.abs().amax(dim=1).clamp(min=_SMALLEST_SCALE) / _LARGEST  # (N,)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecated: known, and the reason for this file
            zeros = torch.zeros(len(weight), dtype=torch.long)
            numbers = torch.quantize_per_channel(weight, scales.double(), zeros, 0, torch.qint8)
            usual, torch.backends.quantized.engine = torch.backends.quantized.engine, _ENGINE
            try:
                # The bias stays outside: rows are scaled back before it is added.
                self._packed = torch.ops.quantized.linear_prepack(numbers, None)
            finally:
                torch.backends.quantized.engine = usual
        self._multiply = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32
        self._step, self._zero = (1 / _LARGEST, 0) if after_relu else (1 / _LARGEST_SIGNED, _LARGEST_SIGNED + 1)
        self._bias = None if bias is None else bias.detach().clone()

    def __call__(self, x: Tensor) -> Tensor:
        """(R, D) -> (R, N); every row is on its own."""
        largest = x.abs().amax(dim=-1, keepdim=True).clamp_(min=_SMALLEST_SCALE)  # (R, 1)
        product = self._multiply(x / largest, self._step, self._zero, self._packed)  # (R, N)
        return product.mul_(largest) if self._bias is None else torch.addcmul(self._bias, product, largest)
