"""What was measured: figures of one set of answers, the comparison of two, and what shows them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from l2a.data.questions import Question
from l2a.experiments.report.pictures import draw_intervals
from l2a.measure.bootstrap import difference_interval
from l2a.measure.metrics import TagLists, new_tags, nlpcc_score, present_absent_recall
from l2a.text.cleaning import match_key

SEED = 1


def score(answers: TagLists, questions: Sequence[Question]) -> dict[str, Any]:
    return {"questions": len(questions), **nlpcc_score(answers, [q.tags for q in questions]).to_dict()}


def compare(questions: Sequence[Question], peer: TagLists, starter: TagLists) -> dict[str, Any]:
    """Starter minus peer, F1: the difference, 95% of what other questions would make of it, and a verdict."""
    gold = [question.tags for question in questions]
    low, high = difference_interval(gold, peer, starter, SEED)
    difference = nlpcc_score(starter, gold).f1 - nlpcc_score(peer, gold).f1
    verdict = "ahead" if low > 0 else "behind" if high < 0 else "level"
    return {"difference": difference, "interval": [low, high], "verdict": verdict}


def describe(
    answers: TagLists, questions: Sequence[Question], gold_keys: frozenset[str], all_keys: frozenset[str]
) -> dict[str, Any]:
    """The figures of one side on one file.

    gold_keys: match keys of the tags in gold training; all_keys: of those in any training source, lists included.
    """
    rows = list(zip(answers, questions, strict=True))

    def part(belongs) -> dict[str, Any]:
        kept = [row for row in rows if belongs(row[1])]
        return score([tags for tags, _ in kept], [question for _, question in kept])

    def seen(tags: Sequence[str]) -> list[str]:
        return [tag for tag in tags if match_key(tag) in gold_keys]

    gold = [question.tags for question in questions]
    only_seen = nlpcc_score([seen(tags) for tags in answers], [seen(tags) for tags in gold])
    return {
        "all": score(answers, questions),
        "complete": part(lambda question: not question.partial_tags),
        "sources": {
            source: part(lambda question, source=source: question.source == source)
            for source in sorted({question.source for question in questions})
        },
        "seen": {"questions": len(questions), **only_seen.to_dict()},
        "present_absent": present_absent_recall([q.text for q in questions], answers, gold).to_dict(),
        "new_to_gold": new_tags(answers, gold, gold_keys).to_dict(),
        "new_to_all": new_tags(answers, gold, all_keys).to_dict(),
    }


def strongest(found: Mapping[str, Any]) -> dict[str, Any]:
    """The strongest peer of each compared set in a run, its F1 and how far the starter is ahead of it."""
    return {
        part: {"peer": best, "f1": peer["scores"][part]["f1"], **peer["against"][part]}
        for part, best in found["best_peer"].items()
        for peer in [found["methods"][best]]
    }


def to_markdown(found: Mapping[str, Any]) -> str:
    """The table of all peers, then a block for every set that was compared."""
    lines = [
        "Position-weighted F1 (precision / recall) of NLPCC-2018 task 6 in percent. Every peer was tuned on dev only;",
        "differences are starter minus peer in points of F1 with 95% of a paired bootstrap over the questions.",
        "",
        "| method | dev | test | open | starter against it, test | starter against it, open | chosen on dev |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, peer in found["methods"].items():
        if "unavailable" in peer:
            lines.append(f"| {name} | {peer['unavailable']} | | | | | |")
            continue
        scores = [_f1_p_r(peer["scores"][part]) for part in ("dev", "test", "open")]
        against = [_difference(peer["against"][part]) if "against" in peer else "" for part in ("test", "open")]
        lines.append(_row([name, *scores, *against, peer["chosen"]]))
    for part, best in found["best_peer"].items():
        against = _difference(found["methods"][best]["against"][part])
        lines += ["", f"Strongest peer on {part}: {best}. The starter against it: {against}."]
    for number, run in enumerate(found.get("runs", []), start=1):
        for part, peer in run.items():
            lines += ["", f"Run {number}, {part}: {peer['peer']} {_percent(peer['f1'])}; {_difference(peer)}."]
    for part, sides in found["blocks"].items():
        lines += ["", f"### {part}", "", *_block(sides)]
    if "strict" in found:
        lines += ["", *_strict_block(found["strict"])]
    return "\n".join(lines) + "\n"


def draw(found: Mapping[str, Any], path: Path) -> None:
    """By how much the starter is ahead of each method, with the intervals; the strongest of the first set on top."""
    compared = {name: peer["against"] for name, peer in found["methods"].items() if "against" in peer}
    first, *_ = found["best_peer"]
    ordered = sorted(compared, key=lambda name: compared[name][first]["difference"])
    panels = {part: {name: _points(compared[name][part]) for name in ordered} for part in found["best_peer"]}
    draw_intervals(path, panels, "starter minus the method, points of F1, 95%")


def _points(against: Mapping[str, Any]) -> tuple[float, float, float]:
    """Low end, difference and high end in percent."""
    low, high = against["interval"]
    return 100 * low, 100 * against["difference"], 100 * high


def _block(sides: Mapping[str, Mapping[str, Any]]) -> list[str]:
    first = next(iter(sides.values()))
    lines = [_row(["", *sides]), "|---" * (len(sides) + 1) + "|"]

    def add(title: str, show) -> None:
        lines.append(_row([title, *(show(side) for side in sides.values())]))

    add(f"all {first['all']['questions']} rows", lambda side: _f1_p_r(side["all"]))
    add(f"complete labels, {first['complete']['questions']} rows", lambda side: _f1_p_r(side["complete"]))
    for source, part in first["sources"].items():
        add(f"{source}, {part['questions']} rows", lambda side, source=source: _f1_p_r(side["sources"][source]))
    add("tags seen in gold only", lambda side: _f1_p_r(side["seen"]))
    for place in ("present", "absent"):
        add(
            f"recall of tags {'in' if place == 'present' else 'not in'} the text",
            lambda side, place=place: (
                f"{_percent(side['present_absent'][f'{place}_recall'])} "
                f"({side['present_absent'][f'{place}_correct']} of {side['present_absent'][f'{place}_total']})"
            ),
        )
    for name, title in (("new_to_gold", "new to gold"), ("new_to_all", "new to gold, silver and both tag lists")):
        add(
            f"tags {title}, {first[name]['gold']} asked for: right of suggested, precision",
            lambda side, name=name: (
                f"{side[name]['correct']} of {side[name]['predicted']}, {_percent(side[name]['precision'])}"
            ),
        )
    return lines


def _strict_block(found: Mapping[str, Any]) -> list[str]:
    asked, anywhere = found["asked"], found["anywhere"]
    lines = [
        "### strict open test",
        "",
        f"{asked['pairs']} times a question asks for a tag that was taken out of every list and label;",
        f"{asked['in_text']} of these stand in the question, {asked['in_title']} in its title.",
        "Strictly new: in no list or label that is left.",
        "",
        "| method | right | of these in the question | strictly new suggested | precision | F1, open |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in found["methods"].items():
        counts = (f"{row['right']} of {asked['pairs']}", str(row["right_in_text"]), str(row["suggested"]))
        lines.append(_row([name, *counts, _percent(row["precision"]), _percent(row["f1"])]))
    where = f"{anywhere['written']} in its hypotheses, {anywhere['candidates']} among all tags it weighed"
    return [*lines, "", f"Right ones that the starter had, kept or not: {where}."]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _f1_p_r(score: Mapping[str, float]) -> str:
    return f"{_percent(score['f1'])} ({_percent(score['precision'])} / {_percent(score['recall'])})"


def _difference(against: Mapping[str, Any]) -> str:
    low, high = (f"{100 * bound:+.1f}" for bound in against["interval"])
    return f"{100 * against['difference']:+.1f} [{low}, {high}] {against['verdict']}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
