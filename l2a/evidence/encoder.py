"""A sentence encoder in a local folder, in Hugging Face's BERT format: a text in, a vector out.

For those who have one; nothing is fetched, and nothing from the folder is run. It is read when it is first asked.
"""

import hashlib
import importlib
import importlib.util
import json
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from l2a.errors import CheckpointError, SettingsError
from l2a.evidence.source import DESCRIPTION_CHARACTERS
from l2a.text.cleaning import clean

CONFIG, VOCABULARY, WEIGHTS = "config.json", "vocab.txt", ("model.safetensors", "pytorch_model.bin")  # one of these
MOST_TOKENS = 128  # of a text that is read: the time grows with them, what a question is about stands at its beginning


class SentenceEncoder:
    """The mean of the vectors of a text's tokens, of length one. One text at a time, on the processor."""

    def __init__(self, folder: str | Path):
        """Raises CheckpointError for a folder without one, SettingsError where the package that reads it is missing."""
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise CheckpointError("encoder.missing", path=self.folder)
        for file in (CONFIG, VOCABULARY):
            if not (self.folder / file).is_file():
                raise CheckpointError("encoder.file_missing", path=self.folder, file=file)
        weights = [name for name in WEIGHTS if (self.folder / name).is_file()]
        if not weights:
            raise CheckpointError("encoder.file_missing", path=self.folder, file=" / ".join(WEIGHTS))
        self._weights = weights[0]
        try:
            kind = json.loads((self.folder / CONFIG).read_text(encoding="utf-8")).get("model_type")
        except (ValueError, OSError, AttributeError) as error:
            raise CheckpointError("encoder.unreadable", path=self.folder, reason=str(error)) from error
        if kind != "bert":
            raise CheckpointError("encoder.other_kind", path=self.folder, kind=str(kind))
        if importlib.util.find_spec("transformers") is None:
            raise SettingsError("encoder.no_transformers")

    @cached_property
    def fingerprint(self) -> str:
        """Another one for another encoder: vectors of two do not go together."""
        digest = hashlib.blake2b(digest_size=16)
        for name in (CONFIG, VOCABULARY, self._weights):
            with open(self.folder / name, "rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
        return digest.hexdigest()

    def encode(self, title: str, description: str = "") -> np.ndarray:
        """(width,); zeros for a text without a token. Raises CheckpointError where the folder cannot be read."""
        import torch

        cut, model, most = self._parts
        text = clean(f"{title} {description[:DESCRIPTION_CHARACTERS]}")
        with torch.inference_mode():
            found = model(**cut(text, truncation=True, max_length=most, return_tensors="pt")).last_hidden_state[0]
        vector = found.mean(dim=0).double().numpy()
        return (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)

    @cached_property
    def _parts(self) -> tuple[Any, Any, int]:
        """What cuts a text into tokens, the network, and how many tokens it reads."""
        # Any, and imported by name: its types take longer to check than all of the project's.
        transformers = importlib.import_module("transformers")
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        try:
            cut = transformers.BertTokenizer.from_pretrained(self.folder, local_files_only=True)
            model, told = transformers.BertModel.from_pretrained(
                self.folder, local_files_only=True, add_pooling_layer=False, output_loading_info=True
            )
        except Exception as error:  # of many kinds, according to what is damaged
            raise CheckpointError("encoder.unreadable", path=self.folder, reason=_first_line(error)) from error
        if told["missing_keys"] or told["mismatched_keys"] or len(cut) > model.config.vocab_size:
            reason = f"{len(told['missing_keys'])} weights are missing, {len(cut)} words"
            raise CheckpointError("encoder.unreadable", path=self.folder, reason=reason)
        return cut, model.float().eval(), min(MOST_TOKENS, model.config.max_position_embeddings)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
