"""A decoder layer's attention to the words of one question; see `Attention`.

The words of a question do not change while tags are written, so a part of the work can be done before: the product of
a beam with the query's weights and then with every word's key is a product with one matrix of their own; and so is
that with the values and the output's weights. For a short question these matrices are smaller than the weights they
replace, and two small products fall away with them.

Shapes, of one question: K live beams, S source words, H heads of d numbers, D = H * d the width.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from l2a.network.layers import Attention
from l2a.search.fast.quantised import Linear, linear

QuestionAttention = Callable[[Tensor], Tensor]  # (K, D) -> (K, D)


def to_short_question(attention: Attention, keys: Tensor, values: Tensor, int8: bool) -> QuestionAttention:
    """keys, values: (H, S, d) of the question. Pays where S is at most d."""
    heads, words, size = keys.shape
    query, output = attention.query, attention.output
    keys = keys / math.sqrt(size)
    to_words = (keys @ query.weight.view(heads, size, -1)).flatten(0, 1)  # (H * S, D)
    bias = (keys @ query.bias.view(heads, size, 1)).flatten()  # (H * S,)
    back = (values @ output.weight.T.view(heads, size, -1)).flatten(0, 1)  # (H * S, D)
    score_words, join_values = linear(to_words, bias, int8), linear(back.T.contiguous(), output.bias, int8)

    def attend(x: Tensor) -> Tensor:
        weights = score_words(x).view(len(x), heads, words).softmax(dim=-1)
        return join_values(weights.view(len(x), -1))

    return attend


def to_long_question(keys: Tensor, values: Tensor, project_query: Linear, join_heads: Linear) -> QuestionAttention:
    """keys, values: (H, S, d) of the question; project_query, join_heads: the layer's first and last linear layer."""
    heads, _, size = keys.shape
    keys = (keys / math.sqrt(size)).mT.contiguous()  # (H, d, S)

    def attend(x: Tensor) -> Tensor:
        query = project_query(x).view(-1, heads, size).transpose(0, 1)  # (H, K, d)
        mixed = torch.bmm(torch.bmm(query, keys).softmax(dim=-1), values)  # (H, K, d)
        return join_heads(mixed.transpose(0, 1).reshape(x.shape))

    return attend
