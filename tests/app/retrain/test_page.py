"""The page Retrain: what it shows in every state of a run, and that each button does what it says."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.access.auth import local_visitor
from app.learning import gate, process, pruning
from app.learning.recipe import Options
from app.shell.settings import Settings
from app.shell.store import open_store
from db import people
from db.errors import Refused
from db.models import decided, decodings, registry, shadow, training_runs
from tests.app.conftest import ROOT
from tests.learning_store import decide_next, fill, make_live, run_of, wait_until_ended

PAGE = "../pages/retrain.py"
SIDE = {
    "precision": 0.5,
    "recall": 0.25,
    "f1": 0.3333,
    "accepted": 400,
    "accepted_suggested": 100,
    "rejected": 50,
    "rejected_avoided": 40,
    "new_tags": {"correct": 3, "predicted": 12, "gold": 20, "precision": 0.25, "recall": 0.15},
    "seconds_per_question": 0.125,
}
TAGS = [
    {"tag": "旅行", "change": -3, "right": [5, 2], "wrong": [1, 1]},
    {"tag": "美食", "change": -1, "right": [4, 4], "wrong": [0, 1]},
    {"tag": "电影", "change": 2, "right": [1, 2], "wrong": [3, 2]},
    {"tag": "编程", "change": 6, "right": [1, 7], "wrong": [0, 0]},
]


PARTS = {
    "random": {
        "questions": 40,
        "verdict": "not distinguishable",
        "live": 0.31,
        "candidate": 0.35,
        "difference": 0.04,
        "interval": (-0.02, 0.1),
    },
    "ordered": {
        "questions": 0,
        "verdict": "too few decisions",
        "live": 0.0,
        "candidate": 0.0,
        "difference": 0.0,
        "interval": (0.0, 0.0),
    },
}
CONFIG = json.dumps({"version": "v1"})


@pytest.fixture(scope="module")
def filled(tmp_path_factory, samples_path) -> Path:
    """The file of a store with a live model v1, thirty decisions of chen the admin, and zhao the researcher."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "config.json").write_text(CONFIG)
    with open_store(Settings(database=f"sqlite:///{folder / 'store.db'}")) as opened:
        chen = fill(opened, samples_path, folder)
        decide_next(opened, chen, 30)
        opened.run(lambda session: people.add(session, "zhao", "researcher", by=chen))
    return folder / "store.db"


@pytest.fixture
def store(monkeypatch, tmp_path, request):
    if "chen" in request.fixturenames:
        shutil.copy(request.getfixturevalue("filled"), tmp_path / "store.db")
    url = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("L2A_DATABASE", url)
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    monkeypatch.setenv("L2A_MODEL", str(tmp_path / "starter"))  # not there, so it is not offered
    monkeypatch.setenv("L2A_RUNS", str(tmp_path / "runs"))
    with open_store(Settings(database=url)) as opened:
        yield opened


@pytest.fixture
def chen(store) -> int:
    """The admin of a store that is `filled`."""
    return local_visitor(store, "chen").id


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings.from_environment()


@pytest.fixture
def started(monkeypatch, store) -> list[Options]:
    """What was asked for; no process is started, and the run counts as alive."""
    asked = []

    def start(settings, store, person_id, options):
        run = store.run(lambda session: training_runs.begin(session, person_id, options.to_dict()))
        asked.append(options)
        return run

    monkeypatch.setattr(process, "start", start)
    monkeypatch.setattr(process, "_lives", lambda run, now: True)
    return asked


def open_page(person: str = "chen", language: str | None = None) -> AppTest:
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    app.session_state["as"] = person
    if language:
        app.query_params["lang"] = language
    app.context["timezone"] = "Asia/Shanghai"
    return app.switch_page(PAGE).run()


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def buttons(app: AppTest) -> set[str]:
    return {button.key for button in app.button if str(button.key).startswith("retrain_")}


def words(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.header, app.subheader, app.text, app.warning, app.info, app.success)
    return "\n".join(element.value for kind in (*kinds, app.error) for element in kind)


def state_of(store, version: str) -> str:
    with store.read() as session:
        return registry.find(session, version).state


