"""Does a model name what is newer than its lists? Asks it about new things, one name to a question.

    python bench/new_things.py [--model models/starter] [--file samples/new_things.jsonl] [--beam 48] [--show-kept]

A question counts where its name is among the at most five tags that the model keeps. Rows of the file have `title` and
`name`, and perhaps `description` and `half`; rows without a half are counted as kept aside. What was missed is listed
for the half to tune on only, so that nobody tunes on the other one by reading it: --show-kept is for the end.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from l2a.simulation.new_things import TUNE, NewThing, read_things  # noqa: E402
from l2a.tagger import Tagger  # noqa: E402
from l2a.text.cleaning import match_key  # noqa: E402


@dataclass(frozen=True)
class Asked:
    """What the model made of it."""

    thing: NewThing
    tags: list[str]  # those it keeps
    is_considered: bool  # whether the name is anywhere among the tags that it weighed

    @property
    def is_named(self) -> bool:
        return match_key(self.thing.name) in map(match_key, self.tags)


def ask(tagger: Tagger, things: Sequence[NewThing], beam: int | None) -> list[Asked]:
    stream = tagger.suggest_stream([replace(thing.question, tags=()) for thing in things], beam=beam)
    return [
        Asked(
            thing,
            [one.tag for one in found.kept],
            match_key(thing.name) in {match_key(one.tag) for one in found.suggestions},
        )
        for thing, found in zip(things, stream, strict=True)
    ]


def report(asked: Sequence[Asked], show_kept: bool) -> Iterator[str]:
    for half in dict.fromkeys(one.thing.half for one in asked):
        own = [one for one in asked if one.thing.half == half]
        considered = sum(one.is_considered for one in own)
        yield f"{half}: {sum(one.is_named for one in own)} of {len(own)} named, {considered} among the tags it weighed"
        if half == TUNE or show_kept:
            for one in (one for one in own if not one.is_named):
                yield f"  {one.thing.name}: {one.thing.question.title} -> {'、'.join(one.tags) or '–'}"


def main(arguments: Sequence[str] | None = None) -> None:
    import torch

    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=ROOT / "models" / "starter")
    parser.add_argument("--file", type=Path, default=ROOT / "samples" / "new_things.jsonl")
    parser.add_argument("--beam", type=int, help="hypotheses (default: the model's own number)")
    parser.add_argument("--show-kept", action="store_true", help="list what was missed of the half kept aside, too")
    args = parser.parse_args(arguments)
    asked = ask(Tagger.load(args.model), read_things(args.file), args.beam)
    print(*report(asked, args.show_kept), sep="\n")


if __name__ == "__main__":
    main()
