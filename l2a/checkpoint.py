"""A model folder: weights, config, vocabularies, word list, tag frequencies, metrics and a card.

    model.safetensors   weights, no metadata (safetensors' own does not hash stably)
    config.json         format, version, model shape, decode and training settings, metrics
    vocabulary.json     source and target words, the segmenter's extra words
    frequencies.json    training labels and how often each occurred
    retrieval.safetensors labelled questions and listed tags as arrays, where the model was trained with hints
    words.safetensors   how rare words are, and
    ranker.json         where the ranker begins, where the model has one
    counted.safetensors which questions the frequencies count, as hashes: not part of the version
    README.md           the card: not part of the version

The version is a hash of weights, model and decode config, vocabularies, word list, frequencies, retrieval, ranker and
its table of words. Loading
verifies it and runs no code from the folder. Saving writes a sibling folder first and renames it: a crash
leaves the old folder, or the new one, never a half one that loads. Replacing a folder takes two renames, between
which the old one is called `.NAME.old-PID`; where a kill left it so, loading finds it there.
"""

import glob
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file as load_arrays
from safetensors.numpy import save_file as save_arrays
from safetensors.torch import load_file, save_file

from l2a.config import ModelConfig, read_decode
from l2a.errors import CheckpointError, SettingsError
from l2a.evidence.collection import Evidence
from l2a.evidence.memory.word_table import WordTable
from l2a.network.model import L2AModel
from l2a.ranking.ranker import Prior
from l2a.tagger import Tagger
from l2a.text.codec import Codec
from l2a.text.counted import Counted
from l2a.text.segmenter import Segmenter
from l2a.text.vocabulary import Vocabulary

FORMAT = 1
KIND = "l2a-tagger"
WEIGHTS, CONFIG, VOCABULARY, FREQUENCIES, RETRIEVAL, WORDS, RANKER, COUNTED, CARD = (
    "model.safetensors",
    "config.json",
    "vocabulary.json",
    "frequencies.json",
    "retrieval.safetensors",
    "words.safetensors",
    "ranker.json",
    "counted.safetensors",
    "README.md",
)
STORAGE_TYPES = {"float32": torch.float32, "float16": torch.float16}


def build_codec(config: ModelConfig, segmenter: Segmenter, source: Vocabulary, target: Vocabulary) -> Codec:
    return Codec(
        segmenter,
        source,
        target,
        kind=config.kind,
        copy=config.copy,
        share_embeddings=config.share_embeddings,
        max_source_length=config.max_source_length,
    )


def save_tagger(tagger: Tagger, path: str | Path, *, storage: str = "float32", card: str | None = None) -> str:
    """Write the folder and return its version. `storage` float16 halves the size; loading widens it again."""
    path = Path(path)
    weights = {
        name: tensor.detach().to(STORAGE_TYPES[storage]).contiguous()
        for name, tensor in tagger.model.state_dict().items()
    }
    identity = {
        "model": tagger.config.to_dict(),
        "decode": {**tagger.settings.to_dict(), **tagger.votes.to_dict()},
        "order": tagger.order,
    }
    vocabulary = {
        "words": list(tagger.codec.segmenter.words),
        "source": list(tagger.codec.source.words),
        "target": list(tagger.codec.target.words),
    }
    frequencies = dict(tagger.frequencies)
    retrieval, words = tagger.evidence.arrays, tagger.table.arrays
    ranker = None if tagger.prior is None else tagger.prior.to_dict()
    version = _version(weights, identity, vocabulary, frequencies, {**retrieval, **_named(words)}, ranker)
    config = {"kind": KIND, "format": FORMAT, "version": version, "storage": storage, **identity, **tagger.details}

    temporary = _sibling(path, "writing", os.getpid())
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    try:
        save_file(weights, temporary / WEIGHTS)
        _write_json(temporary / VOCABULARY, vocabulary)
        _write_json(temporary / FREQUENCIES, frequencies)
        _write_json(temporary / CONFIG, config)
        if ranker is not None:
            _write_json(temporary / RANKER, ranker)
        for name, arrays in ((RETRIEVAL, retrieval), (WORDS, words), (COUNTED, tagger.counted.arrays)):
            if any(map(len, arrays.values())):
                save_arrays(arrays, temporary / name)
                shutil.copymode(temporary / CONFIG, temporary / name)
        (temporary / CARD).write_text(card or default_card(tagger, version), encoding="utf-8")
        shutil.copymode(temporary / CONFIG, temporary / WEIGHTS)  # safetensors' own is for the owner alone
        _sync(temporary)
        _swap_in(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    _remove_leftovers(path)
    return version


def find_folder(path: str | Path) -> Path:
    """`path`, or the old folder beside it where a save was killed between its two renames."""
    path = Path(path)
    if path.exists():
        return path
    whole = [folder for folder in _leftovers(path, "old") if folder.is_dir()]
    return max(whole, key=lambda folder: folder.stat().st_mtime, default=path)


def load_tagger(path: str | Path) -> Tagger:
    """Read and verify a model folder; raises CheckpointError with what is wrong and what to do next."""
    path = find_folder(path)
    config = read_config(path)
    vocabulary = _read_json(path, VOCABULARY)
    frequencies = _read_json(path, FREQUENCIES)
    weights = _read_tensors(path, WEIGHTS, load_file)
    retrieval, words, counted = (
        _read_tensors(path, name, load_arrays) if (path / name).exists() else {} for name in (RETRIEVAL, WORDS, COUNTED)
    )
    ranker = _read_json(path, RANKER) if (path / RANKER).exists() else None
    try:
        identity = {name: config[name] for name in ("model", "decode", "order")}
        found = _version(weights, identity, vocabulary, frequencies, {**retrieval, **_named(words)}, ranker)
        if found != config["version"]:
            raise CheckpointError("model.mixed_files", path=path, said=config["version"], found=found)
        model_config = ModelConfig.from_dict(config["model"])
        source, target = Vocabulary(vocabulary["source"]), Vocabulary(vocabulary["target"])
        model = L2AModel(model_config, len(source), len(target))
        model.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
        settings, votes = read_decode(config["decode"])
        segmenter = Segmenter(vocabulary["words"])
        evidence, table = Evidence.of(retrieval, segmenter), WordTable(words)
        prior = None if ranker is None else Prior.from_dict(ranker)
        questions = Counted(**counted)  # models of older programs do not know which ones they counted
        codec = build_codec(model_config, segmenter, source, target)
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError, SettingsError) as error:
        raise CheckpointError("model.damaged", path=path, kind=type(error).__name__, reason=error) from error
    model.eval()
    details = {name: config[name] for name in ("training", "metrics", "data") if name in config}
    return Tagger(
        model=model,
        codec=codec,
        config=model_config,
        settings=settings,
        frequencies=frequencies,
        version=config["version"],
        order=config["order"],
        details=details,
        counted=questions,
        evidence=evidence,
        votes=votes,
        prior=prior,
        table=table,
    )


