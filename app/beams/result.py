"""The result of a search: the tags that are kept, the N-best list, and what other thresholds would leave."""

import html
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from app.beams import nbest, thresholds
from app.entry.frame import Here
from app.entry.question_choice import ChosenQuestion
from app.figures.beams import threshold_figure
from app.shell.session import text
from app.shell.widgets import percent
from l2a.search.voting import MAX_SHOWN

if TYPE_CHECKING:
    from l2a.tagger import Constraints, Suggestions

TABLE_HEIGHT = 420


def kept_line(result: "Suggestions", votes: int, base: "Suggestions") -> None:
    """The tags that are kept, and those that were before a person asked for something."""
    threshold = votes / result.beam
    kept = thresholds.tags_over(result.suggestions, result.beam, threshold)[:MAX_SHOWN]
    st.markdown(
        f"**{text('beams.kept', votes=votes, beam=result.beam, threshold=percent(threshold))}**", width="stretch"
    )
    if kept:
        st.html(nbest.tag_chips(kept, result.suggestions, result.beam))
    else:
        st.text(text("beams.none"))
    if base is not result:
        before = thresholds.tags_over(base.suggestions, base.beam, threshold)[:MAX_SHOWN]
        st.text(text("beams.without", tags="、".join(before) or text("beams.nothing")))


def nbest_table(result: "Suggestions") -> None:
    orders = {hypothesis.order: text(f"order.{hypothesis.order}") for hypothesis in result.hypotheses}
    names = [text("nbest.rank"), text("nbest.tags"), text("nbest.log_probability")]
    if len(orders) > 1:  # a model with two members
        names.insert(2, text("nbest.order"))
    heads = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in names)
    rows = nbest.hypothesis_rows(result.hypotheses, result.suggestions, result.beam, text("nbest.empty"), orders)
    st.html(
        f'<div class="l2a-scroll"><table class="l2a-nbest"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def download(
    here: Here, result: "Suggestions", question: ChosenQuestion, threshold: float, constraints: "Constraints | None"
) -> None:
    """The N-best list as a file, made when it is asked for."""
    make = partial(
        nbest.to_jsonl,
        result,
        question_id=question.id,
        title=question.title,
        description=question.description,
        threshold=threshold,
        constraints=constraints,
    )
    st.download_button(
        text("beams.export"),
        here.asking("look into the model", make),
        file_name=f"nbest-{question.id or 'typed'}-{result.beam}.jsonl",
        mime="application/jsonl",
        on_click="ignore",
        icon=":material/download:",
        key="beams-export",
    )


def draw_thresholds(result: "Suggestions", votes: int) -> None:
    """The stairs, and under them which tags each step leaves."""
    steps = thresholds.threshold_steps(result.suggestions, result.beam)
    figure = threshold_figure(
        steps, threshold=votes / result.beam, labels=(text("beams.threshold"), text("beams.tags"))
    )
    st.plotly_chart(figure, config={"displayModeBar": False}, key="beams-stairs")
    rows = [
        {
            text("beams.over"): step.votes,
            text("beams.threshold"): percent(step.threshold),
            text("beams.count"): len(step.tags),
            text("beams.tags"): list(step.tags),
        }
        for step in steps
    ]
    st.dataframe(rows, hide_index=True, height=min(TABLE_HEIGHT, 38 + 35 * len(rows)))
