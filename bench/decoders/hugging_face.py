"""Hugging Face `generate` with a BART of the same decoder size and a single encoder layer, its cheapest."""

import torch

from bench.decoders import Candidate, Load

_PAD, _START, _END, _FIRST_WORD = 0, 1, 2, 5


def generate(load: Load) -> Candidate:
    from transformers import BartConfig, BartForConditionalGeneration
    from transformers.utils import logging

    logging.set_verbosity_error()
    torch.manual_seed(1)
    config = BartConfig(
        vocab_size=load.vocabulary,
        d_model=load.width,
        encoder_layers=1,
        decoder_layers=load.layers,
        encoder_attention_heads=load.heads,
        decoder_attention_heads=load.heads,
        encoder_ffn_dim=load.feed_forward,
        decoder_ffn_dim=load.feed_forward,
        max_position_embeddings=max(64, load.steps + 2, load.source_words + 2),
        pad_token_id=_PAD,
        bos_token_id=_START,
        eos_token_id=_END,
        decoder_start_token_id=_START,
        forced_eos_token_id=None,
    )
    model = BartForConditionalGeneration(config).eval()
    generator = torch.Generator().manual_seed(2)
    ids = torch.randint(_FIRST_WORD, load.vocabulary, (load.batch, load.source_words), generator=generator)

    def decode() -> list:
        with torch.inference_mode():
            return model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                num_beams=load.beam,
                num_return_sequences=load.beam,
                min_new_tokens=load.steps,
                max_new_tokens=load.steps,
                do_sample=False,
                length_penalty=0.0,
            ).tolist()

    return decode
