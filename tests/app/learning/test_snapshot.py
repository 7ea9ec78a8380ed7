"""The training set, taken from a real store: what is held out for good, what is left out, and the same rows again."""

from datetime import datetime

import pytest
from sqlalchemy import event, select

from app.learning import process, redaction, snapshot, worker
from db import people
from db.errors import Refused
from db.ledger import entries as ledger
from db.models import registry, suggestions, training_runs
from db.models.suggestions import ProposedTag
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares
from db.store.tables import Question, QueueItem
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.data.questions import read_questions
from l2a.training import cutting
from tests.learning_store import decide_next

FIRST_HALF = tuple("01234567")  # last digits of the hashes that are held out


@pytest.fixture
def chen(store) -> int:
    return store.run(lambda session: people.add(session, "chen", "admin")).id


def share(store, random: float, blind: float = 0.0) -> None:
    store.run(lambda session: set_shares(session, Shares(random, blind)))


def add(store, *titles: str) -> None:
    rows = [IncomingQuestion(number, title, tags=("标签",)) for number, title in enumerate(titles, start=1)]
    import_questions(store, rows, name="q", fingerprint=titles[0])


def distinct(number: int, begin: int = 0x4E00) -> list[str]:
    """So many titles that share no three characters."""
    return ["".join(map(chr, range(begin + 12 * place, begin + 12 * place + 12))) for place in range(number)]


def take(store, as_of=None) -> snapshot.Snapshot:
    with store.read() as session:
        return snapshot.take(session, as_of)


def hashes(store) -> dict[int, str]:
    with store.read() as session:
        return dict(session.execute(select(Question.id, Question.text_hash)).all())


def decide(store, question: int, person: int, **verdicts: str) -> None:
    submission = ledger.Submission(question, person, verdicts)
    store.run(lambda session: ledger.submit(session, submission))


def ids(rows) -> set[int]:
    return {row.question_id for row in rows}


@pytest.mark.parametrize("shares", [(1.0, 0.0), (0.0, 1.0)])
def test_half_of_what_was_served_at_random_or_blind_is_held_out(store, chen, shares):
    share(store, *shares)
    add(store, *distinct(40))
    served = set(decide_next(store, chen, 30))
    found, known = take(store), hashes(store)
    first_half = {number for number, text_hash in known.items() if text_hash.endswith(FIRST_HALF)}
    assert 5 < len(served & first_half) < 25  # so both parts are tested
    assert ids(found.held_out) == served & first_half
    assert ids(found.train) == served - first_half
    assert (found.about.train, found.about.held_out) == (len(found.train), len(found.held_out))
    assert found.about.reserved == 0


@pytest.mark.parametrize("shares", [(0.3, 0.0), (0.0, 0.3), (0.2, 0.2)])
def test_it_is_half_of_them_however_small_the_share(store, chen, shares):
    share(store, *shares)
    add(store, *distinct(120))
    known = hashes(store)
    with store.read() as session:
        pools = dict(session.execute(select(QueueItem.question_id, QueueItem.pool)).all())
    set_aside = {number for number, pool in pools.items() if pool != "ordered"}
    assert 20 < len(set_aside) < 80
    decided = set(decide_next(store, chen, 110))
    taken = take(store)
    assert ids(taken.held_out) == {n for n in decided & set_aside if known[n].endswith(FIRST_HALF)}
    assert len(set_aside & ids(taken.train)) > len(set_aside) / 4
    assert len(taken.held_out) > len(set_aside) / 4


def test_a_question_that_somebody_asked_for_is_neither_tested_nor_trained_on(store, chen):
    share(store, 1.0)
    add(store, *distinct(30))
    known = hashes(store)
    for question in known:
        decide(store, question, chen, 标签="added", 别的="added")
    first_half = {number for number, text_hash in known.items() if text_hash.endswith(FIRST_HALF)}
    found = take(store)
    assert first_half
    assert found.about.reserved == len(first_half)
    assert ids(found.train) == known.keys() - first_half
    assert found.held_out == ()


def test_questions_served_in_order_are_all_trained_on(store, chen):
    share(store, 0.0)
    add(store, *distinct(20))
    served = decide_next(store, chen, 20)
    found = take(store)
    assert ids(found.train) == set(served)
    assert found.held_out == ()


def test_rejected_tags_of_the_training_rows_are_counted(store, chen):
    from db.models import registry, suggestions
    from db.models.suggestions import ProposedTag

    share(store, 0.0)
    add(store, *distinct(1))

    def suggest(session):
        registry.register(session, "v1", "models/v1")
        tags = [ProposedTag("对", 8, 0.9, True, False), ProposedTag("错", 5, 0.4, True, False)]
        return suggestions.record(session, 1, "v1", 8, 0.25, tags)

    number = store.run(suggest)
    verdicts = {"对": "accepted", "错": "rejected"}
    store.run(lambda session: ledger.submit(session, ledger.Submission(1, chen, verdicts, suggestion_id=number)))
    found = take(store)
    assert found.about.rejected == 1
    assert [(row.tags, row.rejected) for row in found.train] == [(("对",), ("错",))]


