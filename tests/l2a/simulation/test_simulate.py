"""The learning curve: the same for the same seed, wherever it is stopped, and what it writes."""

import json
import time
from dataclasses import replace

import pytest

from l2a.bulk.json_lines import json_line
from l2a.errors import InputError, SettingsError
from l2a.measure.metrics import nlpcc_score
from l2a.simulation import decodings
from l2a.simulation.decodings import FILE
from l2a.simulation.simulate import OURS, POINTS, Plan, order_of, prepare, simulate
from l2a.simulation.stream import Asked, answer_all

PLAN = Plan((0, 2, 5), beam=4)
TIMES = ("seconds", "ranking_seconds")


@pytest.fixture
def run(learner, learn, test_questions, tmp_path):
    def run(plan=PLAN, folder="out", **changes):
        given = {"tagger": learner, "learn": learn, "test": test_questions, **changes}
        return simulate(**given, folder=tmp_path / folder, plan=plan, quiet=True)

    return run


def without_times(points):
    return [{name: value for name, value in point.to_dict().items() if name not in TIMES} for point in points]


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answers_in(folder):
    return {path.name: path.read_bytes() for path in folder.glob("at-*.jsonl")}


def test_answers_are_lines_as_suggest_writes_them(run, learner, learn, test_questions, tmp_path):
    points = run()
    assert [(point.method, point.seed, point.decisions) for point in points] == [(OURS, 1, n) for n in (0, 2, 5)]
    start = [json_line(answer) for answer in learner.suggest(test_questions, beam=4, batch_size=1)]
    assert (tmp_path / "out" / "at-0.jsonl").read_text(encoding="utf-8").splitlines() == start

    knowledge = learner.new_knowledge()
    asked = [Asked.of(learner, learn[n], learner.suggest([learn[n]], beam=4)[0]) for n in order_of(len(learn), 1)[:5]]
    assert len(list(answer_all(learner, knowledge, asked))) == 5
    after = learner.suggest(test_questions, beam=4, batch_size=1, knowledge=knowledge)
    written = (tmp_path / "out" / "at-5.jsonl").read_text(encoding="utf-8").splitlines()
    assert written == [json_line(answer) for answer in after] != start

    kept = [[tag.tag for tag in answer.kept] for answer in after]
    score = nlpcc_score(kept, [question.tags for question in test_questions])
    assert (points[-1].precision, points[-1].recall, points[-1].f1) == (score.precision, score.recall, score.f1)
    assert points[-1].more["cut"] == knowledge.ranker.cut
    assert lines_of(tmp_path / "out" / POINTS) == [point.to_dict() for point in points]


def test_the_seed_decides_and_the_stops_do_not(run, tmp_path):
    first = run()
    assert without_times(run(folder="again")) == without_times(first)
    run(Plan((5, 1, 0, 5), beam=4), "stops")
    run(Plan((5,), (2,), beam=4), "seed")
    once, stops, seed = (answers_in(tmp_path / name) for name in ("out", "stops", "seed"))
    assert answers_in(tmp_path / "again") == once
    assert sorted(stops) == ["at-0.jsonl", "at-1.jsonl", "at-5.jsonl"]
    assert (stops["at-0.jsonl"], stops["at-5.jsonl"]) == (once["at-0.jsonl"], once["at-5.jsonl"])
    assert seed["at-5.jsonl"] != once["at-5.jsonl"]


def test_orders_are_random_and_longer_ones_go_on_where_shorter_ones_end():
    assert sorted(order_of(20, 1)) == list(range(20)) != order_of(20, 1)
    assert order_of(20, 1) == order_of(20, 1) != order_of(20, 2)


def test_each_order_has_a_folder_of_its_own(run, tmp_path):
    points = run(replace(PLAN, seeds=(1, 2)))
    assert [point.seed for point in points] == [1, 1, 1, 2, 2, 2]
    assert points[0].f1 == points[3].f1  # nothing is decided yet
    run(folder="alone")
    assert answers_in(tmp_path / "out" / "seed-1") == answers_in(tmp_path / "alone")
    assert sorted(answers_in(tmp_path / "out" / "seed-2")) == ["at-0.jsonl", "at-2.jsonl", "at-5.jsonl"]
    assert not answers_in(tmp_path / "out")


def test_a_run_that_was_stopped_decodes_the_rest_only(run, monkeypatch, tmp_path):
    run(folder="whole")
    decoded, decode = [], decodings.decode

    def stopping(tagger, question, beam):
        if len(decoded) == 7:
            raise KeyboardInterrupt
        decoded.append(question.title)
        return decode(tagger, question, beam)

    monkeypatch.setattr(decodings, "decode", stopping)
    with pytest.raises(KeyboardInterrupt):
        run()
    first, decoded[:] = decoded[:], []
    run()
    assert len(first) == 7
    assert not set(first) & set(decoded)
    assert len(first) + len(decoded) == 6 + 5  # test questions and decisions
    assert answers_in(tmp_path / "out") == answers_in(tmp_path / "whole")
    assert (tmp_path / "out" / FILE).read_bytes() == (tmp_path / "whole" / FILE).read_bytes()
    decoded.clear()
    run(replace(PLAN, seeds=(1, 2)))
    needed = set(order_of(12, 2)[:5]) - set(order_of(12, 1)[:5])
    assert len(decoded) == len(needed) > 0


def test_decisions_count_for_the_keys(run):
    start, _, end = run()
    for point in (start, end):
        assert 1 < point.more["keys"] < point.more["keys_without"]
    # The search for tags knows more of them, and what is used comes first.
    assert run(replace(PLAN, listed=("编程", "跑步")))[0].more["keys_without"] <= start.more["keys_without"]


def test_time_is_that_of_a_decision(run, monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    start, two, five = run()
    assert start.more["seconds"] == 0.0
    # The clock ticks once when it is looked at: once a stretch, once a test question.
    assert (two.more["seconds"], five.more["seconds"]) == (1 / 2, 1 / 3)
    assert two.more["ranking_seconds"] == 1.0


def test_what_cannot_be_simulated_is_refused(run, learner, tmp_path):
    with pytest.raises(InputError, match="13 decisions are asked for, but only 12 questions to learn from have tags"):
        run(Plan((0, 13)))
    with pytest.raises(SettingsError, match="at is -1; it must be a whole number from 0 to 12"):
        run(Plan((-1,)))
    with pytest.raises(SettingsError, match="beam is 65"):
        run(Plan((1,), beam=65))
    with pytest.raises(SettingsError, match="no ranker, so it learns nothing from decisions"):
        run(tagger=replace(learner, prior=None))
    assert not (tmp_path / "out").exists()


def test_only_what_some_order_needs_is_decoded(learner, learn, test_questions, tmp_path):
    simulation = prepare(learner, learn, test_questions, tmp_path, Plan((3,), (1, 2), 4), quiet=True)
    wanted = [[learn[place] for place in order_of(len(learn), seed)[:3]] for seed in (1, 2)]
    found = [[simulation.questions[place].question for place in simulation.orders[seed]] for seed in (1, 2)]
    assert found == wanted
    distinct = {question.id for some in wanted for question in some}
    assert len(lines_of(tmp_path / FILE)) == len(distinct) + len(test_questions)
