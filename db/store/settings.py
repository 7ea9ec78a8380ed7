"""Numbers and texts that all users of one store share, each by its name; the revision of the tags is one of them."""

from collections.abc import Callable, Collection

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from db.store.tables import Setting

TAG_REVISION = "tag_revision"
TAGS_GONE = "tags_gone"
NAMES_GONE = "names_gone"


def values(session: Session, names: Collection[str]) -> dict[str, str]:
    """Name -> value of those that were ever set."""
    rows = session.execute(select(Setting.name, Setting.value).where(Setting.name.in_(names)))
    return dict(rows.all())


def put(session: Session, name: str, value: str) -> None:
    insert = insert_for(session)
    statement = insert(Setting).values(name=name, value=value)
    session.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


def tag_revision(session: Session) -> int:
    """Grows with every change of a tag: an index built at this revision is up to date."""
    return int(session.scalar(select(Setting.value).where(Setting.name == TAG_REVISION)) or 0)


def next_tag_revision(session: Session) -> int:
    """The number for a change of the tags; until the commit nobody else gets one, so tag changes come one by one."""
    if session.scalar(select(Setting.value).where(Setting.name == TAG_REVISION)) is None:
        # Not `put`: another first change may have come between, and its number must not be given again.
        session.execute(insert_for(session)(Setting).values(name=TAG_REVISION, value="0").on_conflict_do_nothing())
    current = session.scalars(select(Setting.value).where(Setting.name == TAG_REVISION).with_for_update()).one()
    put(session, TAG_REVISION, str(int(current) + 1))
    return int(current) + 1


def tags_gone(session: Session) -> int:
    """The revision at which tags went for good: an older index cannot learn from the rows that are left."""
    return int(session.scalar(select(Setting.value).where(Setting.name == TAGS_GONE)) or 0)


def note_tags_gone(session: Session, revision: int) -> None:
    put(session, TAGS_GONE, str(revision))


def names_gone(session: Session) -> int:
    """The revision at which a spelling went: the tag that had it has changed then, but no row says which one it was."""
    return int(session.scalar(select(Setting.value).where(Setting.name == NAMES_GONE)) or 0)


def note_names_gone(session: Session, revision: int) -> None:
    put(session, NAMES_GONE, str(revision))


def insert_for(session: Session) -> Callable[..., sqlite.Insert | postgresql.Insert]:
    """The dialect's `insert`, which knows ON CONFLICT."""
    return sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
