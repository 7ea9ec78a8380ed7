"""`meaningless`: generated tags that are in no known list, before and after voting (paper section 4.6).

Known are the training tags, the lists of tags in the data folder and the gold tags of dev. A tag that exists but is in
none of these counts as meaningless here; the most frequent ones are shown, so that a reader can judge.
"""

from collections import Counter
from typing import Any

from l2a.experiments.report.claims import UNKNOWN, claim, yes_no
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import draw_bars
from l2a.experiments.report.tables import table
from l2a.experiments.results.voting_figure import METHOD
from l2a.experiments.study import Study
from l2a.experiments.training.runs import PAPER_THRESHOLD, decode, keep_voted
from l2a.measure.metrics import meaningless
from l2a.text.cleaning import match_key

SHOWN = 12
RARE = 0.05


def meaningless_table(study: Study) -> Result:
    found = study.part("meaningless", lambda: measure(study))
    names = {"before": METHOD.name, "after": "+ N-best voting"}
    rows = [
        (name, f"{found[key]['count']:,}", f"{found[key]['total']:,}", f"{100 * found[key]['share']:.2f}")
        for key, name in names.items()
    ]
    lists = f"training tags, gold tags of dev and {found['listed']:,} listed tags"
    examples = ", ".join(f"{tag} ({count:,})" for tag, count in found["examples"]) or "none"
    text = (
        f"Dev, N = {study.beam}. Known: {lists}.\n\n"
        + table(("", "meaningless", "outputs", "error rate, percent"), rows)
        + f"\n\nThe most frequent ones before voting (outputs): {examples}.\n\n"
        "The paper: 11,814 of 1,076,588 (1.10) before voting, 9 of 26,444 (0.03) after it."
    )
    before, after = found["before"]["share"], found["after"]["share"]
    figures = f"{100 * before:.2f}% before voting, {100 * after:.2f}% after it"
    lowers = yes_no(after < before) if found["after"]["total"] else UNKNOWN  # nothing kept, nothing shown
    claims = [
        claim("Meaningless tags are rare in the hypotheses (under 5%)", yes_no(before < RARE), figures),
        claim("Voting lowers the share of meaningless tags", lowers, figures),
    ]
    panel = {"error rate": {name: [100 * found[key]["share"]] for key, name in names.items()}}
    return Result(
        {"meaningless": found, "claims": claims},
        text,
        lambda path: draw_bars(path, {"Meaningless tags": panel}, "percent of outputs"),
    )


def measure(study: Study) -> dict[str, Any]:
    corpus = study.corpora.main
    answers = decode(study.tagger(METHOD, corpus), corpus.parts["dev"], study.beam)
    listed = {row.name for row in corpus.listed} | {row.parent for row in corpus.listed if row.parent}
    gold = [tag for tags in corpus.gold("dev") for tag in tags]
    known = (corpus.known_keys, listed, gold)
    hypotheses = [hypothesis.tags for answer in answers for hypothesis in answer.hypotheses]
    keys = set(corpus.known_keys).union(map(match_key, listed), map(match_key, gold))
    counts = Counter(tag for tags in hypotheses for tag in tags if match_key(tag) not in keys)
    return {
        "before": meaningless(hypotheses, *known).to_dict(),
        "after": meaningless(keep_voted(answers, PAPER_THRESHOLD), *known).to_dict(),
        "listed": len(listed),
        "examples": sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:SHOWN],
    }
