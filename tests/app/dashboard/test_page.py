"""The dashboard: its counts are tested in tests/db, here what a visitor gets to see and to take along."""

import csv
import io
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from streamlit.testing.v1 import AppTest

from app.access.auth import local_visitor
from app.dashboard import groups, period, tables, vote_reliability
from app.dashboard.tables import Table
from app.dashboard.vote_outcomes import Outcome
from app.figures import dashboard as figures
from app.figures import learning
from app.shell.settings import Settings
from app.shell.store import open_store
from db.figures import dashboard
from db.figures.agreement import Alpha, ModelAnswer, TagKappa, human_against_model
from db.figures.counts import DayCount, NewTag, VoteRate
from db.figures.rate import Rate
from db.figures.statistics import Agreement
from db.ledger import entries as ledger
from db.models import registry, suggestions
from db.models.suggestions import ProposedTag
from tests.app.conftest import ROOT

PAGE = "../pages/dashboard.py"


@pytest.fixture
def database(monkeypatch, tmp_path) -> str:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("L2A_DATABASE", url)
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    return url


@pytest.fixture
def decided(database, samples_path):
    """A store in which li accepted one of four suggestions and rejected one; the other two were left untouched."""
    from app.transfer.importer import import_file

    store = open_store(Settings(database=database))
    import_file(store, str(samples_path), source="samples", skip_bad=True)
    chen, li = local_visitor(store, "chen").id, local_visitor(store, "li").id

    def work(session):
        registry.register(session, "v1", "models/v1")
        registry.promote(session, "v1", chen)
        votes = {"编程": 8, "=1+1": 4, "自学": 3, "生活": 3}
        tags = [ProposedTag(tag, count, count / 8, True, False) for tag, count in votes.items()]
        number = suggestions.record(session, 1, "v1", 8, 0.25, tags)
        verdicts = {"编程": "accepted", "=1+1": "rejected", "<b>新</b>": "added"}
        ledger.submit(session, ledger.Submission(1, li, verdicts, suggestion_id=number, seconds=7.0))

    store.run(work)
    yield store
    store.close()


def open_page(person: str) -> AppTest:
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    app.session_state["as"] = person
    app.context["timezone"] = "Asia/Shanghai"
    return app.switch_page(PAGE).run()


def test_an_empty_store_says_what_to_do(database):
    app = open_page("chen")
    assert not app.exception
    assert "No decisions yet" in [item.value for item in app.subheader]


def test_the_numbers_are_shown(decided):
    app = open_page("chen")
    assert not app.exception
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown == {"Decisions": "1", "Questions": "1", "Acceptance": "25%", "Median time": "7.0 s"}
    (new_tags,) = app.dataframe
    assert "<b>新</b>" in list(new_tags.value["Tag"])


def described(app: AppTest) -> str:
    return "\n".join(item.value for item in (*app.markdown, *app.caption))


@pytest.mark.parametrize(
    ("language", "of_shown", "of_judged", "few_shown", "few_judged"),
    [
        ("en", "of the 4 tags shown", "of the 2 tags judged", "4 tags were shown", "2 tags were judged"),
        ("zh", "占看到的 4 个标签", "占判过的 2 个标签", "看到过 4 个标签", "判过 2 个标签"),
    ],
)
def test_acceptance_is_of_the_tags_shown_and_a_switch_counts_judged_ones_only(
    decided, monkeypatch, language, of_shown, of_judged, few_shown, few_judged
):
    monkeypatch.setenv("L2A_LANGUAGE", language)
    app = open_page("chen")
    assert not app.exception
    assert app.metric[2].value == "25%"
    assert of_shown in described(app)
    assert few_shown in described(app)
    assert of_judged not in described(app)
    app.segmented_control(key="dashboard_among").set_value("judged").run()
    assert not app.exception
    assert app.metric[2].value == "50%"
    assert of_judged in described(app)
    assert few_judged in described(app)
    assert of_shown not in described(app)


def test_every_share_says_of_what_it_is(decided):
    app = open_page("chen")
    titles = ["Acceptance by votes", "Acceptance by rank", "Acceptance by model version"]
    for of in ("of the tags shown", "of the tags judged"):
        found = [item.value for item in app.markdown]
        assert [f"**{title}, {of}**" for title in titles] == [words for words in found if "Acceptance by" in words]
        app.segmented_control(key="dashboard_among").set_value("judged").run()


@pytest.mark.parametrize(("person", "sees"), [("chen", "li"), ("li", "li"), ("wang", "others")])
def test_who_made_a_new_tag_is_for_those_who_may_see_who_did_what(decided, person, sees):
    """chen is an admin; li and wang are moderators, and li made it."""
    app = open_page(person)
    assert not app.exception
    (new_tags,) = app.dataframe
    assert set(new_tags.value["By"]) == {sees}


def test_a_file_of_numbers_has_no_names_either(decided):
    with decided.read() as session:
        found = dashboard.gather(session, dashboard.Filters(), UTC)
    seen = groups.seen_by(found, "wang", "others")
    for table in (tables.new_tags_table(seen, UTC), tables.days_table(seen.days, lambda person: person)):
        assert {row[table.heads.index("person")] for row in table.rows} == {"others"}


