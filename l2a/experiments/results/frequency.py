"""`frequency`: are tags with an abstract meaning more frequent than specific ones (paper section 3.3)?

The paper shows two chains of tags chosen by hand. Here the rule is: a tag is more specific than another if it contains
its name (科幻电影 and 电影), or if a list of tags says that the other is its parent. All such pairs of training tags
are counted; the chains that are shown begin with the most frequent tags that have one.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from l2a.experiments.corpora import Corpus
from l2a.experiments.report.claims import all_of, claim, yes_no
from l2a.experiments.report.folder import Result
from l2a.experiments.report.pictures import draw_lines
from l2a.experiments.report.tables import percent, table
from l2a.experiments.study import Study
from l2a.measure.metrics import TagFrequency, tag_frequencies
from l2a.text.cleaning import match_key

LONGEST_CHAIN = 3
CHAINS = 4
SHORTEST_NAME = 2  # characters: a single letter stands in too many names to mean anything

Pairs = dict[str, list[str]]  # match key of the abstract tag -> of the specific ones


def frequency(study: Study) -> Result:
    found = {
        corpus.name: study.part(f"frequency/{corpus.name}", partial(measure, corpus)) for corpus in study.corpora.all
    }
    blocks, panels, marks = [], {}, {}
    for name, counts in found.items():
        rows = [(line["tag"], line["rank"], f"{line['count']:,}") for chain in counts["chains"] for line in chain]
        shares = [
            (
                f"{kind}: {pair['pairs']:,} pairs",
                f"{percent(pair['abstract'])} / {percent(pair['equal'])} / {percent(pair['specific'])}",
            )
            for kind, pair in counts["pairs"].items()
        ]
        blocks.append(
            f"### {name}\n\n"
            + table(("tag, abstract to specific", "rank", "questions"), rows)
            + "\n\n"
            + table(("pairs of training tags", "abstract one more frequent / equal / specific one, percent"), shares)
        )
        panels[name] = {"tags": [(line["rank"], line["count"]) for line in counts["curve"]]}
        marks[name] = [(line["rank"], line["count"], line["tag"]) for chain in counts["chains"] for line in chain]
    text = (
        "Rank and frequency of training tags. The chains begin with the most frequent tags that have one; each next "
        "tag is the most frequent that contains the name of the one before, or is listed as its child.\n\n"
        + "\n\n".join(blocks)
    )

    def draw(path):
        draw_lines(path, panels, ["rank"] * len(panels), "questions", logarithmic=True, marks=marks)

    shown = {name: {key: counts[key] for key in ("tags", "pairs", "chains")} for name, counts in found.items()}
    pairs = [pair for counts in found.values() for pair in counts["pairs"].values() if pair["pairs"]]
    claims = [
        claim(
            "Tags with an abstract meaning are more frequent than specific ones",
            all_of([yes_no(pair["abstract"] > pair["specific"]) for pair in pairs]),
            "; ".join(f"{percent(p['abstract'])} against {percent(p['specific'])} of {p['pairs']:,}" for p in pairs),
        )
    ]
    return Result({"frequency": shown, "claims": claims}, text, draw)


def measure(corpus: Corpus) -> dict[str, Any]:
    """Ranks, chains and how the frequencies of abstract and specific tags compare."""
    lines = {match_key(line.tag): line for line in tag_frequencies(corpus.training_tags)}
    pairs = {"one name contains the other": containing_pairs(list(lines))}
    if any(row.parent for row in corpus.listed):
        pairs["listed as parent and child"] = listed_pairs([(r.parent, r.name) for r in corpus.listed], lines)
    merged: Pairs = defaultdict(list)
    for some in pairs.values():
        for abstract, specific in some.items():
            merged[abstract] += specific
    return {
        "tags": len(lines),
        "pairs": {kind: compare(some, lines) for kind, some in pairs.items()},
        "chains": [[line.to_dict() for line in chain] for chain in find_chains(merged, lines)],
        "curve": [line.to_dict() for line in _thinned(list(lines.values()))],
    }


def containing_pairs(keys: Sequence[str]) -> Pairs:
    """Tags whose names contain another tag's name."""
    known = {key for key in keys if len(key) >= SHORTEST_NAME}
    pairs: Pairs = defaultdict(list)
    for key in keys:
        pieces = {key[i:j] for i in range(len(key)) for j in range(i + SHORTEST_NAME, len(key) + 1)}
        for piece in sorted(pieces & known - {key}):
            pairs[piece].append(key)
    return pairs


def listed_pairs(rows: Sequence[tuple[str, str]], lines: Mapping[str, TagFrequency]) -> Pairs:
    """(parent, child) of a list, where training has both."""
    pairs: Pairs = defaultdict(list)
    for parent, child in sorted({(match_key(parent), match_key(child)) for parent, child in rows if parent}):
        if parent in lines and child in lines and parent != child:
            pairs[parent].append(child)
    return pairs


def compare(pairs: Pairs, lines: Mapping[str, TagFrequency]) -> dict[str, float]:
    """How many pairs there are, and the share in which the abstract tag is the more frequent one."""
    differences = [lines[a].count - lines[s].count for a, some in pairs.items() for s in some]
    total = max(1, len(differences))
    return {
        "pairs": len(differences),
        "abstract": sum(d > 0 for d in differences) / total,
        "equal": sum(d == 0 for d in differences) / total,
        "specific": sum(d < 0 for d in differences) / total,
    }


def find_chains(pairs: Pairs, lines: Mapping[str, TagFrequency]) -> list[list[TagFrequency]]:
    """From the most frequent tags down: to the most frequent specific tag, and on from there; no tag twice."""
    used: set[str] = set()
    chains: list[list[TagFrequency]] = []
    for key in lines:  # by rank
        chain = [key]
        while len(chain) < LONGEST_CHAIN:
            deeper = [k for k in pairs.get(chain[-1], ()) if k not in used and k not in chain]
            if not deeper:
                break
            chain.append(min(deeper, key=lambda k: lines[k].rank))
        if len(chain) > 1 and not used & set(chain):
            chains.append([lines[k] for k in chain])
            used.update(chain)
        if len(chains) == CHAINS:
            break
    return chains


def _thinned(lines: Sequence[TagFrequency]) -> list[TagFrequency]:
    """Enough points for a curve over the logarithm of the rank."""
    wanted = {round(1.05**power) for power in range(300)} | {len(lines)}
    return [line for line in lines if line.rank in wanted]
