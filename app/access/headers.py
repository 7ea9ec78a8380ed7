"""What browsers are told about every answer: what a page may load, and who may put it into a frame."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

import streamlit as st

from app.shell.settings import Settings
from l2a.errors import SettingsError

INDEX = Path(st.__file__).parent / "static" / "index.html"
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)

# As narrow as Streamlit allows. `blob:` in scripts is how it loads components, 'wasm-unsafe-eval' its tables' reader;
# styles are set element by element. Images from `blob:` are drawings on their way into a file.
_POLICY = (
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
)
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # not less: without one, browsers hide the origin of what they send here, too
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def security_headers() -> dict[str, str]:
    """Names and values for every answer. With settings that are refused nobody may frame the page that says so."""
    try:
        embed = Settings.from_environment().embed
    except SettingsError:
        embed = ()
    framed_by = " ".join(embed) or "'none'"
    policy = "; ".join((*_POLICY, _scripts(), f"frame-ancestors {framed_by}"))
    older = {} if embed else {"X-Frame-Options": "DENY"}  # it cannot name anybody
    return {"Content-Security-Policy": policy, **older, **_ALWAYS}


@cache
def _scripts() -> str:
    """Streamlit's own page holds a line of script, which is allowed by its checksum."""
    found = _INLINE_SCRIPT.findall(INDEX.read_text(encoding="utf-8"))
    sums = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in found]
    return " ".join(("script-src 'self' blob: 'wasm-unsafe-eval'", *(f"'sha256-{one}'" for one in sums)))
