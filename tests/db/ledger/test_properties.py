"""Any sequence of decisions, undos, reviews and changes of tags, against a model in plain Python.

After every step the store must agree with the model about each question's labels and its place in the queue, and
about what each question looked like at every moment before; and a memory that follows the ledger must know what one
that reads it anew knows.
"""

import shutil
from itertools import product

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import select

from db import people
from db.errors import NotFound, Refused
from db.ledger import entries as ledger
from db.ledger import labels
from db.models import registry
from db.queue import claims as queue
from db.spellings.new_tags import ensure_tags
from db.store.engine import Store
from db.store.tables import Entry, Question, QueueItem
from db.tags import planning as tags
from db.transfer.importing import IncomingQuestion, import_questions
from tests.db import actions
from tests.db.conftest import execute, hasty_store, with_database
from tests.db.ledger_model import LedgerModel
from tests.db.memory_follower import Follower, built_anew

WORDS = "abcde"
KNOWN = "abc"  # are tags from the beginning; the others are free for new names
SUGGESTED = {"a": 4, "b": 2}  # for every question
OVERLAPS = (1, 2, 3)  # of the three questions
words = st.sampled_from(WORDS)
places = st.integers(0, 59)  # the place of something in a list of what there is, counted round and round
CHANGES = {
    "rename": (tags.plan_rename, 2),
    "merge": (tags.plan_merge, 2),
    "alias": (tags.plan_alias, 2),
    "split": (tags.plan_split, 1),
}


class ChangesOfTags(RuleBasedStateMachine):
    """Decisions and changes of tags, from a ledger in which people disagree."""

    OPINIONS = ((1, 0, "a"), (1, 1, "b"), (2, 0, "a"), (2, 1, "b"), (2, 2, "c"))  # (question, person, tag)

    def __init__(self, fresh_store):
        super().__init__()
        self.store: Store = fresh_store()
        self.store.run(self._begin)
        for overlap in OVERLAPS:
            rows = [IncomingQuestion(1, f"question of overlap {overlap}")]
            import_questions(self.store, rows, name="q", fingerprint=str(overlap), overlap=overlap)
        with self.store.read() as session:
            self.questions = list(session.scalars(select(Question.id).order_by(Question.id)))
        self.suggestions = {
            question: actions.suggest(self.store, question, SUGGESTED, figures=True) for question in self.questions
        }
        self.model = LedgerModel(dict(zip(self.questions, OVERLAPS, strict=True)))
        self.model.ensure(KNOWN)
        self.leases: dict[tuple[int, int], int] = {}
        self.memory = Follower()
        for question, person, tag in self.OPINIONS:
            self.submit(self.questions[question], self.people[person], {tag: "yes"})

    def _begin(self, session) -> None:
        self.admin = people.add(session, "chen", "admin").id
        self.researcher = people.add(session, "zhao", "researcher", by=self.admin).id
        self.people = [people.add(session, name, by=self.admin).id for name in ("li", "wang", "sun")]
        registry.register(session, "v1", "models/v1")
        registry.promote(session, "v1", self.admin)
        ensure_tags(session, KNOWN, self.admin)

    def attempt(self, allowed: bool, work):
        """What the work returns, or None where the store had to refuse it and did."""
        if allowed:
            return self.store.run(work)
        with pytest.raises((Refused, NotFound)):
            self.store.run(work)
        return None

    # Decisions

    @rule(place=places, person=places, verdicts=st.dictionaries(words, st.sampled_from(["yes", "no"]), max_size=2))
    def decide(self, place, person, verdicts):
        self.submit(self.questions[place % 3], self.people[person % 3], verdicts)

    def submit(self, question: int, person: int, verdicts: dict[str, str]) -> None:
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

    # Changes of tags

    def change_tags(self, edits, plan, *arguments) -> None:
        def work(session):
            return tags.carry_out(session, plan(session, *arguments), self.researcher)

        number = self.attempt(edits is not None, work)
        if number is not None:
            self.model.edits[number] = edits
            with self.store.read() as session:
                self.model.remember(session.get_one(Entry, number).at)

    @rule(name=st.sampled_from(sorted(CHANGES)), arguments=st.tuples(words, words))
    def change_some_tag(self, name, arguments):
        """Whether it makes sense or not."""
        plan, number = CHANGES[name]
        edits = getattr(self.model, name)(*arguments[:number])
        self.change_tags(edits, plan, *arguments[:number])

    @rule(name=st.sampled_from(sorted(CHANGES)), which=places)
    def change_a_tag_sensibly(self, name, which):
        plan, number = CHANGES[name]
        possible = [some for some in product(WORDS, repeat=number) if self.model.would_allow(name, *some)]
        if possible:
            arguments = possible[which % len(possible)]
            self.change_tags(getattr(self.model, name)(*arguments), plan, *arguments)

    @precondition(lambda self: self.model.edits)
    @rule(which=places, sensibly=st.booleans())
    def take_a_change_back(self, which, sensibly):
        numbers = sorted(self.model.edits)
        if sensibly:
            numbers = [number for number in numbers if self.model.would_allow("take_back", number)] or numbers
        number = numbers[-1 - which % len(numbers)]
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
    def the_store_agrees_with_the_model(self):
        with self.store.read() as session:
            assert self.looks(session) == {question: self.model.looks(question) for question in self.questions}
            for item in session.scalars(select(QueueItem)):
                found = (item.answers, item.holders, item.is_open, item.conflict, item.reviewed)
                assert (item.question_id, found) == (item.question_id, self.model.place(item.question_id))
            self.check_moments(session, self.model.moments[-2:])

    @invariant()
    def memory_that_follows_knows_what_memory_built_anew_knows(self):
        with self.store.read() as session:
            self.memory.catch_up(session)
            anew = built_anew(session)
        assert (self.memory.number, self.memory.decided) == (anew.number, anew.decided)
        assert self.memory.names == anew.names

    def check_moments(self, session, moments) -> None:
        for when, looked in moments:
            assert (when, self.looks(session, when)) == (when, looked)

    def teardown(self):
        times = [when for when, _ in self.model.moments]
        assert times == sorted(set(times))
        with self.store.read() as session:
            self.check_moments(session, self.model.moments)


