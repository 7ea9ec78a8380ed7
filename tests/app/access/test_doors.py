"""The middleware before Streamlit: whose files are taken, which pages may open sessions, what every answer says."""

import asyncio
import json

import pytest
from starlette.datastructures import Headers
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from app.access import consent, doors, headers
from app.entry.resources import load_store
from app.shell.settings import Settings
from app.shell.store import open_store
from db import people
from l2a.errors import SettingsError

SECRET = "a-cookie-secret-of-the-tests-0123456789"
OWN = "http://localhost:8501"
UPLOAD = "/_stcore/upload_file/session/file"


@pytest.fixture
def team(monkeypatch, tmp_path):
    url = f"sqlite:///{tmp_path / 'store.db'}"
    for name, value in {"MODE": "team", "DATABASE": url, "MODEL": str(tmp_path / "none")}.items():
        monkeypatch.setenv(f"L2A_{name}", value)
    monkeypatch.setattr("streamlit.web.server.starlette.starlette_websocket.get_cookie_secret", lambda: SECRET)
    with open_store(Settings(database=url)) as store, store.write() as session:
        boss = people.add(session, "boss@example.org", "admin").id
        people.add(session, "gone@example.org", "moderator", by=boss)
        people.deactivate(session, "gone@example.org", by=boss)


def cookie(secret: str = SECRET, **claims: object) -> str:
    told = {"email": "boss@example.org", "is_logged_in": True, "origin": OWN, **claims}
    return "_streamlit_user=" + create_signed_value(secret, "_streamlit_user", json.dumps(told)).decode()


def ask(method: str = "PUT", path: str = UPLOAD, kind: str = "http", **sent: str) -> tuple[int, dict, bool]:
    """The answer's code and headers, and whether Streamlit was reached; 0 is a closed websocket."""
    reached, answers = [], []

    async def streamlit(scope, receive, send) -> None:
        reached.append(scope)
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 204, "headers": [(b"x-frame-options", b"ALLOW")]})
            await send({"type": "http.response.body", "body": b""})

    async def receive() -> dict:
        assert kind == "websocket", "a body was read"
        return {"type": "websocket.connect"}

    async def send(message) -> None:
        answers.append(message)

    fields = {"host": "localhost:8501", "origin": OWN, **sent}
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in fields.items() if value],
    }
    asyncio.run(doors.Doors(streamlit, load_store)(scope, receive, send))
    first = answers[0] if answers else {}
    told = {name.decode(): value.decode() for name, value in first.get("headers", [])}
    return first.get("status", 0), told, bool(reached)


def test_a_file_is_taken_from_somebody_whom_the_store_knows(team):
    assert ask(cookie=cookie())[::2] == (204, True)
    assert ask("DELETE", cookie=cookie())[::2] == (204, True)


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "_streamlit_user=nonsense",
        cookie(secret="another-secret-0123456789-0123456789"),
        cookie(is_logged_in=False),
        cookie(is_logged_in="true"),
        cookie(origin="http://localhost:9999"),
        cookie(email=""),
        cookie(email="eve@example.org"),  # any account of the provider can sign in
        cookie(email="gone@example.org"),
        cookie(email_verified=False),
    ],
)
@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_nobody_else_sends_a_file(team, sent, method):
    assert ask(method, cookie=sent)[::2] == (403, False)
    assert ask(method, f"/base{UPLOAD}", cookie=sent)[::2] == (403, False)


def test_what_no_browser_sends_has_no_origin_and_is_not_signed_in(team):
    assert ask(cookie=cookie(), origin="")[::2] == (403, False)


def test_with_wrong_settings_nobody_sends_a_file(team, monkeypatch):
    monkeypatch.setenv("L2A_BEAM", "none")
    assert ask(cookie=cookie())[::2] == (403, False)


