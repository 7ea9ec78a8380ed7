"""What the board in the browser is told: plain values, made from the desk."""

from collections.abc import Callable, Mapping, Sequence

from app.annotation import Desk, Item, Outcome
from app.board import FLAGS, LEGEND, REASONS
from app.i18n import TEXTS
from db.suggestions import ProposedTag
from db.tag_list import TagFacts
from db.tag_search import TagMatch

Translate = Callable[..., str]


def board_data(
    desk: Desk,
    *,
    text: Translate,
    said: Callable[[Exception], str] = str,
    scheme: str,
    progress: str,
    facts: Mapping[str, TagFacts],
    others: Sequence[str],
    evidence: Mapping[str, Sequence[float]],
    words: Sequence[str],
    matches: dict | None,
    chance: Callable[[ProposedTag], float | None] = lambda tag: None,
) -> dict:
    """`facts` knows the suggested tags that the store has; `evidence` maps a tag to a weight a word.

    `said` gives the text of an error in the visitor's language; `chance` how likely a tag is to be accepted.
    """
    item = desk.item
    suggestion = item.suggestion if item is not None else None
    return {
        "scheme": scheme,
        "texts": board_texts(text),
        "item": None if item is None else _item(item, others, text),
        "tags": [] if item is None else _tags(item, facts, chance),
        "beam": suggestion.beam if suggestion is not None else 1,
        "threshold": suggestion.threshold if suggestion is not None else 0.0,
        "words": list(words),
        "evidence": {tag: [round(float(weight), 5) for weight in weights] for tag, weights in evidence.items()},
        "search": matches,
        "progress": progress,
        "canUndo": bool(desk.last),
        **_outcome(desk.outcome, text, said),
    }


def board_texts(text: Translate) -> dict:
    """Every text the board shows, in the visitor's language."""
    own = {key.removeprefix("board."): TEXTS[key] for key in TEXTS if key.startswith("board.")}
    # {tag} and {child} are filled in by the browser, so the braces stay.
    return {name: text(f"board.{name}", tag="{tag}", child="{child}") for name in own} | {
        "legend": [[keys, text(meaning)] for keys, meaning in LEGEND],
        "reasons": [text(reason) for reason in REASONS],
        "flags": [text(flag) for flag in FLAGS],
    }


def match_data(matches: Sequence[TagMatch], sequence: int) -> dict:
    """Search results; `sequence` tells the browser which of its questions they answer."""
    return {
        "sequence": sequence,
        "matches": [
            {"name": match.name, "matched": match.matched, "status": match.status, "uses": match.uses}
            for match in matches
        ],
    }


def _item(item: Item, others: Sequence[str], text: Translate) -> dict:
    claim = item.claim
    return {
        "id": claim.question_id,
        "lease": claim.lease_id,
        "title": claim.title,
        "description": claim.description,
        "source": claim.source,
        "url": claim.url,
        "prior": list(claim.prior_tags),
        "blind": claim.blind,
        "others": text("annotate.with", names=", ".join(others)) if others else "",
    }


def _tags(item: Item, facts: Mapping[str, TagFacts], chance: Callable[[ProposedTag], float | None]) -> list[dict]:
    parents = {facts[tag.tag].parent: tag.tag for tag in item.shown if tag.tag in facts and facts[tag.tag].parent}
    return [
        {
            "tag": tag.tag,
            "votes": tag.votes,
            "probability": tag.probability,
            "chance": chance(tag),
            "cues": list(tag.cues),
            "hypothesis": list(tag.hypothesis),
            "isNew": tag.tag not in facts,
            "definition": facts[tag.tag].definition if tag.tag in facts else "",
            "parentOf": parents.get(facts[tag.tag].name) if tag.tag in facts else None,
        }
        for tag in item.shown
    ]


def _outcome(outcome: Outcome | None, text: Translate, complain: Callable[[Exception], str]) -> dict:
    if outcome is None:
        return {"receipt": None, "error": None}
    if outcome.error is not None:
        return {"receipt": None, "error": {"nonce": outcome.nonce, "text": complain(outcome.error)}}
    if outcome.skipped:
        said = text("annotate.skipped")
    elif outcome.undone is not None:
        said = text("annotate.undone", undone=outcome.undone, number=outcome.receipt.number)
    elif outcome.receipt.standing == "second_opinion":
        said = text("annotate.second", number=outcome.receipt.number)
    else:
        said = text("annotate.saved", number=outcome.receipt.number)
    return {"receipt": {"nonce": outcome.nonce, "text": said}, "error": None}
