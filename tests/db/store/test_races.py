"""Two people at the same moment: whoever comes second sees what the first one did, or waits until it is known."""

import pytest
from sqlalchemy import select, update

from db import people
from db.errors import Refused
from db.ledger import entries as ledger
from db.models import suggestions
from db.queue import claims as queue
from db.queue import shares as queue_shares
from db.queue.check import find_inconsistencies
from db.store.tables import Person, QueueItem, SuggestedTag, Suggestion
from db.tags import planning as tags
from db.transfer import importing
from tests.db import actions
from tests.db.conftest import add_questions
from tests.db.interleaving import interleave, interrupt


def problems(store) -> list[str]:
    with store.read() as session:
        return [str(problem) for problem in find_inconsistencies(session)]


def admins(store) -> list[str]:
    with store.read() as session:
        return list(session.scalars(select(Person.name).where(Person.role == "admin", Person.active)))


@pytest.mark.parametrize("act", ["demote", "deactivate"])
def test_of_two_admins_who_take_each_other_away_one_stays(store, team, act):
    other = store.run(lambda session: people.add(session, "sun", "admin", by=team.admin).id)

    def take_away(name: str, by: int):
        if act == "demote":
            return lambda session: people.change_role(session, name, "moderator", by=by)
        return lambda session: people.deactivate(session, name, by=by)

    second = interleave(store, take_away("sun", team.admin), take_away("chen", other))
    assert isinstance(second.error, Refused), "both were taken away"
    assert admins(store) == ["chen"]
    with pytest.raises(Refused, match="There are people already"):
        store.run(lambda session: people.add(session, "a stranger"))


def test_of_two_first_visitors_at_once_one_becomes_the_admin(store):
    second = interleave(
        store, lambda session: people.add(session, "li"), lambda session: people.add(session, "a stranger")
    )
    assert isinstance(second.error, Refused), "both became admins"
    assert admins(store) == ["li"]


def test_a_right_that_is_taken_away_meanwhile_is_gone(store, team):
    other = store.run(lambda session: people.add(session, "sun", "admin", by=team.admin).id)

    def hire(session):
        return people.add(session, "a friend", "admin", by=other)

    second = interleave(store, lambda session: people.change_role(session, "sun", "moderator", by=team.admin), hire)
    assert isinstance(second.error, Refused)
    assert admins(store) == ["chen"]


@pytest.fixture
def answered(store, team) -> int:
    """A question that asks for two opinions and has one: 电影."""
    (question,) = add_questions(store, 1, overlap=2)
    actions.decide(store, question, team.li, "电影")
    actions.decide(store, add_questions(store, 1)[0], team.li, "影片")  # so that there is such a tag
    return question


def second_opinion(team, question):
    submission = ledger.Submission(question, team.wang, {"影片": "added"})
    return lambda session: ledger.submit(session, submission)


def merge(team):
    return lambda session: tags.carry_out(session, tags.plan_merge(session, "影片", "电影"), team.researcher)


def test_a_merge_during_a_second_opinion_leaves_no_conflict_behind(store, team, answered):
    assert interleave(store, second_opinion(team, answered), merge(team)).error is None
    assert problems(store) == []
    assert actions.item(store, answered).conflict is False


def test_a_second_opinion_during_a_merge_is_no_conflict(store, team, answered):
    assert interleave(store, merge(team), second_opinion(team, answered)).error is None
    assert problems(store) == []
    assert actions.item(store, answered).conflict is False


def test_a_split_during_a_second_opinion_makes_the_conflict(store, team, answered):
    actions.change_tags(store, team.researcher, tags.plan_alias, "电影", "大片")
    submission = ledger.Submission(answered, team.wang, {"大片": "added"})
    second = interleave(
        store,
        lambda session: ledger.submit(session, submission),
        lambda session: tags.carry_out(session, tags.plan_split(session, "大片"), team.researcher),
    )
    assert second.error is None
    assert problems(store) == []
    assert actions.item(store, answered).conflict is True


def test_the_undo_of_a_review_during_a_merge_leaves_no_conflict_behind(store, team, answered):
    actions.decide(store, answered, team.wang, "影片")
    settled = actions.review(store, answered, team.researcher, "电影")
    second = interleave(store, lambda session: ledger.undo(session, settled.number, team.researcher), merge(team))
    assert second.error is None
    assert problems(store) == []
    assert actions.item(store, answered).conflict is False


@pytest.fixture
def old_suggestion(store, team, live_model) -> int:
    """What a model that is no longer live said about a question that nobody has."""
    from db.models import registry

    (question,) = add_questions(store, 1)
    number = actions.suggest(store, question, {"电影": 4, "导演": 2})

    def replace(session):
        registry.register(session, "v2", "models/v2")
        registry.promote(session, "v2", team.admin)

    store.run(replace)
    return number


def tags_of(store, suggestion: int) -> list[str]:
    with store.read() as session:
        chosen = select(SuggestedTag.text).where(SuggestedTag.suggestion_id == suggestion)
        return list(session.scalars(chosen.order_by(SuggestedTag.rank)))


def answer_to(store, team, suggestion: int):
    with store.read() as session:
        question = session.get_one(Suggestion, suggestion).question_id
    submission = ledger.Submission(question, team.li, {"电影": "accepted"}, suggestion_id=suggestion)
    return lambda session: ledger.submit(session, submission)