def begin(store, person_id: int, **values) -> training_runs.Run:
    run = store.run(lambda session: training_runs.begin(session, person_id, Options().to_dict()))
    if values:
        store.run(lambda session: training_runs.beat(session, run.id, **values))
    return run


def finish(store, settings, person_id: int, verdict: str, version: str = "v2", **changes) -> Path:
    """A finished run with a candidate whose folder is among the runs; returns that folder."""
    run = begin(store, person_id)
    folder = process.folder_of(settings, run.id) / "model"
    folder.mkdir(parents=True)
    found = gate.Comparison(
        verdict=verdict,
        questions=250,
        live={"version": "v1", **SIDE},
        candidate={"version": version, **SIDE, "f1": 0.4, "rejected_avoided": 45},
        difference=0.0667,
        interval=(0.01, 0.12),
        tags=tuple(TAGS),
        parts=PARTS,
    )

    def end(session):
        registry.register(session, version, str(folder), parent="v1", training_data="abc")
        training_runs.set_snapshot(session, run.id, {"last_entry": changes.get("last_entry", 0)})
        training_runs.finish(session, run.id, version, asdict(found))

    store.run(end)
    return folder


# --- who may what, and what is missing --------------------------------------------------------------------------------


def test_a_moderator_does_not_get_here(store, chen):
    local_visitor(store, "li")
    app = open_page("li")
    assert not app.metric
    assert not buttons(app)


def test_a_researcher_looks_and_changes_nothing(store, chen, settings):
    finish(store, settings, chen, "better")
    app = open_page("zhao")
    assert not app.exception
    assert "The candidate is better" in words(app)
    assert "Only admins start" in words(app)
    assert buttons(app) == set()
    begin(store, chen)
    assert buttons(open_page("zhao")) == set()


def test_without_a_live_model_it_says_what_to_do(store):
    app = open_page()
    assert not app.exception
    assert app.subheader[0].value == "No model is live yet"
    assert "Open the page Annotate once" in words(app)


def test_what_there_is_to_train_on(store, chen, settings):
    shown = {metric.label: metric.value for metric in open_page().metric}
    train, held_out = int(shown["Questions to train on"]), int(shown["Held out for the test"])
    assert train + held_out == 30
    assert 0 < held_out < 30
    assert shown["Decisions the live model has not seen"] == "30"


def test_decisions_since_the_live_models_snapshot(store, chen, settings):
    with store.read() as session:
        seen = decided.last_entry(session)[0]
    finish(store, settings, chen, "better", last_entry=seen)
    store.run(lambda session: registry.promote(session, "v2", chen))
    decide_next(store, chen, 4)
    shown = {metric.label: metric.value for metric in open_page().metric}
    assert shown["Decisions the live model has not seen"] == "4"


def test_without_decisions_there_is_nothing_to_start(store, samples_path, tmp_path):
    (tmp_path / "config.json").write_text(CONFIG)
    fill(store, samples_path, tmp_path)
    app = open_page()
    assert "There is no decision to train on yet" in words(app)
    assert "retrain_start" not in buttons(app)


