"""The tags that can be given, and how often people gave each."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.store.tables import Tag


def given_tags(session: Session) -> Mapping[str, int]:
    """Name of every tag that is to be given -> its uses, as the search for tags knows them."""
    return dict(session.execute(select(Tag.name, Tag.uses).where(Tag.status == "active").order_by(Tag.id)).all())
