"""`retrain`, `suggest` and `models prune`: what they store, what they print, and how they end."""

import re

import pytest
from sqlalchemy import func, select

from app.cli import main
from app.learning import process
from app.learning.recipe import Options
from app.retrain.standing import PHASES
from db.models import registry, suggestions, training_runs
from db.queue import claims as queue
from db.store.tables import SuggestedTag, Suggestion
from tests.learning_store import decide_next, fill, make_live, run_of

GATE = {
    "verdict": "better",
    "questions": 250,
    "difference": 0.05,
    "interval": [0.01, 0.09],
    "parts": {
        "random": {
            "verdict": "not distinguishable",
            "questions": 40,
            "difference": 0.06,
            "interval": [-0.01, 0.13],
        }
    },
}


@pytest.fixture
def runs(monkeypatch, tmp_path):
    monkeypatch.setenv("L2A_RUNS", str(tmp_path / "runs"))
    return tmp_path / "runs"


@pytest.fixture
def spawned(monkeypatch, runs) -> list:
    """Runs whose process would have been started; they count as alive."""
    found = []

    def spawn(settings, store, run):
        found.append((settings, run))
        return run

    monkeypatch.setattr(process, "_spawn", spawn)
    monkeypatch.setattr(process, "_lives", lambda run, now: True)
    return found


def states(store) -> list[str]:
    with store.read() as session:
        return [run.state for run in training_runs.recent(session)]


# --- retrain ----------------------------------------------------------------------------------------------------------


def test_start_hands_over_the_options(answer, filled, store, spawned, monkeypatch, tmp_path):
    monkeypatch.setenv("L2A_REPLAY", "old.jsonl:older.jsonl")
    out = answer("retrain", "start", "--scratch", "--minutes", "2.5", "--replay", "--epochs", "3", "--seed", "7")
    assert out == "Run 1 has started. To follow it: python -m app retrain status\n"
    ((settings, run),) = spawned
    assert Options.from_dict(run.options) == Options(
        mode="scratch", minutes=2.5, epochs=3, replay=("old.jsonl", "older.jsonl"), seed=7
    )
    assert run.requested_by == "chen"
    assert settings.database == f"sqlite:///{tmp_path / 'store.db'}"


def test_a_second_start_is_refused_with_exit_code_1(call, filled, store, spawned):
    call("retrain", "start")
    code, out, err = call("retrain", "start")
    assert code == 1
    assert err.startswith("app: Training run 1 is running already: chen asked for it on ")
    assert out == ""
    assert len(spawned) == 1


def test_who_may_not_change_models_starts_nothing(call, filled, store, spawned):
    code, _, err = call("retrain", "start", "--as", "zhao")
    assert code == 1
    assert "to change models takes an admin" in err
    assert states(store) == []


def test_replay_without_files_is_refused(call, filled, spawned):
    code, _, err = call("retrain", "start", "--replay")
    assert code == 1
    assert "L2A_REPLAY names no files" in err


@pytest.mark.parametrize("minutes", ["0", "-1", "1441", "nan", "x"])
def test_minutes_out_of_range_are_refused(call, filled, minutes):
    with pytest.raises(SystemExit) as end:
        call("retrain", "start", f"--minutes={minutes}")
    assert end.value.code == 2


def test_status_of_a_run_that_is_going(call, answer, filled, store, spawned):
    assert answer("retrain", "status") == "There is no training run yet.\n"
    call("retrain", "start")
    store.run(lambda session: training_runs.beat(session, 1, phase="training", done=40, total=1200))
    lines = answer("retrain", "status").splitlines()
    assert re.fullmatch(r"run\t1\trunning\tasked for by chen, .+", lines[0])
    assert lines[1:] == ["phase\ttraining", "progress\t40 of 1,200"]


def test_status_says_what_came_of_it(call, answer, filled, store, spawned):
    call("retrain", "start")
    store.run(lambda session: training_runs.finish(session, 1, "v2", GATE))
    lines = answer("retrain", "status").splitlines()
    assert lines[1:] == [
        "candidate\tv2",
        "verdict\tbetter\ton 250 questions",
        "f1\t+0.0500\t95% +0.0100 to +0.0900",
        "f1 random\t+0.0600\t95% -0.0100 to +0.1300\tnot distinguishable\ton 40 questions",
        "To make it live: python -m app models promote v2",
        "since\t0 questions were decided after its snapshot; to compare: python -m app retrain gate",
    ]