def test_what_is_nearly_a_held_out_question_is_not_trained_on(store, chen):
    share(store, 1.0)
    add(store, *distinct(12))
    decide_next(store, chen, 12)
    held_out = take(store).held_out[0]
    share(store, 0.0)
    (other,) = distinct(1, 0x8000)
    add(store, f"{held_out.title}呢", other)
    near, far = sorted(hashes(store))[-2:]
    decide_next(store, chen, 2)
    found = take(store)
    assert found.about.near_duplicates == 1
    assert near not in ids(found.train)
    assert far in ids(found.train)
    assert held_out in found.held_out


def test_the_same_moment_gives_the_same_hash_and_a_new_decision_another(store, chen):
    share(store, 0.5)
    add(store, *distinct(30))
    decide_next(store, chen, 10)
    first = take(store)
    decide_next(store, chen, 5)
    again, now = take(store, datetime.fromisoformat(first.about.as_of)), take(store)
    assert again.about.hash == first.about.hash
    assert (again.train, again.held_out) == (first.train, first.held_out)
    assert now.about.hash != first.about.hash
    assert len(now.train) + len(now.held_out) == 15
    assert now.about.last_entry > first.about.last_entry


def test_a_change_of_mind_changes_the_hash(store, chen):
    share(store, 0.0)
    add(store, *distinct(3))
    decide(store, 1, chen, 标签="added")
    first = take(store)
    decide(store, 1, chen, 别的="added")
    assert take(store).about.hash != first.about.hash
    assert take(store, datetime.fromisoformat(first.about.as_of)).about.hash == first.about.hash


def test_it_is_rebuilt_until_a_redaction_takes_a_question_away(store, chen):
    share(store, 0.0)
    add(store, *distinct(6))
    decided = decide_next(store, chen, 4)
    about = take(store).about
    decide_next(store, chen, 2)
    with store.read() as session:
        assert ids(snapshot.rebuild(session, about).train) == set(decided)
    store.run(lambda session: ledger.redact(session, decided[0], chen, reason="asked for"))
    with store.read() as session, pytest.raises(Refused, match=f"no longer those of snapshot {about.hash[:12]}"):
        snapshot.rebuild(session, about)


def test_it_is_written_whole_and_read_again(store, chen, tmp_path):
    share(store, 0.5)
    add(store, *distinct(30))
    decide_next(store, chen, 30)
    found = take(store)
    assert found.train
    assert found.held_out
    folder = tmp_path / "run"
    assert snapshot.read_about(folder) is None
    snapshot.write(found, folder)
    assert snapshot.read_about(folder) == found.about
    read = list(read_questions(folder / snapshot.TRAIN))
    assert [(q.title, q.tags) for q in read] == [(row.title, row.tags) for row in found.train]
    tested = list(read_questions(folder / snapshot.HELD_OUT))
    assert [(q.title, q.tags) for q in tested] == [(row.title, row.tags) for row in found.held_out]
    (folder / snapshot.ABOUT).unlink()  # a folder without it was not written to its end
    assert snapshot.read_about(folder) is None


def test_an_empty_store_gives_an_empty_snapshot(store):
    found = take(store)
    assert (found.about.train, found.about.held_out, found.about.last_entry, found.about.as_of) == (0, 0, 0, None)


# --- counted, not taken


def check_counts(store) -> snapshot.Material:
    """The database counts what a snapshot would hold, but for near duplicates."""
    about = take(store).about
    with store.read() as session:
        found = snapshot.count(session)
    assert found.train == about.train + about.near_duplicates
    assert (found.held_out, found.reserved) == (about.held_out, about.reserved)
    if not about.near_duplicates:
        assert found.rejected == about.rejected
    return found


def test_the_database_counts_what_a_snapshot_would_hold(store, chen):
    share(store, 0.5, 0.2)
    add(store, *distinct(60))
    li = store.run(lambda session: people.add(session, "li", by=chen)).id
    assert check_counts(store) == snapshot.Material(0, 0, 0, 0)
    decided = decide_next(store, chen, 30)
    left = [number for number in hashes(store) if number not in decided]
    check_counts(store)
    for question in left[:10]:  # asked for by their numbers
        decide(store, question, chen, 标签="added")
    found = check_counts(store)
    assert min(found.train, found.held_out, found.reserved) > 0
    store.run(lambda session: queue.set_overlap(session, 2))
    decide(store, decided[0], li, 别的="added")  # a conflict
    decide(store, decided[1], li, 标签="added")  # agreed
    decide(store, decided[2], chen, 别的="added")  # a change of mind
    check_counts(store)
    store.run(lambda session: ledger.review(session, decided[0], chen, ["标签"]))
    store.run(lambda session: ledger.redact(session, decided[3], chen, reason="x"))
    check_counts(store)


