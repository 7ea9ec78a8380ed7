"""What the beams of one question have read, kept as a tree.

Beams that began alike share the keys and values of that beginning: every word that was read is one node, a beam sees
the nodes on its way to the root, and going on from a parent copies nothing. Nodes that no beam sees any more are
cleared out when there is no room for new ones. Beams of one question are mostly cousins, so that there are far fewer
nodes than beams times steps.

Shapes: K live beams, N nodes, H heads, d numbers a head, D = H * d the width.
"""

import torch
from torch import Tensor

_STEPS = 2  # that there is room for when unseen nodes have been cleared out


class Past:
    """Of one question: positions, and for each layer keys and values of all nodes, or the two states of an LSTM."""

    def __init__(self, layers: int, heads: int, width: int):
        self.position = torch.zeros(1, dtype=torch.long)  # (K,) of the words being read
        self.shade = torch.zeros(1, 0)  # (K, N): 0 where a beam sees a node, else minus infinity
        self.states: list[tuple[Tensor, Tensor] | None] = [None] * layers  # of LSTMs, (K, D) each
        self._nodes = torch.empty(layers, 2, heads, 0, width // heads)  # keys and values; only the first N are in use

    def follow(self, parents: Tensor) -> None:
        """Go on with beams that come from these, (K',): places among the present ones."""
        self.position, self.shade = self.position[parents], self.shade[parents]
        self.states = [state and tuple(part[parents] for part in state) for state in self.states]

    def grow(self) -> None:
        """A node for every beam, seen by itself alone; its keys and values come with `remember`."""
        beams, nodes = self.shade.shape
        if nodes + beams > self._nodes.shape[3]:
            self._clear_out(beams)
        alone = torch.full((beams, beams), float("-inf")).fill_diagonal_(0)
        self.shade = torch.cat([self.shade, alone], dim=1)

    def remember(self, layer: int, new: Tensor) -> tuple[Tensor, Tensor]:
        """Fill the new nodes with keys and values, (K, 2 * D); returns those of all nodes, (H, N, d) each."""
        beams, nodes = self.shade.shape
        mine = self._nodes[layer, :, :, :nodes]  # (2, H, N, d)
        mine[:, :, nodes - beams :] = new.view(beams, 2, mine.shape[1], -1).permute(1, 2, 0, 3)
        return mine[0], mine[1]

    def _clear_out(self, beams: int) -> None:
        """Forget nodes that no beam sees, and make room for more."""
        seen = (self.shade == 0).any(dim=0).nonzero().squeeze(1)  # (N',)
        kept = self._nodes.index_select(3, seen)
        room = len(seen) + _STEPS * beams
        self._nodes = kept.new_empty(*kept.shape[:3], room, kept.shape[4])
        self._nodes[:, :, :, : len(seen)] = kept
        self.shade = self.shade[:, seen]