class EveryStep(ChangesOfTags):
    """From an empty ledger, with undo, review and claims as well."""

    OPINIONS = ()

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
        question = self.questions[place % 2]  # never the third: a review hides what the opinions add up to
        receipt = self.store.run(lambda session: ledger.review(session, question, self.researcher, sorted(chosen)))
        self.model.review(receipt.number, question, self.researcher, chosen)
        self.model.remember(receipt.at)

    @rule(place=places, person=places)
    def claim_or_release(self, place, person):
        question, person = self.questions[place % 3], self.people[person % 3]
        if (question, person) in self.model.held:
            self.store.run(lambda session: queue.release(session, self.leases[question, person], person))
            self.model.held.discard((question, person))
            return
        allowed = self.model.place(question)[2]
        got = self.attempt(allowed, lambda session: queue.claim_question(session, person, question))
        if got is not None:
            self.model.held.add((question, person))
            self.leases[question, person] = got.lease_id


@pytest.fixture
def fresh_store(kind, request, tmp_path):
    """A function that empties a store and opens it again: cheaper than a new one for every example."""
    if kind == "sqlite":
        template, path = request.getfixturevalue("sqlite_template"), tmp_path / "store.db"
        store = hasty_store(f"sqlite:///{path}")
    else:
        template, uri = request.getfixturevalue("postgresql_template"), request.getfixturevalue("postgresql_uri")
        store = hasty_store(with_database(uri, "properties"))

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


def run_examples(steps, fresh_store, number: int) -> None:
    run_state_machine_as_test(
        lambda: steps(fresh_store),
        settings=settings(
            max_examples=number, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.mark.parametrize("steps", [ChangesOfTags, EveryStep])
def test_store_and_model_agree_after_any_sequence_of_steps(kind, fresh_store, steps):
    run_examples(steps, fresh_store, 10 if kind == "sqlite" else 4)


@pytest.mark.soak
@pytest.mark.parametrize("steps", [ChangesOfTags, EveryStep])
def test_store_and_model_agree_after_very_many_sequences(kind, fresh_store, steps):
    run_examples(steps, fresh_store, 1000 if kind == "sqlite" else 200)
