"""`nbest`: the best hypothesis alone against N-best voting, beam and N varied together (paper section 4.5)."""

from functools import partial
from itertools import pairwise
from typing import Any

from l2a.experiments.report.claims import FAILS, HOLDS, UNKNOWN, claim, yes_no
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import draw_lines
from l2a.experiments.report.tables import percent, table
from l2a.experiments.study import Need, Study
from l2a.experiments.training.methods import WORD
from l2a.experiments.training.runs import PAPER_THRESHOLD, decode, keep_voted
from l2a.measure.bootstrap import difference_interval
from l2a.measure.metrics import nlpcc_score
from l2a.search.voting import MAX_SHOWN

METHOD = WORD["order1"]
KEYS = ("precision", "recall", "f1")
NEAR = 1 / 16  # a best threshold no further than this from the paper's is the paper's


def order1_needs(study: Study) -> list[Need]:
    return [Need(METHOD, study.corpora.main, 1)]


def nbest(study: Study) -> Result:
    corpus = study.corpora.main
    gold = corpus.gold("dev")
    loaded: list = []  # one load for all beams, and none where all beams are there

    def measure(beam: int) -> dict[str, Any]:
        if not loaded:
            loaded.append(study.tagger(METHOD, corpus))
        answers = decode(loaded[0], corpus.parts["dev"], beam)
        alone = [list(answer.hypotheses[0].tags)[:MAX_SHOWN] if answer.hypotheses else [] for answer in answers]
        return {
            "beam": beam,
            "best_hypothesis": nlpcc_score(alone, gold).to_dict(),
            "voted": nlpcc_score(keep_voted(answers, PAPER_THRESHOLD), gold).to_dict(),
            "voted_against_best": difference_interval(gold, alone, keep_voted(answers, PAPER_THRESHOLD)),
            "thresholds": [
                {"share": votes / beam, **nlpcc_score(keep_voted(answers, votes / beam), gold).to_dict()}
                for votes in range(beam)
            ],
        }

    beams = [study.part(f"nbest/beam-{beam:02d}", partial(measure, beam)) for beam in study.scale.beams]
    last = beams[-1]
    best = max(last["thresholds"], key=lambda line: (line["f1"], line["share"]))
    rows = [
        (line["beam"], *(percent(line[how][key]) for how in ("best_hypothesis", "voted") for key in KEYS))
        for line in beams
    ]
    kept = _some(last["thresholds"])
    text = (
        f"{METHOD.name}, dev, F1 (P / R) in percent. Voting keeps tags with more than N / 4 of the votes.\n\n"
        + table(
            ("beam = N", *(f"{how} {name}" for how in ("best hypothesis", "voted") for name in ("P", "R", "F1"))), rows
        )
        + f"\n\nThe threshold's effect with N = {last['beam']} (best: {best['share']:.2f}, F1 {percent(best['f1'])}; "
        "the paper's: 0.25):\n\n"
        + table(
            ("a tag is kept with more than this share of the votes", "P", "R", "F1"),
            [(f"{line['share']:.2f}", *(percent(line[key]) for key in KEYS)) for line in kept],
        )
        + "\n\nThe paper's figure: voting is clearly better than the best hypothesis, and F1 rises with N."
    )
    panels = {
        "Beam and N": {
            name: [(line["beam"], 100 * line[how]["f1"]) for line in beams]
            for name, how in (("best hypothesis", "best_hypothesis"), ("N-best voting", "voted"))
        },
        f"Threshold, N = {last['beam']}": {
            name: [(line["share"], 100 * line[key]) for line in last["thresholds"]]
            for name, key in (("F1", "f1"), ("precision", "precision"), ("recall", "recall"))
        },
    }

    def draw(path):
        draw_lines(path, panels, ("beam = N", "share of the votes"), "percent")

    return Result({"nbest": beams, "best_threshold": best, "claims": judge_claims(beams, best)}, text, draw)


def judge_claims(beams: list[dict[str, Any]], best: dict[str, Any]) -> list[dict[str, str]]:
    """What the paper reads off its figure; the interval is that of the largest N."""
    first, last = beams[0], beams[-1]
    low, high = last["voted_against_best"]
    gain = last["voted"]["f1"] - last["best_hypothesis"]["f1"]
    f1 = [line["voted"]["f1"] for line in beams]
    is_something = max(f1) > 0  # a model that got nothing right says nothing about voting
    rises = sum(after > before for before, after in pairwise(f1))
    return [
        claim(
            "N-best voting is better than the best hypothesis alone",
            HOLDS if low > 0 else FAILS if high < 0 else UNKNOWN,
            f"N = {last['beam']}: {100 * gain:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]",
        ),
        claim(
            "F1 of voting rises with N",
            HOLDS if rises == len(f1) - 1 else FAILS if is_something and f1[-1] <= f1[0] else UNKNOWN,
            f"{percent(f1[0])} with {first['beam']}, {percent(f1[-1])} with {last['beam']}; {rises} of {len(f1) - 1} "
            "steps up",
        ),
        claim(
            "A quarter of the votes is the best threshold",
            yes_no(abs(best["share"] - PAPER_THRESHOLD) <= NEAR) if is_something else UNKNOWN,
            f"best {best['share']:.2f} with F1 {percent(best['f1'])}; a quarter has {percent(f1[-1])}",
        ),
    ]


def _some(lines: list[dict[str, Any]], count: int = 12) -> list[dict[str, Any]]:
    """Evenly spaced, few enough for a table."""
    return lines[:: max(1, len(lines) // count)]
