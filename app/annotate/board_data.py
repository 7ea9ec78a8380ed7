"""What the board in the browser is told: plain values, made from the desk."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, tzinfo

from app.annotate.board import LEGEND, REASONS
from app.annotate.desk import Desk, Item, Outcome
from app.annotate.findings import told
from app.annotate.precedents import Precedent
from app.entry.labels_seen import FLAGS
from app.shell import clock
from app.shell.i18n import TEXTS
from db.ledger.desk_work import Done, TakenBack
from db.ledger.replay import POSITIVE
from db.spellings.names import LONGEST_TAG
from db.store.free_text import LONGEST
from db.tags.listing import TagFacts
from db.tags.search.matching import TagMatch

Translate = Callable[..., str]

BLANKS = ("tag", "tags", "child", "pressed", "most", "votes", "beam", "question", "what")
MOST_COUNTED = 1000  # questions under other filters: beyond that nobody needs the number


def board_data(
    desk: Desk,
    *,
    text: Translate,
    said: Callable[[Exception], str] = str,
    language: str = "en",
    zone: tzinfo = UTC,
    scheme: str,
    progress: str,
    facts: Mapping[str, TagFacts],
    others: Sequence[str],
    evidence: Mapping[str, Sequence[float]],
    words: Sequence[str],
    matches: dict | None,
    precedents: Sequence[Precedent] = (),
    undo: Done | None = None,
    waiting: int = 0,
    drawn: int = 0,
) -> dict:
    """`facts` knows the suggested tags that the store has; `evidence` maps a tag to a weight a word.

    `said` gives the text of an error in the visitor's language; `zone` is where days begin; `precedents` are those the
    visitor may see; `undo` is what would be taken back next; `waiting` counts the questions that other filters would
    show, for an empty desk; `drawn` differs from one drawing to the next, so that the browser hears of each, even where
    nothing else changed.
    """
    item = desk.item
    suggestion = item.suggestion if item is not None else None
    return {
        "drawn": drawn,
        "scheme": scheme,
        "texts": board_texts(text),
        "item": None if item is None else _item(item, others, text),
        "empty": _empty(waiting, text),
        "tags": [] if item is None else _tags(item, facts, language),
        "beam": suggestion.beam if suggestion is not None else 1,
        "threshold": suggestion.threshold if suggestion is not None else 0.0,
        "cut": suggestion.cut if suggestion is not None else None,  # None: tags are ordered and kept by votes
        "precedents": [_precedent(precedent, text, zone) for precedent in precedents],
        "words": list(words),
        # Pairs: a name that somebody chose is no key of a JavaScript object, which has names of its own.
        "evidence": [[tag, [round(float(weight), 5) for weight in weights]] for tag, weights in evidence.items()],
        "search": matches,
        "progress": progress,
        "longest": LONGEST,
        "longestTag": LONGEST_TAG,
        "undo": None if undo is None else {"receipt": undo.receipt, "text": _undoable(undo, text)},
        **_outcome(desk.outcome, text, said),
    }


def board_texts(text: Translate) -> dict:
    """Every text the board shows, in the visitor's language."""
    own = {key.removeprefix("board."): TEXTS[key] for key in TEXTS if key.startswith("board.")}
    # The blanks are filled in by the browser, so the braces stay.
    blanks = {name: f"{{{name}}}" for name in BLANKS}
    return {name: text(f"board.{name}", **blanks) for name in own} | {
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


def _empty(waiting: int, text: Translate) -> dict:
    """What an empty desk says."""
    hints = [text("annotate.elsewhere", count=_up_to(waiting))] if waiting else []
    return {"title": text("annotate.empty"), "hints": [*hints, text("annotate.empty_hint")]}


def _up_to(count: int) -> str:
    return f"{count:,}" if count < MOST_COUNTED else f"{MOST_COUNTED:,}+"


def _item(item: Item, others: Sequence[str], text: Translate) -> dict:
    claim, choices = item.claim, item.choices
    return {
        "id": claim.question_id,
        "lease": claim.lease_id,
        "title": claim.title,
        "description": claim.description,
        "source": claim.source,
        "url": claim.url,
        "prior": [] if claim.blind else list(claim.prior_tags),  # they anchor people as suggestions do
        "blind": claim.blind,
        "others": text("annotate.with", names=", ".join(others)) if others else "",
        "choices": None
        if choices is None
        else {
            "nonce": f"lease-{claim.lease_id}",  # told apart from an earlier visit of the same question
            "verdicts": [[tag, verdict] for tag, verdict in choices.verdicts.items()],
            "comment": choices.comment,
            "flag": choices.flag,
        },
    }


def _tags(item: Item, facts: Mapping[str, TagFacts], language: str) -> list[dict]:
    parents = {facts[tag.tag].parent: tag.tag for tag in item.shown if tag.tag in facts and facts[tag.tag].parent}
    return [
        {
            "tag": tag.tag,
            "name": facts[tag.tag].name if tag.tag in facts else tag.tag,  # what it is called by now
            "votes": tag.votes,
            "probability": tag.probability,
            "chance": tag.chance,
            "told": told(tag.evidence, language),
            "cues": list(tag.cues),
            "hypothesis": list(tag.hypothesis),
            "isNew": tag.tag not in facts,
            "definition": facts[tag.tag].definition if tag.tag in facts else "",
            "parentOf": parents.get(facts[tag.tag].name) if tag.tag in facts else None,
        }
        for tag in item.shown
    ]


def _precedent(precedent: Precedent, text: Translate, zone: tzinfo) -> dict:
    who = [text("annotate.you")] if precedent.own else []
    who += [text(f"role.{role}") + (f" ×{count}" if count > 1 else "") for role, count in precedent.roles.items()]
    people = text("annotate.list_comma").join(who)
    about = [
        f"#{precedent.question_id}",
        text("annotate.reviewed_by", who=people) if precedent.state == "reviewed" else people,
        str(clock.today(zone, precedent.at)),
        text("annotate.likeness", percent=f"{precedent.likeness:.0%}"),
        text("annotate.disputed") if precedent.state == "conflict" else "",
    ]
    return {
        "id": precedent.question_id,
        "title": precedent.title,
        "tags": list(precedent.tags),
        "rejected": list(precedent.rejected),
        "almost": precedent.almost_identical,
        "disputed": precedent.state == "conflict",
        "about": " · ".join(filter(None, about)),
    }


def _undoable(done: Done, text: Translate) -> str:
    return text(f"annotate.undo_{done.kind}", receipt=done.receipt, question=done.question_id)


def _undone(undone: TakenBack, text: Translate) -> str:
    done, taken = undone.done, [tag for tag, verdict in undone.choices.verdicts.items() if verdict in POSITIVE]
    if done.kind == "skip":
        return text("annotate.unskipped", receipt=done.receipt, question=done.question_id)
    tags = "、".join(taken) or text("annotate.no_tags")
    return text("annotate.undone", receipt=done.receipt, question=done.question_id, tags=tags, number=undone.number)


def _outcome(outcome: Outcome | None, text: Translate, complain: Callable[[Exception], str]) -> dict:
    if outcome is None:
        return {"receipt": None, "error": None}
    if outcome.error is not None:
        return {"receipt": None, "error": {"nonce": outcome.nonce, "text": complain(outcome.error)}}
    if outcome.skipped is not None:
        said = text("annotate.skipped", question=outcome.skipped.question_id, receipt=outcome.skipped.receipt)
    elif outcome.undone is not None:
        said = _undone(outcome.undone, text)
    elif outcome.receipt is not None and outcome.receipt.standing == "second_opinion":
        said = text("annotate.second", number=outcome.receipt.number)
    elif outcome.receipt is not None:
        said = text("annotate.saved", number=outcome.receipt.number)
    else:
        return {"receipt": None, "error": None}
    return {"receipt": {"nonce": outcome.nonce, "text": said}, "error": None}
