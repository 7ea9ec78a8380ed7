"""Joins the store's export to the engine, which knows how a text is cut into words."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from db.store.engine import Store
from db.transfer.export import ExportFilter, Manifest, export


def export_file(
    store: Store,
    path: str | Path,
    format_name: str,
    chosen: ExportFilter | None = None,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Manifest:
    """Write the labels and their manifest (db.transfer.export), cut into words where the format is one of words."""
    return export(store, path, format_name, chosen, cut=cut_words, progress=progress)


def cut_words(text: str) -> Sequence[str]:
    return _segmenter().split(text)


@cache
def _segmenter():
    from l2a.text.words import Segmenter  # jieba reads its dictionary for a second, which only one format needs

    return Segmenter()
