"""One file a source of evidence (`l2a.evidence.source`): a new file here is a new source, and nothing else changes.

Listing the names imports none of the files: settings ask for them everywhere.
"""

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from l2a.evidence.source import Source


def source_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def source_classes() -> list[type["Source"]]:
    """In the order in which they are asked."""
    found: list[type[Source]] = [importlib.import_module(f"{__name__}.{name}").SOURCE for name in source_names()]
    return sorted(found, key=lambda source: source.rank)
