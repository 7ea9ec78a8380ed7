"""A small OpenID Connect provider on 127.0.0.1: whoever types an e-mail address is signed in as it.

It keeps the parts of the protocol that a client could get wrong: the client's id, secret and redirect address, a code
that works once, PKCE, the nonce, and tokens signed by a key of its own. `python -m tests.e2e.oidc_provider PORT` runs
it by hand.
"""

import base64
import hashlib
import html
import secrets
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT_ID = "l2a-test"
CLIENT_SECRET = "a-client-secret-that-must-not-be-shown"
UNVERIFIED = "unverified@"  # addresses that begin so are not confirmed
START_SECONDS = 20


@dataclass
class Provider:
    """What the provider knows: the addresses it sends people back to, and the codes it has given out."""

    issuer: str
    redirect_uris: set[str] = field(default_factory=set)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)  # access token -> e-mail address
    signed_out: int = 0
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "test-key", "use": "sig"}))

    def routes(self) -> list[Route]:
        return [
            Route("/.well-known/openid-configuration", self.discovery),
            Route("/authorize", self.authorize),
            Route("/token", self.token, methods=["POST"]),
            Route("/jwks", self.jwks),
            Route("/userinfo", self.userinfo),
            Route("/end_session", self.end_session),
        ]

    async def discovery(self, _: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/jwks",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "end_session_endpoint": f"{self.issuer}/end_session",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
                "code_challenge_methods_supported": ["S256"],
                "scopes_supported": ["openid", "email", "profile"],
            }
        )

    async def authorize(self, request: Request) -> Response:
        """A form that asks who one is; with `login` in the address, straight back with a code."""
        asked = dict(request.query_params)
        if asked.get("client_id") != CLIENT_ID or asked.get("redirect_uri") not in self.redirect_uris:
            return PlainTextResponse("unknown client or redirect address", status_code=400)
        if asked.get("code_challenge_method") != "S256" or not asked.get("nonce"):
            return PlainTextResponse("PKCE and a nonce are asked for", status_code=400)
        email = asked.pop("login", "")
        if not email:
            return HTMLResponse(_form(asked))
        code = secrets.token_urlsafe(24)
        self.codes[code] = {**asked, "email": email}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}", 302)

    async def token(self, request: Request) -> Response:
        form = await request.form()
        if _credentials(request, form) != (CLIENT_ID, CLIENT_SECRET):
            return JSONResponse({"error": "invalid_client"}, status_code=401)
        asked = self.codes.pop(str(form.get("code")), None)  # a code works once
        if asked is None or asked["redirect_uri"] != form.get("redirect_uri"):
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
        if _challenge(str(form.get("code_verifier"))) != asked["code_challenge"]:
            return JSONResponse({"error": "invalid_grant", "error_description": "PKCE"}, status_code=400)
        access = secrets.token_urlsafe(24)
        self.tokens[access] = asked["email"]
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 600, "nonce": asked["nonce"]}
        id_token = jwt.encode({"alg": "RS256", "kid": "test-key"}, {**claims, **_person(asked["email"])}, self.key)
        return JSONResponse(
            {"access_token": access, "token_type": "Bearer", "expires_in": 600, "id_token": id_token},
            headers={"Cache-Control": "no-store"},
        )

    async def jwks(self, _: Request) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def userinfo(self, request: Request) -> Response:
        email = self.tokens.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        return JSONResponse({"error": "invalid_token"}, 401) if email is None else JSONResponse(_person(email))

    async def end_session(self, request: Request) -> Response:
        back = request.query_params.get("post_logout_redirect_uri")
        if back not in self.redirect_uris:
            return PlainTextResponse("unknown redirect address", status_code=400)
        self.signed_out += 1
        return RedirectResponse(back, 302)


@contextmanager
def running_provider(port: int = 0) -> Iterator[Provider]:
    """The provider in a thread, on a free port unless one is named."""
    listening = socket.create_server(("127.0.0.1", port))
    provider = Provider(f"http://127.0.0.1:{listening.getsockname()[1]}")
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=provider.routes()), log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + START_SECONDS
        while not server.started:
            assert time.monotonic() < deadline, "the OIDC provider did not start"
            time.sleep(0.02)
        yield provider
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()


def _person(email: str) -> dict[str, object]:
    return {
        "sub": email,
        "email": email,
        "email_verified": not email.startswith(UNVERIFIED),
        "name": email.split("@")[0],
    }


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _credentials(request: Request, form) -> tuple[str, str]:
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "basic":
        name, _, password = base64.b64decode(value).decode().partition(":")
        return name, password
    return str(form.get("client_id")), str(form.get("client_secret"))


def _form(asked: dict[str, str]) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in asked.items()
    )
    return (
        f'<!doctype html><title>Test provider</title><form action="/authorize">{hidden}'
        '<label>E-mail <input name="login" required></label> <button>Continue</button></form>'
    )


if __name__ == "__main__":
    with running_provider(int(sys.argv[1])) as by_hand:
        by_hand.redirect_uris.add(sys.argv[2])
        print(by_hand.issuer, flush=True)
        threading.Event().wait()
