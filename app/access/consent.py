"""Which names were chosen by a click, and in which browser: the address of a page may ask for those again.

A browser is known by the cookie with which Streamlit tells its own requests from those of foreign pages; it is another
in every browser, and no foreign page can read it. The server remembers while it runs; after a restart the address that
the click made says it: its proof is good in that browser only.
"""

import hashlib
import hmac
import threading
from collections import OrderedDict
from collections.abc import Mapping

MOST = 1000  # pairs of browser and name that are remembered; the oldest are forgotten

_given: OrderedDict[tuple[str, str], None] = OrderedDict()
_lock = threading.Lock()


def give(cookies: Mapping[str, str], name: str) -> None:
    browser = _browser(cookies)
    if browser:
        with _lock:
            _given[browser, name] = None
            _given.move_to_end((browser, name))
            while len(_given) > MOST:
                _given.popitem(last=False)


def was_given(cookies: Mapping[str, str], name: str, shown: str | None = None) -> bool:
    """`shown`: the proof that the address brings, if any."""
    browser = _browser(cookies)
    if not browser:
        return False
    with _lock:
        if (browser, name) in _given:
            return True
    return hmac.compare_digest(proof(cookies, name).encode(), (shown or "").encode())


def proof(cookies: Mapping[str, str], name: str) -> str:
    """What only a page of ours in this browser can know; empty where the browser has no cookie."""
    browser = _browser(cookies)
    return hmac.new(browser.encode(), name.encode(), hashlib.sha256).hexdigest()[:32] if browser else ""


def _browser(cookies: Mapping[str, str]) -> str:
    """Empty where the browser has no such cookie: it is asked every time. The cookie's value differs, its token not."""
    from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
    from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

    token, _ = decode_xsrf_token_string(cookies.get(XSRF_COOKIE_NAME, ""))
    return hashlib.sha256(token).hexdigest() if token else ""
