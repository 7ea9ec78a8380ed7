"""An answer as a line of JSON: what `suggest` writes."""

import json

from l2a.tagger import Suggestions


def json_line(answer: Suggestions, *, every_tag: bool = False) -> str:
    """The kept tags, or every voted one."""
    line = {
        "id": answer.question_id,
        "suggestions": [
            {
                "tag": s.tag,
                "votes": s.votes,
                "share": round(s.share, 4),
                "probability": round(s.probability, 6),
                "is_new": s.is_new,
                "cues": list(s.cues),
            }
            for s in (answer.suggestions if every_tag else answer.kept)
        ],
    }
    if answer.notes:
        line["notes"] = list(map(str, answer.notes))
    return json.dumps(line, ensure_ascii=False)
