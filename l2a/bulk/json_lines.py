"""An answer as a line of JSON: what `suggest` writes."""

import json

from l2a.tagger import Suggestions


def json_line(answer: Suggestions, *, every_tag: bool = False) -> str:
    """The kept tags, or every one that anything speaks for."""
    line = {
        "id": answer.question_id,
        "suggestions": [
            {
                "tag": s.tag,
                "votes": s.votes,
                "chance": None if s.chance is None else round(s.chance, 4),
                "evidence": [
                    {
                        "source": found.source,
                        "text": None if found.text is None else str(found.text),
                        **{name: round(float(value), 4) for name, value in found.figures.items()},
                    }
                    for found in s.findings
                ],
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
