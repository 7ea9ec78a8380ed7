"""The frame around every page: store, visitor, header, navigation, and what is said when one of them is missing."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import NoReturn, TypeVar

import streamlit as st

from app import places
from app.access import local_name
from app.access.auth import Visitor, known_visitor, local_visitor, user_name
from app.emerging.search import EmergingSearch
from app.entry import resources
from app.serving.suggester import Suggester
from app.shell import error_text, page_script, session
from app.shell.session import said, text
from app.shell.settings import Settings
from app.shell.widgets import language_switch, plain
from db import people
from db.access import allows
from db.errors import Refused, StoreError
from db.store.engine import Store
from db.tags.duplicates import DuplicateSearch
from db.tags.search.index import TagSearch

Made = TypeVar("Made")


@dataclass(frozen=True)
class PageInfo:
    """A page: its file in pages/, its icon, and what one must be allowed to (db.access) to open it: one of these."""

    name: str
    icon: str
    actions: tuple[str, ...]


# What the tabs of Import and queue are for, in their order: a tab is there for those who may.
QUEUE_TABS: tuple[str, ...] = ("import questions", "change the queue", "change people", "change models")
PAGES = (
    PageInfo("annotate", ":material/label:", ("decide about questions",)),
    PageInfo("attention", ":material/grid_on:", ("look into the model",)),
    PageInfo("beams", ":material/account_tree:", ("look into the model",)),
    PageInfo("history", ":material/history:", ("see and take back one's own decisions",)),
    PageInfo("tags", ":material/sell:", ("look at tags",)),
    PageInfo("export", ":material/download:", ("export labels",)),
    PageInfo("dashboard", ":material/monitoring:", ("see the team's totals",)),
    PageInfo("retrain", ":material/model_training:", ("look at trainings",)),
    PageInfo("queue", ":material/inbox:", QUEUE_TABS),
)


@dataclass(frozen=True)
class Here:
    """What a page works with."""

    settings: Settings
    store: Store
    visitor: Visitor

    @property
    def suggester(self) -> Suggester:
        return resources.load_suggester(self.settings)

    @property
    def tag_search(self) -> TagSearch:
        return resources.load_tag_search(self.settings)

    @property
    def duplicates(self) -> DuplicateSearch:
        return resources.load_duplicates(self.settings)

    @property
    def emerging(self) -> EmergingSearch:
        return resources.load_emerging(self.settings)

    def may(self, action: str) -> bool:
        """Whether the visitor may do this (db.access) at this moment: the store is asked, for a page that was drawn a
        while ago may be in the hands of somebody who has another role by now."""
        with self.store.read() as reading:
            return people.may(reading, self.visitor.id, action)

    def require(self, *actions: str) -> None:
        """Raises Refused unless the visitor may do one of these at this moment."""
        with self.store.read() as reading:
            if not any(people.may(reading, self.visitor.id, action) for action in actions):
                people.require(reading, self.visitor.id, actions[0])

    def asking(self, action: str, make: Callable[[], Made]) -> Callable[[], Made]:
        """`make` for a download button, which asks again on the click: the page may have been drawn long before."""
        language = st.session_state.get(session.LANGUAGE, "en")  # the click is answered outside of the session

        def asked() -> Made:
            try:
                self.require(action)
            except StoreError as error:
                raise Refused(error_text.said(error, language)) from error
            return make()

        return asked


def enter(page: str | None = None) -> Here:
    """Settings, store and visitor, or a screen that says what is wrong and what to do; pages call it first, by name.

    A page whose visitor may not open it ends here: the navigation does not lead to it, and nothing else may either.
    """
    settings = Settings.from_environment()
    try:
        store = resources.load_store(settings)
        visitor = _visitor(settings, store)
    except StoreError as error:
        explain(text("error.store"), said(error), text("error.store_hint"))
    here = Here(settings, store, visitor)
    if page is not None and not _may_open(_named(page), visitor.role):
        explain(text(f"page.{page}"), text("error.role"))
    return here


def explain(heading: str, message: str, hint: str = "") -> NoReturn:
    """A whole screen for something that is missing; ends the page. `message` is shown as it is, not as Markdown."""
    st.subheader(heading, anchor=False)
    st.text(message)
    if hint:
        st.markdown(hint)
    st.stop()


def guarded(here: Here, page: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """For fragments of a page: one that runs by itself is outside of whatever the page has put around it.

    Asks anew whether the visitor may be on this page, and explains what the store complains about.
    """

    def around(draw: Callable[..., None]) -> Callable[..., None]:
        @wraps(draw)
        def explained(*values, **options) -> None:
            try:
                here.require(*_named(page).actions)
                draw(*values, **options)
            except StoreError as error:
                explain(text("error.store"), said(error), text("error.store_hint"))

        return explained

    return around


def header(here: Here) -> None:
    """Who one is, and the language switch; style.css puts them into the bar at the top."""
    st.logo(places.APP / "logo.svg", size="large")
    with st.container(horizontal=True, vertical_alignment="center", key="header"):
        _person(here)
        language_switch()
        page_script.run(session.language())


def navigation(here: Here):
    """The pages this visitor's role may open; the address of any other says why not, and its file never runs."""
    return st.navigation([_page(page, here.visitor.role) for page in PAGES], position="top")


