"""The panels of the dashboard: each a chart or a table under its title, with its numbers to take along."""

from collections.abc import Callable
from datetime import tzinfo

import streamlit as st

from app.dashboard import content as view
from app.dashboard.content import Table
from app.entry.frame import Here
from app.figures import dashboard as figures
from app.figures import learning
from app.learning import calibration
from app.shell.session import text
from app.shell.widgets import percent
from db.figures.dashboard import Dashboard
from db.figures.rate import JUDGED, SHOWN, Rate
from db.figures.statistics import Agreement

NAMES, TOTALS = "see who did what", "see the team's totals"
SPLIT = "dashboard_split"  # decisions a day by person
TAGS = 12  # in a chart; the CSV has more
TABLE_HEIGHT = 280


def panel(
    here: Here,
    title: str,
    table: Table,
    draw: Callable[[], None],
    hint: str = "",
    control: Callable[[], None] | None = None,
) -> None:
    """A chart under its title, with its numbers to take along; `control` stands beside the title."""
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.markdown(f"**{title}**", width="content", help=hint or None)
                if control is not None:
                    control()
            if table.rows:
                st.download_button(
                    "CSV",
                    here.asking(_seen_with(here, table), table.csv),
                    file_name=f"{table.name}.csv",
                    mime="text/csv",
                    key=f"dashboard_csv_{table.name}",
                    icon=":material/download:",
                    type="tertiary",
                    on_click="ignore",
                )
        if not table.rows:
            st.caption(text("dashboard.nothing"))
        else:
            draw()


def of_what(among: str) -> str:
    """The words for what a share is of: they stand beside every one."""
    return {SHOWN: text("dashboard.of_shown"), JUDGED: text("dashboard.of_judged")}[among]


def _seen_with(here: Here, table: Table) -> str:
    """What one must be allowed for these numbers: a file with names in it must not outlive the leave to see them."""
    return NAMES if "person" in table.heads and here.may(NAMES) else TOTALS


def plot(figure) -> None:
    st.plotly_chart(figure, theme="streamlit", config={"displayModeBar": False})


def points(labelled: list[tuple[str, Rate]], among: str) -> list[figures.Point]:
    return [
        figures.Point(
            label,
            rate.share(among),
            *rate.interval(among),
            rate.of(among),
            text("dashboard.counts", accepted=rate.accepted, rejected=rate.rejected, unjudged=rate.unjudged),
        )
        for label, rate in labelled
        if rate.of(among)
    ]


def shares(labelled: list[tuple[str, Rate]], among: str, axis: str, reference: dict[str, float] | None = None) -> None:
    shown = points(labelled, among)
    if not shown:
        st.caption(text("dashboard.nothing"))
        return
    expected = [reference[point.label] for point in shown] if reference else []
    share = text("dashboard.accepted_of", of=of_what(among))
    plot(figures.share_chart(shown, axis=axis, share=share, reference=expected, line=text("dashboard.as_votes")))


def headline(found: Dashboard, among: str) -> None:
    share, interval = found.overall.share(among), found.overall.interval(among)
    spread = f"{percent(interval[0])}–{percent(interval[1])}" if interval else "–"
    numbers = {"spread": spread, "count": f"{found.overall.of(among):,}"}
    of_words = {SHOWN: text("dashboard.spread_shown", **numbers), JUDGED: text("dashboard.spread_judged", **numbers)}
    seconds = found.times.median
    for place, label, value, note in zip(
        st.columns(4),
        (
            text("dashboard.decisions"),
            text("dashboard.questions"),
            text("dashboard.accepted_share"),
            text("dashboard.median"),
        ),
        (f"{found.decisions:,}", f"{found.questions:,}", "–" if share is None else percent(share), _seconds(seconds)),
        (
            text("dashboard.of_all", ever=f"{found.ever:,}"),
            text("dashboard.on_questions", each=f"{found.decisions / max(1, found.questions):.2g}"),
            of_words[among],
            text("dashboard.nine_of_ten", seconds=_seconds(found.times.most)),
        ),
        strict=True,
    ):
        with place.container(gap="xxsmall"):
            st.metric(label, value)
            st.caption(note)


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} s"