def test_a_folder_that_cannot_be_written_is_named(store, chen, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("L2A_RUNS", str(tmp_path / "file" / "runs"))
    app = open_page()
    assert "cannot be written" in app.warning[0].value
    assert app.button(key="retrain_start").disabled


# --- starting and watching --------------------------------------------------------------------------------------------


def test_start_hands_over_what_was_chosen(store, chen, started, monkeypatch, tmp_path):
    file = tmp_path / "old.jsonl"
    file.write_text('{"title": "a"}')
    monkeypatch.setenv("L2A_REPLAY", str(file))
    app = open_page()
    app.button_group(key="retrain_mode").set_value("scratch")
    app.number_input(key="retrain_minutes").set_value(7)
    press(app, "retrain_start")
    assert not app.exception
    assert started == [Options(mode="scratch", minutes=7.0, replay=(str(file),))]
    assert "Training run 1 has started." in app.success[0].value.replace("\\", "")
    assert "Training run 1 is running" in words(app)
    assert "asked for by chen on" in words(app)


def test_replay_files_can_be_left_out_and_missing_ones_are_named(store, chen, started, monkeypatch, tmp_path):
    monkeypatch.setenv("L2A_REPLAY", str(tmp_path / "gone.jsonl"))
    app = open_page()
    assert "gone.jsonl" in app.warning[0].value
    assert app.button(key="retrain_start").disabled
    app.toggle(key="retrain_replay").set_value(False).run()
    press(app, "retrain_start")
    assert started == [Options(minutes=30.0)]


def test_where_somebody_was_quicker_their_run_is_shown(store, chen, started, monkeypatch):
    app = open_page()
    begin(store, chen)  # by somebody else, after this page was drawn
    press(app, "retrain_start")
    assert not app.exception
    assert started == []
    assert "Training run 1 is running" in words(app)


def test_a_second_start_is_refused_with_the_stores_words(store, chen, monkeypatch):
    def refuse(*_):
        raise Refused("run.running_already", run=7, person="li", at="2026-01-01 00:00")

    monkeypatch.setattr(process, "start", refuse)
    assert "Not done: Training run 7 is running already" in press(open_page(), "retrain_start").error[0].value
    app = open_page(language="zh")
    assert "训练 7 正在进行：“li”于" in press(app, "retrain_start").error[0].value


def test_a_run_shows_how_far_it_is_and_a_reload_shows_the_same(store, chen, settings, started):
    run = begin(store, chen, phase="training", done=30, total=120)
    folder = process.folder_of(settings, run.id)
    (folder / "training").mkdir(parents=True)
    lines = [{"step": step, "loss": 3 / step, "seconds": 2 * step} for step in (10, 20, 30)]
    (folder / "training" / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines) + '{"step": 4')
    (folder / process.LOG).write_text("first\nlast line\n")
    for app in (open_page(), open_page()):
        assert not app.exception
        (bar,) = app.get("progress")
        assert bar.proto.value == 25
        assert bar.proto.text == "2 of 3: training (30 / 120) · about 3 min left"  # 90 steps of two seconds
        assert app.get("plotly_chart")
        assert app.code[0].value == "first\nlast line"
        assert "retrain_start" not in buttons(app)


def test_cancel_asks_first_and_kills_at_the_second_press(store, chen, started, monkeypatch):
    run = begin(store, chen, phase="training")
    app = open_page()
    assert app.button(key="retrain_cancel").label == "Cancel"
    press(app, "retrain_cancel")
    assert run_of(store, run.id).cancel_requested
    assert app.button(key="retrain_cancel").label == "End it at once"
    assert "Training run 1 is being cancelled" in words(app)
    assert "Training run 1 is being cancelled" in words(open_page("zhao"))  # for whoever looks, until it is over
    assert "a second press kills the process" in words(app)
    stopped = []
    monkeypatch.setattr(process, "stop", lambda store, run, person: stopped.append((run.id, run.cancel_requested)))
    press(app, "retrain_cancel")
    assert stopped == [(run.id, True)]


def test_a_run_whose_process_is_gone_says_so_and_goes_on(store, chen, monkeypatch):
    run = begin(store, chen, phase="training")
    host = {"host": process.socket.gethostname(), "pid": 2**22 + 1, "pid_started": 1.0}
    store.run(lambda session: training_runs.attach(session, run.id, folder="x", **host))
    app = open_page()
    assert "Training run 1 was cut off" in words(app)
    assert "is gone: it was killed, or the machine was restarted. It was at: training." in words(app)
    assert "当时进行到：训练。" in words(open_page(language="zh"))
    again = []

    def start_again(settings, store, person_id, run_id):
        again.append(run_id)
        return store.run(lambda session: training_runs.restart(session, run_id, person_id))

    monkeypatch.setattr(process, "start_again", start_again)
    monkeypatch.setattr(process, "_lives", lambda run, now: True)
    press(app, "retrain_again")
    assert again == [run.id]
    assert "Training run 1 is running" in words(app)


