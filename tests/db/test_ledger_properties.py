"""Any sequence of decisions, undos, reviews and changes of tags, against a model in plain Python.

After every step the store must agree with the model about each question's labels and its place in the queue, and
about what each question looked like at every moment before.
"""

import shutil

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import select

from db import labels, ledger, people, queue, registry, tags
from db.engine import Store
from db.errors import NotFound, Refused
from db.importing import IncomingQuestion, import_questions
from db.models import Entry, Question, QueueItem
from tests.db import actions
from tests.db.conftest import execute, with_database
from tests.db.ledger_model import LedgerModel

WORDS = "abcdef"
SUGGESTED = {"a": 4, "b": 2}  # for every question
words = st.sampled_from(WORDS)
places = st.integers(0, 40)  # the place of something in a list of what there is, counted round and round


class StoreAgainstModel(RuleBasedStateMachine):
    def __init__(self, fresh_store):
        super().__init__()
        self.store: Store = fresh_store()
        self.store.run(self._begin)
        rows = [IncomingQuestion(line, f"question {line}") for line in (1, 2)]
        import_questions(self.store, rows, name="two", fingerprint="two")
        with self.store.read() as session:
            self.questions = list(session.scalars(select(Question.id).order_by(Question.id)))
        self.store.run(lambda session: queue.set_overlap(session, 2, question_id=self.questions[1]))
        self.suggestions = {question: actions.suggest(self.store, question, SUGGESTED) for question in self.questions}
        self.model = LedgerModel({self.questions[0]: 1, self.questions[1]: 2})
        self.model.ensure("abcd")  # e and f are free for new names
        self.leases: dict[tuple[int, int], int] = {}

    def _begin(self, session) -> None:
        self.admin = people.add(session, "chen", "admin").id
        self.researcher = people.add(session, "zhao", "researcher", by=self.admin).id
        self.people = [people.add(session, name, by=self.admin).id for name in ("li", "wang", "sun")]
        registry.register(session, "v1", "models/v1")
        registry.promote(session, "v1", self.admin)
        tags.ensure_tags(session, "abcd", self.admin)

    def attempt(self, allowed: bool, work):
        """What the work returns, or None where the store had to refuse it and did."""
        if allowed:
            return self.store.run(work)
        with pytest.raises((Refused, NotFound)):
            self.store.run(work)
        return None

    # Decisions

    @rule(place=places, person=places, verdicts=st.dictionaries(words, st.sampled_from(["yes", "no"]), max_size=4))
    def decide(self, place, person, verdicts):
        question, person = self.questions[place % 2], self.people[person % 3]
        given = {}
        for word, answer in verdicts.items():
            if word in SUGGESTED:
                given[word] = "accepted" if answer == "yes" else "rejected"
            elif answer == "yes":
                given[word] = "added"
        stored = {word: given.get(word, "unjudged") for word in SUGGESTED} | given
        submission = ledger.Submission(question, person, given, suggestion_id=self.suggestions[question])
        receipt = self.attempt(self.model.makes_sense(given), lambda session: ledger.submit(session, submission))
        if receipt is not None:
            line = self.model.decide(receipt.number, question, person, stored)
            assert (receipt.standing, receipt.replaces) == (line.standing, line.target)
            self.model.remember(receipt.at)

    @precondition(lambda self: self.model.lines)
    @rule(which=places, as_admin=st.booleans())
    def undo(self, which, as_admin):
        """Of a decision, a review or an undo; also of one that was taken back already."""
        numbers = sorted(self.model.lines)
        line = self.model.lines[numbers[which % len(numbers)]]
        person = self.admin if as_admin else line.person
        allowed = self.model.stands(line.number)
        receipt = self.attempt(allowed, lambda session: ledger.undo(session, line.number, person))
        if receipt is not None:
            self.model.undo(receipt.number, line.number, person)
            self.model.remember(receipt.at)

    @rule(place=places, chosen=st.sets(words, max_size=2))
    def review(self, place, chosen):
        question = self.questions[place % 2]
        receipt = self.store.run(lambda session: ledger.review(session, question, self.researcher, sorted(chosen)))
        self.model.review(receipt.number, question, self.researcher, chosen)
        self.model.remember(receipt.at)

    @rule(place=places, person=places)
    def claim(self, place, person):
        question, person = self.questions[place % 2], self.people[person % 3]
        holds = (question, person) in self.model.held
        allowed = holds or self.model.place(question)[2]
        got = self.attempt(allowed, lambda session: queue.claim_question(session, person, question))
        if got is not None:
            assert got.resumed == holds
            self.model.held.add((question, person))
            self.leases[question, person] = got.lease_id

    @precondition(lambda self: self.model.held)
    @rule(which=places)
    def release(self, which):
        held = sorted(self.model.held)[which % len(self.model.held)]
        self.store.run(lambda session: queue.release(session, self.leases[held], held[1]))
        self.model.held.discard(held)

    # Changes of tags

    def change_tags(self, edits, plan, *arguments) -> None:
        def work(session):
            return tags.carry_out(session, plan(session, *arguments), self.researcher)

        number = self.attempt(edits is not None, work)
        if number is not None:
            self.model.edits[number] = edits
            with self.store.read() as session:
                self.model.remember(session.get_one(Entry, number).at)

    @rule(word=words, new=words)
    def rename(self, word, new):
        self.change_tags(self.model.rename(word, new), tags.plan_rename, word, new)

    @rule(word=words, other=words)
    def merge(self, word, other):
        self.change_tags(self.model.merge(word, other), tags.plan_merge, word, other)

    @rule(word=words, new=words)
    def alias(self, word, new):
        self.change_tags(self.model.alias(word, new), tags.plan_alias, word, new)

    @rule(word=words)
    def split(self, word):
        self.change_tags(self.model.split(word), tags.plan_split, word)

    @precondition(lambda self: self.model.edits)
    @rule(which=places)
    def undo_change_of_tags(self, which):
        numbers = sorted(self.model.edits)
        number = numbers[which % len(numbers)]
        self.change_tags(self.model.take_back(number), tags.plan_undo, number)

    # What must hold

    def looks(self, session, at=None) -> dict:
        settled = labels.settle_all(session, self.questions, at)
        return {
            question: (
                (found.state, set(found.tags), set(found.rejected), set(found.unjudged))
                if (found := settled.get(question)) is not None
                else ("none", set(), set(), set())
            )
            for question in self.questions
        }

    @invariant()
    def labels_are_the_models(self):
        with self.store.read() as session:
            assert self.looks(session) == {question: self.model.looks(question) for question in self.questions}

    @invariant()
    def the_queue_is_what_leases_and_ledger_say(self):
        with self.store.read() as session:
            for item in session.scalars(select(QueueItem)):
                found = (item.answers, item.holders, item.is_open, item.conflict, item.reviewed)
                assert (item.question_id, found) == (item.question_id, self.model.place(item.question_id))

    @invariant()
    def the_latest_moments_look_as_they_did(self):
        self.check_moments(self.model.moments[-3:])

    def check_moments(self, moments) -> None:
        with self.store.read() as session:
            for when, looked in moments:
                assert (when, self.looks(session, when)) == (when, looked)

    def teardown(self):
        times = [when for when, _ in self.model.moments]
        assert times == sorted(set(times))
        self.check_moments(self.model.moments)


@pytest.fixture
def fresh_store(kind, request, tmp_path):
    """A function that empties a store and opens it again: cheaper than a new one for every example."""
    if kind == "sqlite":
        template, path = request.getfixturevalue("sqlite_template"), tmp_path / "store.db"
        store = Store(f"sqlite:///{path}")
    else:
        template, uri = request.getfixturevalue("postgresql_template"), request.getfixturevalue("postgresql_uri")
        store = Store(with_database(uri, "properties"))

    def fresh() -> Store:
        store.close()
        if kind == "sqlite":
            for leftover in tmp_path.glob("store.db*"):
                leftover.unlink()
            shutil.copy(template, path)
        else:
            execute(uri, "DROP DATABASE IF EXISTS properties WITH (FORCE)")
            execute(uri, f"CREATE DATABASE properties TEMPLATE {template}")
        return store

    yield fresh
    store.close()
    if kind == "postgresql":
        execute(uri, "DROP DATABASE IF EXISTS properties WITH (FORCE)")


def test_store_and_model_agree_after_any_sequence_of_steps(kind, fresh_store):
    run_state_machine_as_test(
        lambda: StoreAgainstModel(fresh_store),
        settings=settings(
            max_examples=40 if kind == "sqlite" else 8,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
