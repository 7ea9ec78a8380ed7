"""Hypotheses that are stored ahead: once for a model and a number of hypotheses, and never of what is gone."""

import pytest

from db.errors import NotFound
from db.ledger import entries as ledger
from db.models import decodings, registry, suggestions
from db.store.tables import Decoding
from tests.db.actions import claim, decide, scalar, serve_in_order, suggest
from tests.db.conftest import add_questions
from tests.db.interleaving import interleave, interrupt

FOUND = [(("电影", "导演"), -0.1, ""), (("电影",), -1 / 3, "frequent"), ((), -2.5, "")]


@pytest.fixture
def question(store, team, live_model) -> int:
    serve_in_order(store)
    (number,) = add_questions(store, 1)
    return number


def record(store, question: int, found=FOUND, version: str = "v1", beam: int = 4) -> int | None:
    return store.run(lambda session: decodings.record(session, question, version, beam, found))


def find(store, question: int, version: str = "v1", beam: int = 4):
    with store.read() as session:
        return decodings.find(session, question, version, beam)


def count(store) -> int:
    return scalar(store, "SELECT count(*) FROM decodings")


def test_hypotheses_come_back_as_they_were_found(store, question):
    number = record(store, question)
    assert find(store, question) == decodings.StoredDecoding(number, tuple(FOUND))
    with_odd_letters = [(("电\0影", "\ud83d"), -1.0, "")]  # what no database keeps must cost nobody their suggestions
    record(store, question, with_odd_letters, beam=1)
    assert find(store, question, beam=1).hypotheses == ((("电影", "�"), -1.0, ""),)


def test_what_is_there_stays(store, question):
    number = record(store, question)
    assert record(store, question, [(("音乐",), -1.0, "")]) == number
    assert find(store, question).hypotheses == tuple(FOUND)


def test_models_and_numbers_of_hypotheses_are_kept_apart(store, team, question):
    store.run(lambda session: registry.register(session, "v2", "models/v2"))  # a candidate in the shadow
    made = {record(store, question), record(store, question, beam=5), record(store, question, version="v2")}
    assert len(made) == 3
    assert find(store, question, beam=6) is None
    assert find(store, question, version="v3") is None
    assert find(store, question + 1) is None
    assert find(store, question, "v2").id in made
    with pytest.raises(NotFound, match="There is no model version v9"):
        record(store, question, version="v9")
    with pytest.raises(NotFound, match="There is no question 4711"):
        record(store, 4711)


def test_hypotheses_alone_are_no_suggestion(store, question):
    record(store, question)
    with store.read() as session:
        assert suggestions.fresh(session, question) is None
        assert suggestions.count_waiting(session) == 1


def test_nothing_is_stored_for_a_question_that_is_redacted(store, team, question):
    store.run(lambda session: ledger.redact(session, question, team.admin, reason="privacy"))
    assert record(store, question) is None
    assert count(store) == 0


def test_a_redaction_takes_them_along_and_leaves_what_was_answered(store, team, question):
    made = suggest(store, question, {"电影": 4}, decoding_id=record(store, question), precedents=[(1, 0.5)])
    decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=made)
    store.run(lambda session: ledger.redact(session, question, team.admin, reason="privacy"))
    assert count(store) == 0
    with store.read() as session:
        stored = suggestions.find(session, made)
    assert (stored.decoding_id, stored.precedents, [tag.tag for tag in stored.tags]) == (None, (), ["电影"])


@pytest.mark.parametrize("first", ["model", "redaction"])
def test_a_redaction_while_the_model_is_at_work_leaves_nothing(store, team, question, first):
    def redact(session):
        ledger.redact(session, question, team.admin, reason="privacy")

    def find_some(session):
        decodings.record(session, question, "v1", 4, FOUND)

    if first == "model":
        second = interrupt(store, find_some, "INSERT INTO decodings", redact)
    else:
        second = interrupt(store, redact, "UPDATE questions", find_some)
    assert second.error is None
    assert count(store) == 0


# --- pruning


def prune(store, person_id: int, days: float = 30) -> int:
    return store.run(lambda session: suggestions.prune(session, person_id, older_than_days=days, dry_run=False))


def make_old(store) -> None:
    day = 24 * 60 * 60 * 1_000_000
    with store.write() as session:
        for table in ("suggestions", "decodings"):
            session.connection().exec_driver_sql(f"UPDATE {table} SET created_at = created_at - {31 * day}")


@pytest.fixture
def retired(store, team, question) -> int:
    """Hypotheses that v1 found, which is not live any more."""
    number = record(store, question)

    def replace(session):
        registry.register(session, "v2", "models/v2")
        registry.promote(session, "v2", team.admin)

    store.run(replace)
    return number


def test_pruning_takes_hypotheses_of_models_that_are_not_live_with_their_suggestions(store, team, question, retired):
    suggest(store, question, {"电影": 4}, decoding_id=retired)
    live = record(store, question, version="v2")
    assert prune(store, team.admin) == 0  # too young
    assert count(store) == 2
    make_old(store)
    assert prune(store, team.admin) == 1
    assert scalar(store, "SELECT id FROM decodings") == live


def test_hypotheses_of_a_suggestion_that_was_answered_stay(store, team, question, retired):
    made = suggest(store, question, {"电影": 4}, decoding_id=retired)
    decide(store, question, team.li, verdicts={"电影": "accepted"}, suggestion_id=made)
    make_old(store)
    assert prune(store, team.admin) == 0
    assert scalar(store, "SELECT id FROM decodings") == retired


def test_hypotheses_of_what_lies_before_somebody_stay(store, team, question, retired):
    suggest(store, question, {"电影": 4}, decoding_id=retired)
    make_old(store)
    claim(store, team.li)
    assert prune(store, team.admin) == 0
    assert count(store) == 1


def test_a_suggestion_that_is_recorded_while_its_hypotheses_are_pruned_stands(store, team, question, retired):
    make_old(store)

    def rank(session):
        return suggestions.record(session, question, "v1", 4, 0.5, (), decoding_id=retired)

    second = interleave(
        store, lambda session: suggestions.prune(session, team.admin, older_than_days=30, dry_run=False), rank
    )
    assert second.error is None
    with store.read() as session:
        assert suggestions.find(session, second.result).decoding_id is None


def test_hypotheses_that_a_suggestion_is_made_of_meanwhile_are_not_pruned(store, team, question, retired):
    make_old(store)
    second = interleave(
        store,
        lambda session: suggestions.record(session, question, "v1", 4, 0.5, (), decoding_id=retired),
        lambda session: suggestions.prune(session, team.admin, older_than_days=30, dry_run=False),
    )
    assert (second.error, second.result) == (None, 0)
    with store.read() as session:
        assert session.get(Decoding, retired) is not None
        assert suggestions.history(session, question)[0].decoding_id == retired
