"""The methods that are compared (paper section 4.1), each by the name its tables show."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from l2a.experiments.training.scales import Setting

ORDER_NAMES = {"random": "random", "order1": "Order 1", "order2": "Order 2"}
ALL_LABELS = 10_000_000  # "the target side vocabulary contains all tag names": never cut for a label model


@dataclass(frozen=True)
class Method:
    """A way to suggest tags: one of the three classifiers, or an L2A model with changed settings."""

    name: str
    slug: str  # names its files
    network: str | None = None  # of a classifier: a key of `baselines.networks.NETWORKS`
    model: Mapping[str, Any] = field(default_factory=dict, hash=False)
    training: Mapping[str, Any] = field(default_factory=dict, hash=False)
    is_for_dev: bool = False  # its table is of dev only, so it answers nothing else
    setting: Setting | None = None  # of a trial; otherwise dev chooses

    @property
    def kind(self) -> str:
        """Methods of one kind share what dev chose for it."""
        return self.network or self.model["kind"]

    def with_setting(self, setting: Setting) -> "Method":
        """A trial: the method with this setting, on dev only."""
        slug = f"{self.slug}-rate-{setting.learning_rate:g}-dropout-{setting.dropout:g}"
        return replace(self, slug=slug, setting=setting, is_for_dev=True)


CNN = Method("CNN", "cnn", network="cnn")
BILSTM = Method("BiLSTM", "bilstm", network="bilstm")
TOPICAL = Method("Topical Attention", "topical-attention", network="topical")
CLASSIFIERS = (CNN, BILSTM, TOPICAL)


def _l2a(kind: str, order: str) -> Method:
    sizes = {"target_vocabulary": ALL_LABELS} if kind == "label" else {}
    return Method(
        f"L2A-{kind}, {ORDER_NAMES[order]}", f"{kind}-{order}", model={"kind": kind, **sizes}, training={"order": order}
    )


LABEL = {order: _l2a("label", order) for order in ORDER_NAMES}
WORD = {order: _l2a("word", order) for order in ORDER_NAMES}


# Which method of a kind its settings are tried with. The others of the kind (orders, positions, architectures, the
# other corpus) take over what was chosen: they are compared with each other, so none gets a setting of its own.
TRIED_WITH = {method.kind: method for method in (*CLASSIFIERS, LABEL["order1"], WORD["order1"])}


def _variant(name: str, slug: str, **model: str) -> Method:
    return Method(name, slug, model={"kind": "word", **model}, training={"order": "order1"}, is_for_dev=True)


# The first of each is the paper's own model, L2A-word with Order 1, which is trained once for all tables.
POSITIONS = {
    "local": WORD["order1"],
    "none": _variant("no positions", "positions-none", positions="none"),
    "global": _variant("global positions", "positions-global", positions="global"),
}
ARCHITECTURES = {
    "L2A": WORD["order1"],
    **{
        name: _variant(name, f"architecture-{name.lower()}", encoder=name[0], decoder=name[2])
        for name in ("L2L", "A2A", "A2L")
    },
}