def prune(team):
    return lambda session: suggestions.prune(session, team.admin, older_than_days=0, dry_run=False)


def test_a_submit_in_the_middle_of_a_prune_never_answers_an_empty_suggestion(store, team, old_suggestion):
    second = interrupt(store, prune(team), "DELETE FROM suggestions", answer_to(store, team, old_suggestion))
    stored = second.error is None
    assert tags_of(store, old_suggestion) == (["电影", "导演"] if stored else [])
    assert stored or isinstance(second.error, Refused)
    assert problems(store) == []


def test_a_prune_during_a_submit_leaves_the_answered_suggestion_whole(store, team, old_suggestion):
    second = interleave(store, answer_to(store, team, old_suggestion), prune(team))
    assert (second.error, second.result) == (None, 0)
    assert tags_of(store, old_suggestion) == ["电影", "导演"]


def test_a_submit_whose_suggestion_was_read_is_stored_before_the_prune(store, team, old_suggestion):
    second = interrupt(store, answer_to(store, team, old_suggestion), "INSERT INTO entries", prune(team))
    assert (second.error, second.result) == (None, 0)
    assert tags_of(store, old_suggestion) == ["电影", "导演"]


def test_what_is_answered_in_the_middle_of_a_prune_stays_though_there_is_a_newer_one(store, team, live_model):
    (question,) = add_questions(store, 1)
    old, _ = (actions.suggest(store, question, {"电影": 4, "导演": 2}, ledger_number=number) for number in (1, 2))
    second = interrupt(store, prune(team), "DELETE FROM suggest", answer_to(store, team, old))
    stored = second.error is None
    assert tags_of(store, old) == (["电影", "导演"] if stored else [])
    assert stored or isinstance(second.error, Refused)
    assert problems(store) == []


def test_what_lies_before_somebody_is_not_pruned(store, team, old_suggestion):
    with store.read() as session:
        question = session.get_one(Suggestion, old_suggestion).question_id
    store.run(lambda session: actions.queue.claim_question(session, team.li, question))
    assert store.run(prune(team)) == 0
    store.run(answer_to(store, team, old_suggestion))
    assert tags_of(store, old_suggestion) == ["电影", "导演"]


def test_a_spelling_that_came_after_the_plan_is_read_anew_too(store, team, answered):
    plan = actions.dry_run(store, tags.plan_merge, "影片", "电影")
    actions.change_tags(store, team.researcher, tags.plan_alias, "影片", "片子")
    actions.decide(store, answered, team.wang, "片子")
    assert actions.item(store, answered).conflict is True
    store.run(lambda session: tags.carry_out(session, plan, team.researcher))
    assert problems(store) == []
    assert actions.item(store, answered).conflict is False


# --- shares


def misplaced(store) -> list[int]:
    """Questions in another pool than their number and the shares say."""
    with store.read() as session:
        shares = queue_shares.get_shares(session)
        items = session.scalars(select(QueueItem)).all()
    return [item.question_id for item in items if item.pool != shares.pool(item.random_key)]


def set_shares(session) -> None:
    queue_shares.set_shares(session, queue_shares.Shares(random=0.5, blind=0.3))


def test_shares_that_change_between_the_steps_of_an_import_hold_for_the_rest(store, monkeypatch):
    monkeypatch.setattr(importing, "ROWS_A_TRANSACTION", 10)
    changed = []

    def change(done: int) -> None:
        if done == 20:
            changed.append(store.run(set_shares))

    rows = [importing.IncomingQuestion(line, f"question {line}") for line in range(1, 51)]
    importing.import_questions(store, rows, name="q", fingerprint="q", progress=change)
    assert changed
    assert misplaced(store) == []


def test_shares_that_change_within_a_step_of_an_import_wait_for_it(store):
    add_questions(store, 1)  # the import's own row, to hang a step on
    rows = {importing.text_hash(f"q {n}", ""): importing.IncomingQuestion(n, f"q {n}") for n in range(40)}
    report = importing.ImportReport("q")

    def import_step(session) -> None:
        importing._store_new(session, rows, None, 1, None, report)

    second = interrupt(store, import_step, "INSERT INTO questions", set_shares)
    assert second.error is None
    assert misplaced(store) == []


def test_a_check_notices_questions_in_a_wrong_pool(store, team):
    questions = add_questions(store, 30)
    assert problems(store) == []
    with store.write() as session:
        session.execute(update(QueueItem).values(pool="blind"))
    found = problems(store)
    assert len(found) == 30
    assert found[0].startswith(f"Question {questions[0]}: the queue has pool blind, but it should be ")
    assert found[0].endswith("Set the shares again: python -m app queue shares --random 0.1 --blind 0.")
    store.run(set_shares)
    assert problems(store) == []


def test_a_question_that_somebody_had_when_the_shares_changed_may_stay_in_its_pool(store, team):
    actions.serve_in_order(store)
    held = add_questions(store, 1)[0]
    lease = actions.claim(store, team.li)
    store.run(lambda session: queue_shares.set_shares(session, queue_shares.Shares(random=0.0, blind=1.0)))
    store.run(lambda session: queue.release(session, lease.lease_id, team.li))
    assert actions.item(store, held).pool == "ordered"
    assert problems(store) == []