def test_a_filter_that_leaves_nothing_says_so(decided):
    app = open_page("chen")
    app.toggle[0].set_value(True).run()  # random picks only
    assert not app.exception
    assert "No decisions within these filters" in [item.value for item in app.subheader]


def test_a_new_decision_is_counted_at_the_next_look(decided):
    app = open_page("chen")
    li = local_visitor(decided, "li").id
    decided.run(lambda session: ledger.submit(session, ledger.Submission(2, li, {"编程": "added"})))
    app.run()
    assert next(metric.value for metric in app.metric if metric.label == "Decisions") == "2"


def test_agreement_is_worked_out_when_asked_for(decided):
    app = open_page("chen")
    assert len(app.dataframe) == 1
    app.button(key="dashboard_agreement_button").click().run()
    assert not app.exception
    assert len(app.dataframe) >= 2
    assert any("No question has two opinions yet" in caption.value for caption in app.caption)


def test_csv_cells_that_look_like_formulas_are_guarded_and_numbers_stay_numbers():
    table = Table("t", ("tag", "kappa"), (("=1+1", -0.5), ("电影", ""), ("@x", 1)))
    content = table.csv()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows == [["tag", "kappa"], ["'=1+1", "-0.5"], ["电影", ""], ["'@x", "1"]]


def test_periods_begin_at_midnight_of_the_visitor():
    zone = ZoneInfo("Asia/Shanghai")
    now = datetime(2026, 3, 10, 20, 0, tzinfo=UTC)  # the 11th, 4 o'clock there
    assert period.period("week", zone, now) == (datetime(2026, 3, 4, 16, tzinfo=UTC), None)
    assert period.period("all", zone, now) == (None, None)
    both = (date(2026, 3, 1), date(2026, 3, 2))
    assert period.period("custom", zone, now, both) == (
        datetime(2026, 2, 28, 16, tzinfo=UTC),
        datetime(2026, 3, 2, 16, tzinfo=UTC),
    )
    assert period.period("custom", zone, now, ()) == (None, None)


def test_days_without_decisions_are_there_too():
    counts = [DayCount(date(2026, 3, 1), "li", 2), DayCount(date(2026, 3, 3), "wang", 5)]
    days, series = groups.day_series(counts, lambda person: person)
    assert [day.day for day in days] == [1, 2, 3]
    assert series == {"wang": [0, 0, 5], "li": [2, 0, 0]}
    assert groups.day_series(counts, lambda person: "all")[1] == {"all": [2, 0, 5]}
    assert groups.day_series([], str) == ([], {})


def test_vote_bins_are_labelled_in_votes_of_one_beam_and_in_percent_of_several():
    rates = [VoteRate(48, 3, Rate(1, 0, 0)), VoteRate(48, 40, Rate(1, 1, 0))]
    assert [label for label, _ in groups.labelled_bins(rates)] == ["1–6", "37–42"]
    assert [label for label, _ in groups.labelled_bins([VoteRate(4, 3, Rate(1, 0, 0))])] == ["3"]
    assert [label for label, _ in groups.labelled_bins([*rates, VoteRate(8, 8, Rate(1, 0, 0))])] == [
        "0%–12%",
        "75%–88%",
        "88%–100%",
    ]


def test_agreement_tables():
    answer = ModelAnswer(frozenset("abcd"), accepted=frozenset("a"), rejected=frozenset("b"), unjudged=frozenset("cd"))
    model = human_against_model([answer])
    found = Agreement(Alpha(None, None, None, 0, 0, reason="none"), (TagKappa("电影", -0.25, 3, 2),), model)
    table = tables.agreement_table(found)
    assert ("krippendorff_alpha", "", "") in table.rows
    assert ("acceptance_of_shown", 0.25, "") in table.rows
    assert ("acceptance_of_judged", 0.5, "") in table.rows
    assert tables.kappas_table(found).rows == (("电影", -0.25, 3, 2),)


def test_new_tags_are_in_the_visitors_time():
    tag = NewTag("电影", datetime(2026, 1, 1, 20, tzinfo=UTC), "li", True, 3)
    table = tables.new_tags_table(type("Found", (), {"new_tags": (tag,)}), ZoneInfo("Asia/Shanghai"))
    assert table.rows == (("电影", "2026-01-02T04:00:00+08:00", "li", "model", 3),)


def test_share_chart_shows_intervals_and_counts():
    points = [figures.Point("1", 0.5, 0.2, 0.9, 10), figures.Point("<i>", 1.0, 0.7, 1.0, 8)]
    figure = figures.share_chart(points, axis="rank", share="accepted", reference=[0.1, 0.2], line="votes")
    line, dots = figure.data
    assert list(line.y) == [0.1, 0.2]
    assert list(dots.error_y.array) == pytest.approx([0.4, 0.0])
    assert list(dots.error_y.arrayminus) == pytest.approx([0.3, 0.3])
    assert list(figure.layout.xaxis.ticktext) == ["1<br>n=10", "&lt;i&gt;<br>n=8"]


