"""Who can reach the server: without sign-in it is for this machine alone, unless somebody says they know better."""

import ipaddress

from app.shell.settings import Settings
from l2a.errors import SettingsError


def check(settings: Settings, address: str | None) -> None:
    """Raises SettingsError where nobody signs in and the server listens on more than this machine.

    `address` is Streamlit's `server.address`; none means every network of the machine.
    """
    where = address or "0.0.0.0"
    if settings.mode == "local" and not settings.unprotected and not is_this_machine(address):
        raise SettingsError(
            f"The server listens on {where}, but nobody has to sign in: L2A_MODE is local. Set "
            "L2A_MODE=team, or --server.address localhost; or L2A_UNPROTECTED=yes if you know that only people you "
            "trust can reach it."
        )


def is_this_machine(address: str | None) -> bool:
    if not address:
        return False
    if address == "localhost" or address.startswith("unix:"):
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False
