"""Training runs: one at a time, always with somebody's name, and a process that was given up hears of it."""

import math
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from db.errors import NotFound, Refused
from db.models import training_runs
from db.store.tables import Entry, TrainingRun
from tests.db.actions import scalar


def do(store, function, *arguments, **options):
    """One function of db.models.training_runs in a transaction of its own."""
    return store.run(lambda session: function(session, *arguments, **options))


def look(store, run_id: int) -> training_runs.Run:
    with store.read() as session:
        return training_runs.get(session, run_id)


def noted(store) -> list[tuple[int | None, dict]]:
    """Person and payload of every line about training."""
    with store.read() as session:
        lines = select(Entry.person_id, Entry.payload).where(Entry.kind == "retrain").order_by(Entry.number)
        return [tuple(line) for line in session.execute(lines)]


@pytest.fixture
def run(store, team) -> int:
    return do(store, training_runs.begin, team.admin, {"epochs": 3}).id


# Ways for a run to end.
ENDS = {
    "finished": lambda session, run: training_runs.finish(session, run, "v2", {"passed": True}),
    "failed": lambda session, run: training_runs.fail(session, run, "out of memory"),
    "cancelled": training_runs.cancelled,
    "lost": lambda session, run: training_runs.lose(session, run, "no process 41"),
}


def test_a_run_begins_with_who_asked_and_what_for(store, team):
    run = do(store, training_runs.begin, team.admin, {"epochs": 3, "来源": ["知乎"]})
    assert (run.state, run.requested_by, run.options) == ("running", "chen", {"epochs": 3, "来源": ["知乎"]})
    assert (run.phase, run.done, run.total, run.message, run.folder, run.host) == ("", 0, 0, "", "", "")
    assert (run.pid, run.pid_started, run.candidate, run.gate, run.ended_at) == (None,) * 5
    assert (run.cancel_requested, run.snapshot) == (False, {})
    assert run == look(store, run.id)
    with store.read() as session:
        assert training_runs.current(session) == run
    assert noted(store) == [(team.admin, {"run": run.id, "action": "begin"})]


def test_nothing_runs_before_the_first_run(store):
    with store.read() as session:
        assert training_runs.current(session) is None
        assert training_runs.recent(session) == []
    with pytest.raises(NotFound, match=r"There is no training run 7\. There is none yet\."):
        look(store, 7)


def test_a_second_run_is_told_of_the_one_that_runs(store, team, run):
    since = f"{look(store, run).requested_at:%Y-%m-%d %H:%M} UTC"
    expected = f"Training run {run} is running already: chen asked for it on {since}\\. Wait until it has ended, or"
    with pytest.raises(Refused, match=expected):
        do(store, training_runs.begin, team.admin, {})
    assert len(noted(store)) == 1
    do(store, training_runs.cancelled, run)
    second = do(store, training_runs.begin, None, {})
    assert (second.id > run, second.requested_by) == (True, None)
    with pytest.raises(Refused, match=f"Training run {second.id} is running already: the program itself asked"):
        do(store, training_runs.begin, team.admin, {})


def test_the_database_itself_allows_no_second_running_run(store, team, run):
    with pytest.raises(IntegrityError), store.write() as session:
        session.add(TrainingRun())


def test_of_many_who_begin_at_once_one_does(store, team):
    def attempt(_) -> str:
        try:
            return str(do(store, training_runs.begin, team.admin, {}).id)
        except Refused as error:
            return str(error)

    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(attempt, range(8)))
    (begun,) = [outcome for outcome in outcomes if outcome.isdigit()]
    assert all(f"Training run {begun} is running already" in outcome for outcome in outcomes if outcome != begun)
    assert scalar(store, "SELECT count(*) FROM training_runs") == 1
    assert len(noted(store)) == 1


def test_training_is_for_admins(store, team, run):
    for person in (team.li, team.researcher):
        for function, arguments in (
            (training_runs.begin, (person, {})),
            (training_runs.ask_to_cancel, (run, person)),
            (training_runs.restart, (run, person)),
        ):
            with pytest.raises(Refused, match="to change models takes an admin"):
                do(store, function, *arguments)
    assert not look(store, run).cancel_requested
    assert len(noted(store)) == 1


