"""What one decoder layer does with a question: look at its words and bring back what it saw; see `Attention`.

The words of a question do not change while tags are written, so a part of the work can be done before: asking, the
product of a beam with the query's weights and then with every word's key, is a product with one matrix of their own;
and so is bringing back. For a short question that matrix is smaller than the weights it replaces, and two small
products fall away with them.

Shapes, of one question: K live beams, S source words, H heads of d numbers, D = H * d the width.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from l2a.network.layers import Attention
from l2a.search.fast.quantised import Linear, linear

Look = Callable[[Tensor], Tensor]  # (K, D) -> (K, D)


def look_at_short(attention: Attention, keys: Tensor, values: Tensor, int8: bool) -> Look:
    """keys, values: (H, S, d) of the question. Pays where S is at most d."""
    heads, words, size = keys.shape
    query, output = attention.query, attention.output
    keys = keys / math.sqrt(size)
    to_words = (keys @ query.weight.view(heads, size, -1)).flatten(0, 1)  # (H * S, D)
    bias = (keys @ query.bias.view(heads, size, 1)).flatten()  # (H * S,)
    back = (values @ output.weight.T.view(heads, size, -1)).flatten(0, 1)  # (H * S, D)
    ask, tell = linear(to_words, bias, int8), linear(back.T.contiguous(), output.bias, int8)

    def look(x: Tensor) -> Tensor:
        weights = ask(x).view(len(x), heads, words).softmax(dim=-1)
        return tell(weights.view(len(x), -1))

    return look


def look_at_long(keys: Tensor, values: Tensor, ask: Linear, tell: Linear) -> Look:
    """keys, values: (H, S, d) of the question; ask, tell: the layer's first and last linear layer."""
    heads, _, size = keys.shape
    keys = (keys / math.sqrt(size)).mT.contiguous()  # (H, d, S)

    def look(x: Tensor) -> Tensor:
        query = ask(x).view(-1, heads, size).transpose(0, 1)  # (H, K, d)
        mixed = torch.bmm(torch.bmm(query, keys).softmax(dim=-1), values)  # (H, K, d)
        return tell(mixed.transpose(0, 1).reshape(x.shape))

    return look
