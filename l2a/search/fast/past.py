"""What the beams of one question have read, kept as a tree.

Beams that began alike share the keys and values of that beginning: every word that was read is one node, a beam sees
the nodes on its way to the root, and going on from a parent copies nothing. A node that no beam sees any more gives
its place to a new one. Beams of one question are mostly cousins, so that there are far fewer nodes than beams times
steps.

Shapes: K live beams, N places for nodes, H heads, d numbers a head, D = H * d the width.
"""

import torch
from torch import Tensor

_MORE = 16  # places are added by so many at a time


class Past:
    """Of one question: positions, and for each layer keys and values of all nodes, or the two states of an LSTM."""

    def __init__(self, layers: int, heads: int, width: int):
        self.position = torch.zeros(1, dtype=torch.long)  # (K,) of the words being read
        self.shade = torch.zeros(1, 0)  # (K, N): 0 where a beam sees a node, else minus infinity
        self.states: list[tuple[Tensor, Tensor] | None] = [None] * layers  # of LSTMs, (K, D) each
        self._heads = heads
        self._nodes = torch.zeros(layers, 0, 2 * width)  # a row a place: the node's key, then its value
        self._layers: list[tuple[Tensor, Tensor, Tensor]] = []  # of places in use: see `_views`
        self._newest = torch.zeros(0, dtype=torch.long)  # (K,) places of the words being read

    def follow(self, parents: Tensor) -> None:
        """Go on with beams that come from these, (K',): places among the present ones."""
        self.position, self.shade = self.position[parents], self.shade[parents]
        self.states = [state and (state[0][parents], state[1][parents]) for state in self.states]

    def grow(self) -> None:
        """A node for every beam, seen by itself alone; its keys and values come with `remember`."""
        beams, places = self.shade.shape
        free = (self.shade.amax(dim=0) < 0).nonzero().squeeze(1)
        if len(free) < beams:
            more = -(-(beams - len(free)) // _MORE) * _MORE
            self._add_places(more)
            free = torch.cat([free, torch.arange(places, places + more)])
        self._newest = free[:beams]
        self.shade[torch.arange(beams), self._newest] = 0

    def remember(self, layer: int, new: Tensor) -> tuple[Tensor, Tensor]:
        """Fill the new nodes with keys and values, (K, 2 * D); all nodes' keys, (H, d, N), and values, (H, N, d)."""
        rows, keys, values = self._layers[layer]
        rows.index_copy_(0, self._newest, new)
        return keys, values

    def _add_places(self, more: int) -> None:
        """Empty ones are zero, not whatever memory holds: a weight of 0 times that must be 0."""
        beams, places = self.shade.shape
        self.shade = torch.cat([self.shade, torch.full((beams, more), float("-inf"))], dim=1)
        layers, room, width = self._nodes.shape
        if places + more > room:
            nodes = torch.zeros(layers, max(places + more, 2 * room), width)
            nodes[:, :places] = self._nodes[:, :places]
            self._nodes = nodes
        self._layers = [self._views(rows[: places + more]) for rows in self._nodes]

    def _views(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The rows of one layer, (N, 2 * D), and as which attention takes them: keys (H, d, N), values (H, N, d)."""
        keys, values = rows.view(len(rows), 2, self._heads, -1).permute(1, 2, 0, 3)
        return rows, keys.mT, values