def _page(page: PageInfo, role: str):
    if not _may_open(page, role):
        return st.Page(_not_for_this_role, url_path=page.name, title=text(f"page.{page.name}"), visibility="hidden")
    return st.Page(
        places.PAGES / f"{page.name}.py",
        title=text(f"page.{page.name}"),
        icon=page.icon,
        default=page.name == "annotate",
    )


def _may_open(page: PageInfo, role: str) -> bool:
    return any(allows(role, action) for action in page.actions)


def _named(page: str) -> PageInfo:
    return next(info for info in PAGES if info.name == page)


def _not_for_this_role() -> None:
    st.info(text("error.role"))


def _visitor(settings: Settings, store: Store) -> Visitor:
    if settings.mode == "local":
        asked = local_name.asked_for(user_name())
        if asked is not None:
            _ask_who(asked)
        return local_visitor(store, local_name.chosen())
    from app.access import sign_in

    return sign_in.visitor(partial(known_visitor, store, first_admin=settings.admin))


def _nothing() -> None:
    """Stands for every page while it is not known who would see it."""


def _ask_who(asked: str) -> None:
    """The address wants its visitor to be somebody else: only a click makes it so."""
    own = local_name.chosen() or user_name()
    # Without its pages Streamlit would go to the first of them after the click, whatever the address was.
    pages = [st.Page(_nothing, url_path=page.name, title=page.name, default=page is PAGES[0]) for page in PAGES]
    st.navigation(pages, position="hidden")
    with st.container(horizontal_alignment="center"), st.container(width=440, border=True, key="who"):
        st.subheader(text("person.asked"), anchor=False)
        st.text(text("person.asked_name", name=asked))
        st.markdown(text("person.asked_hint"))
        with st.container(horizontal=True):
            take = partial(local_name.become, asked)
            st.button(text("person.take", name=plain(asked)), type="primary", on_click=take, key="person-take")
            st.button(text("person.keep", name=plain(own)), on_click=local_name.stay, key="person-keep")
    st.stop()


def _person(here: Here) -> None:
    with st.popover(here.visitor.name, icon=":material/person:", width="content"):
        st.text(text("person.label", name=here.visitor.name))
        st.caption(text(f"role.{here.visitor.role}"))
        if here.settings.mode == "local":
            st.caption(text("person.hint"))
            with st.form("person", border=False):
                name = st.text_input(text("person.name"), value=here.visitor.name, max_chars=100)
                if st.form_submit_button(text("person.change")) and name.strip() != here.visitor.name:
                    local_name.become(name.strip())
                    st.rerun()
        else:
            from app.access import sign_in

            sign_in.leave_button()