def test_a_failed_run_says_why(store, chen):
    run = begin(store, chen)
    store.run(lambda session: training_runs.fail(session, run.id, "No space left. Make room."))
    app = open_page()
    assert "Training run 1 failed" in words(app)
    assert "No space left. Make room." in words(app)
    assert {"retrain_again", "retrain_start"} <= buttons(app)


# --- the result -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdict", "heading", "hint"),
    [
        ("better", "The candidate is better", "by more than chance explains. It can go live"),
        ("not distinguishable", "No difference can be told", "may be chance alone"),
        ("worse", "The candidate is worse", "Better not promote it"),
        ("too few decisions", "Too few decisions to tell", "it takes 30"),
    ],
)
def test_the_verdict_in_plain_words(store, chen, settings, verdict, heading, hint):
    finish(store, settings, chen, verdict)
    app = open_page()
    assert not app.exception
    assert app.header[0].value.endswith(heading)
    assert hint in words(app)


def test_the_numbers_side_by_side_and_the_tags_worst_first(store, chen, settings):
    finish(store, settings, chen, "better")
    app = open_page()
    tables = {tuple(table.value.columns): table.value for table in app.dataframe}
    table = tables["Measure", "live then: v1", "candidate: v2"]
    assert table.to_numpy().tolist() == [
        ["Precision P", "50.0%", "50.0%"],
        ["Recall R", "25.0%", "25.0%"],
        ["F1", "33.3%", "40.0%"],
        ["Accepted tags suggested", "100 / 400 (25.0%)", "100 / 400 (25.0%)"],
        ["Rejected tags avoided", "40 / 50 (80.0%)", "45 / 50 (90.0%)"],
        ["New tags: right / suggested", "3 / 12 (25.0%)", "3 / 12 (25.0%)"],
        ["Seconds per question", "0.12", "0.12"],
    ]
    assert "F1 differs by +6.7, 95% interval +1.0 to +12.0" in words(app)
    changes = [table.value.to_numpy().tolist() for table in app.dataframe if "Right" in table.value.columns]
    assert changes == [
        [["旅行", "5 → 2", "1 → 1"], ["美食", "4 → 4", "0 → 1"]],
        [["编程", "1 → 7", "0 → 0"], ["电影", "1 → 2", "3 → 2"]],
    ]


def test_a_better_candidate_goes_live_at_one_press_and_back_after_a_question(store, chen, settings):
    finish(store, settings, chen, "better")
    app = press(open_page(), "retrain_promote")
    assert state_of(store, "v2") == "live"
    assert "v2 is live now. Sessions that are open take it at their next question." in app.success[0].value
    assert app.subheader[0].value == "Live: v2"
    assert "retrain_promote" not in buttons(app)
    press(app, "retrain_back")
    assert "v1 goes live again" in words(app)
    press(app, "retrain_back_no")
    assert "retrain_back_yes" not in buttons(app)
    assert state_of(store, "v2") == "live"
    press(press(app, "retrain_back"), "retrain_back_yes")
    assert (state_of(store, "v1"), state_of(store, "v2")) == ("live", "retired")
    assert app.subheader[0].value == "Live: v1"
    assert app.button(key="retrain_back").disabled
    assert "nothing to go back to" in app.button(key="retrain_back").help


def test_there_is_no_way_back_to_a_version_whose_files_are_gone(store, chen, settings, tmp_path):
    finish(store, settings, chen, "better")
    store.run(lambda session: registry.register(session, "v0", str(tmp_path / "gone")))
    for version in ("v0", "v2"):
        store.run(lambda session, version=version: registry.promote(session, version, chen))
    back = open_page().button(key="retrain_back")
    assert back.disabled
    assert "The files of v0, which was live before, are gone" in back.help


def test_any_other_candidate_needs_a_second_yes(store, chen, settings):
    finish(store, settings, chen, "worse")
    app = press(open_page(), "retrain_promote")
    assert state_of(store, "v2") == "candidate"
    assert "The test does not say that v2 is better" in words(app)
    press(app, "retrain_promote_no")
    assert "retrain_promote_yes" not in buttons(app)
    press(press(app, "retrain_promote"), "retrain_promote_yes")
    assert state_of(store, "v2") == "live"


