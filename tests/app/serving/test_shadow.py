"""A candidate in the shadow: the background work asks it, after everything that people wait for."""

import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from app.serving import hypotheses, shadow
from app.serving.model_queue import ModelQueue
from app.serving.suggester import Suggester
from db import people
from db.ledger import entries as ledger
from db.models import decodings, registry, suggestions
from db.models import shadow as shadows
from db.queue import claims as queue
from db.store import schema
from db.store.engine import Store
from db.transfer.importing import IncomingQuestion, import_questions
from l2a.checkpoint import save_tagger
from l2a.data.questions import Question
from l2a.tagger import Tagger
from tests.learning_store import make_live, wait_for

BEAM = 2


@pytest.fixture(scope="module")
def folders(tiny_tagger, tmp_path_factory) -> dict[str, Path]:
    """Two versions of the tiny model that say the same."""
    folder = tmp_path_factory.mktemp("models")
    found = {}
    for place, threshold in enumerate((0.25, 0.5)):
        settings = replace(tiny_tagger.settings, threshold=threshold)
        version = save_tagger(replace(tiny_tagger, settings=settings), folder / str(place))
        found[version] = folder / str(place)
    return found


@pytest.fixture
def live(folders) -> str:
    return next(iter(folders))


@pytest.fixture
def candidate(folders) -> str:
    return list(folders)[1]


@pytest.fixture
def store(tmp_path, folders, live, candidate):
    with Store(f"sqlite:///{tmp_path / 'store.db'}") as opened:
        schema.prepare(opened)
        rows = [IncomingQuestion(line, f"第{line}个问题怎么学编程？") for line in range(1, 7)]
        import_questions(opened, rows, name="test", fingerprint="test")
        make_live(opened, live, str(folders[live]), None)
        opened.run(lambda session: registry.register(session, candidate, str(folders[candidate])))
        yield opened


@pytest.fixture
def suggester(store):
    made = Suggester(store, Tagger.load, Path("none"), BEAM)
    yield made
    made.close()


@pytest.fixture
def chen(store) -> int:
    return store.run(lambda session: people.add(session, "chen", "admin")).id


def decide(store, person: int, count: int) -> list[int]:
    done = []
    for _ in range(count):
        claim = store.run(lambda session: queue.claim(session, person))
        submission = ledger.Submission(claim.question_id, person, {"编程": "added"}, lease_id=claim.lease_id)
        store.run(lambda session, submission=submission: ledger.submit(session, submission))
        done.append(claim.question_id)
    return done


def start(store, version: str, questions: int = 9) -> None:
    store.run(lambda session: shadows.start(session, version, questions, None))


def asked(store, version: str) -> list[int]:
    with store.read() as session:
        return [number for number in range(1, 7) if decodings.find(session, number, version, BEAM)]


def ask_all(store, suggester) -> int:
    count = 0
    while shadow.ask_one(store, suggester, ModelQueue(), BEAM):
        count += 1
    return count


def test_it_finds_what_the_model_itself_would_find_and_nobody_sees_it(store, suggester, chen, candidate, folders):
    assert ask_all(store, suggester) == 0  # nobody is in the shadow
    start(store, candidate)
    done = decide(store, chen, 3)
    assert ask_all(store, suggester) == 3
    assert asked(store, candidate) == sorted(done)
    found = hypotheses.find(store, done[0], candidate, BEAM)
    (answer,) = Tagger.load(folders[candidate]).suggest([Question(title=f"第{done[0]}个问题怎么学编程？")], beam=BEAM)
    assert tuple(found) == answer.hypotheses
    with store.read() as session:
        assert not [one for number in done for one in suggestions.history(session, number)]


def test_it_ends_after_its_number_of_questions(store, suggester, chen, candidate):
    start(store, candidate, 2)
    decide(store, chen, 4)
    assert ask_all(store, suggester) == 2
    with store.read() as session:
        assert shadows.standing(session).left == 0


def test_one_that_went_live_or_whose_files_are_gone_leaves_the_shadow(
    store, suggester, chen, candidate, tmp_path, folders
):
    start(store, candidate)
    decide(store, chen, 2)
    store.run(lambda session: registry.promote(session, candidate, None))
    assert ask_all(store, suggester) == 0
    with store.read() as session:
        assert shadows.standing(session) is None
    shutil.copytree(folders[candidate], tmp_path / "gone")
    store.run(lambda session: registry.register(session, "v9", str(tmp_path / "gone")))
    start(store, "v9")
    shutil.rmtree(tmp_path / "gone")
    decide(store, chen, 1)
    assert ask_all(store, suggester) == 0
    with store.read() as session:
        assert shadows.standing(session) is None


def test_the_background_work_asks_it_after_the_live_model(store, suggester, chen, live, candidate, monkeypatch):
    start(store, candidate, 2)
    decide(store, chen, 2)
    order = []
    decode = Tagger.decode

    def watched(self, *given, **options):
        order.append(self.version)
        return decode(self, *given, **options)

    monkeypatch.setattr(Tagger, "decode", watched)
    suggester._worker = threading.Thread(target=suggester._work_ahead, daemon=True)  # `close` waits for it
    suggester._wake.set()
    suggester._worker.start()
    wait_for(lambda: len(asked(store, candidate)) == 2)
    assert order == [live] * 4 + [candidate] * 2  # four questions are open