def _shown_name(found: Dashboard, split: bool) -> Callable[[str], str]:
    """Under which name a person's decisions are shown."""
    if not split:
        return lambda person: text("dashboard.total")
    known = view.busiest(found.days)
    return lambda person: person if person in known else text("dashboard.others")


def draw_days(here: Here, found: Dashboard) -> None:
    name = _shown_name(found, st.session_state.get(SPLIT, False))
    panel(
        here,
        text("dashboard.a_day"),
        view.days_table(found.days, name),
        lambda: plot(figures.days_chart(*view.day_series(found.days, name))),
        text("dashboard.a_day_hint"),
        lambda: st.toggle(text("dashboard.by_person"), key=SPLIT, width="content"),
    )


def draw_times(here: Here, found: Dashboard) -> None:
    bars = [(bar.low, bar.high, bar.decisions) for bar in found.times.bars]

    def draw() -> None:
        words = text("dashboard.median_line", seconds=_seconds(found.times.median))
        plot(figures.times_chart(bars, middle=found.times.median, axis=text("dashboard.seconds"), words=words))

    panel(here, text("dashboard.time"), view.times_table(found.times), draw, text("dashboard.time_hint"))


def draw_rates(here: Here, found: Dashboard, among: str) -> None:
    left, right = st.columns(2)
    bins = view.labelled_bins(found.votes)
    with left:
        panel(
            here,
            text("dashboard.by_votes", of=of_what(among)),
            view.votes_table(found),
            lambda: shares(
                [(label, item.rate) for label, item in bins],
                among,
                text("dashboard.votes"),
                {label: (item.low + item.high) / 2 for label, item in bins},
            ),
            text("dashboard.by_votes_hint"),
        )
    with right:
        ranks = [(str(item.rank), item.rate) for item in found.ranks[:10]]
        panel(
            here,
            text("dashboard.by_rank", of=of_what(among)),
            view.ranks_table(found),
            lambda: shares(ranks, among, text("dashboard.rank")),
            text("dashboard.interval_hint"),
        )


def draw_tags(here: Here, found: Dashboard) -> None:
    left, right = st.columns(2)
    rejected, added = found.rejected[:TAGS], found.added[:TAGS]
    with left:
        series = {
            text("dashboard.rejected"): [tag.rate.rejected for tag in rejected],
            text("dashboard.accepted"): [tag.rate.accepted for tag in rejected],
        }
        table = view.tags_table("tags_rejected", found.rejected)
        panel(
            here,
            text("dashboard.most_rejected"),
            table,
            lambda: plot(figures.tags_chart([tag.tag for tag in rejected], series)),
        )
    with right:
        counts = {text("dashboard.added"): [tag.added for tag in added]}
        table = view.tags_table("tags_added_by_hand", found.added)
        panel(
            here,
            text("dashboard.most_added"),
            table,
            lambda: plot(figures.tags_chart([tag.tag for tag in added], counts)),
            text("dashboard.most_added_hint"),
        )


def draw_versions_and_new_tags(here: Here, found: Dashboard, among: str, zone: tzinfo) -> None:
    left, right = st.columns(2)
    with left:
        versions = [(item.version, item.rate) for item in found.versions]
        panel(
            here,
            text("dashboard.by_version", of=of_what(among)),
            view.versions_table(found),
            lambda: shares(versions, among, text("dashboard.version")),
            text("dashboard.by_version_hint"),
        )
    with right:
        panel(
            here,
            text("dashboard.new_tags"),
            view.new_tags_table(found, zone),
            lambda: _new_tags(found, zone),
            text("dashboard.new_tags_hint"),
        )


def _new_tags(found: Dashboard, zone: tzinfo) -> None:
    origin = {True: text("dashboard.from_model"), False: text("dashboard.by_hand")}
    st.dataframe(
        {
            text("dashboard.tag"): [item.tag for item in found.new_tags],
            text("dashboard.first_at"): [f"{item.at.astimezone(zone):%Y-%m-%d %H:%M}" for item in found.new_tags],
            text("dashboard.first_by"): [item.person for item in found.new_tags],
            text("dashboard.origin"): [origin[item.suggested] for item in found.new_tags],
            text("dashboard.decisions"): [item.decisions for item in found.new_tags],
        },
        hide_index=True,
        height=TABLE_HEIGHT,
    )


