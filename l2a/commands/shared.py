"""What several commands share: the model and decoding options, and how complaints are printed."""

import argparse
import sys

from l2a.config import DECODER_CHOICES
from l2a.errors import SettingsError
from l2a.places import shown_starter


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    starter = shown_starter()
    parser.add_argument(
        "--model", default=starter, metavar="FOLDER", help=f"model folder (default {starter.replace('%', '%%')})"
    )
    parser.add_argument("--threads", type=int, help="CPU threads of this process")
    parser.add_argument(
        "--decoder",
        choices=DECODER_CHOICES,
        default="auto",
        help="how hypotheses are searched: in 8 bits (int8), in float32, or by the plain reference; "
        "auto (default): int8 where the processor has it, else float32",
    )


def add_decoding_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--beam", type=int, help="beam and N of the N-best list, 1 to 64 (default: the model's)")
    parser.add_argument(
        "--threshold", type=float, help="share of votes a tag must exceed, 0 to 1 (default: the model's)"
    )
    parser.add_argument("--batch", type=int, default=8, metavar="N", help="questions decoded together (default 8)")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def add_skip_bad(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--skip-bad", action="store_true", help="leave bad lines out and count them")


def load_model(args: argparse.Namespace):
    from l2a.tagger import Tagger

    set_threads(args.threads)
    tagger = Tagger.load(args.model, decoder=args.decoder)
    if hasattr(args, "threshold"):
        tagger.settings_with(args.beam, args.threshold)  # complain before reading a long file
    return tagger


def set_threads(threads: int | None) -> None:
    if threads is not None:
        import torch

        if threads < 1:
            raise SettingsError("settings.too_small", name="threads", value=threads)
        torch.set_num_threads(threads)


def complain(report) -> None:
    for note in report.notes:
        say(note)
    if report.bad:
        say(f"{report.bad} bad lines left out:")
        for message in report.messages:
            say(f"  {message}")


def say(message: str) -> None:
    print(message, file=sys.stderr)