def default_card(tagger: Tagger, version: str) -> str:
    """A short card for a model nobody wrote one for."""
    lines = [
        "# L2A model",
        "",
        f"Version `{version}`. {len(tagger.frequencies):,} distinct training tags, order `{tagger.order}`.",
        "",
        "```json",
        json.dumps({"model": tagger.config.to_dict(), **tagger.details}, ensure_ascii=False, indent=1),
        "```",
        "",
    ]
    return "\n".join(lines)


def _version(
    weights: Mapping[str, torch.Tensor],
    identity: dict,
    vocabulary: dict,
    frequencies: dict,
    arrays: Mapping[str, np.ndarray],
    ranker: dict | None,
) -> str:
    """Twelve hex digits over everything that changes what the model says."""
    digest = hashlib.sha256()
    for name in sorted(weights):
        tensor = weights[name].contiguous()
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.view(-1).view(torch.uint8).numpy().data)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}\n".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    for part in (identity, vocabulary, frequencies, *([] if ranker is None else [ranker])):
        digest.update(json.dumps(part, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def _named(words: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The table's arrays under names that the retriever has not; none of an empty table."""
    return {f"table_{name}": array for name, array in words.items()}


def read_config(path: Path) -> dict[str, Any]:
    """What a model folder says of itself, without its weights; raises CheckpointError."""
    if not path.is_dir():
        raise CheckpointError("model.missing", path=path)
    config = _read_json(path, CONFIG)
    if not isinstance(config, dict) or config.get("kind") != KIND:
        raise CheckpointError("model.other_kind", path=path)
    if not isinstance(config.get("format"), int) or config["format"] > FORMAT:
        raise CheckpointError("model.newer", path=path, format=config.get("format"), newest=FORMAT)
    return config


def _read_json(path: Path, name: str) -> Any:
    try:
        return json.loads((path / name).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError("model.file_missing", path=path, file=name) from error
    except (ValueError, OSError, RecursionError) as error:
        raise CheckpointError("model.file_unreadable", path=path, file=name, reason=str(error)) from error


def _read_tensors(path: Path, name: str, load: Callable[[Path], dict]) -> dict:
    if not (path / name).is_file():
        raise CheckpointError("model.file_missing", path=path, file=name)
    try:
        return load(path / name)
    except (SafetensorError, OSError, ValueError) as error:
        raise CheckpointError("model.file_damaged", path=path, file=name, reason=str(error)) from error


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def _sync(folder: Path) -> None:
    """Everything on disk before the folder gets its name."""
    for file in (*folder.iterdir(), folder):
        descriptor = os.open(file, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _swap_in(new: Path, path: Path) -> None:
    """Give the new folder its name; an old one is moved aside first and removed last."""
    old = _sibling(path, "old", os.getpid())
    is_replacing = path.exists()
    if is_replacing:
        shutil.rmtree(old, ignore_errors=True)  # a killed process may have had our number, as in a container
        os.replace(path, old)
    try:
        os.replace(new, path)
    except OSError:
        if is_replacing:
            os.replace(old, path)
        raise


def _remove_leftovers(path: Path) -> None:
    """Remove what this save and killed ones left beside `path`; other processes that live may be saving."""
    for purpose in ("writing", "old"):
        for folder in _leftovers(path, purpose):
            if not _is_other_process(folder.name.rpartition("-")[2]):
                shutil.rmtree(folder, ignore_errors=True)


def _sibling(path: Path, purpose: str, process: int | str) -> Path:
    return path.with_name(f".{path.name}.{purpose}-{process}")


def _leftovers(path: Path, purpose: str) -> list[Path]:
    return list(path.parent.glob(_sibling(Path(glob.escape(path.name)), purpose, "*").name))


def _is_other_process(number: str) -> bool:
    """Whether a process other than this one has that number; where that cannot be asked, yes."""
    if number == str(os.getpid()):
        return False
    if not number.isdecimal() or os.name != "posix":
        return True
    try:
        os.kill(int(number), 0)  # signal 0 only asks
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # it lives, and is another user's
    return True