def test_status_of_a_failed_run_ends_with_exit_code_1(call, filled, store, spawned):
    call("retrain", "start")
    store.run(lambda session: training_runs.fail(session, 1, "The disk is full."))
    code, out, _ = call("retrain", "status")
    assert code == 1
    assert "message\tThe disk is full." in out


def test_cancel_asks_and_again_goes_on(call, answer, filled, store, spawned):
    code, _, err = call("retrain", "cancel")
    assert (code, err) == (1, "app: No training run is running, so there is nothing to cancel.\n")
    call("retrain", "start")
    assert "asked to stop" in answer("retrain", "cancel")
    assert run_of(store, 1).cancel_requested
    store.run(lambda session: training_runs.cancelled(session, 1))
    assert answer("retrain", "again") == "Run 1 has started. To follow it: python -m app retrain status\n"
    assert states(store) == ["running"]
    store.run(lambda session: training_runs.finish(session, 1, None, None))
    code, _, err = call("retrain", "again", "1")
    assert code == 1
    assert "only one that failed, was cancelled or was lost can start again" in err


@pytest.fixture
def candidate_folder(filled, store, runs):
    """v1 is live, and v2 came of the first run."""
    folder = runs / "run-0001" / "model"
    folder.mkdir(parents=True)
    make_live(store, "v1", "models/v1", filled.chen)

    def finish(session):
        run = training_runs.begin(session, filled.chen, Options().to_dict())
        registry.register(session, "v2", str(folder))
        training_runs.finish(session, run.id, "v2", GATE)

    store.run(finish)
    return folder


def test_gate_compares_the_newest_candidate_again(answer, refusal, filled, store, spawned, candidate_folder):
    assert answer("retrain", "gate") == "Run 1 has started. To follow it: python -m app retrain status\n"
    ((_, run),) = spawned
    assert (run.id, run.state, run.candidate, run.gate) == (1, "running", "v2", GATE)
    assert refusal("retrain", "gate", "9").startswith("There is no training run 9.")


def test_gate_without_a_candidate_says_what_to_do(refusal, filled, store, spawned):
    assert "No training run has come to its end yet" in refusal("retrain", "gate")
    assert "No training run has come to its end yet" in refusal("retrain", "shadow")


def test_a_shadow_is_started_looked_at_and_stopped(call, answer, filled, store, candidate_folder):
    assert answer("retrain", "shadow", "--questions", "50") == (
        "v2 runs in the shadow for 50 questions, while the app is open.\n"
    )
    assert "shadow\tv2\t0 of 50 questions" in answer("retrain", "status").splitlines()
    assert answer("retrain", "shadow", "--stop") == "v2 is in the shadow no longer: 0 of 50 questions.\n"
    assert "shadow" not in answer("retrain", "status")
    assert call("retrain", "shadow", "--stop")[0] == 1
    code, _, err = call("retrain", "shadow", "v1")
    assert (code, err) == (1, "app: v1 is live, so it needs no shadow: everybody sees what it says.\n")
    assert call("retrain", "shadow", "--as", "zhao")[0] == 1


def test_again_without_any_run_says_so(refusal, filled, spawned):
    assert refusal("retrain", "again").startswith("There is no training run yet.")
    assert refusal("retrain", "again", "9").startswith("There is no training run 9.")


def test_a_folder_that_cannot_be_written_ends_with_exit_code_1(call, filled, store, runs):
    runs.write_text("a file")
    code, out, _ = call("retrain", "start")
    assert code == 1
    assert "message\tThe training process could not be started" in out


def test_a_real_run_with_wait_shows_its_progress_and_prints_its_verdict(capsys, store, samples_path, tiny_model, runs):
    chen = fill(store, samples_path, tiny_model)
    decide_next(store, chen, 20)
    assert main(["retrain", "start", "--epochs", "2", "--wait"]) == 0
    out, err = capsys.readouterr()
    assert any(f"{phase}: " in err for phase in PHASES)
    assert "\tfinished\t" in out
    assert "verdict\ttoo few decisions\t" in out
    assert states(store) == ["finished"]


