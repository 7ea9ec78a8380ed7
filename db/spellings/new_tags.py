"""How a tag first comes to be: somebody used a text that no tag had yet."""

from collections.abc import Iterable, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.messages import Message
from db.spellings.names import check_new_tag, tag_key
from db.spellings.view import parts
from db.store.settings import next_tag_revision
from db.store.tables import Tag, TagChange, TagName


def ensure_tags(session: Session, texts: Iterable[str], person_id: int | None) -> list[Message]:
    """Make a tag of every text that is none yet. Returns warnings about tags that should no longer be used.

    Raises Refused for a new one that is too long.
    """
    texts_by_key = {tag_key(text): text for text in texts}
    known = _known(session, texts_by_key)
    if len(known) < len(texts_by_key):
        revision = next_tag_revision(session)  # from here on nobody else makes tags: look again
        known = _known(session, texts_by_key)
        missing, first = sorted(texts_by_key.keys() - known.keys()), free_number(session)
        made = [
            Tag(
                id=None if first is None else first + place,
                name=check_new_tag(texts_by_key[key]),
                first_seen_by=person_id,
                revision=revision,
            )
            for place, key in enumerate(missing)
        ]
        session.add_all(made)
        session.flush()
        session.add_all(TagName(key=key, text=tag.name, tag_id=tag.id) for key, tag in zip(missing, made, strict=True))
    deprecated = (texts_by_key[key] for key, status in known.items() if status == "deprecated")
    return [Message("tag.deprecated", {"name": text}) for text in deprecated]


def free_number(session: Session) -> int | None:
    """The number of the next tag on SQLite, which would give that of the last one again once it is gone."""
    if session.get_bind().dialect.name != "sqlite":
        return None
    used = (session.scalar(select(func.max(column))) for column in (Tag.id, TagChange.tag_id))
    return max(number or 0 for number in used) + 1


def _known(session: Session, keys: Mapping[str, str]) -> dict[str, str]:
    """Key -> status of the tag it means, for the keys that mean one."""
    found: dict[str, str] = {}
    for some in parts(keys):
        rows = select(TagName.key, Tag.status).join(Tag, Tag.id == TagName.tag_id).where(TagName.key.in_(some))
        found.update(session.execute(rows).all())
    return found
