"""Knowledge on disk: flat arrays in one file that is whole or not at all. What is in it can be made again."""

import hashlib
import json
import os
import threading
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from l2a.evidence.arrays import name_arrays, read_names
from l2a.ranking.ranker import Served

FORMAT = "l2a-knowledge-1"
_NOBODY = -1.0  # a verdict that nobody gave


def write(path: Path, arrays: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> None:
    """Into a file beside it first: who reads meanwhile finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
    flat = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    said = json.dumps(about)
    told = {"format": FORMAT, "about": said, "checksum": _checksum(flat, said)}
    try:
        save_file(flat, beside, metadata=told)
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def read(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays, and what was said about them. Raises OSError, or ValueError where it is not as it was written."""
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no dict
            told = file.metadata() or {}
        if told.get("format") != FORMAT or told["checksum"] != _checksum(arrays, told["about"]):
            raise ValueError(f"{path} is of another format, or damaged")
        return arrays, json.loads(told["about"])
    except (SafetensorError, KeyError) as error:
        raise ValueError(f"{path}: {error}") from error


def read_about(path: Path) -> dict[str, Any]:
    """What was said about the arrays, without reading them; raises what `read` raises."""
    try:
        with safe_open(path, framework="numpy") as file:
            told = file.metadata() or {}
        if told.get("format") != FORMAT:
            raise ValueError(f"{path} is of another format")
        return json.loads(told["about"])
    except (SafetensorError, KeyError) as error:
        raise ValueError(f"{path}: {error}") from error


def _checksum(arrays: Mapping[str, np.ndarray], said: str) -> str:
    digest = hashlib.blake2b(said.encode(), digest_size=16)
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype} {array.shape}\n".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


# --- servings -------------------------------------------------------------------------------------------------------


def served_arrays(served: Mapping[int, tuple[int, Served]]) -> dict[str, np.ndarray]:
    """Question -> number of its decision and what was served."""
    numbers = [(question, number, one.right, len(one.figures)) for question, (number, one) in served.items()]
    tags = [figures for _, one in served.values() for figures in one.figures]
    place = {name: place for place, name in enumerate(sorted({name for figures in tags for name in figures}))}
    verdicts = [verdict for _, one in served.values() for verdict in one.verdicts]
    return {
        **{f"figure_{name}": array for name, array in name_arrays(list(place)).items()},
        "served": np.array(numbers, dtype=np.int64).reshape(len(numbers), 4),
        "served_verdicts": np.array([_NOBODY if verdict is None else verdict for verdict in verdicts], dtype=float),
        "served_sizes": np.array(list(map(len, tags)), dtype=np.int32),
        "served_figures": np.array([place[name] for figures in tags for name in figures], dtype=np.int32),
        "served_values": np.array([value for figures in tags for value in figures.values()], dtype=float),
    }


def read_served(arrays: Mapping[str, np.ndarray]) -> dict[int, tuple[int, Served]]:
    """What `served_arrays` made."""
    names = read_names({"tags": arrays["figure_tags"], "tag_starts": arrays["figure_tag_starts"]})
    called = [names[place] for place in arrays["served_figures"].tolist()]
    values = arrays["served_values"].tolist()
    ends = np.cumsum([0, *arrays["served_sizes"].tolist()]).tolist()
    tags = [dict(zip(called[begin:end], values[begin:end], strict=True)) for begin, end in pairwise(ends)]
    verdicts = [None if verdict == _NOBODY else verdict for verdict in arrays["served_verdicts"].tolist()]
    found, begin = {}, 0
    for question, number, right, size in arrays["served"].tolist():
        found[question] = (number, Served(tags[begin : begin + size], verdicts[begin : begin + size], right))
        begin += size
    return found
