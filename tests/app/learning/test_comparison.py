"""The gate on a store: sixty decisions, a retrained candidate, sixty more decisions, a verdict with an interval."""

import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.learning import comparison, process, snapshot
from app.learning.gate import VERDICTS
from app.learning.recipe import Options
from app.learning.worker import Work
from app.shell.settings import Settings
from app.shell.store import open_store
from db import people
from db.errors import Refused
from db.ledger import entries as ledger
from db.models import decided, decodings, registry, training_runs
from db.queue import claims as queue
from db.queue.shares import Shares, set_shares
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.checkpoint import load_tagger, save_tagger
from l2a.evidence.memory.word_table import WordTable
from l2a.evidence.source import FoldedWords
from l2a.tagger import Tagger
from tests.app.learning.test_gate_models import make_questions, train
from tests.l2a.ranking.priors import prior_of
from tests.learning_store import make_live, run_of

FIRST, MORE = 60, 60
WEIGHTS = {"model.standing": 4.0, "precedents.share": 1.0, "words.score": 1.0}


@pytest.fixture(scope="module")
def live_folder(tmp_path_factory) -> Path:
    """A model that knows its questions, with a ranker."""
    folder = tmp_path_factory.mktemp("live")
    tagger = train(make_questions(240, seed=1), folder / "trained")
    texts = [FoldedWords.of(question, tagger.codec.segmenter) for question in make_questions(100, seed=3)]
    save_tagger(replace(tagger, prior=prior_of(WEIGHTS, constant=-3.0), table=WordTable.count(texts)), folder / "model")
    return folder / "model"


@pytest.fixture(scope="module")
def filled(live_folder, tmp_path_factory) -> tuple[Path, dict[int, tuple[str, ...]]]:
    """A store with questions, a third of them served at random, and the right tags of each."""
    path = tmp_path_factory.mktemp("filled") / "store.db"
    asked = make_questions(600, seed=2)
    titles = list(dict.fromkeys(question.title for question in asked))
    with open_store(Settings(database=f"sqlite:///{path}")) as store:
        chen = store.run(lambda session: people.add(session, "chen", "admin")).id
        store.run(lambda session: set_shares(session, Shares(0.34, 0.0), by=chen))
        rows = [IncomingQuestion(line, f"{title}{line}") for line, title in enumerate(titles, start=1)]
        import_questions(store, rows, name="test", fingerprint="test")
        make_live(store, load_tagger(live_folder).version, str(live_folder), chen)
    tags = {question.title: question.tags for question in asked}
    return path, {line: tags[title] for line, title in enumerate(titles, start=1)}


@pytest.fixture
def chen(store, filled) -> int:
    with closing(sqlite3.connect(filled[0])) as made, closing(sqlite3.connect(store.path)) as new:
        made.backup(new)
    return 1


def decide(store, chen: int, right: dict[int, tuple[str, ...]], count: int) -> list[int]:
    done = []
    for _ in range(count):
        claim = store.run(lambda session: queue.claim(session, chen))
        verdicts = dict.fromkeys(right[claim.question_id], "added")
        submission = ledger.Submission(claim.question_id, chen, verdicts, lease_id=claim.lease_id)
        store.run(lambda session, submission=submission: ledger.submit(session, submission))
        done.append(claim.question_id)
    return done


@pytest.fixture
def run(settings, store, chen):
    """Call it to train on what was decided: the work as it stands at the end."""

    def run(options: Options, before=lambda work: None) -> Work:
        begun = store.run(lambda session: training_runs.begin(session, chen, options.to_dict()))
        work = Work(settings, store, begun.id)
        before(work)
        work.do()
        return work

    return run


def again(settings, store, chen: int, work: Work) -> dict:
    """What is found when the same candidate is compared once more."""
    store.run(lambda session: training_runs.compare_again(session, work.run_id, chen))
    Work(settings, store, work.run_id).do()
    return run_of(store, work.run_id).gate


def test_a_verdict_after_sixty_more_decisions(settings, store, chen, filled, run, live_folder, monkeypatch):
    first = decide(store, chen, filled[1], FIRST)
    work = run(Options(epochs=2))
    ended = run_of(store, work.run_id)
    held_out = ended.snapshot["held_out"]
    assert 0 < held_out < FIRST / 3
    assert ended.gate["questions"] == held_out
    assert ended.gate["verdict"] == VERDICTS[3]
    assert ended.gate["since"] == ended.snapshot["last_entry"]
    later = decide(store, chen, filled[1], MORE)
    os.utime(work.folder, (0, 0))
    found = again(settings, store, chen, work)
    assert work.folder.stat().st_mtime > 0  # when it began: the time left is worked out from it
    low, high = found["interval"]
    print(found["verdict"], found["difference"], found["interval"], found["live"]["f1"], found["candidate"]["f1"])
    assert found["questions"] == held_out + MORE
    assert found["verdict"] in VERDICTS[:3]
    assert low <= found["difference"] <= high
    assert low < high
    assert sum(part["questions"] for part in found["parts"].values()) == found["questions"]
    assert all(part["questions"] for part in found["parts"].values())
    assert found["parts"]["random"]["questions"] >= held_out
    assert found["since"] == ended.gate["since"]
    # Hypotheses are stored: the same verdict comes again without a search.
    monkeypatch.setattr(Tagger, "decode", lambda *given: pytest.fail("searched again"))
    assert again(settings, store, chen, work)["difference"] == found["difference"]
    assert run_of(store, work.run_id).gate["candidate"]["seconds_per_question"] is None
    beam = load_tagger(live_folder).settings.beam
    with store.read() as session:
        for version in (found["live"]["version"], found["candidate"]["version"]):
            assert all(decodings.find(session, question, version, beam) for question in later)
            assert not all(decodings.find(session, question, version, beam) for question in first)


