"""What stands before Streamlit's own routes: the headers of every answer, and who may send files and open sessions.

Streamlit lets everybody send files who has a page open, and the sign-in screen is one. In team mode a file is taken
from people whom the store knows and from nobody else, and refused before any of it is read.
"""

import json
import logging
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.auth import known_visitor, signed_in_address
from app.access.headers import security_headers
from app.shell.settings import Settings
from db.errors import StoreError
from db.store.engine import Store
from l2a.errors import SettingsError

UPLOADS = "/_stcore/upload_file/"
FOREIGN = "This request comes from a page of another address."
NOT_SIGNED_IN = "Sign in before you send a file."
_POLICY_VIOLATION = 1008  # of a websocket

log = logging.getLogger(__name__)


class Doors:
    """Middleware for `st.App`."""

    def __init__(self, app: ASGIApp, load_store: Callable[[Settings], Store]):
        """`load_store` gives the store that says who is known."""
        self._app, self._load_store = app, load_store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not is_own_page(Headers(scope=scope)):
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(security_headers())
            await send(message)

        refusal = await _refusal(scope, self._load_store)
        answer = self._app if refusal is None else PlainTextResponse(refusal, status_code=403)
        await answer(scope, receive, send_with_headers)


async def broken(_: Request, error: Exception) -> PlainTextResponse:
    """The answer to an error that nobody expected; it does not pass through the middleware. The log has the error."""
    return PlainTextResponse("Internal Server Error", status_code=500, headers=security_headers())


def is_own_page(headers: Headers) -> bool:
    """Whether the page that asks is ours: Streamlit takes any port of localhost for it. No browser is no page at all.

    A proxy may leave the port out of the name it passes on.
    """
    origin = headers.get("origin")
    if origin is None or not st.get_option("server.enableCORS"):
        return True
    if origin in (st.get_option("server.corsAllowedOrigins") or ()):
        return True
    try:
        asking, asked = urlsplit(origin), urlsplit(f"//{headers.get('host', '')}")
        same_port = asked.port in (None, asking.port)
    except ValueError:
        return False
    return bool(asking.hostname) and asking.hostname == asked.hostname and same_port


async def _refusal(scope: Scope, load_store: Callable[[Settings], Store]) -> str | None:
    """Why this request goes no further; None: it does."""
    if UPLOADS not in scope["path"] or scope["method"] == "OPTIONS":
        return None
    connection = HTTPConnection(scope)
    if not is_own_page(connection.headers):
        return FOREIGN
    try:
        settings = Settings.from_environment()
    except SettingsError:  # every page says so, and none has an upload
        return NOT_SIGNED_IN
    if settings.mode == "local":
        return None
    claims = signed_claims(connection.cookies, connection.headers.get("origin"))
    is_known = await run_in_threadpool(_is_known, load_store, settings, claims)
    return None if is_known else NOT_SIGNED_IN


def signed_claims(cookies: Mapping[str, str], origin: str | None) -> dict:
    """What Streamlit's sign-in has put into the visitor's cookie; empty without one of ours, for pages of `origin`."""
    from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
    from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

    signed = _get_signed_cookie_with_chunks(dict(cookies), USER_COOKIE_NAME)
    try:
        claims = json.loads(signed) if signed else {}
    except ValueError:
        return {}
    return claims if isinstance(claims, dict) and claims.get("origin") == origin else {}


def _is_known(load_store: Callable[[Settings], Store], settings: Settings, claims: Mapping[str, object]) -> bool:
    email = signed_in_address(claims)
    try:
        return bool(email) and known_visitor(load_store(settings), email, first_admin=None) is not None
    except StoreError as error:
        log.warning("an upload was refused, the store does not say who may send it: %s", error)
        return False
