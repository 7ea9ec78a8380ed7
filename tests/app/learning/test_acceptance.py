"""The chance of a tag to be accepted: said from enough shown tags on, read beside the pages and not too often."""

import pytest

from app.learning import calibration
from app.learning.acceptance import GROWTH, LOOK_AGAIN_SECONDS, Acceptance
from db import people
from db.errors import ConnectionFailed
from db.figures import acceptance
from db.ledger import entries as ledger
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from db.transfer.importing import IncomingQuestion, import_questions

BEAM = 8


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def answered(store):
    """Answer so many more questions: unless said otherwise the tag with 8 votes is accepted, that with 2 is rejected,
    one is added."""
    chen = store.run(lambda session: people.add(session, "chen", "admin")).id
    rows = [IncomingQuestion(line, f"第{line}个问题怎么回答？") for line in range(1, 301)]
    import_questions(store, rows, name="test", fingerprint="test")
    store.run(lambda session: registry.register(session, "v1", "models/v1"))
    left = iter(range(1, 301))

    def answer(number: int, **verdicts: str) -> None:
        verdicts = verdicts or {"好": "accepted", "坏": "rejected", "漏": "added"}

        def work(session):
            for question in [next(left) for _ in range(number)]:
                tags = [ProposedTag("好", 8, 0.9, True, False), ProposedTag("坏", 2, 0.1, True, False)]
                suggestion = suggestions.record(session, question, "v1", BEAM, 0.125, tags)
                ledger.submit(session, ledger.Submission(question, chen, verdicts, suggestion_id=suggestion))

        store.run(work)

    return answer


def test_nothing_is_said_before_there_are_enough(store, clock, answered):
    known = Acceptance(store, clock, start=lambda work: work())
    answered(calibration.ENOUGH // 2 - 1)
    assert known.probability("v1", 1.0) is None
    answered(GROWTH)
    clock.now += LOOK_AGAIN_SECONDS
    assert known.probability("v1", 1.0) > 0.95
    assert known.probability("v1", 2 / BEAM) < 0.05
    assert known.probability("v2", 1.0) is None


def test_what_people_leave_untouched_was_not_accepted(store, clock, answered):
    """They take what is right and pass over the rest: the rest is no likelier to be right for that."""
    answered(75, 好="accepted")
    answered(25, 漏="added")
    known = Acceptance(store, clock, start=lambda work: work())
    assert known.probability("v1", 1.0) == pytest.approx(75 / 100, abs=0.01)
    assert known.probability("v1", 2 / BEAM) < 0.01


def test_it_is_read_again_after_a_while_and_only_if_much_is_new(store, clock, answered, monkeypatch):
    looks = []
    known = Acceptance(store, clock, start=lambda work: (looks.append(clock.now), work()))
    real, reads = acceptance.vote_rates, []
    monkeypatch.setattr(acceptance, "vote_rates", lambda *given: reads.append(clock.now) or real(*given))
    answered(100)
    for _ in range(3):
        known.probability("v1", 1.0)
    assert (looks, reads) == ([1000.0], [1000.0])
    clock.now += LOOK_AGAIN_SECONDS
    answered(GROWTH - 1)  # too few to matter
    known.probability("v1", 1.0)
    assert (looks, reads) == ([1000.0, 1060.0], [1000.0])
    clock.now += LOOK_AGAIN_SECONDS
    answered(1)
    known.probability("v1", 1.0)
    assert reads == [1000.0, 1120.0]


def test_a_page_never_waits_for_it(store, clock, answered):
    waiting = []
    known = Acceptance(store, clock, start=waiting.append)
    answered(100)
    assert known.probability("v1", 1.0) is None
    waiting.pop()()
    assert known.probability("v1", 1.0) > 0.95
    assert waiting == []


def test_a_store_that_is_away_leaves_what_was_known(store, clock, answered, monkeypatch):
    known = Acceptance(store, clock, start=lambda work: work())
    answered(100)
    before = known.probability("v1", 1.0)

    def fail(*_):
        raise ConnectionFailed("The store is away.")

    monkeypatch.setattr(acceptance, "decisions", fail)
    clock.now += LOOK_AGAIN_SECONDS
    assert known.probability("v1", 1.0) == before


def test_tags_that_the_model_missed_are_counted_once_for_each_decision_in_force(store, answered):
    answered(3)
    with store.read() as session:
        assert acceptance.missed(session, "v1") == 3
        assert acceptance.missed(session, "v2") == 0
        assert acceptance.decisions(session, "v1") == 3
        number = next(ledger.find_entry(session, n).number for n in range(1, 99) if _is_decision(session, n))
    store.run(lambda session: ledger.undo(session, number, 1))
    with store.read() as session:
        assert acceptance.missed(session, "v1") == 2


def _is_decision(session, number: int) -> bool:
    return ledger.find_entry(session, number).kind == "decision"


def test_beam_and_threshold_are_those_of_the_newest_suggestion(store, answered):
    with store.read() as session:
        assert suggestions.newest_settings(session, "v1") is None
    answered(1)
    with store.read() as session:
        assert suggestions.newest_settings(session, "v1") == (BEAM, 0.125)
