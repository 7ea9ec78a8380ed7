"""What a source is worth, on made-up servings of which is known what matters."""

import random

import pytest

from app.dashboard.learned import sources
from db.figures.servings import newest_decided
from l2a.measure.metrics import nlpcc_score
from l2a.ranking.ranker import CUTS, Prior, Served
from tests.db.actions import decide

PRIOR = Prior({"model.standing": 1.0}, {}, -2.0, ((0.5, 1.0, 0.5, 1.0),) * len(CUTS))


def serve(count: int, seed: int = 1) -> list[sources.Row]:
    """Six candidates a question; `telling.share` knows the right ones, `noisy.share` knows nothing."""
    picker = random.Random(seed)
    found = []
    for _ in range(count):
        figures, right = {}, []
        for place in range(6):
            is_right = picker.random() < 0.3
            right += [f"标签{place}"] if is_right else []
            figures[f"标签{place}"] = {
                "model.standing": picker.random(),
                "votes.share": picker.random(),
                "telling.share": (0.9 if is_right else 0.1) + picker.uniform(-0.1, 0.1),
                "noisy.share": picker.random(),
                "telling.share*noisy.share": picker.random(),
            }
        one = Served.judged(figures, right, is_complete=True)
        found.append(sources.Row(one, one))
    return found


def test_what_tells_right_from_wrong_is_worth_most_and_noise_nothing():
    found = sources.worths(serve(150), PRIOR)
    assert found.questions == 150
    assert found.judged == 900
    by_name = {worth.source: worth for worth in found.sources}
    assert set(by_name) == {"model", "telling", "noisy"}
    telling, noisy = by_name["telling"], by_name["noisy"]
    assert found.sources[0] is telling
    assert telling.log_loss_spread[0] > 0.2
    assert telling.f1_spread[0] > 0.2
    assert abs(noisy.log_loss) < 0.02
    assert noisy.log_loss_spread[0] < 0 < noisy.log_loss_spread[1] or abs(noisy.log_loss) < 0.005
    for worth in found.sources:
        assert worth.log_loss_spread[0] <= worth.log_loss <= worth.log_loss_spread[1]
        assert worth.f1_spread[0] <= worth.f1 <= worth.f1_spread[1]


def test_no_question_is_judged_by_a_ranker_that_was_fitted_on_it(monkeypatch):
    served = serve(40)
    fitted, judged = [], []
    real = sources.Ranker.fitted

    def fit(self, some, **options):
        fitted.append(list(map(id, some)))
        return real(self, some, **options)

    monkeypatch.setattr(sources.Ranker, "fitted", fit)
    monkeypatch.setattr(
        sources, "cut_counts", lambda chances, right, count: judged.append(None) or [[0.0] * 4] * len(CUTS)
    )
    sources.worths(served, PRIOR)
    assert len(judged) == 40 * 4  # with all, and without each of three
    assert all(len(some) == 32 for some in fitted)
    for fold in range(sources.FOLDS):
        assert not set(fitted[fold]) & {id(row.taught) for row in served[fold :: sources.FOLDS]}


def test_unjudged_tags_say_nothing_about_chances_but_count_as_kept_in_vain():
    figures = {"甲": {"model.standing": 9.0}, "乙": {"model.standing": 9.0}}
    served = [sources.Row(Served.judged(figures, ["甲"]), None) for _ in range(sources.FEWEST)]
    found = sources.worths(served, PRIOR)
    assert found.judged == sources.FEWEST
    assert 0 < found.f1 < 1  # 乙 is kept too, and nobody took it


def test_f1_is_that_of_the_tags_over_the_cut(monkeypatch):
    """By the measure itself, with a ranker that stays as it came."""
    monkeypatch.setattr(sources.Ranker, "fitted", lambda self, some, **options: self)
    picker = random.Random(3)
    rows, kept, right = [], [], []
    for _ in range(40):
        figures = {f"标签{place}": {"model.standing": picker.uniform(0, 4)} for place in range(8)}
        tags = [*picker.sample(sorted(figures), 3), "别的"]
        one = Served.judged(figures, tags, is_complete=True)
        rows.append(sources.Row(one, one))
        right.append(tags)
        shipped = sources.Ranker.shipped(PRIOR)
        ranked = sorted(figures, key=lambda tag: -shipped.chance(figures[tag]))
        kept.append([tag for tag in ranked if shipped.chance(figures[tag]) > shipped.cut][:5])
    assert sources.worths(rows, PRIOR).f1 == pytest.approx(nlpcc_score(kept, right).f1)


def test_too_few_questions_say_nothing_and_progress_is_told():
    assert sources.worths(serve(sources.FEWEST - 1), PRIOR) is None
    told = []
    sources.worths(serve(sources.FEWEST), PRIOR, lambda done, total: told.append((done, total)))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_numbers_can_be_taken_along():
    found = sources.worths(serve(40), PRIOR)
    table = sources.table(found)
    assert [row[0] for row in table.rows] == [worth.source for worth in found.sources]
    assert table.rows[0][1] == pytest.approx(found.sources[0].log_loss, abs=1e-4)


def test_servings_of_the_newest_decisions_are_read_oldest_first_with_what_of_them_teaches(
    store, team, asking, monkeypatch
):
    monkeypatch.setattr(sources, "A_PAGE", 2)
    for question, verdicts in (
        (3, {"编程": "accepted", "电影": "rejected"}),
        (1, {"养猫": "added"}),  # what was kept was passed over: nothing that teaches
        (2, {"编程": "rejected", "跑步": "added"}),
    ):
        suggestion = asking.serve(question)
        decide(store, question, team.li, verdicts=verdicts, suggestion_id=suggestion, shown=["编程", "电影"])
    decide(store, 4, team.li, "电影")  # answers no suggestion
    with store.read() as session:
        rows = sources.newest_rows(session)
        assert newest_decided(session) == [4, 2, 1, 3]
    assert [sum(verdict == 1.0 for verdict in row.whole.verdicts) for row in rows] == [1, 1, 1]
    assert [row.whole.right for row in rows] == [1, 1, 1]
    assert [row.taught is None for row in rows] == [False, True, False]
    assert all(len(row.whole.figures) > 2 for row in rows)
    monkeypatch.setattr(sources, "WINDOW", 2)
    with store.read() as session:
        assert [row.whole for row in sources.newest_rows(session)] == [row.whole for row in rows[1:]]