def test_a_candidate_without_its_folder_cannot_go_live(store, chen, settings):
    shutil.rmtree(finish(store, settings, chen, "better"))
    app = open_page()
    assert "is not there, so it cannot go live" in words(app)
    assert "retrain_promote" not in buttons(app)


def test_questions_at_random_and_in_order_are_told_apart(store, chen, settings):
    finish(store, settings, chen, "better")
    app = open_page()
    (rows,) = [table.value for table in app.dataframe if "Served" in table.value.columns]
    assert rows.to_numpy().tolist() == [
        ["at random or blind", 40, "31.0%", "35.0%", "+4.0 (-2.0 … +10.0)", "No difference can be told"],
        ["in an order, or asked for", 0, "–", "–", "–", "Too few decisions to tell"],
    ]
    assert "An order picks, and may pick what the live model doubts" in words(app)


def test_what_an_older_version_found_is_shown_as_far_as_it_goes(store, chen, settings):
    finish(store, settings, chen, "better")
    with store.read() as session:
        older = {name: value for name, value in training_runs.get(session, 1).gate.items() if name != "parts"}
    store.run(lambda session: training_runs.compare_again(session, 1, chen))
    store.run(lambda session: training_runs.finish(session, 1, "v2", older))
    app = open_page()
    assert not app.exception
    assert app.header[0].value.endswith("The candidate is better")
    assert not [table for table in app.dataframe if "Served" in table.value.columns]


# --- compared again, and in the shadow -------------------------------------------------------------------------------


def test_it_says_how_many_decisions_came_since_and_compares_on_them(store, chen, settings, monkeypatch):
    with store.read() as session:
        seen = decided.last_entry(session)[0]
    finish(store, settings, chen, "too few decisions", last_entry=seen)
    decide_next(store, chen, 7)
    assert "7 questions were decided first after its snapshot; this comparison had 250." in words(open_page())
    assert buttons(open_page("zhao")) == set()
    compared = []

    def compare(settings, store, person, run):
        compared.append((person, run))
        return store.run(lambda session: training_runs.compare_again(session, run, person))

    monkeypatch.setattr(process, "compare_again", compare)
    monkeypatch.setattr(process, "_lives", lambda run, now: True)
    app = press(open_page(), "retrain_compare")
    assert not app.exception
    assert compared == [(chen, 1)]
    assert "Training run 1 is running" in words(app)
    assert app.header[0].value.endswith("Too few decisions to tell")  # what was found before, until it ends
    assert app.button(key="retrain_compare").disabled


def test_what_is_live_or_gone_is_not_compared_again(store, chen, settings):
    folder = finish(store, settings, chen, "better")
    store.run(lambda session: registry.promote(session, "v2", chen))
    assert "retrain_compare" not in buttons(open_page())
    store.run(lambda session: registry.roll_back(session, chen))
    assert {"retrain_compare", "retrain_shadow"} <= buttons(open_page())
    shutil.rmtree(folder)
    assert not {"retrain_compare", "retrain_shadow"} & buttons(open_page())


def test_a_comparison_that_broke_off_leaves_the_result_of_before(store, chen, settings):
    finish(store, settings, chen, "worse")
    store.run(lambda session: training_runs.compare_again(session, 1, chen))
    store.run(lambda session: training_runs.cancelled(session, 1))
    app = open_page()
    assert app.header[0].value.endswith("The candidate is worse")
    assert "Training run 1 was cancelled" in words(app)
    assert "retrain_again" in buttons(app)


def standing(store) -> shadow.Shadow | None:
    with store.read() as session:
        return shadow.standing(session)


def test_a_candidate_goes_into_the_shadow_and_leaves_it(store, chen, settings):
    finish(store, settings, chen, "too few decisions")
    app = open_page()
    app.number_input(key="retrain_shadow_questions").set_value(3)
    press(app, "retrain_shadow")
    assert (standing(store).version, standing(store).questions) == ("v2", 3)
    assert "v2 runs in the shadow for 3 questions." in app.success[0].value
    (bar,) = app.get("progress")
    assert (bar.proto.value, bar.proto.text) == (0, "In the shadow: 0 of 3 questions")
    (question,) = decide_next(store, chen, 1)
    store.run(lambda session: decodings.record(session, question, "v2", 8, [(("编程",), -1.0, "")]))
    (bar,) = open_page("zhao").get("progress")
    assert bar.proto.text == "In the shadow: 1 of 3 questions"
    press(app, "retrain_shadow_stop")
    assert standing(store) is None
    assert "retrain_shadow" in buttons(app)