def test_a_process_attaches_itself_and_says_how_far_it_is(store, run):
    began = look(store, run)
    do(store, training_runs.attach, run, host="gpu-1", pid=41, pid_started=1700000000.25, folder="models/runs/1")
    do(store, training_runs.set_snapshot, run, {"entry": 12, "questions": 400})
    assert do(store, training_runs.beat, run, phase="training", done=0, total=40, message="第一轮\0") is False
    assert do(store, training_runs.beat, run, done=7) is False
    now = look(store, run)
    assert (now.host, now.pid, now.pid_started, now.folder) == ("gpu-1", 41, 1700000000.25, "models/runs/1")
    assert (now.phase, now.done, now.total, now.message) == ("training", 7, 40, "第一轮")
    assert (now.snapshot, now.state, now.ended_at) == ({"entry": 12, "questions": 400}, "running", None)
    assert (now.options, now.requested_at) == (began.options, began.requested_at)
    do(store, training_runs.beat, run, done=0, message="")  # nothing is not the same as not said
    assert (look(store, run).done, look(store, run).message) == (0, "")


def test_a_beat_is_a_sign_of_life(store, run):
    with store.write() as session:
        long_ago = look(store, run).beat_at - timedelta(hours=1)
        session.get_one(TrainingRun, run).beat_at = long_ago
    assert look(store, run).beat_at == long_ago
    do(store, training_runs.beat, run)
    assert look(store, run).beat_at > long_ago + timedelta(minutes=59)


def test_a_finished_run_has_its_candidate_and_what_the_gate_said(store, run):
    gate = {"passed": False, "f1": [0.5, math.nan], "why": {"slower": -math.inf}}
    do(store, training_runs.finish, run, "v2", gate)
    ended = look(store, run)
    assert (ended.state, ended.candidate) == ("finished", "v2")
    assert ended.gate == {"passed": False, "f1": [0.5, None], "why": {"slower": None}}  # JSON has no NaN
    assert ended.ended_at >= ended.requested_at
    with store.read() as session:
        assert training_runs.current(session) is None


def test_a_run_may_finish_without_a_candidate(store, run):
    do(store, training_runs.finish, run, None, None)
    assert (look(store, run).state, look(store, run).candidate, look(store, run).gate) == ("finished", None, None)
    assert scalar(store, "SELECT count(*) FROM training_runs WHERE gate IS NULL") == 1


def test_what_went_wrong_is_kept_with_how_far_it_was(store, run):
    do(store, training_runs.beat, run, phase="training", done=7, total=40)
    do(store, training_runs.fail, run, "out of\0 memory")
    ended = look(store, run)
    assert (ended.state, ended.message, ended.phase, ended.done) == ("failed", "out of memory", "training", 7)
    assert ended.ended_at is not None


class OfTheEngine(Exception):
    """An error that another package says in its own words."""

    def in_language(self, language: str) -> str:
        return {"en": "No decisions yet.", "zh": "还没有决定。"}[language]


@pytest.mark.parametrize(
    ("message", "english", "chinese"),
    [
        (Refused("model.live_already", version="v2"), "v2 is live already.", "v2 已经在使用中。"),
        (OfTheEngine(), "No decisions yet.", "还没有决定。"),
        ("Killed: {9}", "Killed: {9}", "Killed: {9}"),
        ("9", "9", "9"),
    ],
)
def test_what_went_wrong_is_told_in_both_languages_later(store, run, message, english, chinese):
    do(store, training_runs.beat, run, message=message)
    assert (look(store, run).message, look(store, run).message.in_language("zh")) == (english, chinese)
    do(store, training_runs.fail, run, message)
    assert (look(store, run).message, look(store, run).message.in_language("zh")) == (english, chinese)


def test_a_process_hears_at_its_next_beat_that_it_shall_stop(store, team, run):
    do(store, training_runs.ask_to_cancel, run, team.admin)
    do(store, training_runs.ask_to_cancel, run, team.admin)  # again changes nothing
    assert look(store, run).state == "running"
    assert do(store, training_runs.beat, run, done=8) is True
    do(store, training_runs.cancelled, run)
    assert look(store, run).state == "cancelled"
    assert noted(store)[1:] == [(team.admin, {"run": run, "action": "cancel"})]
    with pytest.raises(Refused, match=f"Training run {run} is cancelled, so there is nothing to cancel"):
        do(store, training_runs.ask_to_cancel, run, team.admin)


@pytest.mark.parametrize("end", ENDS)
def test_a_process_that_was_given_up_can_change_nothing_any_more(store, run, end):
    do(store, ENDS[end], run)
    before = look(store, run)
    assert before.state == end
    message = f"Training run {run} is {end} and no longer running, so nothing more is stored for it"
    for function, options in (
        (training_runs.beat, {"done": 9}),
        (training_runs.attach, {"host": "gpu-2", "pid": 9, "pid_started": 1.0, "folder": "other"}),
        (training_runs.set_snapshot, {"snapshot": {"entry": 1}}),
        (training_runs.finish, {"candidate": "v9", "gate": {}}),
        (training_runs.fail, {"message": "late"}),
        (training_runs.cancelled, {}),
    ):
        with pytest.raises(Refused, match=message):
            do(store, function, run, **options)
    assert look(store, run) == before


