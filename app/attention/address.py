"""The link that leads back to a view of attention, and the names of files that are taken from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from app.attention.weights import KINDS, WAYS, View

if TYPE_CHECKING:
    pass

LONGEST_LINK = 6000  # characters; what programs that pass links on take without cutting them

_BETWEEN_TAGS = re.compile(r"[,，、;；\n]")


@dataclass(frozen=True)
class Address:
    """Everything a link says. A view is repeated with the tags it had, wherever they came from."""

    question: int | None = None
    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    view: View = field(default_factory=View)
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
        view=View(
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
    view = address.view
    text = {"title": address.title, "description": address.description}
    query = {
        **({"question": str(address.question)} if address.question is not None else text),
        "tags": ",".join(address.tags),
        "kind": view.kind,
        "how": view.how,
        **({"layer": str(view.layer), "head": str(view.head)} if view.how == "head" else {}),
        "hints": "1" if view.hints else "",
        "model": address.model,
        "beside": address.beside,
        "lang": language,
    }
    link = f"{page}?{urlencode({name: value for name, value in query.items() if value}, quote_via=quote)}"
    return link if len(link) <= LONGEST_LINK else None


def file_name(question: int | None, view: View, version: str) -> str:
    """Of a download, without its suffix; says what is in it."""
    where = f"-l{view.layer}h{view.head}" if view.how == "head" else ""
    name = f"attention-{question or 'typed'}-{view.kind}-{view.how}{where}-{version}"
    return re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII)


def _number(written: str | None, otherwise: int) -> int:
    written = written or ""
    return int(written) if re.fullmatch(r"[1-9][0-9]{0,17}", written) else otherwise