def test_rejected_tags_are_counted_as_they_stand(store, chen):
    share(store, 0.0)
    add(store, *distinct(6))
    store.run(lambda session: registry.register(session, "v1", "m"))

    def reject(question: int, *tags: str) -> int:
        proposed = [ProposedTag(tag, 3, 0.5, True, False) for tag in tags]
        number = store.run(lambda session: suggestions.record(session, question, "v1", 4, 0.5, proposed))
        verdicts = dict.fromkeys(tags, "rejected")
        submission = ledger.Submission(question, chen, {**verdicts, "对": "added"}, suggestion_id=number)
        return store.run(lambda session: ledger.submit(session, submission)).number

    first, second, third, fourth, *_ = sorted(hashes(store))
    reject(first, "甲", "乙")
    assert check_counts(store).rejected == 2
    taken_back = reject(second, "丙")
    undone = store.run(lambda session: ledger.undo(session, taken_back, chen)).number
    assert check_counts(store).rejected == 2
    store.run(lambda session: ledger.undo(session, undone, chen))
    assert check_counts(store).rejected == 3
    reject(third, "丁")
    decide(store, third, chen, 丁="added")  # a change of mind
    assert check_counts(store).rejected == 3
    reject(fourth, "戊")
    store.run(lambda session: ledger.review(session, fourth, chen, ["别的"]))  # rejects what the opinion held
    assert check_counts(store).rejected == 4


def test_to_count_reads_no_text(store, chen):
    share(store, 0.5)
    add(store, *distinct(12))
    decide_next(store, chen, 8)
    statements = []
    with store.read() as session:
        event.listen(session.connection(), "before_cursor_execute", lambda *given: statements.append(given[2]))
        snapshot.count(session)
    assert statements
    assert not [statement for statement in statements if "title" in statement or "description" in statement]


# --- redacted afterwards


def test_a_redaction_takes_the_question_out_of_every_runs_files(store, chen, settings, tmp_path):
    share(store, 0.5)
    add(store, *distinct(30))
    decided = decide_next(store, chen, 24)
    run = store.run(lambda session: training_runs.begin(session, chen, {}))
    folder = tmp_path / "runs" / f"run-{run.id:04d}"
    taken = take(store)
    snapshot.write(taken, folder)
    assert snapshot.is_whole(folder)
    gone = [taken.train[0].question_id, taken.held_out[0].question_id]
    words = [taken.train[0].title, taken.held_out[0].title]
    assert set(gone) <= set(decided)
    for question in gone:
        store.run(lambda session, question=question: ledger.redact(session, question, chen, reason="x"))
    assert redaction.forget(settings, store) == redaction.Forgotten(2, ())
    kept = "".join(file.read_text(encoding="utf-8") for file in folder.iterdir())
    assert not [title for title in words if title in kept]
    assert taken.train[1].title in kept
    assert not snapshot.is_whole(folder)
    assert redaction.forget(settings, store) == redaction.Forgotten(0, ())


def test_a_run_whose_files_are_elsewhere_is_named(store, chen, settings):
    run = store.run(lambda session: training_runs.begin(session, chen, {}))
    store.run(lambda session: training_runs.set_snapshot(session, run.id, {"train": 1}))
    assert redaction.forget(settings, store).elsewhere == (str(settings.runs / f"run-{run.id:04d}"),)


def test_the_words_that_trainings_by_hand_keep_go_too(store, settings, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kept = cutting.default_cache() / "0.jsonl.gz"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"words")
    redaction.forget(settings, store)
    assert not kept.exists()


@pytest.fixture
def run_of_twenty(store, chen, settings):
    """A run that has begun, in a store with twenty decisions: its work and its folder."""
    share(store, 0.0)
    add(store, *distinct(20))
    decide_next(store, chen, 20)
    run = store.run(lambda session: training_runs.begin(session, chen, {}))
    return worker.Work(settings, store, run.id), process.folder_of(settings, run.id)


def test_a_run_that_goes_on_after_a_redaction_takes_its_snapshot_again(store, chen, settings, run_of_twenty):
    work, folder = run_of_twenty
    work._take_snapshot()
    (folder / "training").mkdir()
    work._take_snapshot()
    assert (folder / "training").is_dir()  # nothing was redacted: it goes on
    question = min(hashes(store))
    store.run(lambda session: ledger.redact(session, question, chen, reason="x"))
    assert redaction.forget(settings, store).rows == 1
    work._take_snapshot()
    assert (snapshot.is_whole(folder), snapshot.read_about(folder).train) == (True, 19)
    assert not (folder / "training").exists()  # what was learnt from other rows cannot go on


def test_a_redaction_while_a_snapshot_is_written_leaves_no_row_in_it(store, chen, run_of_twenty, monkeypatch):
    work, folder = run_of_twenty
    question = min(hashes(store))
    write = snapshot.write

    def redact_then_write(*given) -> None:
        store.run(lambda session: ledger.redact(session, question, chen, reason="x"))
        write(*given)

    monkeypatch.setattr(snapshot, "write", redact_then_write)
    work._take_snapshot()
    rows = list(read_questions(folder / snapshot.TRAIN))
    assert len(rows) == 19
    assert str(question) not in {row.id for row in rows}
