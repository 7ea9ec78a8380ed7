"""The table of who may see and do what: the store asks it for everything it does, for each role."""

import pytest

from db import people
from db.access import ALLOWED, allows
from db.errors import Refused
from db.ledger import entries as ledger
from db.ledger.labels import look_at
from db.models import registry
from db.queue.shares import Shares, set_shares
from db.store.tables import ROLES
from db.tags import planning as tags
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.deciding import decide


def take_back_own(store, me: int, question: int) -> None:
    number = decide(store, question, me, added=["电影"]).number
    store.run(lambda session: ledger.undo(session, number, me))


# What the store does itself; what is only looked at is asked for by pages, downloads and commands.
DONE_BY_THE_STORE = {
    "decide about questions": lambda store, me, it: decide(store, it.questions[0], me, added=["电影"]),
    "see and take back one's own decisions": lambda store, me, it: take_back_own(store, me, it.questions[1]),
    "review": lambda store, me, it: store.run(lambda session: ledger.review(session, it.questions[2], me, ["电影"])),
    "import questions": lambda store, me, it: import_questions(
        store, [IncomingQuestion(1, "新的问题是什么？")], name="new", fingerprint="new", person_id=me
    ),
    "change tags": lambda store, me, it: store.run(
        lambda session: tags.carry_out(session, tags.plan_rename(session, "电影", "影片"), me)
    ),
    "change the queue": lambda store, me, it: store.run(lambda session: set_shares(session, Shares(0.2, 0.1), by=me)),
    "change models": lambda store, me, it: store.run(lambda session: registry.promote(session, "v2", me)),
    "change people": lambda store, me, it: store.run(lambda session: people.add(session, "sun", by=me)),
    "redact": lambda store, me, it: store.run(
        lambda session: ledger.redact(session, it.questions[3], me, reason="asked for")
    ),
    "undo for others": lambda store, me, it: store.run(lambda session: ledger.undo(session, it.others, me)),
}
ONLY_LOOKED_AT = {
    "look at tags",
    "look into the model",
    "see the team's totals",
    "see how similar questions were decided",
    "see others' labels",
    "see who did what",
    "export labels",
    "look at trainings",
}


class Things:
    """What there is to act on."""

    def __init__(self, store, team, questions):
        self.questions = questions
        self.others = decide(store, questions[4], team.wang, added=["导演"]).number
        store.run(lambda session: registry.register(session, "v2", "models/v2"))


def test_the_table_knows_every_action_and_roles_only():
    assert set(DONE_BY_THE_STORE) | ONLY_LOOKED_AT == set(ALLOWED)
    assert {role for roles in ALLOWED.values() for role in roles} == set(ROLES)
    with pytest.raises(KeyError):
        allows("admin", "fly")


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_what_the_table_says_and_nothing_else(store, team, questions, live_model, role):
    me = {"moderator": team.li, "researcher": team.researcher, "admin": team.admin}[role]
    it = Things(store, team, questions)
    for action, attempt in DONE_BY_THE_STORE.items():
        with store.read() as session:
            assert people.may(session, me, action) == allows(role, action), action
        if allows(role, action):
            attempt(store, me, it)
        else:
            with pytest.raises(Refused, match=f"to {action} takes a"):
                attempt(store, me, it)


def test_who_is_no_longer_active_may_nothing(store, team):
    store.run(lambda session: people.deactivate(session, "zhao", by=team.admin))
    with store.read() as session:
        assert not any(people.may(session, team.researcher, action) for action in ALLOWED)
        assert not any(people.may(session, 999, action) for action in ALLOWED)


def test_a_moderator_brings_labels_of_known_questions_but_no_new_ones(store, team, questions):
    with store.read() as session:
        known = look_at(session, questions[0])
    row = IncomingQuestion(1, known.title, known.description, tags=("导演",), external_id=known.external_id)
    who = {"person_id": team.li, "record_as": team.li}
    report = import_questions(store, [row], name="edited", fingerprint="edited", **who)
    assert (report.added, report.recorded) == (0, 1)
    new = IncomingQuestion(1, "谁也没问过的问题？", tags=("导演",))
    with pytest.raises(Refused, match="li is a moderator; to import questions takes a researcher or admin"):
        import_questions(store, [new], name="new", fingerprint="more", **who)