@pytest.mark.parametrize("end", ENDS)
def test_only_a_run_that_still_runs_is_lost(store, run, end):
    do(store, ENDS[end], run)
    before = look(store, run)
    assert do(store, training_runs.lose, run, "gone too") is False
    assert look(store, run) == before


def test_a_run_whose_process_is_gone_is_lost(store, run):
    assert do(store, training_runs.lose, run, "no process 41 on gpu-1") is True
    assert (look(store, run).state, look(store, run).message) == ("lost", "no process 41 on gpu-1")
    assert look(store, run).ended_at is not None


@pytest.mark.parametrize("end", ["failed", "cancelled", "lost"])
def test_a_run_that_was_broken_off_starts_again_where_it_was(store, team, run, end):
    do(store, training_runs.attach, run, host="gpu-1", pid=41, pid_started=2.5, folder="models/runs/1")
    do(store, training_runs.set_snapshot, run, {"entry": 12})
    do(store, training_runs.beat, run, phase="training", done=7, total=40)
    do(store, training_runs.ask_to_cancel, run, team.admin)
    do(store, ENDS[end], run)
    again = do(store, training_runs.restart, run, team.admin)
    assert again == look(store, run)
    assert (again.id, again.state, again.ended_at, again.cancel_requested) == (run, "running", None, False)
    assert (again.folder, again.snapshot, again.phase, again.done) == ("models/runs/1", {"entry": 12}, "training", 7)
    # The old process is no longer its process, and the old message no longer its message.
    assert (again.host, again.pid, again.pid_started, again.message) == ("", None, None, "")
    assert do(store, training_runs.beat, run) is False
    assert noted(store)[-1] == (team.admin, {"run": run, "action": "restart"})


def test_a_run_starts_again_only_if_none_is_running_and_it_has_no_result(store, team, run):
    with pytest.raises(Refused, match=f"Training run {run} is running already"):
        do(store, training_runs.restart, run, team.admin)
    do(store, training_runs.fail, run, "out of memory")
    second = do(store, training_runs.begin, team.admin, {}).id
    with pytest.raises(Refused, match=f"Training run {second} is running already"):
        do(store, training_runs.restart, run, team.admin)
    do(store, training_runs.finish, second, "v2", {})
    with pytest.raises(Refused, match=f"Training run {second} is finished; only one that failed, was cancelled or was"):
        do(store, training_runs.restart, second, team.admin)
    assert (look(store, run).state, look(store, second).state) == ("failed", "finished")


def test_a_finished_run_compares_its_candidate_again_and_keeps_what_it_found_before(store, team, run):
    do(store, training_runs.set_snapshot, run, {"last_entry": 12})
    do(store, training_runs.beat, run, phase="gate", done=8, total=8)
    with pytest.raises(Refused, match=f"Training run {run} is running already"):
        do(store, training_runs.compare_again, run, team.admin)
    do(store, training_runs.finish, run, "v2", {"verdict": "too few decisions"})
    with pytest.raises(Refused, match="admin"):
        do(store, training_runs.compare_again, run, team.li)
    again = do(store, training_runs.compare_again, run, team.admin)
    assert (again.state, again.phase, again.done, again.total) == ("running", "", 0, 0)
    assert (again.candidate, again.gate, again.snapshot) == ("v2", {"verdict": "too few decisions"}, {"last_entry": 12})
    assert noted(store)[-1] == (team.admin, {"run": run, "action": "compare"})
    do(store, training_runs.lose, run, "gone")
    with pytest.raises(Refused, match="only the candidate of a finished one can be compared again"):
        do(store, training_runs.compare_again, run, team.admin)
    do(store, training_runs.restart, run, team.admin)
    do(store, training_runs.finish, run, "v2", {"verdict": "better"})
    assert look(store, run).gate == {"verdict": "better"}


def test_the_newest_runs_come_first(store, team):
    made = []
    for _ in range(4):
        made.append(do(store, training_runs.begin, team.admin, {}).id)
        do(store, training_runs.fail, made[-1], "again")
    with store.read() as session:
        assert [run.id for run in training_runs.recent(session)] == made[::-1]
        assert [run.id for run in training_runs.recent(session, limit=2)] == made[:1:-1]


def test_an_unknown_run_is_named_with_the_newest_there_is(store, team, run):
    missing = run + 5
    for function, arguments in (
        (training_runs.get, ()),
        (training_runs.beat, ()),
        (training_runs.lose, ("gone",)),
        (training_runs.ask_to_cancel, (team.admin,)),
    ):
        with pytest.raises(NotFound, match=f"There is no training run {missing}\\. The newest is {run}\\."):
            do(store, function, missing, *arguments)
