"""A store to learn from, for the tests of retraining: the samples, a live tiny model, decisions."""

import json
import time
from collections.abc import Callable
from pathlib import Path

from app.transfer.importer import import_file
from db import people
from db.ledger import entries as ledger
from db.ledger.entries import Submission
from db.models import registry, training_runs
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares
from db.store.engine import Store

WORKER_SECONDS = 120  # more than any run of a tiny model takes, on a busy machine too


def fill(store: Store, samples: Path, model: Path, *, random: float = 0.5) -> int:
    """Questions, chen the admin, and the model live; returns chen's number."""
    chen = store.run(lambda session: people.add(session, "chen", "admin")).id
    store.run(lambda session: set_shares(session, Shares(random, 0.0), by=chen))
    import_file(store, str(samples), source="samples", skip_bad=True)
    make_live(store, json.loads((model / "config.json").read_text())["version"], str(model), chen)
    return chen


def make_live(store: Store, version: str, path: str, person_id: int) -> None:
    def work(session):
        registry.register(session, version, path)
        registry.promote(session, version, person_id)

    store.run(work)


def decide_next(store: Store, person_id: int, number: int) -> list[int]:
    """Take questions from the queue and give each the tags it came with."""
    decided = []
    for _ in range(number):
        claim = store.run(lambda session: queue.claim(session, person_id))
        verdicts = dict.fromkeys(claim.prior_tags or ("无标签",), "added")
        submission = Submission(claim.question_id, person_id, verdicts, lease_id=claim.lease_id)
        store.run(lambda session, submission=submission: ledger.submit(session, submission))
        decided.append(claim.question_id)
    return decided


def run_of(store: Store, run_id: int) -> training_runs.Run:
    with store.read() as session:
        return training_runs.get(session, run_id)


def wait_for(what: Callable[[], object], seconds: float = WORKER_SECONDS):
    """What `what` gives as soon as it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.02)
    raise AssertionError(f"did not happen within {seconds} seconds")


def wait_until_ended(store: Store, run_id: int) -> training_runs.Run:
    return wait_for(lambda: (run := run_of(store, run_id)).state != "running" and run)
