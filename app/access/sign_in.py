"""Team mode: nobody goes past here who is not signed in and known to the store. Streamlit's own login does the rest."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from app.access.auth import Visitor, signed_in_address
from app.places import APP
from app.shell.session import text
from app.shell.widgets import language_switch

KEYS = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
CALLBACK = "/oauth2callback"
SHORTEST_SECRET = 32  # whoever guesses it can sign in as anybody


def visitor(find: Callable[[str], Visitor | None]) -> Visitor:
    """Who is signed in; `find` looks an e-mail address up in the store. Any other case is a screen of its own."""
    wrong = setup_problems(_auth_section())
    if wrong:
        _show_setup(wrong)
    if st.user.get("is_logged_in") is not True:
        _show_sign_in()
    email = str(st.user.get("email") or "").strip()
    if not email:
        _turn_away(text("signin.nameless"), "", text("signin.nameless_hint"))
    if not signed_in_address(st.user):
        _turn_away(text("signin.unverified"), email, text("signin.unverified_hint"))
    person = find(email)
    if person is None:
        _turn_away(text("signin.unknown"), email, text("signin.unknown_hint"))
    return person


def leave_button() -> None:
    st.button(text("signin.leave"), icon=":material/logout:", on_click=st.logout, key="signin-leave")


def setup_problems(auth: Mapping[str, object]) -> dict[str, str]:
    """What is wrong in [auth]: name of the key -> name of the text that says it. Never a value."""
    wrong = {key: "signin.key_missing" for key in KEYS if not auth.get(key)}
    if "cookie_secret" not in wrong and len(str(auth["cookie_secret"])) < SHORTEST_SECRET:
        wrong["cookie_secret"] = "signin.key_short"
    if "redirect_uri" not in wrong and not str(auth["redirect_uri"]).endswith(CALLBACK):
        wrong["redirect_uri"] = "signin.key_callback"
    return wrong


def _auth_section() -> Mapping[str, object]:
    try:
        section = st.secrets.get("auth", {})
    except StreamlitSecretNotFoundError:  # no file, or one that cannot be read
        return {}
    return section if isinstance(section, Mapping) else {}


def _show_setup(wrong: Mapping[str, str]) -> NoReturn:
    with _card():
        st.subheader(text("signin.setup"), anchor=False)
        st.markdown(text("signin.setup_why"))
        st.markdown("\n".join(f"- `{key}` {text(problem)}" for key, problem in wrong.items()))
        st.markdown(text("signin.setup_hint"))
    st.stop()


def _show_sign_in() -> NoReturn:
    with _card():
        st.subheader(text("signin.heading"), anchor=False)
        st.markdown(text("signin.hint"))
        st.button(text("signin.enter"), type="primary", width="stretch", on_click=st.login, key="signin-enter")
    st.stop()


def _turn_away(heading: str, email: str, hint: str) -> NoReturn:
    with _card():
        st.subheader(heading, anchor=False)
        if email:
            st.text(text("signin.account", email=email))
        st.markdown(hint)
        leave_button()
    st.stop()


@contextmanager
def _card() -> Iterator[None]:
    """A narrow box in the middle, under the program's name and the language switch."""
    st.logo(APP / "logo.svg", size="large")
    with st.container(horizontal=True, key="header"):  # style.css puts it into the bar, as on the pages
        language_switch()
    with st.container(horizontal_alignment="center"), st.container(width=440, border=True, key="signin"):
        yield
