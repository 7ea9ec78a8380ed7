"""A process that writes is killed at any moment: what it said is stored is stored, and others go on at once."""

import random
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from signal import SIGKILL

import pytest
from sqlalchemy import func, select, update

from db.ledger.entries import find_receipt
from db.store.clock import read_clock
from db.store.engine import Store
from db.store.tables import Entry, Import, Lease, PriorLabel, Question, Tag, TagName
from db.transfer.importing import import_questions
from tests.db import workers
from tests.db.conftest import add_questions
from tests.db.invariants import check_database, check_store

KILLS = [pytest.param(5, id="short"), pytest.param(50, id="full", marks=pytest.mark.soak)]
SOON = 0.2  # seconds: a dozen transactions
QUESTIONS = 40  # a kill: more than a process can answer before it is killed


def kill_while_writing(work: Callable, *arguments, printed: Path, chance: random.Random) -> int:
    """Start a process that prints to `printed`, and kill -9 it at some moment; how it ended."""
    printed.touch()
    before = printed.stat().st_size
    process = workers.PROCESSES.Process(target=work, args=(*arguments, str(printed)))
    process.start()
    if chance.random() < 0.8:  # otherwise it may die before its first transaction, or in it
        while printed.stat().st_size == before and process.is_alive():
            time.sleep(0.002)
    time.sleep(chance.uniform(0, SOON))
    process.kill()
    process.join()
    return process.exitcode


def numbers_in(printed: Path) -> list[int]:
    return [int(line) for line in printed.read_text(encoding="ascii").splitlines()]


def let_leases_run_out(store: Store) -> None:
    def work(session):
        past = read_clock(session) - timedelta(seconds=1)
        session.execute(update(Lease).where(Lease.state == "held").values(expires_at=past))

    store.run(work)


@pytest.mark.parametrize("kills", KILLS)
def test_every_receipt_printed_before_a_kill_is_stored(store, url, team, tmp_path, kills):
    chance = random.Random(kills)
    printed = tmp_path / "receipts"
    add_questions(store, QUESTIONS * kills)
    ours = []
    for _ in range(kills):
        assert kill_while_writing(workers.answer_and_print, url, team.li, printed=printed, chance=chance) == -SIGKILL
        check_store(store)
        # Another process goes on at once, and gets what the dead one held when its lease has run out.
        ours.append(workers.claim_and_submit(url, team.wang, seed=0))
        let_leases_run_out(store)
        ours.append(workers.claim_and_submit(url, team.wang, seed=1))
    assert None not in ours
    said = numbers_in(printed)
    assert said  # they had been writing; how much is a matter of the machine
    receipts = said + [decision.number for decision in ours]
    assert len(set(receipts)) == len(receipts)
    with store.read() as session:
        for number in receipts:
            assert find_receipt(session, number).standing == "answer"
        stored = session.scalar(select(func.count()).where(Entry.kind == "decision"))
    # Each may have been killed between its commit and its word.
    assert len(receipts) <= stored <= len(receipts) + kills
    check_store(store)
    # And in the end nothing is stuck: all that was not answered can be.
    let_leases_run_out(store)
    workers.answer_all(url, team.admin, "zhihu", seed=2)
    workers.answer_all(url, team.admin, "guokr", seed=3)
    with store.read() as session:
        answers = session.execute(select(Entry.question_id).where(Entry.kind == "decision")).all()
    assert len(answers) == len(set(answers)) == QUESTIONS * kills
    check_store(store)


@pytest.mark.parametrize("kills", KILLS)
def test_an_import_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(store, url, team, tmp_path, kills):
    chance = random.Random(kills)
    printed = tmp_path / "progress"
    count = 1_500 * kills
    for _ in range(kills):
        how = kill_while_writing(workers.import_and_print, url, count, "import", printed=printed, chance=chance)
        assert how in (-SIGKILL, 0)
        said = numbers_in(printed)
        with store.read() as session:
            stored = session.scalar(select(func.coalesce(func.max(Import.rows_done), 0)))
            assert session.scalar(select(func.count(Question.id))) == stored
        assert not said or stored >= said[-1]
        check_database(store)
        assert workers.claim_and_submit(url, team.wang, seed=0) is not None or not stored
    report = import_questions(store, workers.rows(count, "import"), name="file.jsonl", fingerprint="import")
    again = import_questions(store, workers.rows(count, "import"), name="file.jsonl", fingerprint="import")
    if report.added:  # else the last one had come to its end before it was killed
        assert (report.rows, report.added, report.duplicates, report.bad) == (count, count, 0, 0)
    assert (again.rows, again.added, again.duplicates, again.bad) == (count, 0, count, 0)
    check_rows(store, count)
    check_store(store)


def check_rows(store: Store, count: int) -> None:
    """The questions and prior labels are those of the file, each once."""
    expected = {row.title: row.tags for row in workers.rows(count, "import")}
    with store.read() as session:
        titles = session.scalars(select(Question.title)).all()
        labels = session.execute(
            select(Question.title, PriorLabel.text).join(PriorLabel).order_by(Question.id, PriorLabel.place)
        ).all()
        uses = session.scalar(select(Tag.uses).join(TagName).where(TagName.key == "标签1"))
    assert sorted(titles) == sorted(expected)
    assert sorted(labels) == sorted((title, tag) for title, tags in expected.items() for tag in tags)
    assert uses == sum("标签1" in tags for tags in expected.values())