# --- models prune -----------------------------------------------------------------------------------------------------


@pytest.fixture
def candidate(filled, store, runs):
    folder = runs / "run-0001" / "model"
    folder.mkdir(parents=True)
    make_live(store, "v1", "models/v1", filled.chen)
    store.run(lambda session: registry.register(session, "v2", str(folder)))
    return folder


def test_prune_asks_and_deletes_the_folder_of_a_run(call, answer, refusal, candidate, at_terminal):
    assert "there is no terminal to ask on" in refusal("models", "prune", "v2")
    at_terminal("n")
    assert call("models", "prune", "v2")[0] == 1
    assert candidate.is_dir()
    at_terminal("y")
    code, out, _ = call("models", "prune", "v2")
    assert (code, out) == (0, f"v2 is pruned. {candidate}: deleted.\n")
    assert not candidate.exists()
    assert "v2\tpruned\t" in answer("models", "list")


def test_prune_leaves_other_folders_alone_and_the_live_one_stays(answer, refusal, candidate, store, tmp_path):
    outside = tmp_path / "mine"
    outside.mkdir()
    store.run(lambda session: registry.register(session, "v3", str(outside)))
    assert "left as it is" in answer("models", "prune", "v3", "--yes")
    assert outside.is_dir()
    assert refusal("models", "prune", "v1", "--yes").startswith("v1 is live, so its files must stay.")
    assert refusal("models", "prune", "v9", "--yes").startswith("There is no model version v9.")


# --- suggest ----------------------------------------------------------------------------------------------------------


def stored(store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(Suggestion))


@pytest.fixture
def live(store, samples_path, tiny_model, monkeypatch, tmp_path) -> int:
    """Some samples with the tiny model live; returns chen's number."""
    monkeypatch.setenv("L2A_BEAM", "2")
    some = tmp_path / "some.jsonl"
    some.write_text("".join(samples_path.read_text(encoding="utf-8").splitlines(keepends=True)[:50]), encoding="utf-8")
    return fill(store, some, tiny_model)


def test_every_open_question_gets_its_suggestions_once(answer, store, live):
    decide_next(store, live, 5)  # not open any more
    with store.read() as session:
        waiting = suggestions.count_waiting(session)
    assert re.fullmatch(rf"12 questions have suggestions of \w+ now; {waiting - 12} are left\.\n",
                        answer("suggest", "--limit", "12"))  # fmt: skip
    assert stored(store) == 12
    assert answer("suggest").endswith(" now; 0 are left.\n")  # goes on with those that have none
    assert stored(store) == waiting
    assert answer("suggest").startswith("0 questions have")
    assert stored(store) == waiting
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(SuggestedTag)) > waiting


def test_the_order_says_which_come_first(answer, store, live):
    with store.read() as session:
        first = [question.id for question in suggestions.waiting(session, "oldest", 10)]
    answer("suggest", "--limit", "3", "--order", "oldest")
    with store.read() as session:
        assert sorted(session.scalars(select(Suggestion.question_id))) == sorted(first)[:3] == sorted(first[:3])


def test_an_interruption_keeps_what_is_stored(call, store, live, monkeypatch):
    from app.serving.suggester import Suggester

    real, batches = Suggester.prepare, []

    def interrupted(self, waiting):
        if len(batches) == 2:
            raise KeyboardInterrupt
        batches.append(len(waiting))
        real(self, waiting)

    monkeypatch.setattr(Suggester, "prepare", interrupted)
    code, _, err = call("suggest", "--limit", "40")
    assert code == 130
    assert "what was stored stays" in err
    assert stored(store) == sum(batches) == 16


def test_blind_questions_get_no_suggestions(answer, store, live):
    from db.queue.shares import Shares, set_shares

    store.run(lambda session: set_shares(session, Shares(0.0, 1.0), by=live))
    assert answer("suggest").startswith("0 questions have")
    assert store.run(lambda session: queue.claim(session, live)) is not None
