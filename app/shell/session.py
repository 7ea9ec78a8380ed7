"""What a visitor's session remembers: every session_state key is named here and nowhere else."""

from datetime import tzinfo

import streamlit as st

from app.shell import clock, error_text
from app.shell.i18n import LANGUAGES, choose_language, translate

LANGUAGE = "lang"  # also in the address, so that a reload or a link keeps it
# The switch's own value, apart from the language: a page that is run again before the browser has drawn the switch
# can be told that nothing is chosen there.
LANGUAGE_SWITCH = "lang_switch"
AGREED = "agreed"  # in the address: proof of a click (app.access.consent)
PERSON = "as"  # the name in local mode; also in the address, which can only ask for it
DESK = "desk"
BOARD = "board"
EVIDENCE = "evidence"
NO_EVIDENCE = "no_evidence"  # the version whose evidence cannot be worked out
MATCHES = "matches"
ORDER = "order"
SOURCE = "source"
TAG_FILTER = "tag_filter"
BEAM = "beam"
CUT = "cut"
MORE = "more"  # whether the votes chart is open

# The screens' own, which begin as the screen is called. Where there is one a question, tag or entry: see `numbered`.
ATTENTION_BESIDE = "attention-beside"
ATTENTION_CHECKED = "attention-checked"
ATTENTION_HEAD = "attention-head"
ATTENTION_HINTS = "attention-hints"
ATTENTION_HOW = "attention-how"
ATTENTION_KIND = "attention-kind"
ATTENTION_KNOWN = "attention-known"
ATTENTION_LAYER = "attention-layer"
ATTENTION_MODEL = "attention-model"
ATTENTION_OPENED = "attention-opened"
ATTENTION_PAPER_LANGUAGE = "attention-paper-language"
ATTENTION_PAPER_PREVIEW = "attention-paper-preview"
ATTENTION_TAGS = "attention-tags"
ATTENTION_TAGS_FROM = "attention-tags-from"
BEAMS_BAN = "beams-ban"
BEAMS_BEAM = "beams-beam"
BEAMS_CLOSED = "beams-closed"
BEAMS_FORCE = "beams-force"
BEAMS_KNOWN = "beams-known"  # results of this visit: moving the threshold does not search again
BEAMS_OPENED = "beams-opened"
BEAMS_TRIED = "beams-tried"
BEAMS_VOTES = "beams-votes"
DASHBOARD_AGREEMENT = "dashboard_agreement"  # the ledger's last number when somebody asked for agreement
DASHBOARD_SOURCES = "dashboard_sources"  # (the ledger's last number then, what each source is worth)
DASHBOARD_SPLIT = "dashboard_split"  # decisions a day by person
DASHBOARD_TAUGHT = "dashboard_taught"  # (the ledger's last number then, what the last decisions taught)
EXPORT_DIFFERENCE = "export_difference"
EXPORT_PREPARED = "export_prepared"
EXPORT_PREVIEW = "export_preview"
EXPORT_QUESTIONS = "export_questions"  # how many the ledger knows, with the entry it was counted at
EXPORT_SUMMARY = "export_summary"
HISTORY_AFTER = "history_after"  # the conflict that was left for later
HISTORY_AGREEMENT = "history_agreement"
HISTORY_COMMENT = "history_comment"
HISTORY_NONE = "history_none"
HISTORY_OPEN = "history_open"  # the receipt whose details are shown
HISTORY_OTHER = "history_other"
HISTORY_OTHERS = "history_others"
HISTORY_PAGES = "history_pages"  # before which number each page up to this one begins
HISTORY_ROWS = "history_rows"
HISTORY_SAID = "history_said"  # what became of the last click
HISTORY_TAGS = "history_tags"
IMPORT_OUTCOME = "import_outcome"  # of the last dry run or import
QUEUE_DONE = "queue_done"  # what was just done, shown after the page has run again
RETRAIN_DONE = "retrain_done"  # what was just done, shown after the page has run again
RETRAIN_SURE = "retrain_sure"  # (what, version) that somebody shall confirm
TAGS_DAYS = "tags_days"  # of the questions that names are looked for in
TAGS_DEFINITION = "tags_definition"
TAGS_EXTERNAL_ID = "tags_external_id"
TAGS_LISTING = "tags_listing"
TAGS_NAMES_PAGE = "tags_names_page"
TAGS_OPEN = "tags_open"  # (number of the tag, operation to begin with)
TAGS_OPERATION = "tags_operation"
TAGS_OUTCOME = "tags_outcome"
TAGS_PAIRS_PAGE = "tags_pairs_page"
TAGS_PARENT = "tags_parent"  # the tag above that somebody typed for a name
TAGS_REASON = "tags_reason"
TAGS_SEARCH = "tags_search"
TAGS_SECTION = "tags_section"
TAGS_STATE = "tags_state"
TAGS_TABLE = "tags_table"
TAGS_TYPED = "tags_typed"  # what stands in the field for the other name, by operation


def numbered(name: str, number: int) -> str:
    """The key of what there is one of for each question, tag or entry."""
    return f"{name}_{number}"


def choice_key(page: str, name: str) -> str:
    """The key of a part of a page's choice of a question (app.entry.question_choice)."""
    return f"{page}-{name}"


def sure_key(page: str) -> str:
    """The key of the version that a page asks about before it goes back to it (app.entry.live_model)."""
    return f"{page}_back_sure"


def open_language(setting: str) -> None:
    """Set the language of a new session: the address says it, or the setting, or the browser."""
    if LANGUAGE not in st.session_state:
        asked = st.query_params.get(LANGUAGE)
        st.session_state[LANGUAGE] = asked if asked in LANGUAGES else choose_language(setting, st.context.locale)


def take_language() -> None:
    """The language just chosen is the session's from now on, and stands in the address."""
    chosen = st.session_state[LANGUAGE_SWITCH]
    if chosen in LANGUAGES:
        st.session_state[LANGUAGE] = st.query_params[LANGUAGE] = chosen


def language() -> str:
    return st.session_state[LANGUAGE]


def text(key: str, **values: object) -> str:
    """An interface text in the visitor's language; app/main.py opens the session before any page runs."""
    return translate(st.session_state[LANGUAGE], key, **values)


def said(error: object) -> str:
    """What an error or a message says, in the visitor's language."""
    return error_text.said(error, st.session_state[LANGUAGE])


def zone() -> tzinfo:
    """The visitor's time zone, as their browser says it."""
    return clock.zone_of(st.context.timezone, st.context.timezone_offset)


def end_if_unwanted() -> None:
    """Leave a script whose visitor has gone or has asked for something else meanwhile, as drawing anything would.

    Streamlit ends such a script when it touches the session. Not for callbacks: a new run asked for there is lost.
    """
    st.session_state.get(DESK)


def clear_desk() -> None:
    """Another person, or another queue: what lies on the desk is not theirs. The lease runs out or is resumed."""
    for key in (DESK, EVIDENCE, NO_EVIDENCE, MATCHES):
        st.session_state.pop(key, None)