def test_days_chart_stacks_people():
    figure = figures.days_chart([date(2026, 3, 1), date(2026, 3, 2)], {"li": [1, 2], "<b>": [0, 3]})
    assert [trace.name for trace in figure.data] == ["li", "&lt;b&gt;"]
    assert figure.layout.barmode == "stack"


def test_times_chart_marks_the_median_and_the_open_bar():
    figure = figures.times_chart([(0, 5, 3), (5, None, 1)], middle=4.0, axis="s", words="median")
    assert list(figure.data[0].hovertext) == ["0–5 s: 3", "≥ 5 s: 1"]
    assert list(figure.data[1].x) == [4.0, 4.0]


def test_tags_chart_has_the_first_tag_on_top():
    figure = figures.tags_chart(["电影", "2024"], {"rejected": [3, 2], "accepted": [1, 0]})
    assert list(figure.layout.yaxis.ticktext) == ["电影", "2024"]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]


# --- how far votes can be trusted -------------------------------------------------------------------------------------


def outcomes(*groups: tuple[int, int, int]) -> list[Outcome]:
    """(votes of 4, accepted, not accepted) a group."""
    return [Outcome(votes / 4, accepted + others, accepted) for votes, accepted, others in groups]


def test_the_threshold_that_would_have_been_best_is_found():
    found = vote_reliability.reliability("v1", outcomes((4, 90, 10), (2, 50, 50), (1, 0, 100)), 10, (4, 0.6))
    assert [(b.low, b.high, b.count, b.accepted) for b in found.bins] == [
        (0.2, 0.3, 100, 0),
        (0.4, 0.5, 100, 50),
        (0.9, 1.0, 100, 90),
    ]
    assert (found.beam, found.votes, found.proposed_votes) == (4, 2, 1)
    # Now, over 2 votes: 90 of 100 kept are right, of 150 right ones. Over 1: 140 of 200, of 150.
    assert found.now.f1 == pytest.approx(2 * 0.9 * 0.6 / 1.5)
    assert found.proposed.f1 == pytest.approx(2 * 0.7 * (140 / 150) / (0.7 + 140 / 150))
    assert tables.reliability_table(found).rows[1] == (0.4, 0.5, 100, 50, 0.5)


def test_too_few_tags_propose_nothing():
    assert vote_reliability.reliability("v1", outcomes((4, 90, 10)), 0, (4, 0.5)).proposed is None
    assert vote_reliability.reliability("v1", [], 0, None).bins == ()


def test_the_reliability_chart_is_drawn_and_its_numbers_handed_out(decided):
    app = open_page("chen")
    assert not app.exception
    assert "**How far votes can be trusted: v1**" in [item.value for item in app.markdown]
    assert "4 tags were shown; from 200 on a threshold is proposed here." in [item.value for item in app.markdown]
    assert "dashboard_csv_reliability" in [button.key for button in app.get("download_button")]


@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        (
            0.6,
            "F1 would be best at votes > 1 of 4 (80%); now: votes > 2 (72%). Precision is of the tags shown. This is",
        ),
        (0.25, "the threshold of now is the best: votes > 1 of 4 (F1 80%). Precision is of the tags shown."),
    ],
)
def test_the_proposal_is_a_sentence(decided, monkeypatch, threshold, words):
    groups = outcomes((4, 90, 10), (2, 50, 50), (1, 0, 100))
    monkeypatch.setattr(
        vote_reliability,
        "reliability",
        lambda *given, real=vote_reliability.reliability: real("v1", groups, 10, (4, threshold), given[-1]),
    )
    app = open_page("chen")
    assert not app.exception
    assert any(words in item.value for item in app.markdown)


def test_the_reliability_bars_carry_their_counts_and_a_diagonal():
    figure = learning.reliability_chart(
        [(0.0, 0.1, 4, 1), (0.9, 1.0, 8, 6)],
        votes="votes",
        share="accepted",
        line="as <b>votes</b>",
        hover=["a", "<i>"],
    )
    bars, line = figure.data
    assert list(bars.y) == [0.25, 0.75]
    assert list(bars.text) == ["4", "8"]
    assert list(bars.hovertext) == ["a", "&lt;i&gt;"]
    assert (list(line.x), list(line.y)) == ([0, 1], [0, 1])


def test_a_difference_is_drawn_on_its_interval_with_zero_in_sight():
    figure = learning.difference_chart(0.05, (0.02, 0.08), words="w", axis="a")
    zero, interval, dot = figure.data
    assert list(zero.x) == [0, 0]
    assert list(interval.x) == [2.0, 8.0]
    assert list(dot.x) == [5.0]
    low, high = figure.layout.xaxis.range
    assert low < 0 < 8 < high
    assert list(learning.loss_chart([(10, 2.0), (20, 1.0)], step="s", loss="l").data[1].y) == [
        2.0,
        pytest.approx(1.4444, abs=1e-3),
    ]
