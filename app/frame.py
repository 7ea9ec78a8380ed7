"""The frame around every page: store, visitor, header, navigation, and what is said when one of them is missing."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps

import streamlit as st

from app import resources, session
from app.acceptance import Acceptance
from app.auth import Visitor, known_visitor, local_visitor
from app.session import said, text
from app.settings import ROOT, Settings
from app.suggester import Suggester
from app.widgets import language_switch
from db.engine import Store
from db.errors import StoreError
from db.tag_index import TagSearch

EVERYBODY = ("moderator", "researcher", "admin")


@dataclass(frozen=True)
class PageInfo:
    """A page: its file in pages/, its icon, and who may open it."""

    name: str
    icon: str
    roles: tuple[str, ...] = EVERYBODY


PAGES = (
    PageInfo("annotate", ":material/label:"),
    PageInfo("attention", ":material/grid_on:"),
    PageInfo("beams", ":material/account_tree:"),
    PageInfo("history", ":material/history:"),
    PageInfo("export", ":material/download:", ("researcher", "admin")),
    PageInfo("dashboard", ":material/monitoring:"),
    PageInfo("retrain", ":material/model_training:", ("researcher", "admin")),
    PageInfo("queue", ":material/inbox:", ("admin",)),
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
    def acceptance(self) -> Acceptance:
        return resources.load_acceptance(self.settings)

    @property
    def tag_search(self) -> TagSearch:
        return resources.load_tag_search(self.settings)

    def may(self, *roles: str) -> bool:
        return self.visitor.role in roles


def enter() -> Here:
    """Settings, store and visitor, or a screen that says what is wrong and what to do; pages call it first."""
    settings = Settings.from_environment()
    try:
        store = resources.load_store(settings)
        visitor = _visitor(settings, store)
    except StoreError as error:
        explain(text("error.store"), said(error), text("error.store_hint"))
    return Here(settings, store, visitor)


def explain(heading: str, message: str, hint: str = "") -> None:
    """A whole screen for something that is missing; ends the page. `message` is shown as it is, not as Markdown."""
    st.subheader(heading, anchor=False)
    st.text(message)
    if hint:
        st.markdown(hint)
    st.stop()


def guarded(draw: Callable[..., None]) -> Callable[..., None]:
    """`draw`, with what the store complains about explained. For fragments: one that runs by itself is outside of
    whatever the page has put around it."""

    @wraps(draw)
    def explained(*values, **options) -> None:
        try:
            draw(*values, **options)
        except StoreError as error:
            explain(text("error.store"), said(error), text("error.store_hint"))

    return explained


def header(here: Here) -> None:
    """Who one is, and the language switch; style.css puts them into the bar at the top."""
    st.logo(ROOT / "app" / "logo.svg", size="large")
    with st.container(horizontal=True, vertical_alignment="center", key="header"):
        _person(here)
        language_switch()


def navigation(here: Here):
    """The pages this visitor's role may open; the address of any other says why not, and its file never runs."""
    return st.navigation([_page(page, here.visitor.role) for page in PAGES], position="top")


def _page(page: PageInfo, role: str):
    if role not in page.roles:
        return st.Page(_not_for_this_role, url_path=page.name, title=text(f"page.{page.name}"), visibility="hidden")
    return st.Page(
        f"../pages/{page.name}.py",
        title=text(f"page.{page.name}"),
        icon=page.icon,
        default=page.name == "annotate",
    )


def _not_for_this_role() -> None:
    st.info(text("error.role"))


def _visitor(settings: Settings, store: Store) -> Visitor:
    if settings.mode == "local":
        return local_visitor(store, session.local_name())
    from app import sign_in

    return sign_in.visitor(partial(known_visitor, store, first_admin=settings.admin))


def _person(here: Here) -> None:
    with st.popover(here.visitor.name, icon=":material/person:", width="content"):
        st.text(text("person.label", name=here.visitor.name))
        st.caption(text(f"role.{here.visitor.role}"))
        if here.settings.mode == "local":
            st.caption(text("person.hint"))
            with st.form("person", border=False):
                name = st.text_input(text("person.name"), value=here.visitor.name, max_chars=100)
                if st.form_submit_button(text("person.change")) and name.strip() != here.visitor.name:
                    session.become(name.strip())
                    st.rerun()
        else:
            from app import sign_in

            sign_in.leave_button()