def test_in_local_mode_a_page_of_another_address_sends_nothing(monkeypatch):
    monkeypatch.delenv("L2A_MODE", raising=False)
    assert ask()[::2] == (204, True)
    assert ask(origin="")[::2] == (204, True)  # no page at all
    for origin in ("http://localhost:9999", "http://evil.example", "null", "http://[", "http://localhost:x"):
        assert ask(origin=origin)[::2] == (403, False)
        assert ask(kind="websocket", path="/_stcore/stream", origin=origin)[2] is False
    assert ask(kind="websocket", path="/_stcore/stream")[2] is True


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        ("https://labels.example.org", "labels.example.org", True),
        ("https://labels.example.org:8443", "labels.example.org", True),  # the proxy left the port out
        ("http://[::1]:8501", "[::1]:8501", True),
        ("https://labels.example.org.evil.example", "labels.example.org", False),
        ("https://labels.example.org", "labels.example.org:8501", False),
        ("https://labels.example.org", "", False),
    ],
)
def test_a_page_is_our_own_by_its_name_and_port(origin, host, own):
    assert doors.is_own_page(Headers({"origin": origin, "host": host})) is own


def test_every_answer_has_the_headers_once(monkeypatch):
    for path, method in (("/", "GET"), ("/health", "GET"), (UPLOAD, "PUT")):
        _, told, _ = ask(method, path, origin="" if path != UPLOAD else "http://evil.example")
        assert told["x-frame-options"] == "DENY"  # in the place of another
        assert told["x-content-type-options"] == "nosniff"
        assert told["referrer-policy"] == "same-origin"
        policy = dict(part.split(" ", 1) for part in told["content-security-policy"].split("; "))
        assert policy["frame-ancestors"] == "'none'"
        assert policy["default-src"] == "'none'"
        assert "'unsafe-inline'" not in policy["script-src"]
        assert "'unsafe-eval'" not in policy["script-src"]
    answer = asyncio.run(doors.broken(None, ValueError("secret")))
    assert answer.status_code == 500
    assert answer.headers["content-security-policy"] == told["content-security-policy"]
    assert b"secret" not in answer.body


def test_those_who_embed_say_where(monkeypatch):
    monkeypatch.setenv("L2A_EMBED", "https://wiki.example.org  http://localhost:3000")
    told = headers.security_headers()
    assert told["Content-Security-Policy"].endswith("frame-ancestors https://wiki.example.org http://localhost:3000")
    assert "X-Frame-Options" not in told
    for wrong in ("*", "wiki.example.org", "https://a.example/path", "https://a.example; script-src *", "'self'"):
        with pytest.raises(SettingsError, match="L2A_EMBED is"):
            Settings.from_environment({"L2A_EMBED": wrong})
    monkeypatch.setenv("L2A_EMBED", "*")
    assert "frame-ancestors 'none'" in headers.security_headers()["Content-Security-Policy"]


def test_a_name_is_agreed_to_in_one_browser(monkeypatch):
    from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

    def browser(token: bytes) -> dict:
        return {"_streamlit_xsrf": generate_xsrf_token_string(token, 1)}  # another value every time

    consent.give(browser(b"one"), "li")
    assert consent.was_given(browser(b"one"), "li")
    assert not consent.was_given(browser(b"one"), "wang")
    assert not consent.was_given(browser(b"two"), "li")
    consent.give({}, "li")
    assert not consent.was_given({}, "li")
    monkeypatch.setattr(consent, "MOST", 2)
    for name in ("a", "b"):
        consent.give(browser(b"two"), name)
    assert not consent.was_given(browser(b"one"), "li")
    assert consent.was_given(browser(b"two"), "a")


def test_after_a_restart_the_address_says_what_was_agreed_to_in_this_browser(monkeypatch):
    from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

    one, two = ({"_streamlit_xsrf": generate_xsrf_token_string(token, 1)} for token in (b"one", b"two"))
    shown = consent.proof(one, "li")
    monkeypatch.setattr(consent, "_given", type(consent._given)())  # what a new process remembers
    assert consent.was_given(one, "li", shown)
    assert not consent.was_given(two, "li", shown)  # an address that somebody passed on
    assert not consent.was_given(one, "wang", shown)
    assert not any(consent.was_given(one, "li", wrong) for wrong in (None, "", "0" * 32, "名"))
    assert not consent.was_given({}, "li", consent.proof({}, "li"))
