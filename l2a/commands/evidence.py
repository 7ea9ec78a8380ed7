"""`evidence`: learn anew what a model knows beside its network, with more than its training needs."""

import argparse
from collections.abc import Sequence

from l2a.commands.shared import add_model_arguments, load_model
from l2a.errors import InputError, SettingsError

# Chosen on the development questions of two domains. What is in a list counts beside what the trees make of it: they
# know their own domain by heart, and a list speaks for tags of others too.
WORTH = {"weighed": 1.0, "listed": 1.0}
OLD_NAMES = 2.0  # what an old name in no list counts where lists miss everything
HYPOTHESES = 0.25  # beside what the trees make of them
INVENTED = 0.06  # of a tag that hypotheses compose and no list has
HELP = "learn what speaks for tags beside the network: lists, similar questions, weak labels, names in a large text"
EXAMPLE = "--model MODEL --gold train.jsonl --tags tags.csv --pages pages.jsonl --text questions.jsonl.gz --out NEW"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model_arguments(parser)
    parser.add_argument("--gold", required=True, metavar="FILE", help="the labelled questions it was trained on")
    parser.add_argument(
        "--tags", required=True, metavar="FILE", help="the list of tags that its network got hints from"
    )
    parser.add_argument(
        "--vote-lists", nargs="+", default=[], metavar="FILE", help="further lists, whose tags count where they stand"
    )
    parser.add_argument(
        "--pages", metavar="FILE", help="questions of topic pages (.jsonl with leaf_tags), for the linear model"
    )
    parser.add_argument(
        "--text",
        metavar="FILE",
        help="many questions, the oldest first, or with numbers as ids that grow with time: what names look like is "
        "learned from their titles, and which are young",
    )
    parser.add_argument(
        "--names", metavar="FILE.npz", help="in the place of --text: what `silver --names` learned of names, and kept"
    )
    parser.add_argument(
        "--pretrained",
        metavar="MODEL",
        help="the run's model at the end of pre-training (FOLDER/pretrained): what votes are worth is learned too, by "
        "training it on each half of the labelled questions and asking it about the other",
    )
    parser.add_argument("--work", metavar="FOLDER", help="with --pretrained: what is kept there is not done again")
    parser.add_argument(
        "--lists-miss",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="how much the lists are known to lack, from 0 (default: what is in none is hardly ever a tag) to 1: so "
        "much counts an old name in no list, and what hypotheses compose",
    )
    parser.add_argument("--skip-bad", action="store_true", help="leave out bad lines of the lists")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where the model goes")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")


def run(args: argparse.Namespace) -> int:
    """Its ranker stays: fit it anew with `ranker`."""
    from dataclasses import replace
    from pathlib import Path

    import numpy as np
    from tqdm import tqdm

    from l2a.checkpoint import CARD, read_config, save_tagger
    from l2a.config import VoteSettings
    from l2a.data.questions import Question, read_questions
    from l2a.data.tag_files import read_tag_table
    from l2a.evidence import weighing
    from l2a.evidence.collection import Evidence
    from l2a.evidence.names import learning
    from l2a.evidence.names.finder import NameFinder
    from l2a.evidence.source import PreparedQuestion
    from l2a.evidence.sources.linear import Linear
    from l2a.training.held_out import HeldOutVotes
    from l2a.training.teaching.pages import read_pages

    if bool(args.pretrained) != bool(args.work):
        raise SettingsError("evidence.no_work")
    if args.names and args.text:
        raise SettingsError("evidence.names_or_text")
    # Before anything that takes minutes.
    votes = VoteSettings({**WORTH, "names": OLD_NAMES * args.lists_miss}, max(INVENTED, args.lists_miss), HYPOTHESES)
    tagger = load_model(args)
    segmenter = tagger.codec.segmenter
    found_names = None
    if args.names:
        try:
            with np.load(args.names) as stored:
                found_names = NameFinder(dict(stored), segmenter)
        except (OSError, ValueError, KeyError) as error:
            raise InputError("evidence.no_names", path=args.names, reason=error) from error

    def read(path: str) -> list[str]:
        return [row.name for row in read_tag_table(path, skip_bad=args.skip_bad)]

    gold = [question for question in read_questions(args.gold) if question.tags]
    listed, voting = read(args.tags), [tag for path in args.vote_lists for tag in read(path)]
    pages = [page.as_question() for page in read_pages(args.pages)] if args.pages else []
    prepared = [PreparedQuestion.of(page, segmenter) for page in tqdm(pages, desc="reading pages", disable=args.quiet)]

    own = {id(question): PreparedQuestion.of(question, segmenter) for question in gold}

    def build(labelled: Sequence[Question]) -> Evidence:
        evidence = Evidence.build(labelled, listed, segmenter, voting, learn=() if pages else ["linear"])
        assert evidence.retriever is not None
        if not pages:
            return evidence
        texts = [own[id(question)] for question in labelled]
        return evidence.with_arrays(Linear.learn_with(evidence.retriever, texts, prepared))

    ask = None
    if args.pretrained:
        ask = HeldOutVotes(args.pretrained, gold, Path(args.work), decoder=tagger.decoder, quiet=args.quiet)
    with tqdm(total=weighing.FOLDS, desc="weighing findings", disable=args.quiet) as bar:
        weights = weighing.learn(
            gold, build, segmenter, ask=ask, seed=args.seed, progress=lambda done, _: bar.update(done - bar.n)
        )
    evidence = build(gold).with_arrays(weights)
    if found_names:
        evidence = Evidence(evidence.retriever, found_names)
    elif args.text:
        titles = learning.oldest_first(read_questions(args.text, skip_bad=True))
        with tqdm(desc="learning names", disable=args.quiet) as bar:

            def tell(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            names = learning.learn(titles, [*listed, *voting], gold, segmenter, seed=args.seed, progress=tell)
        evidence = Evidence(evidence.retriever, names)
    config = read_config(Path(args.model))
    card = Path(args.model) / CARD
    tagger = replace(tagger, evidence=evidence, votes=votes)
    version = save_tagger(
        tagger,
        args.out,
        storage=config.get("storage", "float32"),
        card=card.read_text(encoding="utf-8") if card.is_file() else None,
    )
    print(f"{version}: {sum(array.nbytes for array in evidence.arrays.values()) / 1e6:.1f} MB of evidence")
    return 0
