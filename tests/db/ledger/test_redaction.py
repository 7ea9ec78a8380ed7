"""A redaction is for good: no copy of the words stays in the store, and none comes back."""

import json

import pytest
from sqlalchemy import select, text

from db.ledger import entries as ledger
from db.ledger import redaction
from db.models import decodings, suggestions
from db.models.suggestions import ProposedTag
from db.store import schema
from db.store.backup import check_file
from db.store.engine import Store
from db.store.records import ToldFinding
from db.store.tables import Decoding, QueueTag, SuggestedTag
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db.actions import claim, contents, decide, expire, scalar, serve_in_order
from tests.db.interleaving import interrupt

SECRET = "赵铁柱"
TITLE = f"{SECRET}住在梧桐路七号怎么样？"
TOLD = (ToldFinding("words", "finding.words", {"word": SECRET}),)
PROPOSED = (
    ProposedTag("电影", 4, 0.9, True, False, (SECRET, "梧桐"), ("电影", SECRET), 0.8, TOLD, {SECRET: 1.0}),
    ProposedTag(f"{SECRET}的家", 1, 0.1, False, True, (SECRET,), (f"{SECRET}的家",)),
)
FOUND = [(("电影", SECRET), -0.1, "")]


@pytest.fixture
def secret(store, team, live_model) -> int:
    """A question whose text names somebody, with a tag that others have too."""
    serve_in_order(store)
    rows = [IncomingQuestion(1, TITLE, f"电话是 {SECRET} 自己给的。" * 50, ("电影",), url=f"https://x/{SECRET}")]
    import_questions(store, rows, name="q", fingerprint="q")
    return scalar(store, "SELECT id FROM questions")


def record(session, question: int) -> int:
    """Hypotheses that the model found, and what was ranked from them when the question was served."""
    found = decodings.record(session, question, "v1", 4, FOUND)
    options = {"decoding_id": found, "ledger_number": 1, "cut": 0.5, "shown": 2, "precedents": [(1, 0.987654)]}
    return suggestions.record(session, question, "v1", 4, 0.5, PROPOSED, **options)


def suggest(store, question: int) -> int:
    return store.run(lambda session: record(session, question))


def redact(store, question: int, person: int) -> None:
    store.run(lambda session: ledger.redact(session, question, person, reason="privacy"))


def everything(store) -> str:
    return json.dumps(contents(store), ensure_ascii=False)


def test_no_table_keeps_the_words_of_a_redacted_question(store, team, secret):
    number = suggest(store, secret)
    decide(store, secret, team.li, verdicts={"电影": "accepted"}, suggestion_id=number, comment=f"找{SECRET}")
    assert SECRET in everything(store)
    redact(store, secret, team.admin)
    assert SECRET not in everything(store)
    assert "0.987654" not in everything(store)
    with store.read() as session:
        (kept,) = session.scalars(select(SuggestedTag))
        assert (kept.text, kept.votes, kept.chance) == ("电影", 4, 0.8)
        assert (kept.cues, kept.hypothesis, kept.evidence, kept.figures) == ([], [], [], {})
        assert session.scalars(select(QueueTag)).all() == []
        assert session.scalars(select(Decoding)).all() == []


def test_what_lies_before_somebody_can_still_be_answered(store, team, secret):
    number = suggest(store, secret)
    held = claim(store, team.li)
    redact(store, secret, team.admin)
    shown = [tag.tag for tag in PROPOSED]
    late = decide(
        store,
        secret,
        team.li,
        verdicts={"电影": "accepted"},
        suggestion_id=number,
        shown=shown,
        lease_id=held.lease_id,
    )
    assert late.kind == "decision"


def test_what_a_model_says_after_the_redaction_keeps_no_words(store, team, secret):
    redact(store, secret, team.admin)
    number = suggest(store, secret)
    assert SECRET not in everything(store)
    with store.read() as session:
        stored = suggestions.find(session, number)
    assert stored.tags == (ProposedTag("电影", 4, 0.9, True, False, chance=0.8),)
    assert (stored.shown, stored.cut, stored.precedents, stored.decoding_id) == (1, 0.5, (), None)


def test_what_a_model_says_during_the_redaction_keeps_no_words(store, team, secret):
    second = interrupt(
        store,
        lambda session: ledger.redact(session, secret, team.admin, reason="privacy"),
        "UPDATE questions",
        lambda session: record(session, secret),
    )
    assert second.error is None
    assert SECRET not in everything(store)


def test_a_redaction_during_what_a_model_says_removes_it(store, team, secret):
    second = interrupt(
        store,
        lambda session: record(session, secret),
        "INSERT INTO suggestions",
        lambda session: ledger.redact(session, secret, team.admin, reason="privacy"),
    )
    assert second.error is None
    assert SECRET not in everything(store)


def test_an_expired_lease_does_not_keep_a_made_up_tag(store, team, secret):
    suggest(store, secret)
    expire(store, claim(store, team.li).lease_id)
    redact(store, secret, team.admin)
    assert SECRET not in everything(store)


def test_the_file_itself_does_not_keep_the_words_in_its_free_space(store, team, secret):
    """SQLite only marks what is deleted as free; PostgreSQL's own VACUUM sees to that there."""
    if not store.is_sqlite:
        return
    suggest(store, secret)
    assert SECRET.encode() in stored_bytes(store)
    redact(store, secret, team.admin)
    redaction.forget_deleted(store)
    assert SECRET.encode() not in stored_bytes(store)
    assert check_file(store.path) == ""


def stored_bytes(store: Store) -> bytes:
    files = (store.path.with_name(store.path.name + end) for end in ("", "-wal"))
    return b"".join(file.read_bytes() for file in files if file.exists())


def test_a_redaction_of_an_older_version_is_finished_by_the_migration(empty_url):
    with Store(empty_url) as store:
        schema.migrate(store, "0002")
        with store.write() as session:
            for statement in (
                "INSERT INTO model_versions (id, version, path, metrics, state, registered_at) "
                "VALUES (1, 'v1', 'm', '{}', 'live', 1)",
                "INSERT INTO questions (id, source, external_id, url, title, description, text_hash, created_at, "
                "redacted_at) VALUES (1, '', '', '', '[redacted]', '', 'a', 1, 2), (2, '', '', '', '问', '', 'b', 1, "
                "NULL)",
                "INSERT INTO suggestions (id, question_id, model_id, beam, threshold, created_at) "
                "VALUES (1, 1, 1, 4, 0.5, 1), (2, 2, 1, 4, 0.5, 1)",
                *(
                    "INSERT INTO suggested_tags (suggestion_id, rank, text, key, votes, probability, kept, is_new, "
                    f"cues, hypothesis) VALUES ({number}, 1, '电影', '电影', 4, 1, true, false, '[\"{SECRET}\"]', '[]')"
                    for number in (1, 2)
                ),
            ):
                session.connection().exec_driver_sql(statement)
        schema.migrate(store, make_backup=False)
        with store.read() as session:
            rows = session.execute(text("SELECT suggestion_id, cues FROM suggested_tags ORDER BY 1")).all()
    assert [json.loads(cues) if isinstance(cues, str) else cues for _, cues in rows] == [[], [SECRET]]
