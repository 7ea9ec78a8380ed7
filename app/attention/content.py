"""What the attention page shows, without drawing it: which weights, which words, and the link that leads back."""

import re
from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote, urlencode

import numpy as np

from app.figures.heatmap import Heatmap

if TYPE_CHECKING:
    from l2a.explain import Explanation, Occlusion

KINDS = ("cross", "self")
WAYS = ("mean", "max", "rollout", "head")  # head: one head of one layer
TAG_SOURCES = ("model", "decisions", "typed")
LONGEST_LINK = 6000  # characters; what programs that pass links on take without cutting them
REMEMBERED = 24  # results kept for a visitor who moves to and fro

_BETWEEN_TAGS = re.compile(r"[,，、;；\n]")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Look:
    """How the weights are looked at; layer and head count from 1 and matter for one head only."""

    kind: str = "cross"
    how: str = "mean"
    layer: int = 1
    head: int = 1
    hints: bool = False  # whether words that a retriever added are shown


@dataclass(frozen=True)
class Address:
    """Everything a link says. A view is repeated with the tags it had, wherever they came from."""

    question: int | None = None
    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    look: Look = Look()
    model: str = ""
    beside: str = ""


def split_tags(written: str) -> list[str]:
    """Tags written by hand, each once, in the order they were written."""
    return list(dict.fromkeys(tag for part in _BETWEEN_TAGS.split(written) if (tag := part.strip())))


def read_address(params: Mapping[str, str]) -> Address:
    """The address's query; a value that makes no sense counts as not given."""
    question = _number(params.get("question"), 0)
    kind, how = params.get("kind", ""), params.get("how", "")
    return Address(
        question=question or None,
        title=params.get("title", ""),
        description=params.get("description", ""),
        tags=tuple(split_tags(params.get("tags", ""))),
        look=Look(
            kind=kind if kind in KINDS else "cross",
            how=how if how in WAYS else "mean",
            layer=_number(params.get("layer"), 1),
            head=_number(params.get("head"), 1),
            hints=params.get("hints") == "1",
        ),
        model=params.get("model", ""),
        beside=params.get("beside", ""),
    )


def write_link(page: str, address: Address, language: str) -> str | None:
    """A link to the same view; None for a typed text that is too long for one."""
    look = address.look
    text = {"title": address.title, "description": address.description}
    query = {
        **({"question": str(address.question)} if address.question is not None else text),
        "tags": ",".join(address.tags),
        "kind": look.kind,
        "how": look.how,
        **({"layer": str(look.layer), "head": str(look.head)} if look.how == "head" else {}),
        "hints": "1" if look.hints else "",
        "model": address.model,
        "beside": address.beside,
        "lang": language,
    }
    link = f"{page}?{urlencode({name: value for name, value in query.items() if value}, quote_via=quote)}"
    return link if len(link) <= LONGEST_LINK else None


def remember(known: MutableMapping, key: Hashable, make: Callable[[], Result]) -> Result:
    """`make()`, or what it gave before for this key; the oldest results are forgotten."""
    if key not in known:
        known[key] = make()
        for old in list(known)[:-REMEMBERED]:
            del known[old]
    return known[key]


def cross_weights(explanation: "Explanation", look: Look) -> np.ndarray:
    """(T, S): cross-attention in the way it is looked at."""
    if look.how != "head":
        return explanation.cross_summary(look.how)
    return _one_head(explanation, explanation.cross, look)


def weights_of(explanation: "Explanation", look: Look) -> np.ndarray:
    """(T, S) or (T, T): what the heatmap shows; raises InputError where a model has no self-attention."""
    if look.kind == "cross":
        return cross_weights(explanation, look)
    if look.how == "head" and explanation.self is not None:
        return _one_head(explanation, explanation.self, look)
    return explanation.self_summary("mean" if look.how == "head" else look.how)


def make_heatmap(explanation: "Explanation", look: Look) -> Heatmap:
    """Tag words down; across the question's words, or what the decoder had read so far from `<s>` on."""
    steps = explanation.tag_of_step
    weights = weights_of(explanation, look)
    is_cross = look.kind == "cross"
    columns = source_words(explanation, look) if is_cross else explanation.input_words
    return Heatmap(
        rows=explanation.output_words,
        columns=columns,
        weights=weights[:, : len(columns)],
        mask=None if is_cross else np.triu(np.ones(weights.shape, dtype=bool), k=1),  # not written yet
        breaks=tuple(step for step in range(1, len(steps)) if steps[step] != steps[step - 1]),
    )


def source_words(explanation: "Explanation", look: Look) -> tuple[str, ...]:
    """The source words that are shown: the retriever's hints, which come last, if they are asked for."""
    return explanation.source_words[: len(explanation.source_words) - (0 if look.hints else explanation.hints)]


def hint_share(explanation: "Explanation", look: Look) -> float:
    """How much of the attention to the source goes to hints; of maxima, which add up to nothing, that of the mean."""
    weights = cross_weights(explanation, replace(look, how="mean") if look.how == "max" else look)
    return float(weights[:, len(explanation.source_words) - explanation.hints :].sum() / weights.sum())


def one_head_of(explanation: "Explanation", look: Look) -> tuple[int, int]:
    """Layer and head, from 1; a link may name one that this model does not have, the last is taken then."""
    layers, heads = explanation.cross.shape[:2]
    return min(look.layer, layers), min(look.head, heads)


def compare_with(occlusion: "Occlusion", explanation: "Explanation", tag: int, look: Look) -> "Occlusion":
    """The check as it is looked at: of the words that are shown, and against one head's attention if it is one's."""
    shown = len(source_words(explanation, look))
    attention = occlusion.attention
    if look.how == "head":
        steps = [step for step, of in enumerate(explanation.tag_of_step) if of == tag]
        attention = cross_weights(explanation, look)[steps].mean(axis=0)
    elif shown == len(attention):
        return occlusion
    drops, attention = occlusion.drops[:shown], attention[:shown]
    return replace(occlusion, drops=drops, attention=attention, rank_correlation=rank_correlation(drops, attention))


def rank_correlation(first: np.ndarray, second: np.ndarray) -> float | None:
    """Spearman's; None where it is not defined."""
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(first, second).statistic)


def writable(tagger, title: str, description: str, tags: Sequence[str]) -> tuple[list[str], list[str]]:
    """(tags this model can write for this question, those it cannot). Raises InputError for a text without words."""
    from l2a.data.questions import Question

    extra = tagger.encode(Question(title=title, description=description)).extra_words
    can = [tag for tag in tags if tagger.codec.can_write(tag, extra)]
    return can, [tag for tag in tags if tag not in can]


def file_name(question: int | None, look: Look, version: str) -> str:
    """Of a download, without its suffix; says what is in it."""
    where = f"-l{look.layer}h{look.head}" if look.how == "head" else ""
    name = f"attention-{question or 'typed'}-{look.kind}-{look.how}{where}-{version}"
    return re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII)


def _one_head(explanation: "Explanation", weights: np.ndarray, look: Look) -> np.ndarray:
    """(L, H, T, n) -> (T, n)."""
    layer, head = one_head_of(explanation, look)
    return weights[layer - 1, head - 1]


def _number(written: str | None, otherwise: int) -> int:
    written = written or ""
    return int(written) if re.fullmatch(r"[1-9][0-9]{0,17}", written) else otherwise
