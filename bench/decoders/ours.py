"""L2A's own decoders: the plain one, and the fast one in float32 and in 8 bits."""

from functools import lru_cache

import torch

from bench.decoders import Candidate, Load
from l2a.config import ModelConfig
from l2a.network.model import L2AModel
from l2a.search.beam import beam_search
from l2a.search.fast.beam import fast_beam_search
from l2a.search.fast.decoder import FastDecoder
from l2a.text.batch import SourceBatch
from l2a.text.vocabulary import END, FIRST_WORD, START

_HELD_BACK = -1e4  # the end symbol's score: completions are still collected, all of them worse than going on


def plain(load: Load) -> Candidate:
    model, source = _model(load), _source(load)

    def decode() -> list:
        with torch.inference_mode():
            memory = model.encode(source)
            return beam_search(
                lambda tokens, state: model.step(tokens, state, memory),
                model.start_state(load.batch),
                questions=load.batch,
                beam=load.beam,
                max_steps=load.steps,
                start=START,
                end=END,
            )

    return decode


def fast_float32(load: Load) -> Candidate:
    return _fast(load, int8=False)


def fast_int8(load: Load) -> Candidate:
    return _fast(load, int8=True)


def _fast(load: Load, int8: bool) -> Candidate:
    model, source = _model(load), _source(load)
    decoder = FastDecoder(model, int8=int8)

    def decode() -> list:
        with torch.inference_mode():
            return fast_beam_search(decoder, model.encode(source), beam=load.beam, max_steps=load.steps, start=START)

    return decode


def _model(load: Load) -> L2AModel:
    return _build(load.width, load.heads, load.feed_forward, load.layers, load.vocabulary)


@lru_cache(maxsize=1)
def _build(width: int, heads: int, feed_forward: int, layers: int, vocabulary: int) -> L2AModel:
    torch.manual_seed(1)
    config = ModelConfig(
        width=width, heads=heads, feed_forward=feed_forward, decoder_layers=layers, target_vocabulary=vocabulary
    )
    model = L2AModel(config, vocabulary, vocabulary).eval()
    model.output.bias.data[END] = _HELD_BACK
    return model


def _source(load: Load) -> SourceBatch:
    generator = torch.Generator().manual_seed(2)
    ids = torch.randint(FIRST_WORD, load.vocabulary, (load.batch, load.source_words), generator=generator)
    lengths = torch.full((load.batch,), load.source_words)
    return SourceBatch(ids, lengths, ids, torch.zeros(load.batch, 0, dtype=torch.long))
