"""A sentence encoder for the tests: the smallest BERT, with random weights, that knows some hanzi."""

from pathlib import Path

import torch

HANZI = "养猫吉他怎样学好吃什么大象显微镜科幻片电影狗粮的有"
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def make_bert(folder: Path, *, seed: int = 1, as_bin: bool = False) -> Path:
    """A folder in Hugging Face's format."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    words = [*MARKS, *dict.fromkeys(HANZI), "py", "##thon"]
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=40,
        max_position_embeddings=24,
    )
    model = BertModel(config)
    model.save_pretrained(folder)
    if as_bin:
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    return folder
