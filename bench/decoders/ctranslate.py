"""CTranslate2 with a Transformer of the same decoder size and a single encoder layer, its cheapest.

No model is downloaded: a specification of that size is filled with random weights and saved where CTranslate2 can
load it from.
"""

import tempfile

import numpy as np

from bench.decoders import Candidate, Load

_FIRST_WORD = 4


def float32(load: Load) -> Candidate:
    return _translator(load, "float32")


def int8(load: Load) -> Candidate:
    return _translator(load, "int8")


def int8_by_workers(load: Load) -> Candidate:
    """The batch shared among as many workers as there are threads, each with one."""
    return _translator(load, "int8", workers=load.threads)


def _translator(load: Load, compute_type: str, workers: int = 1) -> Candidate:
    import ctranslate2

    words = ["<blank>", "<s>", "</s>", "<unk>", *(f"word{number}" for number in range(_FIRST_WORD, load.vocabulary))]
    with tempfile.TemporaryDirectory() as folder:
        spec = ctranslate2.specs.TransformerSpec.from_config((1, load.layers), load.heads, pre_norm=False)
        _fill(spec, load)
        spec.register_source_vocabulary(words)
        spec.register_target_vocabulary(words)
        spec.validate()
        spec.optimize(quantization=None if compute_type == "float32" else compute_type)
        spec.save(folder)
        translator = ctranslate2.Translator(
            folder,
            device="cpu",
            compute_type=compute_type,
            inter_threads=workers,
            intra_threads=load.threads // workers,
        )
    numbers = np.random.default_rng(2).integers(_FIRST_WORD, load.vocabulary, (load.batch, load.source_words))
    source = [[words[number] for number in row] for row in numbers]

    def decode() -> list:
        found = translator.translate_batch(
            source,
            max_batch_size=-(-load.batch // workers),
            beam_size=load.beam,
            num_hypotheses=load.beam,
            min_decoding_length=load.steps,
            max_decoding_length=load.steps,
            length_penalty=0,
            return_scores=True,
        )
        return [result.hypotheses for result in found]

    return decode


def _fill(spec, load: Load) -> None:
    """Random weights of the right shapes; the scale is Vaswani et al.'s initialisation."""
    random = np.random.default_rng(1)

    def linear(part, inputs: int, outputs: int) -> None:
        limit = (6 / (inputs + outputs)) ** 0.5
        part.weight = random.uniform(-limit, limit, (outputs, inputs)).astype(np.float32)
        part.bias = np.zeros(outputs, dtype=np.float32)

    def norm(part) -> None:
        part.gamma, part.beta = np.ones(load.width, dtype=np.float32), np.zeros(load.width, dtype=np.float32)

    def attention(part, joined: list[int]) -> None:
        """`joined`: how many projections each of its linear layers holds."""
        for layer, count in zip(part.linear, joined, strict=True):
            linear(layer, load.width, count * load.width)
        norm(part.layer_norm)

    def feed_forward(part) -> None:
        linear(part.linear_0, load.width, load.feed_forward)
        linear(part.linear_1, load.feed_forward, load.width)
        norm(part.layer_norm)

    table = (random.standard_normal((load.vocabulary, load.width)) * load.width**-0.5).astype(np.float32)
    spec.encoder.embeddings[0].weight, spec.decoder.embeddings.weight = table, table
    for layer in spec.encoder.layer:
        attention(layer.self_attention, [3, 1])
        feed_forward(layer.ffn)
    for layer in spec.decoder.layer:
        attention(layer.self_attention, [3, 1])
        attention(layer.attention, [1, 2, 1])
        feed_forward(layer.ffn)
    linear(spec.decoder.projection, load.width, load.vocabulary)