def draw_reliability(here: Here, found: view.Reliability) -> None:
    """How often tags with so many votes were accepted, and which threshold would have suited the decisions best."""

    def draw() -> None:
        hover = [_bin_words(b, found.among) for b in found.bins]
        plot(
            learning.reliability_chart(
                [(b.low, b.high, b.count, b.accepted) for b in found.bins],
                votes=text("dashboard.vote_share"),
                share=text("dashboard.accepted_of", of=of_what(found.among)),
                line=text("dashboard.as_votes"),
                hover=hover,
            )
        )
        st.markdown(_threshold_words(found))

    panel(
        here,
        text("dashboard.reliability", version=found.version),
        view.reliability_table(found),
        draw,
        text("dashboard.reliability_hint", of=of_what(found.among)),
    )


def _bin_words(found: calibration.Bin, among: str) -> str:
    ends = {"low": percent(found.low), "high": percent(found.high)}
    numbers = {"accepted": f"{found.accepted:,}", "count": f"{found.count:,}", **ends}
    return {SHOWN: text("dashboard.bin_shown", **numbers), JUDGED: text("dashboard.bin_judged", **numbers)}[among]


def _threshold_words(found: view.Reliability) -> str:
    if found.proposed is None:
        numbers = {"tags": f"{found.tags:,}", "enough": calibration.ENOUGH}
        few = {SHOWN: text("dashboard.few_shown", **numbers), JUDGED: text("dashboard.few_judged", **numbers)}
        return few[found.among]
    same = found.proposed_votes == found.votes
    values = {"votes": found.votes, "beam": found.beam, "f1": percent(found.now.f1), "of": of_what(found.among)}
    if same:
        return text("dashboard.threshold_fits", **values)
    best = {"best": found.proposed_votes, "best_f1": percent(found.proposed.f1)}
    return text("dashboard.threshold_proposed", **best, **values)


def draw_agreement(here: Here, found: Agreement) -> None:
    left, right = st.columns(2)
    with left:
        panel(here, text("dashboard.measures"), view.agreement_table(found), lambda: _measures(found))
    with right:
        panel(
            here,
            text("dashboard.kappas"),
            view.kappas_table(found),
            lambda: st.dataframe(
                {
                    text("dashboard.tag"): [item.tag for item in found.tags],
                    text("dashboard.kappa"): [_number(item.kappa) for item in found.tags],
                    text("dashboard.opinions"): [item.positive for item in found.tags],
                    text("dashboard.questions"): [item.questions for item in found.tags],
                },
                hide_index=True,
                height=TABLE_HEIGHT,
            ),
            text("dashboard.kappas_hint"),
        )


def _measures(found: Agreement) -> None:
    model, fair = found.model, found.model.unbiased
    names = {
        "acceptance_of_shown": text("dashboard.acceptance_of_shown"),
        "acceptance_of_judged": text("dashboard.acceptance_of_judged"),
        "precision": text("dashboard.precision"),
        "recall": text("dashboard.recall"),
        "similarity": text("dashboard.similarity"),
    }
    alpha = _number(found.alpha.value)
    rows = [(text("dashboard.alpha"), alpha, ""), (text("dashboard.answers"), f"{model.answers:,}", _count(fair))]
    rows += [
        (name, _number(getattr(model, measure)), _number(getattr(fair, measure, None)))
        for measure, name in names.items()
    ]
    heads = (text("dashboard.measure"), text("dashboard.everything"), text("dashboard.random"))
    st.dataframe(
        {head: [row[place] for row in rows] for place, head in enumerate(heads)},
        hide_index=True,
    )
    st.caption(_alpha_words(found))


def _alpha_words(found: Agreement) -> str:
    if not found.alpha.units:
        return text("dashboard.no_pairs")
    if found.alpha.value is None:
        return text("dashboard.no_variation")
    return text("dashboard.pairs", questions=f"{found.alpha.units:,}", opinions=f"{found.alpha.opinions:,}")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _count(model) -> str:
    return "–" if model is None else f"{model.answers:,}"