def test_a_poisoned_candidate_is_worse(settings, store, chen, filled, run):
    def poison(work: Work) -> None:
        work._take_snapshot()
        path = work.folder / snapshot.TRAIN
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        tags = [row["tags"] for row in rows]
        random.Random(5).shuffle(tags)
        lines = (json.dumps({**row, "tags": given}) for row, given in zip(rows, tags, strict=True))
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    decide(store, chen, filled[1], FIRST)
    work = run(Options(epochs=30), poison)
    decide(store, chen, filled[1], MORE)
    found = again(settings, store, chen, work)
    print(found["verdict"], found["difference"], found["interval"], found["live"]["f1"], found["candidate"]["f1"])
    assert found["verdict"] == "worse"
    assert found["interval"][1] < 0


def test_memory_stands_still_at_the_snapshot_and_knows_no_tested_question(settings, store, chen, filled, live_folder):
    early = decide(store, chen, filled[1], 20)
    with store.read() as session:
        number, _ = decided.last_entry(session)
    later = decide(store, chen, filled[1], 10)
    version = registry_version(store)
    with store.read() as session:
        trial = comparison.choose(session, version, snapshot_at=number)
        taken = snapshot.take(session)
    held_out = {question.question_id for question in taken.held_out} & set(early)
    assert held_out
    assert {question.question_id for question in trial.questions} == held_out | set(later)
    knowledge = comparison.remember(store, load_tagger(live_folder), trial)
    assert {question for question, _ in knowledge.memory.newest()} == set(early) - held_out
    before = replace(load_tagger(live_folder), prior=None)
    assert comparison.remember(store, before, trial) is None


def registry_version(store) -> str:
    with store.read() as session:
        return registry.live(session).version


def test_decisions_that_the_live_model_was_trained_on_since_do_not_count(store, chen, filled):
    """Another run's candidate went live after the snapshot of the one that is compared."""
    first = registry_version(store)
    decide(store, chen, filled[1], 5)
    with store.read() as session:
        own, _ = decided.last_entry(session)
    decide(store, chen, filled[1], 5)
    with store.read() as session:
        newest, _ = decided.last_entry(session)

    def train_another(session) -> None:
        run = training_runs.begin(session, chen, {})
        training_runs.set_snapshot(session, run.id, {"last_entry": newest})
        registry.register(session, "v2", "models/v2", parent=first)
        training_runs.finish(session, run.id, "v2", None)
        registry.register(session, "v3", "models/v3", parent="v2")  # came of it, elsewhere

    store.run(train_another)
    with store.read() as session:
        assert comparison.choose(session, first, first, snapshot_at=own).since == own
        assert comparison.choose(session, "v2", first, snapshot_at=own).since == newest
        assert comparison.choose(session, "v3", first, snapshot_at=own).since == newest


def test_memory_is_made_twice_only_where_rankers_or_tables_differ(live_folder):
    tagger = load_tagger(live_folder)
    assert comparison.knows_alike(tagger, load_tagger(live_folder))
    assert not comparison.knows_alike(tagger, replace(tagger, prior=prior_of({"model.standing": 1.0})))
    assert not comparison.knows_alike(tagger, replace(tagger, prior=None))
    assert not comparison.knows_alike(tagger, replace(tagger, table=WordTable()))


def test_what_is_live_or_gone_is_not_compared_again(settings, store, chen, filled, live_folder, tmp_path):
    version = registry_version(store)
    folder = tmp_path / "candidate"
    shutil.copytree(live_folder, folder)
    (folder / "config.json").write_text(json.dumps({"kind": "l2a-tagger", "version": "v2"}))

    def finish(session):
        run = training_runs.begin(session, chen, {})
        registry.register(session, "v2", str(folder), parent=version)
        training_runs.finish(session, run.id, "v2", {})
        return run.id

    run = store.run(finish)
    store.run(lambda session: registry.promote(session, "v2", chen))
    with pytest.raises(Refused, match="v2 is live by now, so there is nothing to compare it with"):
        process.compare_again(settings, store, chen, run)
    store.run(lambda session: registry.roll_back(session, chen))
    shutil.rmtree(folder)
    with pytest.raises(Refused, match="The files of v2 are gone"):
        process.compare_again(settings, store, chen, run)
    assert run_of(store, run).state == "finished"


def test_a_question_of_which_nothing_is_left_gets_no_tag_and_ends_nothing(store, chen, filled, live_folder):
    with store.read() as session:
        rows = list(decided.decided_questions(session))
    assert rows == []
    question = decided.DecidedQuestion(1, "a", "random", ("random",), "   ", "", "", ("编程",), (), (), "single")
    trial = comparison.Trial(0, (question,))
    found = comparison.answer(store, load_tagger(live_folder), trial, None)
    assert (found.tags, found.seconds) == (((),), None)
