"""Who can reach the server: without sign-in it is for this machine alone, unless somebody says they know better."""

import ipaddress

from app.shell.messages import message
from app.shell.settings import Settings
from l2a.errors import SettingsError


def check(settings: Settings, address: str | None) -> None:
    """Raises SettingsError where nobody signs in and the server listens on more than this machine.

    `address` is Streamlit's `server.address`; none means every network of the machine.
    """
    where = address or "0.0.0.0"
    if settings.mode == "local" and not settings.unprotected and not is_this_machine(address):
        raise SettingsError(message("settings.open_to_strangers", address=where))


def is_this_machine(address: str | None) -> bool:
    if not address:
        return False
    if address == "localhost" or address.startswith("unix:"):
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False