def test_another_candidate_is_told_who_would_leave_the_shadow_for_it(store, chen, settings):
    finish(store, settings, chen, "worse", "v2")
    store.run(lambda session: shadow.start(session, "v2", 9, chen))
    finish(store, settings, chen, "better", "v3")
    app = open_page()
    assert "v2 runs in the shadow now and will stop." in app.button(key="retrain_shadow").help
    press(app, "retrain_shadow")
    assert standing(store).version == "v3"


def test_an_older_result_can_be_looked_at(store, chen, settings):
    finish(store, settings, chen, "worse", "v2")
    finish(store, settings, chen, "better", "v3")
    app = open_page()
    assert app.header[0].value.endswith("The candidate is better")
    app.selectbox(key="retrain_result").set_value(1).run()
    assert app.header[0].value.endswith("The candidate is worse")


# --- versions ---------------------------------------------------------------------------------------------------------


def test_every_version_is_listed_with_its_parent(store, chen, settings):
    folder = finish(store, settings, chen, "better")
    rows = next(table.value for table in open_page().dataframe if "Trained from" in table.value.columns)
    assert [list(row)[:3] for row in rows.to_numpy()] == [["v2", "candidate", "v1"], ["v1", "live", "–"]]
    assert rows["Folder"].to_list()[0] == str(folder)


def test_pruning_asks_and_then_deletes_the_folder(store, chen, settings):
    folder = finish(store, settings, chen, "worse")
    app = open_page()
    assert app.button(key="retrain_prune").disabled
    app.selectbox(key="retrain_prune_version").set_value("v2").run()
    press(app, "retrain_prune")
    assert folder.is_dir()
    press(app, "retrain_prune_yes")
    assert not app.exception
    assert state_of(store, "v2") == "pruned"
    assert not folder.exists()
    assert folder.parent.is_dir()  # the log of the run stays
    assert "is deleted" in app.success[0].value
    assert "This one's files were pruned." in words(app)


def test_a_folder_outside_of_the_runs_is_never_deleted(store, chen, settings, tmp_path):
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    settings.runs.mkdir()
    (settings.runs / "link").symlink_to(outside)
    for version, path in (("v2", outside), ("v3", settings.runs / "link"), ("v4", settings.runs)):
        store.run(lambda session, v=version, p=path: registry.register(session, v, str(p)))
        assert not pruning.prune(settings, store, version, chen).deleted
    assert outside.is_dir()
    assert (settings.runs / "link").is_symlink()


def test_the_live_version_and_the_one_before_it_are_not_pruned(store, chen, settings):
    folder = finish(store, settings, chen, "better")
    make_live(store, "v9", "x", chen)
    store.run(lambda session: registry.promote(session, "v2", chen))
    for version, why in (("v2", "is live"), ("v9", "A roll-back would go to v9")):
        with pytest.raises(Refused, match=why):
            pruning.prune(settings, store, version, chen)
    assert folder.is_dir()


# --- a real run -------------------------------------------------------------------------------------------------------


def test_a_real_training_from_the_page_to_its_result(store, samples_path, tiny_model, monkeypatch):
    chen = fill(store, samples_path, tiny_model)
    decide_next(store, chen, 30)
    real = process.start
    monkeypatch.setattr(process, "start", lambda *given: real(*given[:-1], Options(epochs=2)))
    app = press(open_page(), "retrain_start")
    assert not app.exception
    assert "Training run 1 is running" in words(app)
    run = wait_until_ended(store, 1)
    assert run.state == "finished", run.message
    app.run()
    assert app.header[0].value.endswith("Too few decisions to tell")
    press(press(app, "retrain_promote"), "retrain_promote_yes")
    assert app.subheader[0].value == f"Live: {run.candidate}"
