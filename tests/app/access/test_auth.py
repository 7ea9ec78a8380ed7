"""Who is let in: the store's part of it, and the screens of app/access/sign_in.py."""

import logging

import pytest
from streamlit.testing.v1 import AppTest

from app.access import sign_in
from app.access.auth import known_visitor, local_visitor
from app.shell.settings import ROOT
from db import people
from db.store import schema
from db.store.engine import Store
from db.store.tables import Person

AUTH = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "0123456789abcdef0123456789abcdef",
    "client_id": "client",
    "client_secret": "not-to-be-shown-either",
    "server_metadata_url": "http://127.0.0.1:9/.well-known/openid-configuration",
}
ADMIN = "boss@example.org"


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A new store, and the app set to it."""
    url = f"sqlite:///{tmp_path}/l2a.db"
    monkeypatch.setenv("L2A_DATABASE", url)
    with Store(url) as store:
        schema.prepare(store)
        yield store


@pytest.fixture
def team_app(store, tagger, monkeypatch):
    """Call it for the app in team mode as somebody sees it: `user` is what the provider said about them."""
    monkeypatch.setenv("L2A_MODE", "team")
    monkeypatch.setenv("L2A_ADMIN", ADMIN)
    monkeypatch.setenv("L2A_LANGUAGE", "en")

    def open_app(user: dict | None = None, auth: dict | None = AUTH) -> AppTest:
        app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
        if auth is not None:
            app.secrets["auth"] = auth
        app.user = {"is_logged_in": False} if user is None else {"is_logged_in": True, **user}
        return app.run()

    return open_app


def add(store: Store, name: str, role: str = "moderator") -> None:
    with store.write() as session:
        everyone = people.everyone(session)
        people.add(session, name, role, by=everyone[0].id if everyone else None)


def headings(app: AppTest) -> list[str]:
    return [element.value for element in app.subheader]


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


# --- the store's part


def test_local_the_first_name_is_an_admin_and_others_are_moderators(store):
    assert local_visitor(store, "chen").role == "admin"
    assert local_visitor(store, " li ").role == "moderator"
    assert local_visitor(store, "chen") == local_visitor(store, " chen ")


def test_local_a_store_without_an_admin_gets_one(store):
    with store.write() as session:  # as the store of an older version may be
        session.add(Person(name="li", role="moderator"))
    assert local_visitor(store, "chen").role == "admin"
    assert local_visitor(store, "wang").role == "moderator"


def test_local_a_known_visitor_waits_for_no_writer(store):
    chen = local_visitor(store, "chen")
    with store.write():  # holds the only turn to write; a second writer would wait for a minute
        assert local_visitor(store, "chen") == chen


def test_a_new_store_lets_in_its_first_admin_and_nobody_else(store):
    assert known_visitor(store, "eve@example.org", ADMIN) is None
    assert known_visitor(store, ADMIN, None) is None
    visitor = known_visitor(store, ADMIN, ADMIN)
    assert (visitor.name, visitor.role) == (ADMIN, "admin")
    assert known_visitor(store, ADMIN, ADMIN) == visitor


def test_a_store_with_people_takes_no_first_admin(store):
    add(store, "li@example.org", "admin")
    assert known_visitor(store, ADMIN, ADMIN) is None


def test_a_deactivated_person_is_not_let_in(store):
    add(store, ADMIN, "admin")
    add(store, "li@example.org")
    assert known_visitor(store, "li@example.org", ADMIN).role == "moderator"
    with store.write() as session:
        people.deactivate(session, "li@example.org", by=people.find(session, ADMIN).id)
    assert known_visitor(store, "li@example.org", ADMIN) is None
    assert known_visitor(store, "LI@example.org", ADMIN) is None


def test_the_case_of_an_address_does_not_matter(store):
    assert known_visitor(store, ADMIN.upper(), ADMIN).role == "admin"
    add(store, "Li@Example.org")
    assert known_visitor(store, "li@example.org", None).name == "Li@Example.org"


def test_two_people_who_differ_in_case_alone_are_told_apart(store):
    add(store, "Li@example.org", "admin")
    add(store, "li@example.org")
    assert known_visitor(store, "Li@example.org", None).role == "admin"
    assert known_visitor(store, "li@example.org", None).role == "moderator"
    assert known_visitor(store, "LI@example.org", None) is None


def test_letters_that_only_look_alike_are_not_one(store):
    add(store, "kim@example.org", "admin")
    assert known_visitor(store, "\N{KELVIN SIGN}im@example.org", None) is None
    assert known_visitor(store, "\N{FULLWIDTH LATIN SMALL LETTER K}im@example.org", None) is None


# --- the screens


def test_who_is_not_signed_in_sees_one_button(team_app):
    app = team_app()
    assert not app.exception
    assert headings(app) == ["Sign in"]
    assert labels(app) == ["Sign in"]


def test_the_language_can_be_chosen_before_signing_in(team_app):
    app = team_app()
    app.button_group(key="lang_switch").set_value("zh").run()
    assert headings(app) == ["登录"]
    assert app.query_params["lang"] == "zh"  # so a reload keeps it
    app.button_group(key="lang_switch").set_value("en").run()
    assert headings(app) == ["Sign in"]


def test_a_switch_that_reports_nothing_leaves_the_language_as_it_is(team_app):
    """What a browser says that was asked before it had drawn the switch."""
    app = team_app()
    app.button_group(key="lang_switch").set_value("zh").run()
    app.button_group(key="lang_switch").set_value(None).run()
    assert not app.exception
    assert headings(app) == ["登录"]
    assert app.query_params["lang"] == "zh"


def test_the_first_admin_gets_to_the_pages(team_app):
    app = team_app({"email": ADMIN, "email_verified": True})
    assert not app.exception
    assert "Sign in" not in labels(app)
    assert "Sign out" in labels(app)


def test_an_unknown_person_is_told_whom_to_ask(team_app, store):
    add(store, ADMIN, "admin")
    app = team_app({"email": "eve@example.org", "email_verified": True})
    assert headings(app) == ["This account has no access yet"]
    assert [element.value for element in app.text] == ["You are signed in as eve@example.org"]
    assert labels(app) == ["Sign out"]
    assert known_visitor(store, "eve@example.org", None) is None


@pytest.mark.parametrize("said", [False, "false", "False", 0])
def test_an_unconfirmed_address_is_not_believed(team_app, said):
    app = team_app({"email": ADMIN, "email_verified": said})
    assert headings(app) == ["This address is not verified"]


def test_a_provider_that_says_nothing_about_confirmation_is_believed(team_app):
    assert "Sign out" in labels(team_app({"email": ADMIN}))


@pytest.mark.parametrize("email", [None, "", "  "])
def test_an_account_without_an_address_is_turned_away(team_app, email):
    assert headings(team_app({"email": email})) == ["The sign-in provider gave no e-mail address"]


def test_being_signed_in_must_be_said_plainly(team_app):
    app = team_app({"email": ADMIN, "is_logged_in": "yes"})
    assert headings(app) == ["Sign in"]


@pytest.mark.parametrize("auth", [None, {}, {**AUTH, "client_secret": ""}])
def test_a_missing_set_up_says_what_to_do(team_app, auth):
    app = team_app({"email": ADMIN}, auth)
    assert not app.exception
    assert headings(app) == ["Sign-in is not set up"]
    shown = " ".join(element.value for element in app.markdown)
    assert "`client_secret` is missing" in shown
    assert "docs/operations.md" in shown
    assert not app.button


def test_set_up_problems_are_named_without_their_values():
    assert sign_in.setup_problems(AUTH) == {}
    assert sign_in.setup_problems({}) == dict.fromkeys(sign_in.KEYS, "signin.key_missing")
    assert sign_in.setup_problems({**AUTH, "cookie_secret": "x" * 31}) == {"cookie_secret": "signin.key_short"}
    assert sign_in.setup_problems({**AUTH, "redirect_uri": "http://localhost:8501/"}) == {
        "redirect_uri": "signin.key_callback"
    }


# --- secrets


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://l2a:{password}@127.0.0.1:9/l2a",
        "postgresql://127.0.0.1:9/l2a?user=l2a&password={password}",
        "postgresql:/l2a:{password}@127.0.0.1/l2a",
        "mysql://l2a:{password}@127.0.0.1/l2a",
        "postgresql://l2a:{password}@127.0.0.1:port/l2a",
    ],
)
def test_a_database_password_is_neither_shown_nor_logged(url, tagger, monkeypatch, caplog, capfd):
    password = "pa55-w0rd/@:that-is-secret"
    monkeypatch.setenv("L2A_DATABASE", url.format(password=password))
    monkeypatch.setenv("L2A_LANGUAGE", "en")
    caplog.set_level(logging.DEBUG)
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60).run()
    shown = " ".join(element.value for element in [*app.text, *app.markdown, *app.error, *app.subheader])
    assert headings(app) == ["The database cannot be opened"]
    assert not app.exception
    output = capfd.readouterr()
    for text in (shown, caplog.text, output.out, output.err):
        assert "pa55" not in text
        assert "that-is-secret" not in text
